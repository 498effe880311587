// Notation: u displacement, v velocity, K stiffness, M mass, h step, w gradient of a gap, λ impulse.
#include <ictus/dynamics/implicit/theta_method.hpp>

#include <algorithm>
#include <ictus/base/error.hpp>
#include <ictus/contact/detect/detect.hpp>
#include <limits>

namespace ictus::dynamics {

using model::Loss;
using model::RowEntry;
using model::State;

namespace {

/// w·x of a row and a vector over the dofs.
double dot(std::span<const RowEntry> row, const Eigen::VectorXd& x) {
  return model::dot(row, {x.data(), static_cast<std::size_t>(x.size())});
}

}  // namespace

Capabilities ThetaMethod::capabilities() const {
  return {.linear_only = true, .losses = {Loss::impact, Loss::damping}};
}

StepLimit ThetaMethod::step_limit(const System&) const {
  return {std::numeric_limits<double>::infinity(), "nothing: the scheme is implicit"};
}

void ThetaMethod::prepare(const System& system) {
  factored_step_ = 0;
  scratch_.resize(system.dofs());
  velocity_.resize(static_cast<Eigen::Index>(system.dofs()));
  right_side_.resize(velocity_.size());
}

StepReport ThetaMethod::start(const System& system, double, State& state) {
  state.memory = {{"contact.closed", std::vector<double>(system.pairs().size())}};
  return {};
}

/// M + h²θ²K; a dof that a support holds has a row of its own.
void ThetaMethod::factor(const System& system, double h) {
  const auto held = [&](int k) { return system.inverse_mass()[static_cast<std::size_t>(k)] == 0; };
  std::vector<mechanics::StiffnessEntry> stiffness;
  for (const mechanics::NodalBody* body : system.nodal_bodies()) body->stiffness(scratch_, stiffness);
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = 0; k < static_cast<int>(system.dofs()); ++k) {
    entries.emplace_back(k, k, held(k) ? 1.0 : 1 / system.inverse_mass()[static_cast<std::size_t>(k)]);
  }
  for (const auto& [row, column, value] : stiffness) {
    if (!held(row) && !held(column)) entries.emplace_back(row, column, h * h * theta_ * theta_ * value);
  }
  Eigen::SparseMatrix<double> matrix(velocity_.size(), velocity_.size());
  matrix.setFromTriplets(entries.begin(), entries.end());
  factors_.compute(matrix);
  if (factors_.info() != Eigen::Success) {
    throw base::NumericalFailure("the implicit operator M + h²θ²K has no factorisation", "at the start",
                                 "Check the materials");
  }
  factored_step_ = h;
}

StepReport ThetaMethod::step(const System& system, double h, State& state) {
  StepReport report;
  record_.clear();
  if (factored_step_ != h) factor(system, h);
  ++state.step;
  state.time = static_cast<double>(state.step) * h;
  detect(system, h, state, report);
  free_velocity(system, h, state);
  respond(report);
  move(system, h, state, report);
  report.impulses = record_.impulses();
  return report;
}

/// Contacts that u_n + ½h v_n closes.
void ThetaMethod::detect(const System& system, double h, State& state, StepReport& report) {
  scratch_ = state.q;
  system.drift(state.p, h / 2, scratch_);
  contact::detect(system.pairs(), scratch_, constraints_);
  active_.clear();
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const bool is_closed = constraints_.gap(i) <= 0;
    double& was_closed = state.memory[closed].values[static_cast<std::size_t>(constraints_.contact(i).pair)];
    if (is_closed && was_closed == 0) ++report.closings;
    was_closed = is_closed ? 1 : 0;
    if (is_closed) active_.push_back(i);
    report.max_penetration = std::max(report.max_penetration, -constraints_.gap(i));
  }
}

/// v = v_n + (M + h²θ²K)⁻¹ h f(u_n + hθ v_n), since f is linear.
void ThetaMethod::free_velocity(const System& system, double h, const State& state) {
  scratch_ = state.q;
  system.drift(state.p, h * theta_, scratch_);
  right_side_.setZero();
  system.kick(scratch_, h, {right_side_.data(), state.p.size()});
  velocity_ = factors_.solve(right_side_);
  for (std::size_t k = 0; k < state.p.size(); ++k) {
    velocity_[static_cast<Eigen::Index>(k)] += system.inverse_mass()[k] * state.p[k];
  }
}

/// λ of all active contacts together: 0 ≤ λ ⟂ w·(v + (M + h²θ²K)⁻¹ Σ w λ) ≥ 0.
void ThetaMethod::respond(StepReport& report) {
  const std::size_t n = active_.size();
  lambda_.assign(n, 0.0);
  if (n == 0) return;
  if (columns_.size() < n) columns_.resize(n, Eigen::VectorXd(velocity_.size()));
  matrix_.resize(n * n);
  rate_.resize(n);
  for (std::size_t a = 0; a < n; ++a) {
    right_side_.setZero();
    for (const RowEntry& entry : constraints_.row(active_[a])) right_side_[entry.dof] += entry.weight;
    columns_[a] = factors_.solve(right_side_);
    rate_[a] = dot(constraints_.row(active_[a]), velocity_);
  }
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) matrix_[a * n + b] = dot(constraints_.row(active_[a]), columns_[b]);
  }
  const solve::LcpReport solved = solver_.solve(matrix_, rate_, lambda_);
  report.iterations = solved.iterations;
  report.fallbacks += solved.solved() ? 0 : 1;
  for (std::size_t a = 0; a < n; ++a) velocity_ += lambda_[a] * columns_[a];
}

/// u_{n+1} and p_{n+1}, with what the step cost [eq. bars-16].
void ThetaMethod::move(const System& system, double h, State& state, StepReport& report) {
  const auto inverse_mass = system.inverse_mass();
  double jump_sq = 0;  // |v_{n+1} − v_n|²_M
  for (std::size_t k = 0; k < state.p.size(); ++k) {
    const double before = inverse_mass[k] * state.p[k], after = velocity_[static_cast<Eigen::Index>(k)];
    right_side_[static_cast<Eigen::Index>(k)] = theta_ * after + (1 - theta_) * before;  // v_θ
    if (inverse_mass[k] == 0) continue;
    jump_sq += (after - before) * (after - before) / inverse_mass[k];
    state.p[k] = after / inverse_mass[k];
  }
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const double work = lambda_[a] * dot(constraints_.row(active_[a]), right_side_);
    record_.add(system, constraints_, active_[a], state, lambda_[a], Loss::impact, 0.0 - work, report);
  }
  for (std::size_t k = 0; k < scratch_.size(); ++k)
    scratch_[k] = inverse_mass[k] == 0 ? 0 : right_side_[static_cast<Eigen::Index>(k)] / inverse_mass[k];  // M v_θ
  const double stretch = 4 * system.chord_energy(state.q, scratch_, h);  // h² v_θ·K v_θ
  for (std::size_t k = 0; k < scratch_.size(); ++k) scratch_[k] = h * right_side_[static_cast<Eigen::Index>(k)];
  report.lost[Loss::damping] += (theta_ - 0.5) * (stretch + jump_sq);
  report.external_impulse += force_from_outside(system, h, state);
  for (std::size_t k = 0; k < scratch_.size(); ++k) state.q[k] += scratch_[k];
}

/// What gravity and supports give over the step: that of f(u_θ).
mechanics::Momentum ThetaMethod::force_from_outside(const System& system, double h, const State& state) {
  // right_side_ holds v_θ; u_θ = u_n + hθ v_θ.
  for (std::size_t k = 0; k < state.q.size(); ++k) {
    velocity_[static_cast<Eigen::Index>(k)] = state.q[k] + h * theta_ * right_side_[static_cast<Eigen::Index>(k)];
  }
  right_side_.setZero();
  return system.kick({velocity_.data(), state.q.size()}, h, {right_side_.data(), state.q.size()});
}

model::Stored ThetaMethod::energy(const System& system, double, const State& state) const {
  return system.stored(state.p, system.potential_energy(state.q));
}

void ThetaMethod::velocity(const System& system, double, const State& state, std::span<double> v) const {
  system.velocity(state.p, v);
}

}  // namespace ictus::dynamics
