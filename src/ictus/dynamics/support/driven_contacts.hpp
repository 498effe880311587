#pragma once

#include <ictus/dynamics/system/system.hpp>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// Dofs that follow a prescribed motion, as contact sees them: masses so large that no impulse changes their
/// velocity, which is that of the motion. While contact acts their momenta are armed, p = v m with m = 2²⁰⁰ kg: then
/// rates of gaps and slips are right wherever they are computed from momenta, and no effective mass feels them. What
/// contact pushes them by goes to their supports, which work by
///   −½ J (v⁺ + v⁻)   [eq. newmark-12]
/// against an impulse J, v^∓ the velocities of the motion before and after.
class DrivenContacts {
 public:
  void prepare(const System& system);
  bool any() const { return !pushed_.empty(); }
  bool drives(int dof) const { return any() && slot_[static_cast<std::size_t>(dof)] >= 0; }

  /// 1/m of all dofs.
  std::span<const double> inverse_mass(const System& system) const {
    return any() ? std::span<const double>(inverse_mass_) : system.inverse_mass();
  }

  /// Gives the driven dofs their 1/m.
  void weigh(const System& system, std::span<double> inverse_mass) const;

  /// Begins a step: nothing is pushed yet.
  void clear() { work_ = 0; }
  /// Arms `p` by the velocities from `time` to `time + h` and `before` by those of the interval that ends there, which
  /// at the start of a run are the same.
  void arm(const System& system, double time, double h, std::span<double> before, std::span<double> p);
  /// What the supports work by against an impulse along a row.
  double work_of(std::span<const model::RowEntry> row, double impulse) const;
  /// Notes an impulse along a row, and its work.
  void push(std::span<const model::RowEntry> row, double impulse);
  /// Gives the momenta back to the supports, and takes the arms from all of these. Returns the momentum from outside,
  /// and adds to `supports` that of each nodal body.
  mechanics::Momentum release(const System& system, std::span<const double> q, std::span<double> before,
                              std::span<double> kicked, std::span<double> p, std::span<mechanics::Momentum> supports);

  /// What the support of a driven dof gives against an impulse on it.
  mechanics::Momentum reaction(int dof, double impulse, std::span<const double> q) const {
    return body_[static_cast<std::size_t>(slot_[static_cast<std::size_t>(dof)])]->support_impulse(dof, -impulse, q);
  }
  /// Work of the supports since clear (J).
  double work() const { return work_; }

 private:
  std::vector<double> inverse_mass_;
  std::vector<int> slot_;  // of each dof among the driven ones; −1: not driven
  std::vector<const mechanics::NodalBody*> body_;
  std::vector<std::size_t> number_;  // of these among the nodal bodies
  std::vector<double> velocity_;     // by dof
  std::vector<double> sum_;          // v⁺ + v⁻ of each driven dof
  std::vector<double> pushed_;       // J of each driven dof
  double work_ = 0;
};

}  // namespace ictus::dynamics
