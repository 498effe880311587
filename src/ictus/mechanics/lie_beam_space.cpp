// Notation as in lie_beam_element.hpp: u = Δs Ω/2, λ = (m, n).
#include <cmath>
#include <ictus/mechanics/lie_beam_element.hpp>
#include <ictus/mechanics/lie_beam_space.hpp>

namespace ictus::mechanics {

using math::Pose;
using math::Twist;
using math::Vector3;
using math::Wrench;

namespace {

constexpr Vector3<double> axis{0.0, 0.0, 1.0};
constexpr int max_iterations = 50;

Vector3<double> divide(const Vector3<double>& a, const Vector3<double>& d) { return {a.x / d.x, a.y / d.y, a.z / d.z}; }

/// (I + û)⁻¹ a.
Vector3<double> unlean(const Vector3<double>& u, const Vector3<double>& a) { return solve_one_minus_hat(-u, a); }

/// Ad*_{g⁻¹}-moved stress of the element on the left and change of momentum: λ of the node's own element, in the body.
Wrench<double> momentum(const LieBeamHistory& beam, const Twist<double>& xi) {
  return dcayley_inverse_dual(beam.period * xi,
                              Wrench<double>{scale(beam.section.inertia, xi.w), beam.section.mass * xi.c});
}

}  // namespace

Wrench<double> stress_of_strain(const LieBeamSection& section, double spacing, const Twist<double>& eta) {
  return dcayley_inverse_dual(spacing * eta,
                              Wrench<double>{scale(section.bend, eta.w), scale(section.stretch, eta.c - axis)});
}

std::optional<Twist<double>> strain_of_stress(const LieBeamSection& section, double spacing,
                                              const Wrench<double>& lambda, const Twist<double>& guess) {
  const Vector3<double>& bend = section.bend;
  const Vector3<double>& n = lambda.n;
  const double half = 0.5 * spacing;
  Vector3<double> u = half * guess.w;
  for (int i = 0; i < max_iterations; ++i) {
    // F(u) = C₂u + u × C₂u + u (u·C₂u) + (Δs²/4) Γ(u) × n − (Δs/2) m,   Γ = E₃ + C₁⁻¹ (I + û)⁻¹ n.
    const Vector3<double> bu = scale(bend, u), axial = unlean(u, n);
    const Vector3<double> gamma = axis + divide(axial, section.stretch);
    const double ubu = dot(u, bu);
    const Vector3<double> f = bu + cross(u, bu) + ubu * u + half * half * cross(gamma, n) - half * lambda.m;
    const auto derivative = [&](const Vector3<double>& du) {
      const Vector3<double> bdu = scale(bend, du);
      const Vector3<double> dgamma = divide(unlean(u, cross(axial, du)), section.stretch);
      return bdu + cross(du, bu) + cross(u, bdu) + ubu * du + (2.0 * dot(bu, du)) * u + half * half * cross(dgamma, n);
    };
    const math::Matrix3<double> jacobian{derivative({1.0, 0.0, 0.0}), derivative({0.0, 1.0, 0.0}), derivative(axis)};
    const Vector3<double> step = -solve(jacobian, f);
    u += step;
    // A Newton step leaves an error of the order of its square.
    if (norm_sq(step) <= 1e-15 * std::sqrt(norm_sq(u)) || norm_sq(step) == 0.0) {
      return Twist<double>{1.0 / half * u, axis + divide(unlean(u, n), section.stretch)};
    }
  }
  return std::nullopt;
}

LieBeamSlice first_slice(const LieBeamHistory& beam, std::span<const Pose<double>> here,
                         std::span<const Pose<double>> next) {
  LieBeamSlice slice;
  for (std::size_t j = 0; j < here.size(); ++j) {
    slice.poses.push_back(normalized(here[j]));
    slice.strains.push_back(strain(here[j], next[j], beam.spacing));
    slice.stresses.push_back(stress_of_strain(beam.section, beam.spacing, slice.strains.back()));
  }
  return slice;
}

std::optional<std::size_t> next_slice(const LieBeamHistory& beam, const LieBeamSlice& slice, LieBeamSlice& next) {
  const std::size_t count = slice.poses.size();
  next.poses.resize(count);
  next.strains.resize(count);
  next.stresses.resize(count);
  for (std::size_t j = 0; j < count; ++j)
    next.poses[j] = normalized(slice.poses[j] * cayley(beam.spacing * slice.strains[j]));
  const double ratio = beam.spacing / beam.period;
  const Vector3<double> load = (beam.spacing * beam.section.mass) * beam.gravity;
  Wrench<double> before{};  // Ad*_{τ(Δt ξ^{j−1})} μ^{j−1}
  for (std::size_t j = 0; j < count; ++j) {
    Wrench<double> now{}, after{};
    if (j + 1 < count) {
      const Twist<double> xi = 1.0 / beam.period * cayley_inverse(inverse(next.poses[j]) * next.poses[j + 1]);
      now = momentum(beam, xi);
      after = coadjoint(cayley(beam.period * xi), now);
    }
    next.stresses[j] = coadjoint(cayley(beam.spacing * slice.strains[j]), slice.stresses[j]) + ratio * (now - before) -
                       Wrench<double>{{}, rotate(inverse(next.poses[j].q), load)};
    before = after;
    const auto eta = strain_of_stress(beam.section, beam.spacing, next.stresses[j], slice.strains[j]);
    if (!eta) return j;
    next.strains[j] = *eta;
  }
  return std::nullopt;
}

double space_energy(const LieBeamHistory& beam, const LieBeamSlice& slice) {
  const LieBeamSection& s = beam.section;
  double energy = 0.0;
  for (std::size_t j = 0; j < slice.poses.size(); ++j) {
    const Twist<double>& eta = slice.strains[j];
    energy -= s.stretch.z * (eta.c.z - 1.0) + strain_energy_density(eta, s.stretch, s.bend) +
              s.mass * dot(beam.gravity, slice.poses[j].r);
    if (j + 1 == slice.poses.size()) continue;
    const Twist<double> xi = 1.0 / beam.period * cayley_inverse(inverse(slice.poses[j]) * slice.poses[j + 1]);
    energy -= kinetic_energy_density(xi, s.inertia, s.mass);
  }
  return energy;
}

Wrench<double> space_momentum_map(const LieBeamHistory& beam, const LieBeamSlice& slice) {
  Wrench<double> sum{};
  for (std::size_t j = 0; j < slice.poses.size(); ++j) {
    sum = sum + beam.period * coadjoint_inverse(slice.poses[j], slice.stresses[j]);
  }
  return sum;
}

}  // namespace ictus::mechanics
