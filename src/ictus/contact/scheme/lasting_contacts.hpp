#pragma once

#include <ictus/contact/scheme/sweep_response.hpp>
#include <ictus/model/constraint_set.hpp>
#include <ictus/model/state.hpp>
#include <span>
#include <vector>

namespace ictus::contact {

/// Momenta of nodes and frames, and the inverse masses that they go with.
struct NodeMomenta {
  std::span<const double> inverse_mass;
  std::span<const double> p;
};

/// What contacts of surfaces remember from one step to the next, by the names of their features: their impulses, from
/// which the next solve begins, the gap that they keep, and, of those that stick, the two material points that touched
/// and how far these are from where the stick began. It lies in arrays of State::memory, in the order of the names, so
/// that a resumed run begins its solves from the same values.
class LastingContacts {
 public:
  /// Arrays in State::memory, the first of them at `slot`.
  static constexpr std::size_t arrays = 2;
  explicit LastingContacts(std::size_t slot) : slot_(slot) {}
  /// Appends the arrays, empty.
  static void lay_out(std::vector<model::Memory>& memory);

  /// Gives the laws of the constraints that take part the impulses of the step before as guesses. Costs the number of
  /// both.
  void recall(const model::State& state, const model::ConstraintSet& constraints, std::span<const int> taking_part,
              std::span<ImpactLaw> laws);

  /// The offsets of inelastic contact, for momenta p* after the forces of the step h, which are `moving`. A contact
  /// that is open may close,
  ///   c = g/h,
  /// and one that lasts keeps the gap with which it began: c = (g − g_ref)/h, g_ref = min(0, g at its begin), so that
  /// the chords of its motion end on the surface [eq. exact-contact-32]. One that has stuck goes back to where it began
  /// to, c_T = s/h [eq. exact-contact-35]. Only what the turning of surfaces explains is taken back; a contact that is
  /// farther off begins again.
  void hold(const model::State& state, const model::ConstraintSet& constraints, std::span<const int> taking_part,
            const NodeMomenta& moving, double h, std::span<ImpactLaw> laws);

  /// How far turning explains that a contact which lasts is off its position (m); zero: it has just begun. After
  /// `hold`.
  double explained(std::size_t a) const { return explained_[a]; }

  /// Replaces the memory by the contacts of this step that push. Which of those that were held stick is judged by the
  /// friction of their laws.
  void remember(const model::ConstraintSet& constraints, std::span<const int> taking_part,
                std::span<const ImpactLaw> laws, const SweepResponse& impulses, model::State& state) const;

 private:
  std::size_t slot_;
  bool holds_ = false;
  // Of each that takes part:
  std::vector<double> kept_gap_;          // NaN: it has just begun
  std::vector<const double*> anchor_;     // its part of the first array; null: it did not stick
  std::vector<std::size_t> first_point_;  // where its material points begin in the second one
  std::vector<double> explained_;
  std::vector<math::Vec3> slip_;  // since the stick began (m)
};

}  // namespace ictus::contact
