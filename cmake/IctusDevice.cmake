# Loops that run on a GPU as well as on the host: .cu files, compiled by nvcc with ICTUS_CUDA and as C++ without.
# Neither fuses multiplications with additions, so that both take the same steps to the last bit.
if(ICTUS_CUDA)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90)  # before enable_language, which else takes the compiler's oldest
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
endif()

# ictus_device_objects(<target> SOURCES <source>... LINKS <target>...)
# The objects of .cu files, which see the headers of the targets that they link.
function(ictus_device_objects target)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_library(${target} OBJECT ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${ARG_LINKS})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
  if(ICTUS_CUDA)
    # CMake 3.25 does not know C++20 for CUDA.
    set_target_properties(${target} PROPERTIES CUDA_STANDARD_REQUIRED OFF)
    target_compile_options(${target} PRIVATE -std=c++20 --expt-relaxed-constexpr -fmad=false
                           -Xcompiler=-ffp-contract=off,-fno-math-errno)
  else()
    set_source_files_properties(${ARG_SOURCES} PROPERTIES LANGUAGE CXX)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:ictus_flags>)
    target_compile_options(${target} PRIVATE -ffp-contract=off)
  endif()
endfunction()
