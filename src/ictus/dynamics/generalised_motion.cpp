#include <cmath>
#include <ictus/dynamics/generalised_motion.hpp>

namespace ictus::dynamics {

static_assert(mechanics::max_coordinates == solve::SmallLu::capacity);

namespace {

constexpr int most_iterations = 30;
/// Newton's method ends when the energy of a correction, relative, falls below this: the next one would be its square.
constexpr double negligible = 1e-16;

}  // namespace

GeneralisedMotion::GeneralisedMotion(const mechanics::GeneralisedBody& body)
    : body_(&body), size_(body.coordinates()), constant_(body.constant_inertia()) {
  if (!constant_) return;
  const Vector origin{};
  factor_mass(view(origin), view(origin));
  for (std::size_t j = 0; j < size_; ++j) {
    Vector column{};
    column[j] = 1;
    mass_.solve(column);
    for (std::size_t i = 0; i < size_; ++i) inverse_(i, j) = column[i];
  }
}

bool GeneralisedMotion::factor_mass(std::span<const double> q, std::span<const double> v) {
  body_->inertia(q, v, here_);
  const std::size_t n = size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) mass_.at(static_cast<int>(i), static_cast<int>(j)) = here_.mass(i, j);
  }
  return mass_.factor(static_cast<int>(n));
}

bool GeneralisedMotion::velocity(std::span<const double> q, std::span<const double> p, Vector& v) {
  const std::size_t n = size();
  if (constant_) {
    with_size(n, [&](auto size) { multiply_by_inverse(p.data(), v, size); });
    return true;
  }
  double first = 0;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (!factor_mass(q, view(v))) return false;
    for (std::size_t i = 0; i < n; ++i) residual_[i] = p[i] - here_.momentum[i];
    Vector step = residual_;
    mass_.solve(step);
    for (std::size_t i = 0; i < n; ++i) v[i] += step[i];
    const double energy = std::abs(dot(step, residual_, n));
    if (iteration == 0) first = energy;
    if (energy <= negligible * (first + std::abs(dot(v, here_.momentum, n)))) return true;
  }
  return false;
}

int GeneralisedMotion::interval(std::span<const double> q, std::span<const double> p_plus, double h, Vector& u) {
  const std::size_t n = size();
  body_->force(q, force_);
  if (constant_) {
    with_size(n, [&](auto size) {
      Vector middle;
      for (std::size_t i = 0; i < size; ++i) middle[i] = p_plus[i] + h / 2 * force_[i];
      multiply_by_inverse(middle.data(), u, size);
    });
    return 1;
  }
  const bool damped = body_->damped();
  double first = 0;
  for (int iteration = 1; iteration <= most_iterations; ++iteration) {
    for (std::size_t i = 0; i < n; ++i) next_[i] = q[i] + h * u[i];
    body_->inertia(q, view(u), here_);
    body_->inertia(view(next_), view(u), there_);
    if (damped) body_->damping(q, view(u), damping_);
    for (std::size_t i = 0; i < n; ++i) {
      const double pushes = here_.configuration_force[i] + force_[i] + (damped ? damping_.force[i] : 0);
      residual_[i] = p_plus[i] - (here_.momentum[i] + there_.momentum[i]) / 2 + h / 2 * pushes;
      for (std::size_t j = 0; j < n; ++j) {
        const double pushes_rate = here_.coupling(j, i) + (damped ? damping_.rate(i, j) : 0);
        jacobian_.at(static_cast<int>(i), static_cast<int>(j)) =
            (here_.mass(i, j) + there_.mass(i, j) + h * there_.coupling(i, j)) / 2 - h / 2 * pushes_rate;
      }
    }
    if (!jacobian_.factor(static_cast<int>(n))) return 0;
    Vector step = residual_;
    jacobian_.solve(step);
    for (std::size_t i = 0; i < n; ++i) u[i] += step[i];
    const double energy = std::abs(dot(step, residual_, n));
    if (iteration == 1) first = energy;
    if (energy <= negligible * (first + std::abs(dot(u, here_.momentum, n)))) return iteration;
  }
  return 0;
}

void GeneralisedMotion::finish(std::span<const double> q, std::span<const double> p_plus, double h, const Vector& u,
                               End& end) {
  const std::size_t n = size();
  with_size(n, [&](auto size) {
    for (std::size_t i = 0; i < size; ++i) end.q[i] = q[i] + h * u[i];
    body_->force(view(end.q), end.last);
    for (std::size_t i = 0; i < size; ++i) {
      end.first[i] = h / 2 * force_[i];
      end.last[i] *= h / 2;
      end.p[i] = p_plus[i] + (end.first[i] + end.last[i]);
    }
  });
  end.damped = 0;
  if (constant_) return;
  body_->inertia(q, view(u), here_);
  body_->inertia(view(end.q), view(u), there_);
  for (std::size_t i = 0; i < n; ++i) {
    end.p[i] += h / 2 * (here_.configuration_force[i] + there_.configuration_force[i]);
  }
  if (!body_->damped()) return;
  const auto damp = [&](std::span<const double> at, Vector& impulse) {
    body_->damping(at, view(u), damping_);
    for (std::size_t i = 0; i < n; ++i) {
      impulse[i] += h / 2 * damping_.force[i];
      end.p[i] += h / 2 * damping_.force[i];
    }
    end.damped -= h / 2 * dot(damping_.force, u, n);
  };
  damp(q, end.first);
  damp(view(end.q), end.last);
}

}  // namespace ictus::dynamics
