#include <ictus/observe/probe/reference_errors.hpp>

#include <cmath>

namespace ictus::observe {

namespace {

void exchange(Archive& archive, const std::string& name, std::vector<math::RelativeError>& errors) {
  std::vector<double> difference, size;
  for (const math::RelativeError& error : errors) {
    difference.push_back(error.difference());
    size.push_back(error.size());
  }
  archive.numbers(name + ".difference", difference);
  archive.numbers(name + ".size", size);
  for (std::size_t i = 0; i < errors.size(); ++i) errors[i] = {difference[i], size[i]};
}

}  // namespace

ReferenceErrors::ReferenceErrors(std::shared_ptr<const Reference> reference, std::size_t probe_columns,
                                 std::size_t pairs)
    : reference_(std::move(reference)),
      knows_probe_(probe_columns),
      knows_force_(pairs),
      probe_values_(probe_columns),
      forces_(pairs),
      probe_errors_(probe_columns),
      force_errors_(pairs) {
  if (!reference_) return;
  reference_->evaluate(0.0, probe_values_, forces_);
  for (std::size_t i = 0; i < probe_columns; ++i) knows_probe_[i] = !std::isnan(probe_values_[i]);
  for (std::size_t k = 0; k < pairs; ++k) knows_force_[k] = !std::isnan(forces_[k]);
}

void ReferenceErrors::add(double time, std::span<const double> probe_values, std::span<const double> forces) {
  if (!reference_) return;
  reference_->evaluate(time, probe_values_, forces_);
  for (std::size_t i = 0; i < probe_values.size(); ++i) {
    if (knows_probe_[i]) probe_errors_[i].add(probe_values[i], probe_values_[i]);
  }
  for (std::size_t k = 0; k < forces.size(); ++k) {
    if (knows_force_[k]) force_errors_[k].add(forces[k], forces_[k]);
  }
}

void ReferenceErrors::exchange(Archive& archive) {
  observe::exchange(archive, "reference.probes", probe_errors_);
  observe::exchange(archive, "reference.forces", force_errors_);
}

}  // namespace ictus::observe
