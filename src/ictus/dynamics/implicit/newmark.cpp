// Notation: u displacement, v velocity, a acceleration, f force, M mass, K stiffness, h step, [x] = x_{n+1} − x_n.
#include <ictus/dynamics/implicit/newmark.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/dynamics/system/dof_name.hpp>
#include <limits>

namespace ictus::dynamics {

using mechanics::Momentum;
using model::Loss;
using model::State;

namespace {

/// Relative errors of Newton's method: at the first the motion is found; up to the second one is accepted, and counted,
/// where corrections fall no further.
constexpr double newton_found = 1e-12, newton_acceptable = 1e-6;

void keep(const Momentum& momentum, std::vector<double>& values) {
  values.assign(momentum.linear.begin(), momentum.linear.end());
  values.insert(values.end(), momentum.angular.begin(), momentum.angular.end());
}

Momentum kept(const std::vector<double>& values) {
  return {math::Vec3::Map(values.data()), math::Vec3::Map(values.data() + 3)};
}

double dot(const exec::Executor& exec, std::span<const double> a, std::span<const double> b) {
  return exec.sum(a.size(), [a = a.data(), b = b.data()](std::size_t i) { return a[i] * b[i]; });
}

}  // namespace

Capabilities Newmark::capabilities() const {
  return {.contact = false,
          .loads = true,
          .moving_supports = true,
          .damping = true,
          .losses = {Loss::damping, Loss::quadrature}};
}

StepLimit Newmark::step_limit(const System&) const {
  return {std::numeric_limits<double>::infinity(), "nothing: the scheme is implicit"};
}

void Newmark::prepare(const System& system) {
  factored_step_ = 0;
  const auto bodies = system.nodal_bodies();
  linear_ = std::all_of(bodies.begin(), bodies.end(), [](const auto* body) { return body->linear(); });
  for (auto* x :
       {&predicted_, &predicted_velocity_, &u_, &velocity_, &acceleration_, &force_, &residual_, &correction_})
    x->resize(system.dofs());
  damping_.resize(system.damped() ? system.dofs() : 0);
  elastic_.resize(linear_ ? 0 : system.dofs());
  support_damping_.resize(system.driven().size());
  for (auto* x : {&loads_, &loads_before_}) x->resize(system.loads().size());
  supports_.prepare(system);
  matrix_.prepare(system, system.nodal_bodies(), system.initial_state().q);
}

StepReport Newmark::start(const System& system, double h, State& state) {
  system.load_values(state.time, loads_);
  system.velocity(state.p, velocity_);
  system.motions().velocity(state.time, state.time + h, velocity_);
  const Momentum from_outside = evaluate(system, state.q, velocity_);
  state.memory = {{"newmark.force", {}},  {"newmark.damping", {}}, {"newmark.reaction", {}},
                  {"newmark.braked", {}}, {"newmark.given", {}},   {"newmark.factored", state.q},
                  {"newmark.elastic", {}}};
  remember(state);
  keep(from_outside, state.memory[external].values);
  return {};
}

/// All forces at configuration u and velocity v, under the present loads, nothing on what a support holds. Answers with
/// what the surroundings give in unit time.
Momentum Newmark::evaluate(const System& system, std::span<const double> u, std::span<const double> v) {
  std::fill(force_.begin(), force_.end(), 0.0);
  Momentum from_outside = system.kick(u, 1.0, force_, supports_.reaction());
  std::copy_n(force_.begin(), elastic_.size(), elastic_.begin());
  from_outside += system.apply_loads(loads_, u, 1.0, force_);
  if (!system.damped()) return from_outside;
  std::fill(damping_.begin(), damping_.end(), 0.0);
  system.apply_damping(u, v, 1.0, damping_);
  const auto driven = system.driven();
  for (std::size_t i = 0; i < driven.size(); ++i) support_damping_[i] = damping_[static_cast<std::size_t>(driven[i])];
  const auto inverse_mass = system.inverse_mass(), alpha = system.mass_damping();
  for (std::size_t k = 0; k < damping_.size(); ++k) {
    if (inverse_mass[k] == 0)
      damping_[k] = 0;
    else if (!alpha.empty())
      damping_[k] -= alpha[k] * v[k] / inverse_mass[k];
    force_[k] += damping_[k];
  }
  return from_outside += system.momentum(u, damping_);
}

/// Keeps the forces that were evaluated last.
void Newmark::remember(State& state) const {
  state.memory[forces].values = force_;
  state.memory[damping].values = damping_;
  state.memory[reaction].values.assign(supports_.reaction().begin(), supports_.reaction().end());
  state.memory[support_damping].values = support_damping_;
  state.memory[elastic].values = elastic_;
}

void Newmark::factor(const System& system, double h, std::span<const double> q, double time) {
  matrix_.assemble(system, q, {.mass = 1, .damping = options_.gamma * h, .stiffness = options_.beta * h * h});
  factored_step_ = h;
  const std::optional<int> broken = matrix_.factor();
  if (!broken) return;
  throw base::NumericalFailure(
      "the implicit operator M + βh²K is not positive definite: the body is unstable, or its stiffness is negative",
      fmt::format("{} at t = {:g} s", dof_name(system, static_cast<std::size_t>(*broken)), time),
      "Use a smaller time.step, or check the materials");
}

/// What u_{n+1} and v_{n+1} are without a_{n+1}.
void Newmark::predict(const System& system, double h, const State& state) {
  const auto inverse_mass = system.inverse_mass();
  const std::vector<double>& f = state.memory[forces].values;
  for (std::size_t k = 0; k < state.q.size(); ++k) {
    predicted_[k] = state.q[k] + h * inverse_mass[k] * (state.p[k] + h * (0.5 - options_.beta) * f[k]);
    predicted_velocity_[k] = inverse_mass[k] * (state.p[k] + h * (1 - options_.gamma) * f[k]);
  }
  if (!supports_.any()) return;
  supports_.move(system, state.time + h, predicted_);
  supports_.velocity(system, h, predicted_velocity_);
}

/// a_{n+1} with M a = f(u, v), u = predicted + βh² a, v = predicted + γh a. Newton's method; the norm of a correction Δ
/// is Δ·(M + γhC + βh²K)Δ = Δ·r.
void Newmark::solve(const System& system, double h, State& state, StepReport& report) {
  const exec::Executor& exec = system.exec();
  const auto inverse_mass = system.inverse_mass();
  const double time = state.time + h;
  std::vector<double>& configuration = state.memory[factored].values;
  if (factored_step_ != h) factor(system, h, configuration, time);
  bool is_new = false;  // whether the factor is of the last iteration
  std::fill(acceleration_.begin(), acceleration_.end(), 0.0);
  u_ = predicted_;
  velocity_ = predicted_velocity_;
  // Accelerations that would stop the motion within a step, release the strain in one, or change it as much, are the
  // scale.
  double scale = 2 * (system.kinetic_energy(state.p) + potential_.strain) / (h * h),
         previous = std::numeric_limits<double>::infinity();
  constexpr int max_iterations = 60;
  for (int iteration = 1; iteration <= max_iterations; ++iteration) {
    evaluate(system, u_, velocity_);
    for (std::size_t k = 0; k < u_.size(); ++k)
      residual_[k] = inverse_mass[k] == 0 ? 0 : force_[k] - acceleration_[k] / inverse_mass[k];
    matrix_.solve(residual_, correction_);
    const double size = dot(exec, residual_, correction_);
    if (!std::isfinite(size)) break;
    scale = std::max(scale, size);
    for (std::size_t k = 0; k < u_.size(); ++k) {
      acceleration_[k] += correction_[k];
      u_[k] = predicted_[k] + options_.beta * h * h * acceleration_[k];
      if (inverse_mass[k] > 0) velocity_[k] = predicted_velocity_[k] + options_.gamma * h * acceleration_[k];
    }
    report.iterations = iteration;
    if (linear_ || size <= newton_found * newton_found * scale) return;
    // What round-off of the forces keeps a new factor from making smaller.
    if (size <= newton_acceptable * newton_acceptable * scale && size > 0.1 * previous && is_new)
      return report.accept_unconverged(std::sqrt(size / scale));
    is_new = size > 0.05 * previous;
    if (is_new) {
      configuration = u_;
      factor(system, h, configuration, time);
    }
    previous = size;
  }
  throw base::NumericalFailure(fmt::format("Newton's method found no motion in {} iterations", max_iterations),
                               fmt::format("t = {:g} s", time), "Use a smaller time.step");
}

StepReport Newmark::step(const System& system, double h, State& state) {
  StepReport report;
  loads_before_ = loads_;
  system.load_values(state.time, loads_before_);
  system.load_values(state.time + h, loads_);
  if (!linear_) potential_ = system.potential_energy(state.q);
  predict(system, h, state);
  solve(system, h, state, report);
  const std::vector<double>& before = state.memory[forces].values;
  Momentum from_before = kept(state.memory[external].values), from_now = evaluate(system, u_, velocity_);
  keep(from_now, state.memory[external].values);
  report.external_impulse += from_before *= h * (1 - options_.gamma);
  report.external_impulse += from_now *= h * options_.gamma;
  book(system, h, state, report);
  for (std::size_t k = 0; k < u_.size(); ++k)
    state.p[k] += h * ((1 - options_.gamma) * before[k] + options_.gamma * force_[k]);
  state.q = u_;
  remember(state);
  ++state.step;
  state.time = static_cast<double>(state.step) * h;
  return report;
}

/// ⟨F⟩·[u] of the loads.
double Newmark::load_work(const System& system, const State& state) const {
  double sum = 0;
  for (std::size_t l = 0; l < loads_.size(); ++l) {
    const mechanics::Load& load = system.loads()[l];
    const double *pattern = load.force.data(), *now = u_.data() + load.first, *then = state.q.data() + load.first;
    sum += 0.5 * (loads_[l] + loads_before_[l]) *
           exec::sum_lanes(0, load.force.size(), [=](std::size_t k) { return pattern[k] * (now[k] - then[k]); });
  }
  return sum;
}

/// What the step costs and is given [eq. newmark-4, newmark-8, newmark-10]; `state` is still that of t_n.
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
  const double work_of_loads = load_work(system, state);
  double work_of_supports = 0, damped_supports = 0, free_damping = 0;
  if (supports_.any()) {
    work_of_supports = supports_.work(state.memory[reaction].values, supports_.reaction());
    damped_supports = supports_.work(state.memory[support_damping].values, support_damping_);
  }
  if (system.damped()) {
    const std::vector<double>& d = state.memory[damping].values;
    free_damping =
        system.exec().sum(u_.size(), [&](std::size_t k) { return -0.5 * (d[k] + damping_[k]) * (u_[k] - state.q[k]); });
  }
  report.external_work += work_of_loads + work_of_supports + damped_supports;
  report.lost[Loss::damping] += free_damping + damped_supports;
  if (linear_) return;
  const mechanics::PotentialEnergy now = system.potential_energy(u_);
  const double change = (now.strain - potential_.strain) + (now.gravity - potential_.gravity);
  // The work of the forces of the elements: on what moves freely, and on the supports, against which they work.
  const std::vector<double>& then = state.memory[elastic].values;
  const double work =
      system.exec().sum(u_.size(), [&](std::size_t k) { return 0.5 * (elastic_[k] + then[k]) * (u_[k] - state.q[k]); });
  report.lost[Loss::quadrature] -= change + work - work_of_supports;
}

model::Stored Newmark::energy(const System& system, double h, const State& state) const {
  model::Stored stored = system.stored(state.p, system.potential_energy(state.q));
  const double extra_beta = options_.beta - options_.gamma / 2;
  // ½ h²(β − γ/2) a·Ma = h²(β − γ/2) · ½ f·M⁻¹f
  if (extra_beta != 0)
    stored[model::Store::kinetic] += h * h * extra_beta * system.kinetic_energy(state.memory[forces].values);
  return stored;
}

void Newmark::velocity(const System& system, double h, const State& state, std::span<double> v) const {
  system.velocity(state.p, v);
  system.motions().velocity(std::max(state.time - h / 2, 0.0), state.time + h / 2, v);
}

}  // namespace ictus::dynamics
