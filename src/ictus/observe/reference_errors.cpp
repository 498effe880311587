#include <cmath>
#include <ictus/observe/reference_errors.hpp>

namespace ictus::observe {

ReferenceErrors::ReferenceErrors(std::shared_ptr<const Reference> reference, std::size_t probe_columns,
                                 std::size_t pairs)
    : reference_(std::move(reference)),
      knows_probe_(probe_columns),
      knows_force_(pairs),
      probe_values_(probe_columns),
      forces_(pairs),
      errors_(probe_columns) {
  if (!reference_) return;
  reference_->evaluate(0.0, probe_values_, forces_);
  for (std::size_t i = 0; i < probe_columns; ++i) knows_probe_[i] = !std::isnan(probe_values_[i]);
  for (std::size_t k = 0; k < pairs; ++k) knows_force_[k] = !std::isnan(forces_[k]);
}

void ReferenceErrors::add(double time, std::span<const double> probe_values) {
  if (!reference_) return;
  reference_->evaluate(time, probe_values_, forces_);
  for (std::size_t i = 0; i < probe_values.size(); ++i) {
    if (knows_probe_[i]) errors_[i].add(probe_values[i], probe_values_[i]);
  }
}

std::optional<double> ReferenceErrors::error(std::size_t column) const { return errors_[column].value(); }

void ReferenceErrors::exchange(Archive& archive) {
  std::vector<double> difference, size;
  for (const math::RelativeError& error : errors_) {
    difference.push_back(error.difference());
    size.push_back(error.size());
  }
  archive.numbers("reference.difference", difference);
  archive.numbers("reference.size", size);
  for (std::size_t i = 0; i < errors_.size(); ++i) errors_[i] = {difference[i], size[i]};
}

}  // namespace ictus::observe
