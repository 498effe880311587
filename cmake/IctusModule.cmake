# ictus_module(<name> [OUTSIDE_STEPS [<source>...]] [UNVECTORISED <source>...] [USES <module>...] [LINKS <target>...]
#              [PRIVATE_LINKS <target>...])
# One folder of src/ictus = one namespace = one static library ictus::<name>. Every .cpp in the folder and in its rooms,
# the folders inside, belongs to it. USES names the modules it includes; tools/check_layers.py holds it against the module table of
# docs/architecture.md. LINKS reach the module's users, PRIVATE_LINKS do not. OUTSIDE_STEPS and UNVECTORISED say how the
# sources named, with their rooms, are compiled (ictus_compiled); OUTSIDE_STEPS with none named: all. Its .cu files hold
# what runs on a device as well as on the host (ictus_device_objects).
function(ictus_module name)
  cmake_parse_arguments(ARG "" "" "OUTSIDE_STEPS;UNVECTORISED;USES;LINKS;PRIVATE_LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  list(TRANSFORM ARG_USES PREPEND ictus::)
  set(target ictus_${name})
  file(GLOB_RECURSE device_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cu)
  if(device_sources)
    ictus_device_objects(${target}_device SOURCES ${device_sources} LINKS ${ARG_USES} ${ARG_LINKS})
    list(APPEND sources $<TARGET_OBJECTS:${target}_device>)
  endif()
  if(sources)
    foreach(way IN ITEMS OUTSIDE_STEPS UNVECTORISED)
      if(ARG_${way})
        list(TRANSFORM ARG_${way} PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/${name}/)
        list(REMOVE_ITEM sources ${ARG_${way}})
        string(TOLOWER ${target}_${way} objects)
        add_library(${objects} OBJECT ${ARG_${way}})
        target_link_libraries(${objects} PRIVATE ${ARG_USES} ${ARG_LINKS} ${ARG_PRIVATE_LINKS})
        ictus_compiled(${objects} ${way})
        list(APPEND sources $<TARGET_OBJECTS:${objects}>)
      endif()
    endforeach()
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PRIVATE ${ARG_PRIVATE_LINKS})
    ictus_compiled(${target} ${ARG_KEYWORDS_MISSING_VALUES})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(ictus::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                             $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # Eigen aligns what it allocates, and frees it, by the vector width it sees: a program compiled without our -march
  # would free a matrix of ours wrongly. Sixteen bytes are every x86-64 compiler's; AVX loads do not need more.
  target_compile_definitions(${target} ${scope} EIGEN_MAX_ALIGN_BYTES=16)
  target_link_libraries(${target} ${scope} ${ARG_USES} ${ARG_LINKS})
  set_property(GLOBAL APPEND PROPERTY ICTUS_MODULES ${target})
endfunction()

# ictus_compiled(<target> [OUTSIDE_STEPS | UNVECTORISED]): how the sources of a library are compiled.
# OUTSIDE_STEPS: nothing of them runs in every step; with little optimisation, in half the time.
# UNVECTORISED: their loops run over a handful of coordinates, where vector code would spend more on its preparations
# than it saves. Without precompiled headers, which would bring vectors back.
function(ictus_compiled target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:ictus_flags>)
  if(OUTSIDE_STEPS IN_LIST ARGN)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:ictus_light>)
    target_precompile_headers(${target} REUSE_FROM ictus_headers_light)
  elseif(UNVECTORISED IN_LIST ARGN)
    target_compile_options(${target} PRIVATE -fno-tree-vectorize)
  else()
    target_precompile_headers(${target} REUSE_FROM ictus_headers)
  endif()
endfunction()

# ictus_build_identity(<target>)
# Compiles ictus::observe::build_identity() into <target>; renewed when a source of the library changes.
function(ictus_build_identity target)
  set(base ${PROJECT_SOURCE_DIR}/src/ictus)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${base}/*.hpp ${base}/*.cpp ${base}/*.cu)
  set(out ${PROJECT_BINARY_DIR}/generated/build_identity.cpp)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  get_target_property(options ictus_flags INTERFACE_COMPILE_OPTIONS)
  list(FILTER options EXCLUDE REGEX "^-W")
  if(ICTUS_ARCH STREQUAL "native")
    # What "native" means depends on the machine.
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -Q --help=target OUTPUT_VARIABLE target_help ERROR_QUIET)
    string(REGEX MATCH "-march=[ \t]+([^ \t\n]+)" found "${target_help}")
    list(TRANSFORM options REPLACE "^-march=native$" "-march=${CMAKE_MATCH_1}")
  endif()
  list(JOIN options " " options)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DBASE=${base} -DVERSION=${PROJECT_VERSION} "-DSOURCES=${sources}"
            "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
            "-DFLAGS=${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} ${options}"
            -P ${PROJECT_SOURCE_DIR}/cmake/build_identity.cmake
    DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/cmake/build_identity.cmake VERBATIM
    COMMENT "Naming the build")
  target_sources(${target} PRIVATE ${out})
endfunction()

# ictus_public_headers(<header>...)
# Makes the headers given, named as they are included, and all headers of ours that they include public: each is in the
# header set of its module (those outside the modules in that of ictus), which is installed. With
# CMAKE_VERIFY_INTERFACE_HEADER_SETS (preset lint) the target all_verify_interface_header_sets compiles each by itself.
function(ictus_public_headers)
  set(bases ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
  set(waiting ${ARGN})
  set(public)
  while(waiting)
    list(POP_FRONT waiting header)
    if(header IN_LIST public)
      continue()
    endif()
    list(APPEND public ${header})
    find_file(file ${header} PATHS ${bases} NO_DEFAULT_PATH NO_CACHE REQUIRED)
    file(STRINGS ${file} included REGEX "^#include <ictus/")
    list(TRANSFORM included REPLACE "^#include <([^>]+)>.*" "\\1")
    list(APPEND waiting ${included})
    set(target ictus)
    set(scope INTERFACE)
    if(header MATCHES "^ictus/([^/]+)/")
      set(target ictus_${CMAKE_MATCH_1})
      get_target_property(type ${target} TYPE)
      if(NOT type STREQUAL "INTERFACE_LIBRARY")
        set(scope PUBLIC)
      endif()
    endif()
    target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS ${bases} FILES ${file})
    unset(file)
  endwhile()
endfunction()
