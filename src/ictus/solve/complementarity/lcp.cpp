#include <ictus/solve/complementarity/lcp.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <ictus/solve/propagating_max.hpp>
#include <limits>

namespace ictus::solve {

namespace {
constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Packed lower-triangular storage: row i starts at i(i+1)/2.
constexpr std::size_t packed_row(std::size_t i) { return i * (i + 1) / 2; }
}  // namespace

struct LcpSolver::Problem {
  std::span<const double> matrix;
  std::span<const double> b;
  std::span<double> lambda;

  std::size_t size() const { return b.size(); }
  double h(int i, int j) const { return matrix[static_cast<std::size_t>(i) * size() + static_cast<std::size_t>(j)]; }

  struct Slack {
    double w;
    double magnitude;  ///< sum of absolute terms: w is meaningless below a few ulps of it
  };
  Slack slack(int i) const {
    Slack s{b[i], std::abs(b[i])};
    for (std::size_t j = 0; j < size(); ++j) {
      const double term = matrix[static_cast<std::size_t>(i) * size() + j] * lambda[j];
      s.w += term;
      s.magnitude += std::abs(term);
    }
    return s;
  }
  /// Below this a slack counts as zero: round-off of n+1 terms, with room for the error of a solve.
  double round_off(double magnitude) const { return 8.0 * static_cast<double>(size() + 1) * epsilon * magnitude; }
};

void LcpSolver::reserve(std::size_t n) {
  if (is_active_.size() >= n) return;
  active_.reserve(n);
  factor_.resize(packed_row(n));
  target_.resize(n);
  column_.resize(n);
  is_active_.resize(n);
}

/// Appends index j to F and its row to the factor H_FF = L D Lᵀ, unless the pivot s = H_jj − H_jF H_FF⁻¹ H_Fj
/// vanishes to round-off; then F stays and `column_` holds D⁻¹L⁻¹ H_Fj. Without square roots, so that λ of a single
/// constraint is −b/H to the last bit.
bool LcpSolver::factor_append(const Problem& p, int index) {
  const std::size_t m = active_.size();
  double* row = factor_.data() + packed_row(m);
  double pivot = p.h(index, index);
  const double floor = 64.0 * static_cast<double>(m + 1) * epsilon * pivot;
  for (std::size_t i = 0; i < m; ++i) {
    const double* other = factor_.data() + packed_row(i);
    double sum = p.h(index, active_[i]);
    for (std::size_t k = 0; k < i; ++k) sum -= row[k] * other[k];
    row[i] = sum;
  }
  for (std::size_t i = 0; i < m; ++i) {
    const double entry = row[i] / factor_[packed_row(i) + i];
    pivot -= row[i] * entry;
    row[i] = entry;
  }
  if (!(pivot > floor)) {
    std::copy_n(row, m, column_.begin());
    return false;
  }
  row[m] = pivot;
  active_.push_back(index);
  is_active_[index] = 1;
  return true;
}

/// Rebuilds the factor from the members of F that are still marked, dropping those that became dependent.
void LcpSolver::refactor(const Problem& p) {
  const std::size_t count = active_.size();
  for (std::size_t i = 0; i < count; ++i) target_[i] = active_[i];
  active_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const int index = static_cast<int>(target_[i]);
    if (!is_active_[index]) continue;
    if (!factor_append(p, index)) {
      is_active_[index] = 0;
      p.lambda[index] = 0.0;
    }
  }
}

void LcpSolver::solve_factored(std::span<double> x) const {
  const std::size_t m = active_.size();
  for (std::size_t i = 0; i < m; ++i) {
    const double* row = factor_.data() + packed_row(i);
    for (std::size_t k = 0; k < i; ++k) x[i] -= row[k] * x[k];
  }
  for (std::size_t i = 0; i < m; ++i) x[i] /= factor_[packed_row(i) + i];
  solve_transposed(x);
}

void LcpSolver::solve_transposed(std::span<double> x) const {
  for (std::size_t i = active_.size(); i-- > 0;) {
    for (std::size_t k = 0; k < i; ++k) x[k] -= factor_[packed_row(i) + k] * x[i];
  }
}

void LcpSolver::seed(const Problem& p) {
  active_.clear();
  std::fill_n(is_active_.begin(), p.size(), char{0});
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!(p.lambda[i] > 0.0) || !factor_append(p, static_cast<int>(i))) p.lambda[i] = 0.0;
  }
}

/// Moves λ to the minimiser over λ_F (all of it positive), dropping from F whatever reaches zero on the way.
void LcpSolver::descend(const Problem& p) {
  while (!active_.empty()) {
    const std::size_t m = active_.size();
    for (std::size_t i = 0; i < m; ++i) target_[i] = -p.b[active_[i]];
    solve_factored({target_.data(), m});
    double step = 1.0;
    for (std::size_t i = 0; i < m; ++i) {
      if (target_[i] > 0.0) continue;
      const double now = p.lambda[active_[i]];
      step = std::min(step, now > 0.0 ? now / (now - target_[i]) : 0.0);
    }
    bool dropped = false;
    for (std::size_t i = 0; i < m; ++i) {
      double& now = p.lambda[active_[i]];
      const bool blocks = target_[i] <= 0.0 && now <= step * (now - target_[i]) * (1.0 + 4.0 * epsilon);
      now = blocks ? 0.0 : now + step * (target_[i] - now);
      if (blocks) is_active_[active_[i]] = 0;
      dropped |= blocks;
    }
    if (!dropped) {
      for (std::size_t i = 0; i < m; ++i) p.lambda[active_[i]] = target_[i];
      return;
    }
    refactor(p);
  }
}

/// The entering index j depends on F: along d_j = 1, d_F = −H_FF⁻¹H_Fj the energy falls linearly. Moves until a
/// member of F reaches zero and leaves; false where none does, and then no solution exists.
bool LcpSolver::leave_along_null_direction(const Problem& p, int entering) {
  const std::size_t m = active_.size();
  solve_transposed({column_.data(), m});
  double step = std::numeric_limits<double>::infinity();
  std::size_t leaving = m;
  for (std::size_t i = 0; i < m; ++i) {
    // H_Fj's own round-off makes components of this size: not a direction.
    if (column_[i] * std::sqrt(p.h(active_[i], active_[i])) <= 1e-10 * std::sqrt(p.h(entering, entering))) continue;
    const double reach = p.lambda[active_[i]] / column_[i];
    if (reach < step) {
      step = reach;
      leaving = i;
    }
  }
  if (leaving == m) return false;
  for (std::size_t i = 0; i < m; ++i) {
    double& now = p.lambda[active_[i]];
    now = std::max(0.0, now - step * column_[i]);
    if (i == leaving || now == 0.0) {
      now = 0.0;
      is_active_[active_[i]] = 0;
    }
  }
  p.lambda[entering] = step;
  refactor(p);
  if (!factor_append(p, entering)) p.lambda[entering] = 0.0;
  return true;
}

/// The inactive row that violates w ≥ 0 most, scaled by √H_ii; −1 where none does beyond round-off.
int LcpSolver::most_violated(const Problem& p) const {
  int worst = -1;
  double worst_value = 0.0;
  for (int i = 0; i < static_cast<int>(p.size()); ++i) {
    if (is_active_[i]) continue;
    const auto [w, magnitude] = p.slack(i);
    if (!(w < -p.round_off(magnitude))) continue;
    const double hii = p.h(i, i);
    const double value = hii > 0.0 ? w / std::sqrt(hii) : -std::numeric_limits<double>::infinity();
    if (worst < 0 || value < worst_value) {
      worst = i;
      worst_value = value;
    }
  }
  return worst;
}

double LcpSolver::residual(const Problem& p) const {
  double worst = 0.0;
  for (int i = 0; i < static_cast<int>(p.size()); ++i) {
    const double hii = p.h(i, i);
    const double w = p.slack(i).w;
    const double complementarity = std::min(w, hii > 0.0 ? hii * p.lambda[i] : 0.0);
    worst = propagating_max(worst, std::abs(complementarity));
  }
  return worst;
}

LcpReport LcpSolver::solve(std::span<const double> matrix, std::span<const double> b, std::span<double> lambda) {
  assert(lambda.size() == b.size() && matrix.size() == b.size() * b.size());
  const Problem p{matrix, b, lambda};
  reserve(p.size());
  seed(p);
  descend(p);
  LcpReport report;
  // Each pivot lowers the energy, so no F returns; the bound guards against round-off in degenerate problems.
  const int limit = 50 + 10 * static_cast<int>(p.size());
  for (int entering = most_violated(p); entering >= 0; entering = most_violated(p)) {
    if (report.iterations++ == limit) {
      report.status = LcpStatus::iteration_limit;
      break;
    }
    if (!factor_append(p, entering) && !leave_along_null_direction(p, entering)) {
      report.status = LcpStatus::infeasible;
      break;
    }
    descend(p);
  }
  report.residual = residual(p);
  if (!std::isfinite(report.residual)) report.status = LcpStatus::not_finite;
  return report;
}

}  // namespace ictus::solve
