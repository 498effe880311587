#include <ictus/dynamics/coupled/element_stepper.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/base/error.hpp>
#include <ictus/contact/detect/detect.hpp>
#include <ictus/dynamics/system/damping.hpp>
#include <ictus/dynamics/system/potential_of.hpp>
#include <ictus/dynamics/system/require_finite.hpp>

namespace ictus::dynamics {

using mechanics::Momentum;
using mechanics::NodalBody;
using model::State;

ElementStepper::ElementStepper(const System& system, std::vector<const NodalBody*> bodies, std::vector<bool> pairs)
    : bodies_(std::move(bodies)), pairs_(std::move(pairs)) {
  any_pairs_ = std::any_of(pairs_.begin(), pairs_.end(), [](bool is_own) { return is_own; });
  is_linear_ = std::all_of(bodies_.begin(), bodies_.end(), [](const NodalBody* body) { return body->linear(); });
  if (!is_linear_) impulse_.resize(system.dofs());
  damped_ = damped_among(bodies_);
  if (!damped_.empty()) {
    damping_.resize(system.dofs());
    velocity_.resize(system.dofs());
  }
  is_tied_.assign(system.dofs(), 0);
  for (std::size_t r = 0; r < system.ties().size(); ++r) {
    for (const model::RowEntry& entry : system.ties().row(r)) is_tied_[entry.index()] = 1;
  }
  surfaces_.prepare(system.pairs());
  closings_ = PairClosings(pairs_);
  for (std::size_t l = 0; l < system.loads().size(); ++l) {
    const std::size_t k = system.loads()[l].first;
    if (std::any_of(bodies_.begin(), bodies_.end(),
                    [k](const NodalBody* body) { return k >= body->dofs().begin && k < body->dofs().end(); }))
      loads_.push_back(l);
  }
}

double ElementStepper::half_power(const System& system, std::span<const double> impulse,
                                  std::span<const double> p) const {
  double sum = 0;
  for (const NodalBody* body : bodies_) {
    const double *f = impulse.data(), *inverse_mass = system.inverse_mass().data(), *momenta = p.data();
    sum += exec::sum_lanes(body->dofs().begin, body->dofs().end(),
                           [=](std::size_t k) { return 0.5 * f[k] * inverse_mass[k] * momenta[k]; });
  }
  return sum;
}

void ElementStepper::start(const System& system, double step, const State& state, std::span<const double> before,
                           std::span<double> account) {
  for (std::size_t k = 0; k < velocity_.size(); ++k)
    velocity_[k] = 0.5 * system.inverse_mass()[k] * (state.p[k] + before[k]);
  for (const mechanics::NodalBody* body : damped_) damping_force(system, *body, state.q, velocity_, damping_);
  for (double& force : damping_) force *= step;
  if (!damped_.empty()) account[half_damping] = half_power(system, damping_, state.p);
  if (is_linear_) return;
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
  for (const NodalBody* body : bodies_) body->kick(system.exec(), state.q, step, impulse_);
  account[potential_at_start] = potential_of(system, bodies_, state.q);
  account[half_work] = half_power(system, impulse_, state.p);
}

void ElementStepper::drift(const System& system, double step, State& state) const {
  for (const NodalBody* body : bodies_) {
    const mechanics::Range range = body->dofs();
    double* q = state.q.data() + range.begin;
    const double *p = state.p.data() + range.begin, *inverse = system.inverse_mass().data() + range.begin;
    for (std::size_t k = 0; k < range.size; ++k) q[k] += step * inverse[k] * p[k];
  }
}

/// Works first: they are those of the velocities before any force of the step.
void ElementStepper::apply_loads(const System& system, double step, std::span<const double> load_values,
                                 std::span<const double> load_values_before, State& state, StepReport& report) const {
  for (const std::size_t l : loads_) {
    const mechanics::Load& load = system.loads()[l];
    const double *p = state.p.data() + load.first, *pattern = load.force.data(),
                 *inverse = system.inverse_mass().data() + load.first;
    const double rate =
        exec::sum_lanes(0, load.force.size(), [=](std::size_t k) { return pattern[k] * inverse[k] * p[k]; });
    report.external_work += 0.5 * step * (load_values[l] + load_values_before[l]) * rate;
  }
  for (const std::size_t l : loads_) {
    const mechanics::Load& load = system.loads()[l];
    const double impulse = step * load_values[l];
    double* p = state.p.data() + load.first;
    for (std::size_t k = 0; k < load.force.size(); ++k) p[k] += impulse * load.force[k];
    Momentum share = load.total;
    share *= impulse;
    report.external_impulse += share;
  }
}

void ElementStepper::kick(const System& system, double step, std::span<const double> load_values,
                          std::span<const double> load_values_before, State& state, std::span<double> before,
                          std::span<double> account, StepReport& report) {
  if (!any()) return;
  for (const auto& [name, half] :
       {std::pair{model::Loss::impact, half_impact}, {model::Loss::friction, half_friction}}) {
    report.lost[name] += account[half];
    account[half] = 0;
  }
  for (const NodalBody* body : bodies_)
    std::copy_n(state.p.begin() + static_cast<std::ptrdiff_t>(body->dofs().begin), body->dofs().size,
                before.begin() + static_cast<std::ptrdiff_t>(body->dofs().begin));
  apply_loads(system, step, load_values, load_values_before, state, report);
  for (const NodalBody* body : bodies_) {
    const mechanics::Range range = body->dofs();
    if (is_linear_) {
      body->kick(system.exec(), state.q, step, state.p);
    } else {
      std::fill_n(impulse_.begin() + static_cast<std::ptrdiff_t>(range.begin), range.size, 0.0);
      body->kick(system.exec(), state.q, step, impulse_);
      for (std::size_t k = range.begin; k < range.end(); ++k) state.p[k] += impulse_[k];
    }
    report.external_impulse += body->gravity_impulse(state.q, step);
    for (const int k : body->fixed()) {
      double& p = state.p[static_cast<std::size_t>(k)];
      report.external_impulse += body->support_impulse(k, -p, state.q);
      p = 0;
    }
  }
  if (!is_linear_) account[work] += account[half_work] + half_power(system, impulse_, before);
  if (!damped_.empty()) damp(system, step, state, before);
}

void ElementStepper::set_step(const System& system, double step) {
  const auto alpha = system.mass_damping();
  slowed_.clear();
  if (alpha.empty() || damped_.empty()) return;
  slow(system, step, slowed_);
}

void ElementStepper::damp(const System& system, double step, State& state, std::span<const double> before) {
  for (const mechanics::NodalBody* body : damped_) {
    const mechanics::Range range = body->dofs();
    for (std::size_t k = range.begin; k < range.end(); ++k) {
      velocity_[k] = system.inverse_mass()[k] * before[k];
      damping_[k] = 0;
    }
    const double beta = body->damping().stiffness;
    if (beta > 0) body->apply_damping(system.exec(), state.q, velocity_, step * beta, damping_);
    begin_damping(system, step, range.begin, range.end(), before, damping_, state.p);
  }
}

void ElementStepper::settle(const System& system, double step, std::span<const double> before, State& state,
                            std::span<double> account, StepReport& report) {
  if (!damped_.empty()) {
    for (const mechanics::NodalBody* body : damped_) {
      const mechanics::Range range = body->dofs();
      if (!slowed_.empty()) end_damping(system, step, range.begin, range.end(), damping_, state.p);
      report.external_impulse += body->momentum(state.q, damping_);
    }
    report.lost[model::Loss::damping] -= account[half_damping] + half_power(system, damping_, before);
    account[half_damping] = half_power(system, damping_, state.p);
  }
  if (!is_linear_) account[half_work] = half_power(system, impulse_, state.p);
}

double ElementStepper::quadrature(const System& system, const State& state, std::span<const double> account) const {
  return is_linear_ ? 0 : account[potential_at_start] - potential_of(system, bodies_, state.q) - account[work];
}

void ElementStepper::find_contacts(const System& system, double step, const State& state) {
  contact::detect(system.pairs(), state.q, constraints_);
  surfaces_.detect(system.pairs(), {state.q, state.p, inverse_mass(system), step}, constraints_);
  active_.clear();
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const auto pair = static_cast<std::size_t>(constraints_.contact(i).pair);
    const bool is_ahead = constraints_.onset(i) == model::ConstraintSet::Onset::ahead;
    const double reach = is_ahead ? surfaces_.approach()[pair] : system.pairs()[pair].slack;
    if (pairs_[pair] && constraints_.gap(i) <= reach) active_.push_back(static_cast<int>(i));
  }
}

void ElementStepper::solve_points(const System& system, State& state, StepReport& report) {
  offset_.assign(active_.size(), 0.0);
  const solve::LcpReport solved = response_.apply(constraints_, active_, inverse_mass(system), offset_, state.p);
  report.iterations = std::max(report.iterations, solved.iterations);
  if (!solved.solved()) ++report.fallbacks;
  for (std::size_t a = 0; a < active_.size(); ++a) impulses_.push_back({response_.lambda()[a]});
}

void ElementStepper::solve_surfaces(const System& system, double step, State& state, StepReport& report) {
  laws_.clear();
  for (const int i : active_) {
    const auto number = static_cast<std::size_t>(i), pair = static_cast<std::size_t>(constraints_.contact(number).pair);
    laws_.push_back({std::max(constraints_.gap(number), 0.0) / step, system.pairs()[pair].friction});
  }
  const contact::SweepReport swept = sweeps_.apply(constraints_, active_, laws_, inverse_mass(system), step, state.p);
  report.iterations = std::max(report.iterations, swept.sweeps);
  if (!swept.settled) report.accept_unconverged(swept.error);
  for (std::size_t a = 0; a < active_.size(); ++a) impulses_.push_back({sweeps_.lambda()[a], sweeps_.tangential()[a]});
}

void ElementStepper::require_untied(const System& system, std::size_t constraint, double time) const {
  const auto row = constraints_.row(constraint);
  if (std::none_of(row.begin(), row.end(),
                   [this](const model::RowEntry& entry) { return is_tied_[entry.index()] != 0; }))
    return;
  const auto& at = constraints_.contact(constraint);
  const contact::ContactPair& pair = system.pairs()[static_cast<std::size_t>(at.pair)];
  throw base::NumericalFailure(
      fmt::format("{} and {} touch in nodes that are tied, which cannot follow both", pair.first, pair.second),
      fmt::format("({:g}, {:g}, {:g}) at t = {:g} s", at.point.x(), at.point.y(), at.point.z(), time),
      "Let more of the body be explicit, so that its ties lie away from what it touches");
}

/// An impulse J along a row w takes −½ J w·v⁻ from the energy at t_j, and −½ J w·v⁺ from that at t_{j+1}.
void ElementStepper::respond(const System& system, double step, State& state, std::span<const double> before,
                             std::span<double> closed, std::span<double> account, ContactRecord& record,
                             StepReport& report) {
  if (!any_pairs_) return;
  find_contacts(system, step, state);
  impulses_.clear();
  if (!active_.empty()) {
    require_finite(system, constraints_, state);
    if (constraints_.any_ahead())
      solve_surfaces(system, step, state, report);
    else
      solve_points(system, state, report);
  }
  const auto half_loss = [](std::span<const model::RowEntry> row, double impulse, std::span<const double> masses,
                            std::span<const double> p) {
    return impulse == 0 ? 0 : -0.5 * impulse * model::rate(row, masses, p);
  };
  const auto plain = system.inverse_mass(), slowed = inverse_mass(system);
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const auto i = static_cast<std::size_t>(active_[a]);
    const ContactRecord::Push& push = impulses_[a];
    if (push.normal != 0) require_untied(system, i, state.time);
    const double impact_later = half_loss(constraints_.row(i), push.normal, slowed, state.p);
    double friction_now = 0, friction_later = 0;
    for (std::size_t k = 0; k < 2 && constraints_.has_tangents(i); ++k) {
      friction_now += half_loss(constraints_.tangent(i, k), push.tangential[k], plain, before);
      friction_later += half_loss(constraints_.tangent(i, k), push.tangential[k], slowed, state.p);
    }
    record.add(system, constraints_, i, state, push, model::Loss::impact,
               half_loss(constraints_.row(i), push.normal, plain, before) + impact_later, friction_now + friction_later,
               report);
    report.lost[model::Loss::impact] -= impact_later;
    report.lost[model::Loss::friction] -= friction_later;
    account[half_impact] += impact_later;
    account[half_friction] += friction_later;
    if (push.normal != 0) closings_.push(constraints_.contact(i).pair);
  }
  closings_.count(system.pairs(), constraints_, surfaces_.approach(), closed, report);
}

}  // namespace ictus::dynamics
