#include <ictus/solve/cone/small_cone.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <ictus/solve/cone/mode_solver.hpp>
#include <limits>
#include <numbers>

namespace ictus::solve {

namespace {

constexpr int max_contacts = SmallCone::max_contacts;

/// An error that only round-off explains: the combination is right.
constexpr double exact = 1e-12;

/// Calls visit(θ) for the directions in which a contact with u = q + W r can slide, until it returns true: the roots of
/// a trigonometric polynomial of degree two, of which there are at most four [eq. contact-solvers-8].
template <class Visit>
bool for_each_sliding_direction(const FrictionCone& cone, const Local& q, const LocalMatrix& w, Visit&& visit) {
  const auto defect = [&](double theta) {
    const double c = std::cos(theta);
    const double s = std::sin(theta);
    const Local answer = w * Local{1.0, -cone.mu1 * c, -cone.mu2 * s};  // u − q for r_N = 1; here r_N = −q_N/answer_N
    const Local scaled = answer.x * q - q.x * answer;
    return c * cone.mu2 * scaled.z - s * cone.mu1 * scaled.y;
  };
  constexpr int samples = 48;
  double left = 0.0;
  const double first_value = defect(left);
  double left_value = first_value;
  for (int k = 1; k <= samples; ++k) {
    double right = 2.0 * std::numbers::pi * k / samples;
    // Round-off of 2π must not hide a root at 0.
    const double right_value = k == samples ? first_value : defect(right);
    if ((left_value < 0.0) != (right_value < 0.0)) {
      double low = left;
      double high = right;
      for (int halving = 0; halving < 60; ++halving) {
        const double middle = 0.5 * (low + high);
        ((defect(middle) < 0.0) == (left_value < 0.0) ? low : high) = middle;
      }
      if (visit(0.5 * (low + high))) return true;
    }
    left = right;
    left_value = right_value;
  }
  return false;
}

/// Visits all modes of the contacts from `contact` on, both directions of planar sliding, until visit returns true.
template <class Visit>
bool for_each_combination(const SmallCone& p, int contact, ModeCombination& combination, Visit&& visit) {
  if (contact >= std::min(p.contacts, max_contacts)) return visit(combination);
  const FrictionCone& cone = p.cones[contact];
  const bool frictionless = cone.mu1 == 0.0 && cone.mu2 == 0.0;
  for (const ContactMode mode : {ContactMode::open, ContactMode::stick, ContactMode::slide}) {
    if (mode == ContactMode::slide && frictionless) continue;
    combination.mode[contact] = mode;
    const double first = cone.mu1 > 0.0 ? 0.0 : 0.5 * std::numbers::pi;
    for (int k = 0; k < (mode == ContactMode::slide && planar(cone) ? 2 : 1); ++k) {
      combination.angle[contact] = first + std::numbers::pi * k;
      if (for_each_combination(p, contact + 1, combination, visit)) return true;
    }
  }
  return false;
}

/// Tries combinations and keeps the reactions that break the law least.
class Enumeration {
 public:
  Enumeration(const SmallCone& problem, std::span<double> reactions, ConeReport& report)
      : p_(problem), best_(reactions), report_(report), solver_(problem) {}

  /// From the modes and directions that the reactions show; true where the answer is exact.
  bool try_guess() {
    ++report_.iterations;
    solver_.choose_as_in(best_);
    return solver_.turning() == 0 ? try_linear() : try_turning();
  }

  /// From all directions.
  bool try_modes(const ModeCombination& combination) {
    ++report_.iterations;
    solver_.choose(combination);
    if (solver_.turning() == 0) return try_linear();
    if (solver_.turning() > 1) return try_grid();
    const int i = solver_.turning_contact(0);
    Local q;
    LocalMatrix w;
    if (!solver_.condense(i, q, w)) return false;
    return for_each_sliding_direction(p_.cones[i], q, w, [&](double angle) {
      solver_.set_angle(i, angle);
      return try_linear();
    });
  }

 private:
  static constexpr int starts = 8;

  /// Newton's method from a grid of directions.
  bool try_grid() {
    int count = 1;
    for (int k = 0; k < solver_.turning(); ++k) count *= starts;
    for (int start = 0; start < count; ++start) {
      for (int k = 0, rest = start; k < solver_.turning(); ++k, rest /= starts) {
        solver_.set_angle(solver_.turning_contact(k), 2.0 * std::numbers::pi * (rest % starts) / starts);
      }
      if (try_turning()) return true;
    }
    return false;
  }
  bool try_linear() { return solver_.solve_linear(candidate()) && judge(); }
  bool try_turning() { return solver_.solve_turning(candidate()) && judge(); }
  std::span<double> candidate() { return std::span(storage_).first(best_.size()); }

  bool judge() {
    const double error = p_.error(candidate());
    if (!(error < report_.error)) return false;
    report_.error = error;
    for (int row = 0; row < p_.rows(); ++row) best_[row] = storage_[row];
    return error <= exact;
  }

  const SmallCone& p_;
  std::span<double> best_;
  ConeReport& report_;
  ModeSolver solver_;
  std::array<double, SmallCone::max_rows> storage_{};
};

}  // namespace

Local SmallCone::velocity(int contact, std::span<const double> reactions) const {
  Local u = load(q, static_cast<std::size_t>(contact));
  const auto* own = &w[3 * contact];
  for (int k = 0; k < rows(); ++k) u += reactions[k] * Local{own[0][k], own[1][k], own[2][k]};
  return u;
}

double SmallCone::error(std::span<const double> reactions) const {
  double unit = 0.0;
  double norm_sq = 0.0;
  double sum = 0.0;
  for (int i = 0; i < contacts; ++i) unit += w[3 * i][3 * i] / contacts;
  for (int i = 0; i < contacts; ++i) {
    const Local r = load(reactions, static_cast<std::size_t>(i));
    sum += math::norm_sq(law_defect(cones[i], unit * r, velocity(i, reactions)));
    norm_sq += math::norm_sq(load(q, static_cast<std::size_t>(i)));
  }
  return std::sqrt(norm_sq > 0.0 ? sum / norm_sq : sum);
}

ConeReport solve_by_enumeration(const SmallCone& problem, const ConeOptions& options, std::span<double> reactions) {
  assert(problem.contacts <= SmallCone::max_contacts && static_cast<int>(reactions.size()) == problem.rows());
  ConeReport report;
  report.method = ConeMethod::enumeration;
  report.error = std::numeric_limits<double>::infinity();
  Enumeration enumeration(problem, reactions, report);
  if (!enumeration.try_guess()) {
    ModeCombination combination;
    for_each_combination(problem, 0, combination, [&](const ModeCombination& c) { return enumeration.try_modes(c); });
  }
  if (std::isinf(report.error)) report.error = problem.error(reactions);  // nothing could be solved: the guess stays
  report.status = !std::isfinite(report.error)        ? ConeStatus::not_finite
                  : report.error <= options.tolerance ? ConeStatus::solved
                                                      : ConeStatus::unsuitable;
  return report;
}

}  // namespace ictus::solve
