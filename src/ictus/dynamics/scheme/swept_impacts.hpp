#pragma once

#include <ictus/contact/scheme/lasting_contacts.hpp>
#include <ictus/contact/scheme/sweep_response.hpp>
#include <ictus/dynamics/explicit/leapfrog.hpp>

namespace ictus::dynamics {

/// Leapfrog whose contacts of surfaces are swept over, some of which may bounce. Newton's law of impact with friction
/// can gain energy in one impact (Kane's example), without restitution it cannot. So where the contacts that bounce
/// would do more work than they take, the largest share of all restitutions is found at which they do not.
class SweptImpacts : public Leapfrog {
 public:
  /// Lays out what contacts remember after what the leapfrog keeps.
  StepReport start(const System& system, double h, model::State& state) override;

 protected:
  /// `lasting_slot` is the first array in State::memory of what contacts remember.
  explicit SweptImpacts(std::size_t lasting_slot) : lasting_(lasting_slot) {}

  /// Gives the law of a contact that takes part this share of the restitution of its pair; returns whether it bounces.
  virtual bool let_bounce(const Contact& contact, std::size_t a, double share) = 0;

  /// Lets contacts within reach take part, holds those that last at their gaps and positions, and sweeps over all.
  void hold_and_sweep(const Contact& contact, StepReport& report);

  /// Offsets by which contacts that last keep their gaps and positions, among joints too.
  void hold(const Contact& contact);

  /// Sweeps over the contacts that take part, with their laws as they are where they do not bounce. Returns the share
  /// of restitution; a step in which it is below one is counted among the fallbacks.
  double sweep_without_gain(const Contact& contact, StepReport& report);

  /// Newton's law with restitution e on the velocities at the node, v⁻ + d before and v⁺ − d after, d = ½(v* − v⁻) half
  /// a kick:
  ///   c = min(0, e w·(v⁻ + d) − w·d)   [eq. mixed-4].
  /// Where that is not below zero, or no more than what turning explains of a contact that lasts, it does not bounce
  /// and its law stays what it is. Returns whether it bounces.
  bool bounce_at_node(const Contact& contact, std::size_t a, double e);

  /// e J·(v⁻ + d) − J·d of a row: what has to be added to J·v⁺ so that it is reversed at the node.
  static double reversed_at_node(const Contact& contact, std::span<const model::RowEntry> row, double e);

  /// Each reflection leaves something in the fastest modes, whose energy goes to zero at the critical step while their
  /// velocities do not: there the energy that is kept bounds nothing.
  static StepLimit keep_from_critical(const System& system, StepLimit limit);

  std::vector<int> active_;               // constraints that take part
  std::vector<contact::ImpactLaw> laws_;  // one for each of them
  contact::SweepResponse sweeps_;
  contact::LastingContacts lasting_;

 private:
  /// What contacts that bounce gave to the motion, and what of it is rounding (J).
  struct Gain {
    double energy = 0, rounding = 0;
  };
  Gain try_share(const Contact& contact, double share, StepReport& report);
  void take_back(const Contact& contact) const;

  std::vector<contact::ImpactLaw> held_;  // the laws without restitution
  std::vector<char> bounced_;             // those that take part and bounce with all of their restitution
};

}  // namespace ictus::dynamics
