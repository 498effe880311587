#include <ictus/solve/sweeps/conjugate_directions.hpp>

#include <algorithm>

namespace ictus::solve {

namespace {

/// g ← g + β d, d ← β d + g − z, z ← the new g. The arrays do not overlap: said so that the loop vectorises.
void go_on(double beta, double* __restrict image, double* __restrict before, double* __restrict direction,
           std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double along = beta * direction[i];
    direction[i] = along + (image[i] - before[i]);
    before[i] = image[i] += along;
  }
}

}  // namespace

void ConjugateDirections::start(const exec::Executor& executor, std::span<const double> state) {
  if (before_.size() < state.size()) {
    before_.resize(state.size());
    direction_.resize(state.size());
  }
  previous_ = 0.0;
  executor.for_blocks(state.size(), [&](std::size_t begin, std::size_t end) {
    std::copy(state.begin() + begin, state.begin() + end, before_.begin() + begin);
    std::fill(direction_.begin() + begin, direction_.begin() + end, 0.0);
  });
}

void ConjugateDirections::step(const exec::Executor& executor, double change_sq, std::span<double> state) {
  const double beta = previous_ > 0.0 ? change_sq / previous_ : 0.0;
  previous_ = change_sq;
  executor.for_blocks(state.size(), [&](std::size_t begin, std::size_t end) {
    if (beta > 1.0) {
      std::copy(state.begin() + begin, state.begin() + end, before_.begin() + begin);
      std::fill(direction_.begin() + begin, direction_.begin() + end, 0.0);
    } else {
      go_on(beta, &state[begin], &before_[begin], &direction_[begin], end - begin);
    }
  });
}

}  // namespace ictus::solve
