#pragma once

#include <ictus/solve/cone/friction_cone.hpp>

// Notation: r impulse, u⁻ u⁺ relative velocities before and after it, all in the frame of a contact; c what the law
// adds to u⁺; K the friction cone.

namespace ictus::dynamics {

/// What decides about the normal impulse of a contact, and hence what it costs.
enum class ContactRule {
  impact,  ///< restitution, or the end of an approach
  hold,    ///< it lasts, and is held at the gap at which it began
  part     ///< the bodies overlap and have to move apart
};

/// The energy that one impulse took, by name (J). The five add up to −½ r·(u⁺ + u⁻), all that it took, whatever the
/// solver left open [eq. rigid-bodies-12].
struct ContactWork {
  double restitution = 0;
  double friction = 0;
  double quadrature = 0;  ///< of contacts that last: turning levers and normals seen at nodes only
  double parting = 0;
  double solver = 0;  ///< of r that does not obey r ∈ K, r ⟂ u⁺ + c to the last

  double total() const { return restitution + friction + quadrature + parting + solver; }
};

/// Whether the tangential part of r is inside the cone: the contact sticks.
bool sticks(const solve::FrictionCone& cone, const solve::Local& r);

/// `still`: the contact sticks and did in the step before, so that there was nothing to slow down.
ContactWork work_of(const solve::FrictionCone& cone, const solve::Local& r, const solve::Local& before,
                    const solve::Local& after, const solve::Local& offset, ContactRule rule, bool still);

}  // namespace ictus::dynamics
