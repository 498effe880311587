# ictus_benchmark(<name> [OUTSIDE_STEPS] [LINKS <target>...]): the Google Benchmark program bench_<name> from
# bench/<name>.cpp, compiled as ictus_compiled says: OUTSIDE_STEPS where it only calls what it measures.
function(ictus_benchmark name)
  cmake_parse_arguments(ARG "OUTSIDE_STEPS" "" "LINKS" ${ARGN})
  # A library of objects, since programs are compiled with other flags than the precompiled headers of libraries.
  add_library(bench_${name}_objects OBJECT ${name}.cpp)
  target_include_directories(bench_${name}_objects PRIVATE ${PROJECT_SOURCE_DIR}/tests
                                                             ${PROJECT_SOURCE_DIR}/bench)
  target_link_libraries(bench_${name}_objects PUBLIC ${ARG_LINKS} benchmark::benchmark_main)
  if(ARG_OUTSIDE_STEPS)
    ictus_compiled(bench_${name}_objects OUTSIDE_STEPS)
  else()
    ictus_compiled(bench_${name}_objects)
  endif()
  add_executable(bench_${name})
  target_link_libraries(bench_${name} PRIVATE bench_${name}_objects)
endfunction()
