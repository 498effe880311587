#pragma once

#include <algorithm>
#include <array>
#include <ictus/dynamics/joint/joint.hpp>
#include <ictus/math/vector.hpp>
#include <ictus/mechanics/body/body.hpp>
#include <ictus/model/energy.hpp>
#include <optional>
#include <span>

namespace ictus::dynamics {

/// One contact impulse, as it goes into contacts.csv.
struct Impulse {
  double time = 0;  ///< s
  int pair = 0;     ///< index into System::pairs()
  math::Vec3 point = math::Vec3::Zero();
  math::Vec3 normal = math::Vec3::Zero();  ///< direction in which it pushes the second body
  double normal_impulse = 0;               ///< N s
  double tangential_impulse = 0;           ///< N s
  double energy_lost = 0;                  ///< J, part of StepReport::lost
  /// Of triangulated surfaces: first dofs of the nodes on which it acts, on both sides, and their shares of it,
  /// which sum to one on each; −1: none.
  std::array<int, 4> node{-1, -1, -1, -1};
  std::array<double, 4> share{};

  /// Kinetic energy (J) before the impulse of the nodes on which it acts, in the orthogonal parts of their momentum
  /// (cirak-2005 §7): along the normal, sliding, rigid motion of these nodes, change of their shape. The last two make
  /// up the fixed part, which no contact changes.
  struct Split {
    double normal = 0, slide = 0, rigid = 0, shape = 0;
  };
  std::optional<Split> split = std::nullopt;  ///< of schemes that work with it
};

/// What one step did. The spans point into the integrator and hold until its next step.
struct StepReport {
  int iterations = 0;                    ///< of whatever the scheme iterates on
  int contacts = 0;                      ///< constraints that carried an impulse
  int closings = 0;                      ///< pairs that were open and closed (each collision of an event-driven scheme)
  int fallbacks = 0;                     ///< how often the scheme could not do what its theory says
  double fallback_error = 0;             ///< largest relative error of what was accepted unconverged
  double max_penetration = 0;            ///< largest −gap met (m)
  model::Lost lost;                      ///< energy that left, by name (J); negative: gained
  double external_work = 0;              ///< work of loads that no potential covers (J)
  mechanics::Momentum external_impulse;  ///< momentum given by supports, obstacles and gravity
  std::span<const Impulse> impulses;
  std::span<const JointReaction> joints;  ///< of each joint of the System
  /// Impulse of the supports of each nodal body, about the origin; empty where the scheme does not tell.
  std::span<const mechanics::Momentum> supports{};

  /// Something was taken although its iteration ended at a relative error above what was asked for.
  void accept_unconverged(double error) {
    ++fallbacks;
    fallback_error = std::max(fallback_error, error);
  }
};

}  // namespace ictus::dynamics
