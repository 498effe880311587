// Notation: u displacement, v velocity, a acceleration, f force, M mass, K stiffness, h step, [x] = x_{n+1} − x_n.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/dynamics/newmark.hpp>
#include <ictus/dynamics/unknown_name.hpp>
#include <limits>

namespace ictus::dynamics {

using mechanics::Momentum;
using model::Loss;
using model::State;

namespace {

/// f(u_n), and the momentum that surroundings give in unit time there: linear, angular.
enum Slot : std::size_t { forces, given };

void keep(const Momentum& momentum, std::vector<double>& values) {
  values.assign(momentum.linear.begin(), momentum.linear.end());
  values.insert(values.end(), momentum.angular.begin(), momentum.angular.end());
}

Momentum kept(const std::vector<double>& values) {
  return {math::Vec3::Map(values.data()), math::Vec3::Map(values.data() + 3)};
}

/// f(q) on all unknowns, nothing on those that a support holds; answers with what the surroundings give in unit time.
Momentum force_at(const System& system, std::span<const double> q, std::span<double> force) {
  std::fill(force.begin(), force.end(), 0.0);
  return system.kick(q, 1.0, force);
}

double dot(const exec::Executor& exec, std::span<const double> a, std::span<const double> b) {
  return exec.sum(a.size(), [a = a.data(), b = b.data()](std::size_t i) { return a[i] * b[i]; });
}

}  // namespace

Capabilities Newmark::capabilities() const { return {.contact = false, .losses = {Loss::damping, Loss::quadrature}}; }

StepLimit Newmark::step_limit(const System&) const {
  return {std::numeric_limits<double>::infinity(), "nothing: the scheme is implicit"};
}

void Newmark::prepare(const System& system) {
  factored_step_ = 0;
  const auto bodies = system.nodal_bodies();
  linear_ = std::all_of(bodies.begin(), bodies.end(), [](const auto* body) { return body->linear(); });
  for (auto* x : {&predicted_, &u_, &acceleration_, &force_, &residual_, &correction_}) x->resize(system.unknowns());
  matrix_.prepare(system, system.initial_state().q);
}

StepReport Newmark::start(const System& system, double, State& state) {
  state.memory = {{"newmark.force", std::vector<double>(system.unknowns())}, {"newmark.given", {}}};
  keep(force_at(system, state.q, state.memory[forces].values), state.memory[given].values);
  return {};
}

void Newmark::factor(const System& system, double h, std::span<const double> q, double time) {
  matrix_.assemble(system, q, 1.0, options_.beta * h * h);
  const std::optional<int> broken = matrix_.factor();
  if (!broken) return;
  throw base::NumericalFailure(
      "the implicit operator M + βh²K is not positive definite: the body is unstable, or its stiffness is negative",
      fmt::format("{} at t = {:g} s", unknown_name(system, static_cast<std::size_t>(*broken)), time),
      "Use a smaller time.step, or check the materials");
}

/// What u_{n+1} is without a_{n+1}.
void Newmark::predict(const System& system, double h, const State& state) {
  const auto inverse_mass = system.inverse_mass();
  const std::vector<double>& f = state.memory[forces].values;
  for (std::size_t k = 0; k < state.q.size(); ++k) {
    predicted_[k] = state.q[k] + h * inverse_mass[k] * (state.p[k] + h * (0.5 - options_.beta) * f[k]);
  }
}

/// a_{n+1} with M a = f(u), u = predicted + βh² a. Newton's method; the norm of a correction Δ is Δ·(M + βh²K)Δ = Δ·r.
/// Answers with the number of iterations.
int Newmark::solve(const System& system, double h, const State& state) {
  const exec::Executor& exec = system.exec();
  const auto inverse_mass = system.inverse_mass();
  const double time = state.time + h;
  if (!linear_) factor(system, h, predicted_, time);
  if (linear_ && factored_step_ != h) factor(system, h, predicted_, time), factored_step_ = h;
  std::fill(acceleration_.begin(), acceleration_.end(), 0.0);
  u_ = predicted_;
  // Accelerations that would stop the motion within a step, or change it as much, are the scale.
  double scale = 2 * system.kinetic_energy(state.p) / (h * h), previous = std::numeric_limits<double>::infinity();
  constexpr int most = 40;
  for (int iteration = 1; iteration <= most; ++iteration) {
    force_at(system, u_, force_);
    for (std::size_t k = 0; k < u_.size(); ++k)
      residual_[k] = inverse_mass[k] == 0 ? 0 : force_[k] - acceleration_[k] / inverse_mass[k];
    matrix_.solve(residual_, correction_);
    const double size = dot(exec, residual_, correction_);
    if (!std::isfinite(size)) break;
    scale = std::max(scale, size);
    for (std::size_t k = 0; k < u_.size(); ++k) {
      acceleration_[k] += correction_[k];
      u_[k] = predicted_[k] + options_.beta * h * h * acceleration_[k];
    }
    // Squares of relative errors of 1e-12; or what round-off of the forces keeps from falling further.
    if (linear_ || size <= 1e-24 * scale || (size <= 1e-12 * scale && size > 0.1 * previous)) return iteration;
    if (size > 0.05 * previous) factor(system, h, u_, time);
    previous = size;
  }
  throw base::NumericalFailure(fmt::format("Newton's method found no motion in {} iterations", most),
                               fmt::format("t = {:g} s", time), "Use a smaller time.step");
}

StepReport Newmark::step(const System& system, double h, State& state) {
  StepReport report;
  predict(system, h, state);
  report.iterations = solve(system, h, state);
  const std::vector<double>& before = state.memory[forces].values;
  Momentum from_before = kept(state.memory[given].values), from_now = force_at(system, u_, force_);
  keep(from_now, state.memory[given].values);
  report.external_impulse += from_before *= h * (1 - options_.gamma);
  report.external_impulse += from_now *= h * options_.gamma;
  book(system, h, state, report);
  for (std::size_t k = 0; k < u_.size(); ++k)
    state.p[k] += h * ((1 - options_.gamma) * before[k] + options_.gamma * force_[k]);
  state.q = u_;
  state.memory[forces].values = force_;
  ++state.step;
  state.time = static_cast<double>(state.step) * h;
  return report;
}

/// What the step costs [eq. newmark-4]; `state` is still that of t_n.
void Newmark::book(const System& system, double h, const State& state, StepReport& report) {
  const std::vector<double>& before = state.memory[forces].values;
  const auto inverse_mass = system.inverse_mass();
  const double extra_gamma = options_.gamma - 0.5, extra_beta = options_.beta - options_.gamma / 2;
  if (extra_gamma != 0) {
    const double work = system.exec().sum(u_.size(), [&](std::size_t k) {
      const double jump = force_[k] - before[k];
      return (h * h * extra_beta * inverse_mass[k] * jump - (u_[k] - state.q[k])) * jump;
    });
    report.lost[Loss::damping] += extra_gamma * work;
  }
  if (linear_) return;
  const mechanics::PotentialEnergy now = system.potential_energy(u_), then = system.potential_energy(state.q);
  const double change = (now.strain - then.strain) + (now.gravity - then.gravity);
  const double trapezoid =
      system.exec().sum(u_.size(), [&](std::size_t k) { return 0.5 * (force_[k] + before[k]) * (u_[k] - state.q[k]); });
  report.lost[Loss::quadrature] -= change + trapezoid;
}

model::Stored Newmark::energy(const System& system, double h, const State& state) const {
  model::Stored stored = system.stored(state.p, system.potential_energy(state.q));
  const double extra_beta = options_.beta - options_.gamma / 2;
  // ½ h²(β − γ/2) a·Ma = h²(β − γ/2) · ½ f·M⁻¹f
  if (extra_beta != 0)
    stored[model::Store::kinetic] += h * h * extra_beta * system.kinetic_energy(state.memory[forces].values);
  return stored;
}

void Newmark::velocity(const System& system, double, const State& state, std::span<double> v) const {
  system.velocity(state.p, v);
}

}  // namespace ictus::dynamics
