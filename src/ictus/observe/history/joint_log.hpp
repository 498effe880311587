#pragma once

#include <ictus/dynamics/system/step_report.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace ictus::observe {

/// What joints did since the last row of the history and how they stand, by the joints of the scene: several joints of
/// the System may be one there, whose forces add up.
class JointLog {
 public:
  explicit JointLog(const dynamics::System& system);

  bool any() const { return !names_.empty(); }
  /// Every step.
  void observe(const dynamics::StepReport& report);
  /// Names of the columns, without a comma before the first.
  std::vector<std::string> columns() const;
  /// Values for them, after a time `duration` since the last row; the sums begin anew.
  void take(double duration, std::vector<double>& values);
  /// At the end, by joint: largest force, moment and gap, and where it is.
  nlohmann::ordered_json summary() const;

  /// All that must be remembered.
  std::vector<double>& numbers() { return numbers_; }
  const std::vector<double>& numbers() const { return numbers_; }

 private:
  /// Of each joint.
  enum Number : std::size_t {
    impulse,
    moment = impulse + 3,
    gap = moment + 3,
    gap_max,
    angle,
    displacement,
    force_max,
    moment_max,
    count
  };

  double* of(std::size_t joint) { return &numbers_[count * joint]; }

  std::vector<std::string> names_;
  std::vector<dynamics::JointType> type_;
  std::vector<std::size_t> joint_of_;  // of each of the System
  std::vector<double> numbers_;
};

}  // namespace ictus::observe
