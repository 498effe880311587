# Debian packages, made by `cpack -G DEB` in a build of the preset `packages`: libictus, libictus-dev, ictus and python3-ictus, one
# for each component of the installation.
set(CPACK_PACKAGE_NAME ictus)
set(CPACK_PACKAGE_CONTACT "The Ictus contributors <ictus@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL library development program python)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# dpkg-shlibdeps finds the libraries of others; the packages of one version belong together.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# ictus_package(<component> <name> <section> <title> <text> [DEPENDS <package>...] [RECOMMENDS <package>...])
# One package, with the copyright and the changelog that Debian wants in each.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
function(ictus_package component name section title text)
  cmake_parse_arguments(ARG "" "" "DEPENDS;RECOMMENDS" ${ARGN})
  string(TOUPPER ${component} id)
  list(JOIN ARG_DEPENDS ", " depends)
  list(JOIN ARG_RECOMMENDS ", " recommends)
  set(CPACK_DEBIAN_${id}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${id}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${id}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${id}_PACKAGE_RECOMMENDS "${recommends}" PARENT_SCOPE)
  set(CPACK_COMPONENT_${id}_DESCRIPTION "${title}\n${text}" PARENT_SCOPE)
  set(folder ${PROJECT_BINARY_DIR}/packaging/${name})
  file(COPY_FILE ${PROJECT_SOURCE_DIR}/packaging/copyright ${folder}/copyright ONLY_IF_DIFFERENT)
  file(WRITE ${folder}/changelog
       "ictus (${PROJECT_VERSION}) bookworm; urgency=medium\n\n  * CHANGELOG.md of the sources says what changed.\n\n"
       " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  execute_process(COMMAND gzip -9nf ${folder}/changelog COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${folder}/copyright ${folder}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name}
          COMPONENT ${component})
endfunction()

file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/packaging/libictus ${PROJECT_BINARY_DIR}/packaging/libictus-dev
     ${PROJECT_BINARY_DIR}/packaging/ictus ${PROJECT_BINARY_DIR}/packaging/python3-ictus)
set(library "libictus (= ${PROJECT_VERSION})")
ictus_package(library libictus libs "impacts of elastic and rigid bodies (shared library)"
  "What the program ictus and its Python package share.")
ictus_package(development libictus-dev libdevel "impacts of elastic and rigid bodies (development)"
  "Headers, libraries and CMake files to build programs with Ictus."
  DEPENDS ${library} libcli11-dev libeigen3-dev libfmt-dev libhdf5-dev libqhull-dev libspectra-dev libsuitesparse-dev
          libtinyxml2-dev
          libyaml-cpp-dev nlohmann-json3-dev zlib1g-dev)
ictus_package(program ictus science "impacts of elastic and rigid bodies (program)"
  "Runs scenes of bodies that collide, compares integrators, and writes reports." DEPENDS ${library})
ictus_package(python python3-ictus python "impacts of elastic and rigid bodies (Python)"
  "Scenes, simulations and results as NumPy arrays." DEPENDS ${library} "python3 (>= 3.11)" "python3 (<< 3.12)" python3-numpy
  RECOMMENDS python3-matplotlib python3-pandas)
# Whoever installs a library tells the loader, whoever installs modules of Python compiles them.
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/library/triggers)
if(ICTUS_ARCH MATCHES "^x86-64-v[234]$")
  configure_file(packaging/library/preinst.in packaging/preinst @ONLY FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
                 GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  list(APPEND CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/packaging/preinst)
endif()
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/python/postinst
    ${PROJECT_SOURCE_DIR}/packaging/python/prerm)
include(CPack)
