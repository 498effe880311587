#include <ictus/solve/complementarity/unilateral.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/solve/propagating_max.hpp>

namespace ictus::solve {

namespace {

double slack(const UnilateralRows& rows, std::size_t i, std::span<const double> velocity) {
  double w = rows.offset[i];
  for (int k = rows.row_offsets[i]; k < rows.row_offsets[i + 1]; ++k) {
    w += rows.values[k] * velocity[rows.columns[k]];
  }
  return w;
}

void push(const UnilateralRows& rows, std::size_t i, double impulse, std::span<double> velocity) {
  for (int k = rows.row_offsets[i]; k < rows.row_offsets[i + 1]; ++k) {
    velocity[rows.columns[k]] += rows.inverse_mass[rows.columns[k]] * rows.values[k] * impulse;
  }
}

}  // namespace

UnilateralSolver::UnilateralSolver(UnilateralOptions options) : options_(options) {
  std::vector<base::Mistake> mistakes;
  const auto refuse = [&](const char* key, std::string message) { mistakes.push_back({"", 0, key, message}); };
  if (!(options_.tolerance > 0.0)) refuse("tolerance", fmt::format("is {}, must be positive", options_.tolerance));
  if (options_.max_sweeps < 1) refuse("max_sweeps", fmt::format("is {}, must be at least 1", options_.max_sweeps));
  if (!(options_.relaxation > 0.0 && options_.relaxation < 2.0)) {
    refuse("relaxation", fmt::format("is {}, must lie between 0 and 2", options_.relaxation));
  }
  if (!mistakes.empty()) throw base::InputError(std::move(mistakes));
}

/// Fills the diagonal of H = G M⁻¹ Gᵀ; returns max |w₀|.
double UnilateralSolver::prepare(const UnilateralRows& rows, std::span<const double> velocity) {
  const std::size_t n = rows.size();
  if (diagonal_.size() < n) diagonal_.resize(n);
  double scale = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    scale = propagating_max(scale, std::abs(slack(rows, i, velocity)));
    diagonal_[i] = 0.0;
    for (int k = rows.row_offsets[i]; k < rows.row_offsets[i + 1]; ++k) {
      diagonal_[i] += rows.values[k] * rows.values[k] * rows.inverse_mass[rows.columns[k]];
    }
  }
  return scale;
}

/// λᵢ ← max(0, λᵢ − ω wᵢ/Hᵢᵢ); returns |min(Hᵢᵢλᵢ, wᵢ)| from before the update.
double UnilateralSolver::update(const UnilateralRows& rows, std::size_t i, std::span<double> velocity,
                                std::span<double> lambda) const {
  const double w = slack(rows, i, velocity);
  const double before = std::abs(std::min(w, diagonal_[i] * lambda[i]));
  if (diagonal_[i] > 0.0) {
    const double updated = std::max(0.0, lambda[i] - options_.relaxation * w / diagonal_[i]);
    push(rows, i, updated - lambda[i], velocity);
    lambda[i] = updated;
  }
  return before;
}

double UnilateralSolver::sweep(const UnilateralRows& rows, bool forwards, std::span<double> velocity,
                               std::span<double> lambda) const {
  const std::size_t n = rows.size();
  double worst = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    worst = propagating_max(worst, update(rows, forwards ? k : n - 1 - k, velocity, lambda));
  }
  return worst;
}

double UnilateralSolver::residual(const UnilateralRows& rows, std::span<const double> velocity,
                                  std::span<const double> lambda) const {
  double worst = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    worst = propagating_max(worst, std::abs(std::min(slack(rows, i, velocity), diagonal_[i] * lambda[i])));
  }
  return worst;
}

LcpReport UnilateralSolver::solve(const UnilateralRows& rows, std::span<double> velocity, std::span<double> lambda) {
  assert(lambda.size() == rows.size() && rows.row_offsets.size() == rows.size() + 1);
  const double bound = options_.tolerance * prepare(rows, velocity);
  LcpReport report;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool held = !(diagonal_[i] > 0.0);
    if (held && slack(rows, i, velocity) < -bound) report.status = LcpStatus::infeasible;
    lambda[i] = held ? 0.0 : std::max(0.0, lambda[i]);
    push(rows, i, lambda[i], velocity);
  }
  report.residual = residual(rows, velocity, lambda);
  if (report.status == LcpStatus::infeasible) return report;
  while (report.residual > bound && report.iterations < options_.max_sweeps) {
    // What a sweep meets on its way is an estimate: the true residual decides.
    report.residual = sweep(rows, report.iterations++ % 2 == 0, velocity, lambda);
    if (report.residual <= bound) report.residual = residual(rows, velocity, lambda);
  }
  if (!std::isfinite(report.residual)) {
    report.status = LcpStatus::not_finite;
  } else if (report.residual > bound) {
    report.status = LcpStatus::iteration_limit;
  }
  return report;
}

}  // namespace ictus::solve
