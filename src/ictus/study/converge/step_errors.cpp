#include <ictus/study/converge/step_errors.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>

namespace ictus::study {

StepErrors::StepErrors(std::shared_ptr<const observe::Reference> reference, std::vector<observe::Probe> probes,
                       std::size_t pairs, double from)
    : probes_(std::move(probes)),
      errors_(std::move(reference), probes_.columns().size(), pairs),
      forces_(pairs),
      from_(from) {}

void StepErrors::observe(const dynamics::Snapshot& snapshot, const dynamics::StepReport& report) {
  const double time = snapshot.state.time;
  // A step that ends where the window begins belongs to it whatever the rounding of n h.
  if (time < from_ - 1e-9 * snapshot.step) return;
  std::fill(forces_.begin(), forces_.end(), 0.0);
  for (const dynamics::Impulse& impulse : report.impulses)
    forces_[static_cast<std::size_t>(impulse.pair)] += impulse.normal_impulse / snapshot.step;
  const std::vector<double> values = probes_.sample(snapshot);
  if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) {
    throw base::NumericalFailure("a probe is not a finite number", fmt::format("t = {:g} s", time),
                                 "use a smaller step");
  }
  errors_.add(time, values, forces_);
}

std::vector<std::optional<double>> StepErrors::errors() const {
  std::vector<std::optional<double>> errors;
  for (std::size_t i = 0; i < probes_.columns().size(); ++i) errors.push_back(errors_.probe_error(i));
  for (std::size_t k = 0; k < forces_.size(); ++k) errors.push_back(errors_.force_error(k));
  return errors;
}

}  // namespace ictus::study
