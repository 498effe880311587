#include <ictus/solve/sweeps/anderson.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <ictus/math/pack.hpp>

namespace ictus::solve {

namespace {

constexpr std::size_t block_size = 2048;
constexpr std::size_t sum_count = 2 * AndersonMixer::max_depth;

std::size_t blocks(std::size_t n) { return (n + block_size - 1) / block_size; }

template <class Body>
void for_ranges(const exec::Executor& executor, std::size_t n, Body&& body) {
  executor.for_items(blocks(n), [&](std::size_t b) { body(b, b * block_size, std::min(n, (b + 1) * block_size)); });
}

struct TwoDots {
  double first, second;
};

math::Pack widened(const float* from) {
  using Floats = float __attribute__((vector_size(math::Pack::lanes * sizeof(float))));
  Floats eight;
  std::memcpy(&eight, from, sizeof(Floats));
  return math::Pack(__builtin_convertvector(eight, math::Pack::Vector));
}

/// a·x and b·x in one pass, always in the same order.
TwoDots dots(const float* a, const double* b, const float* x, std::size_t n) {
  using math::Pack;
  Pack first, second;
  std::size_t i = 0;
  for (; i + Pack::lanes <= n; i += Pack::lanes) {
    const Pack here = widened(x + i);
    first += widened(a + i) * here;
    second += Pack::load(b + i) * here;
  }
  TwoDots result{sum(first), sum(second)};
  for (; i < n; ++i) {
    const double here = x[i];
    result.first += a[i] * here;
    result.second += b[i] * here;
  }
  return result;
}

/// step ← value − previous, previous ← value. The arrays do not overlap: said so that the loop vectorises.
void advance(const double* __restrict value, double* __restrict previous, float* __restrict step, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    step[i] = static_cast<float>(value[i] - previous[i]);
    previous[i] = value[i];
  }
}

/// residual ← image − start, step ← its change.
void advance_residual(const double* __restrict image, const double* __restrict start, double* __restrict residual,
                      float* __restrict step, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double now = image[i] - start[i];
    step[i] = static_cast<float>(now - residual[i]);
    residual[i] = now;
  }
}

/// y ← y − Σ weightⱼ xⱼ, where xⱼ is the row j × stride further on.
void subtract(std::span<const double> weights, const float* x, std::size_t stride, double* y, std::size_t n) {
  using math::Pack;
  std::size_t i = 0;
  for (; i + Pack::lanes <= n; i += Pack::lanes) {
    Pack rest = Pack::load(y + i);
    for (std::size_t j = 0; j < weights.size(); ++j) rest -= Pack(weights[j]) * widened(x + j * stride + i);
    rest.store(y + i);
  }
  for (; i < n; ++i) {
    for (std::size_t j = 0; j < weights.size(); ++j) y[i] -= weights[j] * x[j * stride + i];
  }
}

}  // namespace

void AndersonMixer::reset(std::size_t state_size, std::size_t measured, int depth) {
  assert(depth >= 1 && depth <= max_depth && measured <= state_size);
  size_ = state_size;
  measured_ = measured;
  depth_ = depth;
  const auto grow = [](auto& v, std::size_t n) {
    if (v.size() < n) v.resize(n);
  };
  grow(start_, measured);
  grow(previous_residual_, measured);
  grow(previous_image_, state_size);
  grow(residual_steps_, measured * static_cast<std::size_t>(depth));
  grow(image_steps_, state_size * static_cast<std::size_t>(depth));
  grow(partial_, blocks(state_size) * sum_count);
  forget();
}

void AndersonMixer::begin(const exec::Executor& executor, std::span<const double> state) {
  for_ranges(executor, measured_, [&](std::size_t, std::size_t from, std::size_t to) {
    std::copy(state.begin() + from, state.begin() + to, start_.begin() + from);
  });
}

/// Stores Δf and Δg of the newest step in the oldest slot, and f and g for the next; updates Δf·Δf and Δf·f.
void AndersonMixer::remember(const exec::Executor& executor, std::span<const double> state) {
  const int count = has_previous_ ? std::min(stored_ + 1, depth_) : 0;
  for_ranges(executor, size_, [&](std::size_t b, std::size_t from, std::size_t to) {
    const auto slot = static_cast<std::size_t>(next_);
    advance(&state[from], &previous_image_[from], &image_steps_[slot * size_ + from], to - from);
    double* partial = &partial_[b * sum_count];
    std::fill_n(partial, sum_count, 0.0);
    if (from >= measured_) return;
    const std::size_t length = std::min(to, measured_) - from;
    float* newest = &residual_steps_[slot * measured_ + from];
    double* f = &previous_residual_[from];
    advance_residual(&state[from], &start_[from], f, newest, length);
    for (int j = 0; j < count; ++j) {
      const float* step = &residual_steps_[static_cast<std::size_t>(j) * measured_ + from];
      const auto [product, projection] = dots(newest, f, step, length);
      partial[j] = product;
      partial[max_depth + j] = projection;
    }
  });
  if (has_previous_) {
    for (int j = 0; j < count; ++j) {
      double product = 0.0;
      double projection = 0.0;
      for (std::size_t b = 0; b < blocks(size_); ++b) {
        product += partial_[b * sum_count + static_cast<std::size_t>(j)];
        projection += partial_[b * sum_count + static_cast<std::size_t>(max_depth + j)];
      }
      gram_[next_ * max_depth + j] = gram_[j * max_depth + next_] = product;
      projection_[j] = projection;
    }
    stored_ = count;
    next_ = (next_ + 1) % depth_;
  }
  has_previous_ = true;
}

/// γ from the normal equations by Cholesky with a floor under the pivots: a direction that the others span gets none.
void AndersonMixer::solve_weights() {
  std::array<double, max_depth * max_depth> factor{};
  std::array<bool, max_depth> used{};
  for (int i = 0; i < stored_; ++i) {
    double value = projection_[i];
    double pivot = gram_[i * max_depth + i];
    const double floor = 1e-12 * pivot;
    for (int j = 0; j < i; ++j) {
      if (!used[j]) continue;
      double entry = gram_[i * max_depth + j];
      for (int k = 0; k < j; ++k) entry -= factor[i * max_depth + k] * factor[j * max_depth + k];
      entry /= factor[j * max_depth + j];
      factor[i * max_depth + j] = entry;
      pivot -= entry * entry;
      value -= entry * weight_[j];
    }
    used[i] = pivot > floor;
    if (used[i]) {
      factor[i * max_depth + i] = std::sqrt(pivot);
      weight_[i] = value / factor[i * max_depth + i];
    } else {
      weight_[i] = 0.0;
      for (int j = 0; j < i; ++j) factor[i * max_depth + j] = 0.0;
    }
  }
  for (int i = stored_; i-- > 0;) {
    if (!used[i]) continue;
    for (int j = i + 1; j < stored_; ++j) weight_[i] -= factor[j * max_depth + i] * weight_[j];
    weight_[i] /= factor[i * max_depth + i];
  }
}

void AndersonMixer::mix(const exec::Executor& executor, std::span<double> state) {
  remember(executor, state);
  if (stored_ == 0) return;
  solve_weights();
  for_ranges(executor, size_, [&](std::size_t, std::size_t from, std::size_t to) {
    subtract(std::span(weight_).first(static_cast<std::size_t>(stored_)), &image_steps_[from], size_, &state[from],
             to - from);
  });
}

void AndersonMixer::restore(const exec::Executor& executor, std::span<double> state) const {
  for_ranges(executor, size_, [&](std::size_t, std::size_t from, std::size_t to) {
    std::copy(previous_image_.begin() + from, previous_image_.begin() + to, state.begin() + from);
  });
}

}  // namespace ictus::solve
