// Notation as in lie_beam_element.hpp: u = Δs Ω/2, λ = (m, n).
#include <ictus/mechanics/beam_in_space/lie_beam_space.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/mechanics/beam/lie_beam_element.hpp>

namespace ictus::mechanics {

using math::Pose;
using math::Twist;
using math::Vector3;
using math::Wrench;

namespace {

constexpr Vector3<double> axis{0.0, 0.0, 1.0};
constexpr int max_space_iterations = 50;

Vector3<double> divide(const Vector3<double>& a, const Vector3<double>& d) { return {a.x / d.x, a.y / d.y, a.z / d.z}; }

/// (I + û)⁻¹ a.
Vector3<double> unlean(const Vector3<double>& u, const Vector3<double>& a) { return solve_one_minus_hat(-u, a); }

Wrench<double> to_space(const math::Rotation<double>& q, const Wrench<double>& p) {
  return {rotate(q, p.m), rotate(q, p.n)};
}

/// A wrench about one position, taken about another that is `further` from it.
Wrench<double> moved(const Wrench<double>& p, const Vector3<double>& further) {
  return {p.m - cross(further, p.n), p.n};
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
  for (int i = 0; i < max_space_iterations; ++i) {
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

double slowest_wave(const LieBeamSection& s) {
  return std::sqrt(std::min({s.stretch.x / s.mass, s.stretch.y / s.mass, s.stretch.z / s.mass, s.bend.x / s.inertia.x,
                             s.bend.y / s.inertia.y, s.bend.z / s.inertia.z}));
}

LieBeamSlice first_slice(const LieBeamHistory& beam, std::span<const Pose<double>> here,
                         std::span<const Pose<double>> next) {
  LieBeamSlice slice;
  for (std::size_t j = 0; j < here.size(); ++j) {
    slice.poses.push_back(normalized(here[j]));
    slice.strains.push_back(strain(here[j], next[j], beam.spacing));
    slice.stresses.push_back(
        to_space(slice.poses[j].q, stress_of_strain(beam.section, beam.spacing, slice.strains[j])));
  }
  return slice;
}

Wrench<double> momentum_between(const LieBeamHistory& beam, const Pose<double>& from, const Pose<double>& to) {
  const Twist<double> x = cayley_inverse(inverse(from) * to);
  const Twist<double> xi = 1.0 / beam.period * x;
  return to_space(from.q,
                  dcayley_inverse_dual(x, Wrench<double>{scale(beam.section.inertia, xi.w), beam.section.mass * xi.c}));
}

namespace {

/// Calls f(j, force) with Δs times the forces on a section at each time: changes of its momentum, and weight.
template <class F>
void for_each_force(const LieBeamHistory& beam, std::span<const Pose<double>> poses, const SliceEnds& ends, F&& f) {
  const double ratio = beam.spacing / beam.period;
  const Wrench<double> load{{}, (beam.spacing * beam.section.mass) * beam.gravity};
  Wrench<double> arrives = ends.arrives;  // the momentum of the step before, about the position now
  for (std::size_t j = 0; j < poses.size(); ++j) {
    const bool is_last = j + 1 == poses.size();
    const Wrench<double> leaves = is_last ? ends.leaves : momentum_between(beam, poses[j], poses[j + 1]);
    f(j, ratio * (leaves - arrives) - load);
    if (!is_last) arrives = moved(leaves, poses[j + 1].r - poses[j].r);
  }
}

/// What E_N has of a strain, with the opposite sign, and of the stress that belongs to it at one section.
double energy_of_strain(const LieBeamSection& s, const Twist<double>& eta) {
  return s.stretch.z * (eta.c.z - 1.0) + strain_energy_density(eta, s.stretch, s.bend);
}
double energy_of_stress(const LieBeamSection& s, const Wrench<double>& p) {
  return p.n.z + 0.5 * (dot(p.m, divide(p.m, s.bend)) + dot(p.n, divide(p.n, s.stretch)));
}

}  // namespace

std::optional<std::size_t> next_slice(const LieBeamHistory& beam, const LieBeamSlice& slice, LieBeamSlice& next,
                                      const SliceEnds& ends) {
  const std::size_t count = slice.poses.size();
  next.poses.resize(count);
  next.strains.resize(count);
  next.stresses.resize(count);
  for (std::size_t j = 0; j < count; ++j)
    next.poses[j] = normalized(slice.poses[j] * cayley(beam.spacing * slice.strains[j]));
  std::optional<std::size_t> bad;
  for_each_force(beam, next.poses, ends, [&](std::size_t j, const Wrench<double>& force) {
    if (bad) return;
    const Pose<double>& g = next.poses[j];
    next.stresses[j] = moved(slice.stresses[j], g.r - slice.poses[j].r) + force;
    const auto eta =
        strain_of_stress(beam.section, beam.spacing, to_space(inverse(g.q), next.stresses[j]), slice.strains[j]);
    if (eta) next.strains[j] = *eta;
    if (!eta) bad = j;
  });
  return bad;
}

SpaceEnergy space_energy_parts(const LieBeamHistory& beam, const LieBeamSlice& slice) {
  const LieBeamSection& s = beam.section;
  SpaceEnergy energy;
  for (std::size_t j = 0; j < slice.poses.size(); ++j) {
    const Twist<double>& eta = slice.strains[j];
    energy.strain -= energy_of_strain(s, eta);
    energy.potential -= s.mass * dot(beam.gravity, slice.poses[j].r);
    if (j + 1 == slice.poses.size()) continue;
    const Twist<double> xi = 1.0 / beam.period * cayley_inverse(inverse(slice.poses[j]) * slice.poses[j + 1]);
    energy.kinetic -= kinetic_energy_density(xi, s.inertia, s.mass);
  }
  return energy;
}

double space_quadrature(const LieBeamHistory& beam, const LieBeamSlice& slice, const LieBeamSlice& next) {
  const LieBeamSection& s = beam.section;
  const SpaceEnergy before = space_energy_parts(beam, slice), after = space_energy_parts(beam, next);
  double sum = (before.kinetic + before.potential) - (after.kinetic + after.potential);
  for_each_force(beam, next.poses, {}, [&](std::size_t j, const Wrench<double>& force) {
    const Pose<double>& g = next.poses[j];
    const math::Rotation<double> back = inverse(g.q);
    const Wrench<double> arrived = to_space(back, moved(slice.stresses[j], g.r - slice.poses[j].r)),
                         left = to_space(back, next.stresses[j]), added = to_space(back, force);
    const Wrench<double> mean{0.5 * (arrived.m + left.m), 0.5 * (arrived.n + left.n)};
    const double work = dot(added.m, divide(mean.m, s.bend)) + dot(added.n, axis + divide(mean.n, s.stretch));
    sum += (energy_of_strain(s, next.strains[j]) - energy_of_stress(s, left)) +
           (energy_of_stress(s, arrived) - energy_of_strain(s, slice.strains[j])) + work;
  });
  return sum;
}

double space_energy(const LieBeamHistory& beam, const LieBeamSlice& slice) {
  const SpaceEnergy parts = space_energy_parts(beam, slice);
  return parts.kinetic + parts.strain + parts.potential;
}

Wrench<double> space_momentum_map(const LieBeamHistory& beam, const LieBeamSlice& slice) {
  Wrench<double> sum{};
  for (std::size_t j = 0; j < slice.poses.size(); ++j)
    sum = sum + beam.period * moved(slice.stresses[j], -slice.poses[j].r);
  return sum;
}

}  // namespace ictus::mechanics
