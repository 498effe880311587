#pragma once

#include <cstddef>
#include <ictus/mechanics/beam/lie_beam_model.hpp>
#include <span>

namespace ictus::dynamics {

/// A plane that the outline of a beam cannot cross, and the law of contact.
struct BeamObstacle {
  math::Vector3<double> normal;  ///< unit, out of the obstacle
  double offset = 0;             ///< of the plane along the normal (m)
  double restitution = 1;        ///< e in [0, 1]
  double friction = 0;           ///< Coulomb μ

  /// Of the outline of a node above the plane (m).
  double gap(const mechanics::LieBeamModel& model, std::size_t node, std::span<const double> q) const;
};

/// A section of a beam as impulses on it see it: what moves is the point at a lever from its position.
class TouchedSection {
 public:
  TouchedSection(const mechanics::LieBeamModel& model, std::size_t node, std::span<const double> q,
                 const math::Vector3<double>& lever);

  /// Velocity of the point at a momentum of the node.
  math::Vector3<double> velocity(const math::Wrench<double>& momentum) const;
  /// Momentum that an impulse at the point gives to the node.
  math::Wrench<double> momentum(const math::Vector3<double>& impulse) const;

 private:
  double inverse_mass_;
  math::Matrix3<double> inverse_inertia_;  ///< in space
  math::Vector3<double> lever_;
};

/// How a point of a section answers to impulses across a normal.
class SlidingPoint {
 public:
  SlidingPoint(const TouchedSection& section, const math::Vector3<double>& normal);

  /// The impulse across the normal, of at most `max_impulse`, that leaves the point without sliding, or sliding against
  /// it where that does not suffice: the one that takes away most energy. `velocity` is that of the point without it.
  math::Vector3<double> coulomb_impulse(const math::Vector3<double>& velocity, double max_impulse) const;

 private:
  math::Vector3<double> e1_, e2_;  ///< directions in which an impulse changes the velocity along itself alone
  double a1_, a2_;                 ///< and by how much (1/kg)
};

/// A node on a plane at the beginning of a sub-step.
struct BeamContact {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::size_t node;
  std::size_t obstacle;
  math::Vector3<double> lever;  ///< from the node's position to the point that touches (m)
  TouchedSection section;
  SlidingPoint sliding;
  double inverse_mass;               ///< of that point along the normal (1/kg)
  double incoming;                   ///< its normal velocity on arrival (m/s), not positive
  bool held;                         ///< kept on the plane instead of being sent back
  std::size_t next_on_node = none;   ///< number of the contact of the same node with another plane
  double normal = 0;                 ///< impulse found (N s)
  math::Vector3<double> friction{};  ///< impulse found (N s)
};

}  // namespace ictus::dynamics
