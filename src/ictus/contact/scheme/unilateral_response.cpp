#include <ictus/contact/scheme/unilateral_response.hpp>

#include <algorithm>

namespace ictus::contact {

namespace {

/// w_a · M⁻¹ w_b of two sparse rows; rows of contact have a handful of entries.
double coupling(std::span<const model::RowEntry> a, std::span<const model::RowEntry> b,
                std::span<const double> inverse_mass) {
  double sum = 0;
  for (const model::RowEntry& i : a) {
    for (const model::RowEntry& j : b) {
      if (i.dof == j.dof) sum += i.weight * j.weight * inverse_mass[static_cast<std::size_t>(i.dof)];
    }
  }
  return sum;
}

}  // namespace

solve::LcpReport UnilateralResponse::apply(const model::ConstraintSet& constraints, std::span<const int> active,
                                           std::span<const double> inverse_mass, std::span<const double> offset,
                                           std::span<double> p) {
  const std::size_t n = active.size();
  rate_.resize(n);
  lambda_.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    rate_[i] = model::rate(constraints.row(static_cast<std::size_t>(active[i])), inverse_mass, p) + offset[i];
  }
  const solve::LcpReport report = shared_.any(constraints, active, inverse_mass)
                                      ? solve_together(constraints, active, inverse_mass)
                                      : solve_apart(constraints, active, inverse_mass);
  for (std::size_t i = 0; i < n; ++i) {
    model::add_scaled(constraints.row(static_cast<std::size_t>(active[i])), lambda_[i], p);
  }
  return report;
}

/// λ = max(0, −rate/H) of each constraint. One that nothing moves (H = 0) but closes has no answer.
solve::LcpReport UnilateralResponse::solve_apart(const model::ConstraintSet& constraints, std::span<const int> active,
                                                 std::span<const double> inverse_mass) {
  solve::LcpReport report;
  for (std::size_t i = 0; i < active.size(); ++i) {
    if (rate_[i] >= 0) continue;
    const double h = model::effective_inverse_mass(constraints.row(static_cast<std::size_t>(active[i])), inverse_mass);
    if (h > 0) {
      lambda_[i] = -rate_[i] / h;
    } else {
      report.status = solve::LcpStatus::infeasible;
      report.residual = std::max(report.residual, -rate_[i]);
    }
  }
  return report;
}

solve::LcpReport UnilateralResponse::solve_together(const model::ConstraintSet& constraints,
                                                    std::span<const int> active, std::span<const double> inverse_mass) {
  const std::size_t n = active.size();
  matrix_.resize(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = constraints.row(static_cast<std::size_t>(active[i]));
    for (std::size_t j = 0; j < n; ++j) {
      matrix_[i * n + j] = coupling(row, constraints.row(static_cast<std::size_t>(active[j])), inverse_mass);
    }
  }
  return solver_.solve(matrix_, rate_, lambda_);
}

}  // namespace ictus::contact
