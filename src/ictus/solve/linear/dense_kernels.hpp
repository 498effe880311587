#pragma once

#include <mutex>

namespace ictus::solve {

/// Sparse factors are made of products of dense blocks, which a BLAS computes. OpenBLAS chooses its kernels by the name
/// of the processor when it is loaded, and on one that is newer than itself takes those of 2004, six times slower. This
/// lets it take those for the instructions that the processor has. Where the BLAS is another one, knows the processor,
/// or OPENBLAS_CORETYPE says what to take, it keeps its own. Whatever the BLAS, it gets one thread: how products are
/// summed depends on how many share them, and results must not. Safe to call often; must come before the first product.
void choose_dense_kernels();

/// To be held while products of dense blocks are made. OpenBLAS without threads of its own hands two threads that call
/// it at the same time the same buffer, and both get wrong numbers; then this is the lock of all. Any other BLAS can be
/// called side by side: then the lock holds nothing.
[[nodiscard]] std::unique_lock<std::mutex> lock_dense_kernels();

}  // namespace ictus::solve
