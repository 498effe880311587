#pragma once

#include <ictus/contact/scheme/sweep_response.hpp>
#include <ictus/model/constraint_set.hpp>
#include <span>
#include <vector>

namespace ictus::contact {

/// What contacts of surfaces remember from one step to the next, by the names of their features: their impulses, from
/// which the next solve begins, and the gap that they keep. It lies in one array of State::memory, in the order of the
/// names, so that a resumed run begins its solves at the same place.
class LastingContacts {
 public:
  /// Gives the laws of the constraints that take part the impulses of the step before as guesses. Costs the number of
  /// both.
  void recall(std::span<const double> memory, const model::ConstraintSet& constraints, std::span<const int> taking_part,
              std::span<ImpactLaw> laws);

  /// The offsets of inelastic contact, for momenta p* after the forces of the step h. A contact that is open may close,
  ///   c = g/h,
  /// and one that lasts keeps the gap with which it began: c = (g − g_ref)/h, g_ref = min(0, g at its begin), so that
  /// the chords of its motion end on the surface [eq. exact-contact-32]. Only what the turning of surfaces explains is
  /// taken back; a contact that is farther off begins again.
  void hold(const model::ConstraintSet& constraints, std::span<const int> taking_part,
            std::span<const double> inverse_mass, std::span<const double> p, double h, std::span<ImpactLaw> laws);

  /// Replaces the memory by the contacts of this step that push.
  void remember(const model::ConstraintSet& constraints, std::span<const int> taking_part,
                const SweepResponse& impulses, std::vector<double>& memory) const;

 private:
  std::vector<double> kept_gap_;  // of each that takes part; NaN: it has just begun
};

}  // namespace ictus::contact
