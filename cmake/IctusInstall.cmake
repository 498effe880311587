# Installation in the components library, development, program and python (python/CMakeLists.txt), and the exported package
# `find_package(ictus)`.
include(CMakePackageConfigHelpers)
get_property(modules GLOBAL PROPERTY ICTUS_MODULES)
add_library(ictus INTERFACE)
add_library(ictus::ictus ALIAS ictus)
target_link_libraries(ictus INTERFACE ${modules})

# What an outside program includes: to build scenes, run them and read their results, and to describe a system of its own.
ictus_public_headers(ictus/ictus.hpp ictus/dynamics/generalised/variational_trapezoid.hpp
                     ictus/dynamics/scheme/newton_cone.hpp ictus/mechanics/generalised/coordinate_body.hpp
                     ictus/mechanics/rigid/rigid_bodies.hpp)
install(TARGETS ictus ${modules} EXPORT ictus-targets ARCHIVE COMPONENT development FILE_SET HEADERS COMPONENT development)
if(ICTUS_SHARED)
  # All modules in one shared library, as ictus::shared.
  set(archives)
  foreach(module IN LISTS modules)
    get_target_property(type ${module} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      list(APPEND archives ${module})
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/shared.cpp CONTENT "// All that is in it comes from the modules.\n")
  add_library(ictus_shared SHARED ${PROJECT_BINARY_DIR}/generated/shared.cpp)
  # Whole archives come before the modules, of which nothing is left to take then but what they link to.
  list(TRANSFORM archives REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
  target_link_options(ictus_shared PRIVATE LINKER:--whole-archive ${files} LINKER:--no-whole-archive)
  add_dependencies(ictus_shared ${archives})
  target_link_libraries(ictus_shared PRIVATE ictus_flags ${modules})
  set_target_properties(ictus_shared PROPERTIES OUTPUT_NAME ictus EXPORT_NAME shared VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_include_directories(ictus_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                             $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(ictus_shared INTERFACE cxx_std_20)
  target_compile_definitions(ictus_shared INTERFACE EIGEN_MAX_ALIGN_BYTES=16)
  target_link_libraries(ictus_shared INTERFACE fmt::fmt Eigen3::Eigen nlohmann_json::nlohmann_json)
  add_library(ictus::shared ALIAS ictus_shared)
  install(TARGETS ictus_shared EXPORT ictus-targets LIBRARY COMPONENT library NAMELINK_COMPONENT development)
endif()
install(TARGETS ictus_program RUNTIME COMPONENT program)
# The manual page comes from the program itself, whose tables of commands it tells.
set(manual ${PROJECT_BINARY_DIR}/ictus.1.gz)
add_custom_command(OUTPUT ${manual} COMMAND ictus_program man | gzip -9n > ${manual} DEPENDS ictus_program VERBATIM)
add_custom_target(ictus_manual ALL DEPENDS ${manual})
install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(EXPORT ictus-targets NAMESPACE ictus:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ictus COMPONENT development)
configure_package_config_file(cmake/ictus-config.cmake.in ${PROJECT_BINARY_DIR}/ictus-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ictus)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ictus-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ictus-config.cmake ${PROJECT_BINARY_DIR}/ictus-config-version.cmake
        cmake/FindCHOLMOD.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ictus COMPONENT development)

if(ICTUS_SHARED)
  include(IctusPackages)
endif()
