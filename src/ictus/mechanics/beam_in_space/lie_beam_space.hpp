#pragma once

#include <ictus/math/se3.hpp>
#include <ictus/mechanics/beam/lie_beam_section.hpp>
#include <optional>
#include <span>
#include <vector>

// The beam integrated along its length instead of in time (demoures-2014 §5.4). A slice is the history of one section:
// its poses g^j and the stresses λ^j of the element that starts there, at the times t^j, j = 0 … N − 1.

namespace ictus::mechanics {

/// The η = (Ω, Γ) of an element with (dτ⁻¹_{Δsη})ᵀ ℂ (η − E₆) = λ [eq. lie-beam-31], found by Newton's method from
/// `guess`; none where it does not converge.
std::optional<math::Twist<double>> strain_of_stress(const LieBeamSection& section, double spacing,
                                                    const math::Wrench<double>& lambda,
                                                    const math::Twist<double>& guess);

/// λ = (dτ⁻¹_{Δsη})ᵀ ℂ (η − E₆). [eq. lie-beam-17]
math::Wrench<double> stress_of_strain(const LieBeamSection& section, double spacing, const math::Twist<double>& eta);

/// Speed of the slowest of the waves that stretch, shear, bend or twist a beam, short ones (m/s).
double slowest_wave(const LieBeamSection& section);

/// A beam and a stretch of time, as the integration in space sees them.
struct LieBeamHistory {
  LieBeamSection section;
  double spacing = 0;               ///< Δs (m)
  double period = 0;                ///< Δt (s)
  math::Vector3<double> gravity{};  ///< m/s²
};

/// The history of one section.
struct LieBeamSlice {
  std::vector<math::Pose<double>> poses;
  std::vector<math::Twist<double>> strains;    ///< η^j of the element that starts here
  std::vector<math::Wrench<double>> stresses;  ///< λ^j in space, moments about the position of the section
};

/// The slice at s = 0 from its poses and those of its neighbour.
LieBeamSlice first_slice(const LieBeamHistory& beam, std::span<const math::Pose<double>> here,
                         std::span<const math::Pose<double>> next);

/// The momenta per length with which a section enters the first time and leaves the last, in space, spins about its
/// position then. Zero: sections are at rest before and after.
struct SliceEnds {
  math::Wrench<double> arrives{};
  math::Wrench<double> leaves{};
};

/// The slice at s + Δs [eq. lie-beam-30]: poses g τ(Δs η), stresses from the balance of momentum, strains from those.
/// Returns the first time index whose stress has no strain, or none when all went well.
std::optional<std::size_t> next_slice(const LieBeamHistory& beam, const LieBeamSlice& slice, LieBeamSlice& next,
                                      const SliceEnds& ends = {});

/// The parts of E_N, each with the sign it has there.
struct SpaceEnergy {
  double kinetic = 0;    ///< −Σ K(ξ), j ≤ N − 2
  double strain = 0;     ///< −Σ [⟨ℂ(η − E₆), E₆⟩ + Φ(η)], j ≤ N − 1
  double potential = 0;  ///< Σ Π(g), j ≤ N − 1
};
SpaceEnergy space_energy_parts(const LieBeamHistory& beam, const LieBeamSlice& slice);

/// E_N of a slice: Σ [−⟨ℂ(η − E₆), E₆⟩ − Φ(η) + Π(g)] over j ≤ N − 1, less Σ K(ξ) over j ≤ N − 2. [eq. lie-beam-32]
double space_energy(const LieBeamHistory& beam, const LieBeamSlice& slice);

/// What −E_N changes by from a slice to the next beyond the work of the forces that turn its stress into the next one:
/// the error of the trapezoid rule for them, and of strains that hold along an element [eq. lie-beam-39].
double space_quadrature(const LieBeamHistory& beam, const LieBeamSlice& slice, const LieBeamSlice& next);

/// Momentum per length of the step from a pose to the next, in space, spin about the first position. [eq. lie-beam-16]
math::Wrench<double> momentum_between(const LieBeamHistory& beam, const math::Pose<double>& from,
                                      const math::Pose<double>& to);

/// J_N = Σ Δt Ad*_{g⁻¹} λ, kept from slice to slice where nothing acts from outside. [eq. lie-beam-33]
math::Wrench<double> space_momentum_map(const LieBeamHistory& beam, const LieBeamSlice& slice);

}  // namespace ictus::mechanics
