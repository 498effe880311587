#include <ictus/contact/unilateral_response.hpp>

namespace ictus::contact {

namespace {

/// w_a · M⁻¹ w_b of two sparse rows; rows of contact have a handful of entries.
double coupling(std::span<const model::RowEntry> a, std::span<const model::RowEntry> b,
                std::span<const double> inverse_mass) {
  double sum = 0;
  for (const model::RowEntry& i : a) {
    for (const model::RowEntry& j : b) {
      if (i.unknown == j.unknown) sum += i.weight * j.weight * inverse_mass[static_cast<std::size_t>(i.unknown)];
    }
  }
  return sum;
}

}  // namespace

solve::LcpReport UnilateralResponse::apply(const model::ConstraintSet& constraints, std::span<const int> active,
                                           std::span<const double> inverse_mass, std::span<const double> offset,
                                           std::span<double> p) {
  const std::size_t n = active.size();
  matrix_.resize(n * n);
  rate_.resize(n);
  lambda_.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = constraints.row(static_cast<std::size_t>(active[i]));
    rate_[i] = model::rate(row, inverse_mass, p) + offset[i];
    for (std::size_t j = 0; j < n; ++j) {
      matrix_[i * n + j] = coupling(row, constraints.row(static_cast<std::size_t>(active[j])), inverse_mass);
    }
  }
  const solve::LcpReport report = solver_.solve(matrix_, rate_, lambda_);
  for (std::size_t i = 0; i < n; ++i) {
    model::add_scaled(constraints.row(static_cast<std::size_t>(active[i])), lambda_[i], p);
  }
  return report;
}

}  // namespace ictus::contact
