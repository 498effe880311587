# ictus_test(<suite>/<name> LINKS <target>... [LABELS <label>...])
# One GoogleTest executable from every .cpp of tests/<suite>/<name>/. Its tests carry the suite's name as a label
# (unit, conformance, structure, ...) and those given; the label `long` keeps them out of `make test`. Its sources are
# compiled as one: what they define must not share a name.
include(GoogleTest)

# What the sanitizer build compiles: the suites that run each piece of code, not those that run it for long.
set(ICTUS_SANITIZED_SUITES unit conformance)
add_custom_target(sanitized_tests)

function(ictus_test folder)
  cmake_parse_arguments(ARG "" "" "LINKS;LABELS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  string(REPLACE "/" "_" target "test_${folder}")
  string(REGEX REPLACE "/.*" "" suite ${folder})
  add_executable(${target} ${sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${target} PRIVATE ictus_flags ictus_light ${ARG_LINKS} GTest::gmock GTest::gtest_main)
  target_precompile_headers(${target} REUSE_FROM test_headers)
  # PRE_TEST: tests are listed when ctest runs, so that building never runs what it built.
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 TEST_PREFIX "${folder}.")
  # gtest_discover_tests keeps only the first of several labels.
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${target}_labels.cmake CONTENT
       "if(@target@_TESTS)\n  set_tests_properties(\${@target@_TESTS} PROPERTIES LABELS \"@suite@;@ARG_LABELS@\")\nendif()\n" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/${target}_labels.cmake)
  if(suite IN_LIST ICTUS_SANITIZED_SUITES)
    add_dependencies(sanitized_tests ${target})
  endif()
endfunction()

# ictus_program_test(<suite>/<name> ...): the same for tests that run the built program, whose path they know as
# ICTUS_PROGRAM.
function(ictus_program_test folder)
  ictus_test(${folder} ${ARGN})
  string(REPLACE "/" "_" target "test_${folder}")
  target_compile_definitions(${target} PRIVATE ICTUS_PROGRAM="$<TARGET_FILE:ictus_program>")
  add_dependencies(${target} ictus_program)
endfunction()

# ictus_check(<name> COMMAND <command>... [LABELS <label>...]): a test that is a command run in the source tree.
function(ictus_check name)
  cmake_parse_arguments(ARG "" "" "COMMAND;LABELS" ${ARGN})
  add_test(NAME ${name} COMMAND ${ARG_COMMAND} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}")
endfunction()
