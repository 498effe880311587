#include <gtest/gtest.h>

#include <ictus/solve/linear/sparse_cholesky.hpp>

// Stands in for the BLAS' own, which the library looks for by its name.
namespace {
int threads_asked_for = 0;
}
extern "C" __attribute__((visibility("default"))) void openblas_set_num_threads(int count) {
  threads_asked_for = count;
}

namespace ictus::solve {
namespace {

/// With a thread for each core, factors would have other bits on another machine.
TEST(DenseKernels, FactorsAreMadeWithOneThreadOfTheBlas) {
  const SparseCholesky cholesky;
  EXPECT_EQ(threads_asked_for, 1);
}

}  // namespace
}  // namespace ictus::solve
