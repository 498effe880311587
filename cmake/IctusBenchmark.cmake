# ictus_benchmark(<name> [LINKS <target>...]): the Google Benchmark program bench_<name> from bench/<name>.cpp.
function(ictus_benchmark name)
  cmake_parse_arguments(ARG "" "" "LINKS" ${ARGN})
  add_executable(bench_${name} ${name}.cpp)
  target_link_libraries(bench_${name} PRIVATE ictus_flags ${ARG_LINKS} benchmark::benchmark_main)
endfunction()
