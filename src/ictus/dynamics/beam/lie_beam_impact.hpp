#pragma once

#include <cstddef>
#include <ictus/dynamics/beam/lie_beam_failure.hpp>
#include <ictus/dynamics/beam/lie_beam_trial.hpp>
#include <optional>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// One impulse of an obstacle on a node.
struct BeamImpulse {
  double time = 0;  ///< since the beginning of the step (s)
  std::size_t node = 0;
  std::size_t obstacle = 0;
  math::Vector3<double> point{};     ///< the point that touched
  double normal = 0;                 ///< N s
  math::Vector3<double> friction{};  ///< N s, tangential
  double lost_to_restitution = 0;    ///< J
  double lost_to_friction = 0;       ///< J
  double lost_to_control = 0;        ///< J, of elastic impulses that θ makes keep the energy of the interval
  double lost_to_fallback = 0;       ///< J, of elastic impulses that no θ makes keep it
  bool closing = false;              ///< the node came in (a collision), as opposed to being held

  double lost() const { return lost_to_restitution + lost_to_friction + lost_to_control + lost_to_fallback; }
};

/// What happened to a beam in a step.
struct BeamStepOutcome {
  int sub_steps = 0;
  int iterations = 0;                       ///< most Newton iterations on a node
  int fallbacks = 0;                        ///< impacts whose energy no impulse near the mirror impulse keeps
  int unsettled = 0;                        ///< sub-steps whose impulses did not settle
  double largest_error = 0;                 ///< of those impulses, over the impulse
  double max_penetration = 0;               ///< m
  double max_energy_jump = 0;               ///< largest |E − E before + losses|/|E| of the elastic impacts
  BeamBooking booked;                       ///< of all sub-steps
  math::Wrench<double> external_impulse{};  ///< impulse of loads and supports about the origin
};

/// Steps one beam through its impacts on planes, at the exact times of contact [eq. lie-beam-29]. The impulses act
/// inside the discrete momentum balance, so that what the planes' symmetry keeps (for one plane: the momentum along it
/// and the spin about its normal) is kept to round-off whatever the impulses are.
class LieBeamImpact {
 public:
  /// Takes (q, p) over the time h; `interval` is that of the step before, then of the last sub-step. Throws
  /// base::NumericalFailure, which leaves the last complete sub-step in q, p and interval; `where` is for its message.
  BeamStepOutcome step(const mechanics::LieBeamModel& model, std::span<const BeamObstacle> obstacles, double h,
                       std::span<double> q, std::span<double> p, BeamInterval& interval, const BeamMoment& where);

  /// The impulses of the last step, in time.
  std::span<const BeamImpulse> impulses() const { return impulses_; }

 private:
  struct Crossing {
    std::size_t node;
    std::size_t obstacle;
  };

  void gather_contacts(std::span<const double> q, double h);
  void gather_crossings();
  bool hold_what_cannot_leave(double h, std::span<const double> q);
  std::optional<LieBeamTrial::Result> until_contact(double h, std::span<const double> q);
  std::optional<double> time_above(double h, const Crossing& crossing);
  char& held(const Crossing& crossing) { return held_[crossing.obstacle * model_->nodes + crossing.node]; }
  bool starts_on(const Crossing& crossing, std::span<const double> q) const;
  void record(const LieBeamTrial::Result& result, double time, std::span<const double> q, BeamStepOutcome& outcome);
  void book(const LieBeamTrial::Result& result, std::span<const double> q, std::span<const double> p,
            BeamInterval& interval, BeamStepOutcome& outcome);

  const mechanics::LieBeamModel* model_ = nullptr;
  std::span<const BeamObstacle> obstacles_;
  double tolerance_ = 0;
  LieBeamTrial trial_;
  std::vector<Crossing> crossings_;
  std::vector<char> held_;  ///< of each node with each obstacle, for the rest of the step
  std::vector<BeamImpulse> impulses_;
};

/// Impulse of loads and supports in a kick from configuration q, about the origin.
math::Wrench<double> external_kick(const mechanics::LieBeamModel& model, double kick,
                                   const mechanics::LieBeamTotals& totals, std::span<const double> q);

/// The smallest gap of the outline of a beam above the obstacles; infinity where there are none.
double smallest_gap(const mechanics::LieBeamModel& model, std::span<const BeamObstacle> obstacles,
                    std::span<const double> q);

/// A gap up to this counts as contact, down to minus this as no penetration (m).
double gap_tolerance(const mechanics::LieBeamModel& model, std::span<const double> q);

}  // namespace ictus::dynamics
