#include <ictus/dynamics/generalised/generalised_motion.hpp>

#include <cmath>

namespace ictus::dynamics {

static_assert(mechanics::max_coordinates == solve::SmallLu::capacity);

namespace {

constexpr int max_iterations = 30;
/// Newton's method ends when the energy of a correction, relative, falls below this: the next one would be its square.
constexpr double negligible = 1e-16;

double whole_potential(const mechanics::PotentialEnergy& potential) { return potential.strain + potential.gravity; }

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
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
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
  for (int iteration = 1; iteration <= max_iterations; ++iteration) {
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
  with_size(size(), [&](auto size) {
    for (std::size_t i = 0; i < size; ++i) end.q[i] = q[i] + h * u[i];
    body_->force(view(end.q), end.last);
    double work = 0;
    for (std::size_t i = 0; i < size; ++i) {
      end.first[i] = h / 2 * force_[i];
      end.last[i] *= h / 2;
      end.p[i] = p_plus[i] + (end.first[i] + end.last[i]);
      work += (end.first[i] + end.last[i]) * u[i];
    }
    end.damped_first = end.damped_last = end.unseen_after = 0;
    if (!constant_) return;
    Vector moved_first, moved_last;
    multiply_by_inverse(end.first.data(), moved_first, size);
    multiply_by_inverse(end.last.data(), moved_last, size);
    work += (dot(end.last, moved_last, size) - dot(end.first, moved_first, size)) / 2;
    end.unseen =
        (whole_potential(body_->potential_energy(view(end.q))) - whole_potential(body_->potential_energy(q))) + work;
  });
  if (!constant_) finish_varying(q, h, u, end);
}

/// The rest where the mass matrix depends on q: forces of inertia and damping.
void GeneralisedMotion::finish_varying(std::span<const double> q, double h, const Vector& u, End& end) {
  const std::size_t n = size();
  body_->inertia(q, view(u), here_);
  body_->inertia(view(end.q), view(u), there_);
  for (std::size_t i = 0; i < n; ++i) {
    end.p[i] += h / 2 * (here_.configuration_force[i] + there_.configuration_force[i]);
  }
  if (body_->damped()) {
    const auto damp = [&](std::span<const double> at, Vector& impulse, double& damped) {
      body_->damping(at, view(u), damping_);
      for (std::size_t i = 0; i < n; ++i) {
        impulse[i] += h / 2 * damping_.force[i];
        end.p[i] += h / 2 * damping_.force[i];
      }
      damped = -h / 2 * dot(damping_.force, u, n);
    };
    damp(q, end.first, end.damped_first);
    damp(view(end.q), end.last, end.damped_last);
  }
  account_for_varying(q, h, u, end);
}

/// K of the momentum T_v(q, u) + a at q, where `inertia` is reported, over v·T_v − T of u: u·a + ½ a·M⁻¹a.
double GeneralisedMotion::beyond_interval(const mechanics::Inertia& inertia, const Vector& u, const Vector& a) {
  const std::size_t n = size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) jacobian_.at(static_cast<int>(i), static_cast<int>(j)) = inertia.mass(i, j);
  }
  Vector moved = a;
  if (!jacobian_.factor(static_cast<int>(n))) return 0;  // the step before it would have failed
  jacobian_.solve(moved);
  return dot(u, a, n) + dot(a, moved, n) / 2;
}

/// [eq. moreau-variational-21]: the energies of both nodes from u and the impulses of the forces, against that of the
/// middle.
void GeneralisedMotion::account_for_varying(std::span<const double> q, double h, const Vector& u, End& end) {
  const std::size_t n = size();
  Vector to_first, to_last, middle;
  for (std::size_t i = 0; i < n; ++i) {
    const double half = (there_.momentum[i] - here_.momentum[i]) / 2;
    to_first[i] = half - h / 2 * here_.configuration_force[i] - end.first[i];
    to_last[i] = -half + h / 2 * there_.configuration_force[i] + end.last[i];
    middle[i] = q[i] + h / 2 * u[i];
  }
  body_->inertia(view(middle), view(u), middle_);
  const auto energy = [&](std::span<const double> at, const mechanics::Inertia& inertia) {
    return dot(u, inertia.momentum, n) - body_->kinetic_energy(at, view(u)) +
           whole_potential(body_->potential_energy(at));
  };
  const double there = energy(view(middle), middle_);
  end.unseen = (there - energy(q, here_)) - beyond_interval(here_, u, to_first) + end.damped_first;
  end.unseen_after = (energy(view(end.q), there_) - there) + beyond_interval(there_, u, to_last) + end.damped_last;
}

}  // namespace ictus::dynamics
