# Compiler settings shared by every target of the tree, carried by ictus_flags.
# -Wno-psabi: packs of eight doubles live in registers and are inlined, whatever registers there are.
# -fno-math-errno: otherwise sqrt sets errno and loops over it do not vectorise.
add_library(ictus_flags INTERFACE)
target_compile_features(ictus_flags INTERFACE cxx_std_20)
target_compile_options(ictus_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Wno-sign-conversion -Wno-psabi -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 takes the undefined registers of its own AVX-512 intrinsics for mistakes (GCC bug 105593), on some processors
  # at -O3 too. Clang-tidy still looks for real ones.
  target_compile_options(ictus_flags INTERFACE -Wno-uninitialized -Wno-maybe-uninitialized)
endif()
if(ICTUS_WERROR)
  target_compile_options(ictus_flags INTERFACE -Werror)
endif()
if(ICTUS_ARCH)
  target_compile_options(ictus_flags INTERFACE -march=${ICTUS_ARCH})
endif()
if(ICTUS_SANITIZE)
  target_compile_options(ictus_flags INTERFACE -fsanitize=${ICTUS_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_compile_definitions(ictus_flags INTERFACE _GLIBCXX_ASSERTIONS)  # indices of vectors and spans
  target_link_options(ictus_flags INTERFACE -fsanitize=${ICTUS_SANITIZE})
endif()
if(ICTUS_COVERAGE)
  target_compile_options(ictus_flags INTERFACE --coverage)
  target_link_options(ictus_flags INTERFACE --coverage)
endif()

# For what does not run in every step. Below -O2 GCC 12 warns of its own strings.
add_library(ictus_light INTERFACE)
target_compile_options(ictus_light INTERFACE $<$<CONFIG:Release>:-O1> -Wno-array-bounds -Wno-stringop-overflow
                       -Wno-restrict)

# ictus_precompiled_headers(<target> [HEADERS <header>...] [LINKS <target>...])
# Reads the headers of the standard library, fmt and Eigen, and those given, once; targets with the same flags say
# target_precompile_headers(... REUSE_FROM <target>). The same: GCC takes the optimisation of the precompiled headers,
# whatever the command line says. What few sources use stays out: templates that a header leaves for the end of the
# file are instantiated in every compilation.
function(ictus_precompiled_headers target)
  cmake_parse_arguments(ARG "" "" "HEADERS;LINKS" ${ARGN})
  add_library(${target} OBJECT ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
  target_compile_definitions(${target} PRIVATE EIGEN_MAX_ALIGN_BYTES=16)
  target_link_libraries(${target} PRIVATE ictus_flags fmt::fmt Eigen3::Eigen ${ARG_LINKS})
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem> <functional> <limits> <map> <memory> <numbers> <numeric>
    <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>
    <fmt/format.h> <fmt/ranges.h> <Eigen/Core> <Eigen/Geometry> <Eigen/LU> ${ARG_HEADERS})
endfunction()
