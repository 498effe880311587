#pragma once

#include <ictus/mechanics/beam/lie_beam_model.hpp>
#include <span>
#include <vector>

// Reading and writing the state (q, p) of one Lie-group beam. q and p are the beam's own ranges.

namespace ictus::mechanics {

/// g_0 = start, g_{a+1} = g_a τ(Δs η_a), with one strain for each pair of neighbouring nodes.
void set_shape(const LieBeamModel& model, const math::Pose<double>& start, std::span<const math::Twist<double>> strains,
               std::span<double> q);

/// Momenta p = w 𝕁 ξ of the body velocities ξ, in space; none at clamped nodes.
void set_velocities(const LieBeamModel& model, std::span<const math::Twist<double>> velocities,
                    std::span<const double> q, std::span<double> p);

/// ξ = 𝕁⁻¹ p / w in the body: the inverse of set_velocities.
math::Twist<double> velocity(const LieBeamModel& model, std::size_t node, std::span<const double> q,
                             std::span<const double> p);

/// The same of a momentum in space on a node that is turned so.
math::Twist<double> velocity_of(const LieBeamModel& model, std::size_t node, const math::Rotation<double>& turn,
                                const math::Wrench<double>& momentum);

/// Takes momenta w 𝕁 ξ to the discrete momenta w μ = w (dτ⁻¹_{hξ})ᵀ 𝕁 ξ of an interval of length h with that velocity
/// [eq. lie-beam-16]. Both are in space, about the position at the start of the interval.
void apply_legendre(const LieBeamModel& model, double h, std::span<const double> q, std::span<double> p);

/// p += kick (f_a − f_{a−1} + w q), the forces at configuration q; clamped nodes keep no momentum.
void lie_beam_kick(const LieBeamModel& model, double kick, std::span<const double> q, std::span<double> p);

/// Linear momentum and angular momentum about the origin, Σ Ad*_{g⁻¹} of the nodes' momenta. [eq. lie-beam-25]
math::Wrench<double> momentum_map(const LieBeamModel& model, std::span<const double> q, std::span<const double> p);

/// kick times the loads on the beam at configuration q, about the origin; `first_moment` is Σ w r there.
math::Wrench<double> load_impulse(const LieBeamModel& model, double kick, const math::Vector3<double>& first_moment,
                                  std::span<const double> q);

/// Where a node touches a plane with this normal: the point of its outline that lies furthest against it.
math::Vector3<double> touching_point(const LieBeamModel& model, std::size_t node, const math::Vector3<double>& normal,
                                     std::span<const double> q);

/// Power of the moments among the loads, which have no potential, at (q, p) (W).
double moment_power(const LieBeamModel& model, std::span<const double> q, std::span<const double> p);

/// The momentum with which a node left configuration q in a step that led to (q_next, p_next): its spin was about the
/// position in q.
math::Wrench<double> leaving_momentum(std::size_t node, std::span<const double> q, std::span<const double> q_next,
                                      std::span<const double> p_next);

/// Power of the same moments at q with the momenta that left it.
double leaving_moment_power(const LieBeamModel& model, std::span<const double> q, std::span<const double> q_next,
                            std::span<const double> p_next);

}  // namespace ictus::mechanics
