# ictus_embed(<target> <namespace::symbol> BASE <dir> FILES <file>...)
# Compiles files into <target> as `std::span<const EmbeddedFile> <namespace>::<symbol>()`, each with its path
# relative to BASE, so that the program carries its cases and its report page wherever it is copied.
# Declared in <ictus/base/embedded.hpp>; the caller declares the function in its own header.
function(ictus_embed target function)
  cmake_parse_arguments(ARG "" "BASE" "FILES" ${ARGN})
  string(MAKE_C_IDENTIFIER ${function} id)
  set(out ${PROJECT_BINARY_DIR}/generated/embedded_${id}.cpp)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DFUNCTION=${function} -DBASE=${ARG_BASE} "-DFILES=${ARG_FILES}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${ARG_FILES} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM
    COMMENT "Embedding files for ${function}")
  target_sources(${target} PRIVATE ${out})
endfunction()
