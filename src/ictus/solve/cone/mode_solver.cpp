#include <ictus/solve/cone/mode_solver.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ictus::solve {

static_assert(SmallCone::max_rows <= SmallLu::capacity);

namespace {

/// The direction of (a, b), which in planar friction is one of two.
double sliding_angle(const FrictionCone& cone, double a, double b) {
  constexpr double pi = std::numbers::pi;
  if (!planar(cone)) return std::atan2(b, a);
  return cone.mu1 > 0.0 ? (a > 0.0 ? 0.0 : pi) : (b > 0.0 ? 0.5 * pi : -0.5 * pi);
}

}  // namespace

void ModeSolver::choose(const ModeCombination& combination) {
  now_ = combination;
  number_unknowns();
}

void ModeSolver::choose_as_in(std::span<const double> reactions) {
  for (int i = 0; i < p_.contacts; ++i) {
    const Local r = load(reactions, static_cast<std::size_t>(i));
    const FrictionCone& cone = p_.cones[i];
    const double a = cone.mu1 > 0.0 ? r.y / cone.mu1 : 0.0;
    const double b = cone.mu2 > 0.0 ? r.z / cone.mu2 : 0.0;
    const bool slides = a * a + b * b > 0.999 * r.x * r.x && (cone.mu1 > 0.0 || cone.mu2 > 0.0);
    now_.mode[i] = !(r.x > 0.0) ? ContactMode::open : slides ? ContactMode::slide : ContactMode::stick;
    if (now_.mode[i] == ContactMode::slide) now_.angle[i] = sliding_angle(cone, -a, -b);
  }
  number_unknowns();
}

void ModeSolver::number_unknowns() {
  count_ = turning_ = 0;
  for (int i = 0; i < p_.contacts; ++i) {
    if (now_.mode[i] == ContactMode::open) continue;
    unknown_[count_++] = 3 * i;
    if (now_.mode[i] == ContactMode::slide) {
      set_angle(i, now_.angle[i]);
      if (!planar(p_.cones[i])) turns_[turning_++] = i;
      continue;
    }
    if (p_.cones[i].mu1 > 0.0) unknown_[count_++] = 3 * i + 1;
    if (p_.cones[i].mu2 > 0.0) unknown_[count_++] = 3 * i + 2;
  }
}

void ModeSolver::set_angle(int contact, double angle) {
  now_.angle[contact] = angle;
  const FrictionCone& cone = p_.cones[contact];
  if (planar(cone)) {  // two directions, no need of trigonometry
    const bool forward =
        cone.mu1 > 0.0 ? std::abs(angle) < 0.5 * std::numbers::pi : angle > 0.0 && angle < std::numbers::pi;
    pull_[contact] = {forward ? -cone.mu1 : cone.mu1, forward ? -cone.mu2 : cone.mu2};
    return;
  }
  pull_[contact] = {-cone.mu1 * std::cos(angle), -cone.mu2 * std::sin(angle)};
}

/// W of an unknown column, which for the normal of a sliding contact brings its friction along.
double ModeSolver::column_entry(int row, int column) const {
  const auto& w = p_.w[row];
  if (column % 3 != 0 || now_.mode[column / 3] != ContactMode::slide) return w[column];
  const auto& [pull1, pull2] = pull_[column / 3];
  return w[column] + pull1 * w[column + 1] + pull2 * w[column + 2];
}

void ModeSolver::expand(const SmallLu::Vector& x, std::span<double> reactions) const {
  int next = 0;
  for (int i = 0; i < p_.contacts; ++i) {
    const bool sticks = now_.mode[i] == ContactMode::stick, slides = now_.mode[i] == ContactMode::slide;
    const double normal = sticks || slides ? x[next++] : 0.0;
    reactions[3 * i] = normal;
    reactions[3 * i + 1] = slides ? pull_[i][0] * normal : sticks && p_.cones[i].mu1 > 0.0 ? x[next++] : 0.0;
    reactions[3 * i + 2] = slides ? pull_[i][1] * normal : sticks && p_.cones[i].mu2 > 0.0 ? x[next++] : 0.0;
  }
}

bool ModeSolver::solve_linear(std::span<double> reactions) {
  SmallLu::Vector x{};
  for (int b = 0; b < count_; ++b) {
    for (int a = 0; a < count_; ++a) lu_.at(a, b) = column_entry(unknown_[a], unknown_[b]);
    x[b] = -p_.q[unknown_[b]];
  }
  if (!lu_.factor(count_)) return false;
  lu_.solve(x);
  expand(x, reactions);
  return true;
}

bool ModeSolver::solve_turning(std::span<double> reactions) {
  for (int iteration = 0; iteration < 30; ++iteration) {
    if (!solve_linear(reactions)) return false;
    const double change = turn(reactions);
    if (!std::isfinite(change)) return false;
    if (change <= 1e-15) return solve_linear(reactions);
  }
  return false;
}

/// One Newton step on h = cos θ μ₂ u_T2 − sin θ μ₁ u_T1 = 0 of all turning contacts; returns the largest |Δθ|.
double ModeSolver::turn(std::span<const double> reactions) {
  SmallLu jacobian;
  SmallLu::Vector h{};
  std::array<SmallLu::Vector, SmallCone::max_contacts> rates;
  for (int b = 0; b < turning_; ++b) rates[b] = velocity_rate(turns_[b], reactions);
  for (int a = 0; a < turning_; ++a) {
    const int i = turns_[a];
    const double along1 = std::cos(now_.angle[i]) * p_.cones[i].mu1;
    const double along2 = std::sin(now_.angle[i]) * p_.cones[i].mu2;
    const double across1 = -std::sin(now_.angle[i]) * p_.cones[i].mu1;
    const double across2 = std::cos(now_.angle[i]) * p_.cones[i].mu2;
    const Local u = p_.velocity(i, reactions);
    h[a] = -(across1 * u.y + across2 * u.z);
    for (int b = 0; b < turning_; ++b) {
      jacobian.at(a, b) = across1 * rates[b][3 * i + 1] + across2 * rates[b][3 * i + 2];
    }
    jacobian.at(a, a) -= along1 * u.y + along2 * u.z;
  }
  if (!jacobian.factor(turning_)) return HUGE_VAL;
  jacobian.solve(h);
  double largest = 0.0;
  for (int a = 0; a < turning_; ++a) {
    const double step = std::clamp(h[a], -0.5, 0.5);
    set_angle(turns_[a], now_.angle[turns_[a]] + step);
    largest = std::max(largest, std::abs(step));
  }
  return largest;
}

/// ∂u/∂θ_k of all rows, through the pull of contact k itself and through the answer of the other unknowns.
SmallLu::Vector ModeSolver::velocity_rate(int k, std::span<const double> reactions) const {
  const double normal = reactions[3 * k];
  const double rate1 = normal * p_.cones[k].mu1 * std::sin(now_.angle[k]);
  const double rate2 = -normal * p_.cones[k].mu2 * std::cos(now_.angle[k]);
  SmallLu::Vector x{};
  for (int a = 0; a < count_; ++a) {
    const auto& w = p_.w[unknown_[a]];
    x[a] = -(rate1 * w[3 * k + 1] + rate2 * w[3 * k + 2]);
  }
  lu_.solve(x);
  SmallLu::Vector dr{};
  expand(x, dr);
  dr[3 * k + 1] += rate1;
  dr[3 * k + 2] += rate2;
  SmallLu::Vector du{};
  for (int row = 0; row < p_.rows(); ++row) {
    for (int column = 0; column < p_.rows(); ++column) du[row] += p_.w[row][column] * dr[column];
  }
  return du;
}

bool ModeSolver::condense(int i, Local& q, LocalMatrix& w) {
  std::array<int, SmallCone::max_rows> others{};
  int n = 0;
  for (int b = 0; b < count_; ++b) {
    if (unknown_[b] / 3 != i) others[n++] = unknown_[b];
  }
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) lu_.at(a, b) = column_entry(others[a], others[b]);
  }
  if (!lu_.factor(n)) return false;
  const auto respond = [&](auto&& push) {
    SmallLu::Vector x{};
    for (int a = 0; a < n; ++a) x[a] = -push(others[a]);
    lu_.solve(x);
    double u[3];
    for (int d = 0; d < 3; ++d) {
      u[d] = push(3 * i + d);
      for (int b = 0; b < n; ++b) u[d] += column_entry(3 * i + d, others[b]) * x[b];
    }
    return Local{u[0], u[1], u[2]};
  };
  q = respond([&](int row) { return p_.q[row]; });
  w.a = respond([&](int row) { return p_.w[row][3 * i]; });
  w.b = respond([&](int row) { return p_.w[row][3 * i + 1]; });
  w.c = respond([&](int row) { return p_.w[row][3 * i + 2]; });
  return true;
}

}  // namespace ictus::solve
