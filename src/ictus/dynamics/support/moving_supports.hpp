#pragma once

#include <ictus/dynamics/system/system.hpp>
#include <vector>

namespace ictus::dynamics {

/// What the supports that follow a motion do in a step. They push bodies by −R, R the force of the bodies on a driven
/// dof, and give the work of the trapezoid
///   −½ (R_n + R_{n+1})·(q_{n+1} − q_n)   [eq. newmark-10].
class MovingSupports {
 public:
  void prepare(const System& system);
  bool any() const { return !moved_.empty(); }

  /// Puts the driven dofs where they are at a time, and notes how far they went.
  void move(const System& system, double time, std::span<double> q);
  /// The velocities of the last move, which took h.
  void velocity(const System& system, double h, std::span<double> v) const;
  /// Room for the force on each driven dof.
  std::span<double> reaction() { return reaction_; }
  std::span<const double> reaction() const { return reaction_; }
  /// Work of the last move against forces that went from `before` to `now`.
  double work(std::span<const double> before, std::span<const double> now) const;

 private:
  std::vector<double> moved_, reaction_;
};

}  // namespace ictus::dynamics
