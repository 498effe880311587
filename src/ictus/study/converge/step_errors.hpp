#pragma once

#include <ictus/dynamics/system/observer.hpp>
#include <ictus/observe/probe/probe.hpp>
#include <ictus/observe/probe/reference_errors.hpp>
#include <memory>
#include <optional>
#include <vector>

namespace ictus::study {

/// Holds every step of a run from some time on against the exact solution: the probes, and the impulse of each pair
/// over h as its force.
class StepErrors final : public dynamics::Observer {
 public:
  StepErrors(std::shared_ptr<const observe::Reference> reference, std::vector<observe::Probe> probes, std::size_t pairs,
             double from);

  void begin(const dynamics::Snapshot&, const dynamics::StepReport&) override {}
  /// Throws base::NumericalFailure when a probe is not finite.
  void observe(const dynamics::Snapshot& snapshot, const dynamics::StepReport& report) override;

  /// Of the probed quantities in the order of ProbeSet::columns, then of the pairs.
  std::vector<std::optional<double>> errors() const;

 private:
  observe::ProbeSet probes_;
  observe::ReferenceErrors errors_;
  std::vector<double> forces_;
  double from_;
};

}  // namespace ictus::study
