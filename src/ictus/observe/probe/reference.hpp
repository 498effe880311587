#pragma once

#include <optional>
#include <span>

namespace ictus::observe {

/// A known solution to hold a run against. What it does not know is NaN, at all times alike: the columns of the history
/// are chosen by what it knows at t = 0.
class Reference {
 public:
  virtual ~Reference() = default;

  /// The solution at `time`: `probe_values` in the order of ProbeSet::columns (the quantities of the first probe, then
  /// those of the second, ...), `contact_forces` (N) in the order of System::pairs.
  virtual void evaluate(double time, std::span<double> probe_values, std::span<double> contact_forces) const = 0;

  /// When the last contact ends (s); none where nothing touches, or something still does when the solution ends.
  virtual std::optional<double> release() const = 0;
};

}  // namespace ictus::observe
