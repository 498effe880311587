# Compiler settings shared by every target of the tree, carried by ictus_flags.
# -Wno-psabi: packs of eight doubles live in registers and are inlined, whatever registers there are.
# -fno-math-errno: otherwise sqrt sets errno and loops over it do not vectorise.
add_library(ictus_flags INTERFACE)
target_compile_features(ictus_flags INTERFACE cxx_std_20)
target_compile_options(ictus_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Wno-sign-conversion -Wno-psabi -fno-math-errno)
if(ICTUS_WERROR)
  target_compile_options(ictus_flags INTERFACE -Werror)
endif()
if(ICTUS_ARCH)
  target_compile_options(ictus_flags INTERFACE -march=${ICTUS_ARCH})
endif()
if(ICTUS_SANITIZE)
  # GCC 12 takes the undefined registers of the vector intrinsics for mistakes where it optimises little.
  target_compile_options(ictus_flags INTERFACE -fsanitize=${ICTUS_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all -Wno-uninitialized -Wno-maybe-uninitialized)
  target_compile_definitions(ictus_flags INTERFACE _GLIBCXX_ASSERTIONS)  # indices of vectors and spans
  target_link_options(ictus_flags INTERFACE -fsanitize=${ICTUS_SANITIZE})
endif()
if(ICTUS_COVERAGE)
  target_compile_options(ictus_flags INTERFACE --coverage)
  target_link_options(ictus_flags INTERFACE --coverage)
endif()
