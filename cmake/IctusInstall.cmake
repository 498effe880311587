# Installation and the exported package `find_package(ictus)`.
include(CMakePackageConfigHelpers)
get_property(modules GLOBAL PROPERTY ICTUS_MODULES)
add_library(ictus INTERFACE)
add_library(ictus::ictus ALIAS ictus)
target_link_libraries(ictus INTERFACE ${modules})

# What an outside program includes: to build scenes, run them and read their results, and to describe a system of its own.
ictus_public_headers(ictus/ictus.hpp ictus/dynamics/generalised/variational_trapezoid.hpp
                     ictus/mechanics/generalised/formula_body.hpp)
install(TARGETS ictus ${modules} EXPORT ictus-targets FILE_SET HEADERS)
install(TARGETS ictus_program RUNTIME)
# The manual page comes from the program itself, whose tables of commands it tells.
set(manual ${PROJECT_BINARY_DIR}/ictus.1)
add_custom_command(OUTPUT ${manual} COMMAND ictus_program man > ${manual} DEPENDS ictus_program VERBATIM)
add_custom_target(ictus_manual ALL DEPENDS ${manual})
install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(EXPORT ictus-targets NAMESPACE ictus:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ictus)
configure_package_config_file(cmake/ictus-config.cmake.in ${PROJECT_BINARY_DIR}/ictus-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ictus)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ictus-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ictus-config.cmake ${PROJECT_BINARY_DIR}/ictus-config-version.cmake
        cmake/FindCHOLMOD.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ictus)
