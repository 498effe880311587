#pragma once

#include <ictus/mechanics/beam/lie_beam_step.hpp>
#include <span>

namespace ictus::dynamics {

/// What a beam must remember of its last interval besides (q, p).
struct BeamInterval {
  double h = 0;             ///< its length (s); zero before the first
  double kinetic = 0;       ///< Σ w K(ξ) in it (J)
  double strain = 0;        ///< Σ Δs Φ(η) at its beginning (J)
  double potential = 0;     ///< of gravity and dead loads at its beginning (J)
  double open = 0;          ///< Σ w K(ξ) + ½ V at its beginning (J); ½ V at its end makes it [eq. lie-beam-24]
  double lead = 0;          ///< the instant at its end is so much of a kick after the momentum that arrives there (s)
  double span = 0;          ///< the h of the energy at its nodes (s): its length, before the first that of the first
  double instant = 0;       ///< kinetic energy at the instant at which it begins (J)
  double shadow = 0;        ///< h²/8 f·M⁻¹f at its beginning (J)
  double moment_power = 0;  ///< of the loads' moments with the momenta that began it (W)

  /// The energy at the node where it begins, after the impulses there [eq. lie-beam-36] (J).
  double energy() const { return instant + strain + potential - shadow; }
};

/// The interval that a beam at the start seems to come from: nothing has been flown, and the first step is to have the
/// length h.
BeamInterval before_the_start(const mechanics::LieBeamModel& model, double h);

/// What the books say of a node between two intervals, impulses apart.
struct BeamBooking {
  double quadrature = 0;   ///< lost in the interval before, as the forces and the flight make it [eq. lie-beam-37] (J)
  double sub_step = 0;     ///< lost because the intervals are not equally long [eq. lie-beam-38] (J)
  double moment_work = 0;  ///< of the loads' moments in the interval before (J)
};

/// One sweep over a beam that begins an interval: from (q, p) to (q_next, p_next).
struct BeamSweep {
  const mechanics::LieBeamModel& model;
  double h;
  const mechanics::LieBeamTotals& totals;
  std::span<const double> q, p, q_next, p_next;
};

/// Books the node where a sweep began, and goes on from the interval before it to the one that it flew.
BeamBooking begin_interval(const BeamSweep& sweep, BeamInterval& interval);

}  // namespace ictus::dynamics
