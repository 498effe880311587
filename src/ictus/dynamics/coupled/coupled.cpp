// Notation: Δt fine step, h = stride·Δt, j counts fine steps; L rows of the ties, Λ their forces, H their compliance;
// v^∓ velocities of explicit bodies half a fine step before and after t_j; w gradient of a gap, λ impulse of contact.
#include <ictus/dynamics/coupled/coupled.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/contact/detect/detect.hpp>
#include <ictus/dynamics/system/require_finite.hpp>
#include <ictus/dynamics/system/step_limit.hpp>
#include <limits>

namespace ictus::dynamics {

using math::Pack;
using mechanics::Momentum;
using mechanics::NodalBody;
using model::Loss;
using model::State;

namespace {

/// Changes of the velocities at the ties of nonlinear domains, over the velocities: at the first their forces are
/// found; up to the last they are accepted where they fall no further, and counted as unconverged above what rounding
/// explains.
constexpr double tie_found = 1e-13, tie_rounding = 1e-11, tie_acceptable = 1e-6;

int longest(const std::vector<ImplicitBodies>& domains) {
  int ratio = 1;
  for (const ImplicitBodies& domain : domains) ratio = std::max(ratio, domain.ratio);
  return ratio;
}

}  // namespace

Coupled::Coupled(std::vector<ImplicitBodies> domains) : choice_(std::move(domains)), stride_(longest(choice_)) {}

Capabilities Coupled::capabilities() const {
  return {.friction = true,
          .loads = true,
          .damping = true,
          .ties = true,
          .surfaces = SurfaceContact::stepwise,
          .losses = {Loss::impact, Loss::friction, Loss::damping, Loss::interface, Loss::quadrature}};
}

bool Coupled::is_implicit(std::string_view body) const {
  return std::any_of(choice_.begin(), choice_.end(), [body](const ImplicitBodies& domain) {
    return std::find(domain.bodies.begin(), domain.bodies.end(), body) != domain.bodies.end();
  });
}

StepLimit Coupled::step_limit(const System& system) const {
  StepLimit limit{std::numeric_limits<double>::infinity(), "nothing: all bodies are implicit"};
  for (const NodalBody* body : system.nodal_bodies()) {
    if (is_implicit(body->name())) continue;
    const mechanics::CriticalStep critical = body->critical_step();
    if (critical.step >= limit.step) continue;
    limit = {critical.step, fmt::format("element {} of {}, which is explicit", critical.element, body->name())};
  }
  std::vector<const NodalBody*> bodies(system.nodal_bodies().begin(), system.nodal_bodies().end());
  std::erase_if(bodies, [this](const NodalBody* body) { return is_implicit(body->name()); });
  leave_room_for_strain(bodies, limit);
  return limit;
}

StepReport Coupled::step(const System& system, double h, State& state) {
  StepReport report;
  record_.clear();
  if (fine_ != h / stride_) factor(system, h, state);
  const std::int64_t first = state.step * stride_;
  std::copy_n(state.memory[force].values.begin(), ties_, lambda_.begin());
  system.load_values(static_cast<double>(first) * fine_, loads_);
  sample_loads(system, static_cast<double>(first) * fine_);
  for (std::size_t d = 0; d < domains_.size(); ++d) domains_[d].recall(memory_of(d, state));
  close_gaps(system, state);
  contact::detect(system.pairs(), state.q, constraints_);
  require_finite(system, constraints_, state);
  stepper_contacts_.begin(constraints_);
  stepper_.begin(system, state);
  find_rates(state);
  for (int j = 1; j <= stride_; ++j) {
    for (LinkedDomain& domain : domains_) {
      if ((j - 1) % domain.ratio() == 0)
        open(system, static_cast<double>(first + j - 1 + domain.ratio()) * fine_, domain, state);
    }
    state.time = static_cast<double>(first + j) * fine_;
    fine_step(system, j, state, report);
    for (LinkedDomain& domain : domains_) {
      if (j % domain.ratio() == 0) close(system, domain, state, report);
    }
  }
  stepper_.end(system, stride_, state, state.memory[before].values, report);
  ++state.step;
  book_ties(system, state, report);
  state.memory[force].values.assign(lambda_.begin(), lambda_.begin() + static_cast<std::ptrdiff_t>(ties_));
  for (std::size_t d = 0; d < domains_.size(); ++d) domains_[d].keep(memory_of(d, state));
  book_momentum(system, state, report);
  report.impulses = record_.impulses();
  return report;
}

/// What a domain keeps from step to step.
std::span<double> Coupled::memory_of(std::size_t domain, State& state) const {
  const std::size_t size = LinkedDomain::kept * ties_;
  return std::span(state.memory[kept].values).subspan(domain * size, size);
}

/// Has the implicit bodies close in their next steps what ties have come apart by, each by its share in the compliance
/// of a tie [eq. coupling-15]. With equal steps the two sides drift no further apart than they are [eq. coupling-8].
void Coupled::close_gaps(const System& system, const State& state) {
  if (stride_ == 1) return;
  for (std::size_t r = 0; r < ties_; ++r)
    right_[r] = state.memory[opening].values[r] - model::dot(system.ties().row(r), state.q);
  inverse_.multiply(right_, found_);
  for (LinkedDomain& domain : domains_) {
    for (std::size_t r = 0; r < ties_; ++r) linked_[r] = 0.5 * domain.ratio() * fine_ * found_[r];
    domain.part().close_by(std::span(linked_).first(ties_));
  }
}

void Coupled::open(const System& system, double end, LinkedDomain& domain, State& state) {
  system.load_values(end, loads_ahead_);
  const bool is_new = domain.open(system, lambda_, loads_, loads_ahead_, state, state.memory[acceleration].values,
                                  state.memory[factored].values);
  if (is_new) join_operators();
}

void Coupled::close(const System& system, LinkedDomain& domain, State& state, StepReport& report) {
  const ImplicitDomain::StepBalance balance =
      domain.close(system, lambda_, loads_, state, state.memory[acceleration].values);
  report.lost[Loss::interface] -= balance.interface_work;
  report.lost[Loss::damping] += balance.damping;
  report.lost[Loss::quadrature] += balance.quadrature;
  report.external_work += balance.load_work;
  report.external_impulse += balance.impulse;
  if (balance.unsettled > 0) report.accept_unconverged(balance.unsettled);
}

/// The values of the loads at the fine steps of the step from `start` on.
void Coupled::sample_loads(const System& system, double start) {
  const auto loads = system.loads();
  for (std::size_t l = 0; l < loads.size(); ++l) {
    if (l > 0 && loads[l].signal == loads[l - 1].signal) {
      signals_[l] = signals_[l - 1];  // one signal on several bodies
    } else {
      loads[l].signal->sample(start, fine_, signals_[l]);
    }
  }
}

void Coupled::fine_step(const System& system, int fine, State& state, StepReport& report) {
  auto& memory = state.memory;
  stepper_.drift();
  others_.drift(system, fine_, state);
  stepper_contacts_.find(stepper_, memory[closed].values, report);
  if (fine == stride_) stepper_.keep();
  std::swap(loads_, loads_before_);
  for (std::size_t l = 0; l < signals_.size(); ++l) loads_[l] = signals_[l][static_cast<std::size_t>(fine) - 1];
  stepper_.kick(system.exec(), loads_, loads_before_);
  others_.kick(system, fine_, loads_, loads_before_, state, memory[before].values, memory[account].values, report);
  tie(system, fine, state, report);
  stepper_contacts_.respond(system, state.time, stepper_, record_, report);
  if (!others_.any()) return;
  others_.respond(system, fine_, state, memory[before].values, memory[closed].values, memory[account].values, record_,
                  report);
  others_.settle(system, fine_, memory[before].values, state, memory[account].values, report);
  find_rates(state);  // contact may have reached a tie
}

void Coupled::find_rates(const State& state) {
  for (std::size_t r = 0; r < ties_; r += Pack::lanes)
    (stepper_rows_->rates(stepper_.p(), r) + other_rows_->rates(state.p, r)).store(rates_.data() + r);
}

/// Λ_j from equal velocities at t_j [eq. coupling-4]. rates_ are those before the forces of the step on entry, and
/// those after on exit.
void Coupled::tie(const System& system, int fine, State& state, StepReport& report) {
  if (ties_ == 0 && !is_linear_) follow_nonlinear(system, fine, state, report);
  if (ties_ == 0) return;
  const auto of = [](const std::vector<double>& values, std::size_t r) { return Pack::load(values.data() + r); };
  for (std::size_t r = 0; r < ties_; r += Pack::lanes) (Pack(0.5) * of(rates_, r)).store(free_.data() + r);
  for (const LinkedDomain& domain : domains_) domain.add_free_rates(fine, free_);
  for (std::size_t r = 0; r < ties_; r += Pack::lanes)
    (-of(free_, r) - Pack(0.5) * rates(state, r)).store(right_.data() + r);
  std::swap(lambda_, lambda_before_);
  inverse_.multiply(right_, lambda_);
  if (!is_linear_) follow_nonlinear(system, fine, state, report);
  stepper_rows_->pull(lambda_, fine_, stepper_.p());
  slowed_rows_->pull(lambda_, fine_, state.p);
  for (std::size_t r = 0; r < ties_; r += Pack::lanes) {
    for (LinkedDomain& domain : domains_) domain.note(r, of(lambda_, r), of(lambda_before_, r));
    tie_work_ += of(rates_, r) * (of(lambda_, r) + of(lambda_before_, r));
    rates(state, r).store(rates_.data() + r);
  }
}

/// The work of the ties on explicit bodies in a step [eq. coupling-7], and how far the bodies themselves, whatever the
/// operators of the ties say, are from moving together at its end.
void Coupled::book_ties(const System& system, State& state, StepReport& report) {
  report.lost[Loss::interface] -= 0.5 * fine_ * sum(tie_work_);
  tie_work_ = {};
  const double *inverse_mass = system.inverse_mass().data(), *p = state.p.data(),
               *p_before = state.memory[before].values.data();
  std::vector<double>& widest = state.memory[worst].values;
  for (std::size_t r = 0; r < ties_; ++r) {
    const auto row = system.ties().row(r);
    double rate = 0;
    for (const model::RowEntry& entry : row) {
      const auto k = entry.index();
      rate += entry.weight * inverse_mass[k] * (domain_of_[k] < 0 ? 0.5 * (p[k] + p_before[k]) : p[k]);
    }
    const double apart = model::dot(row, state.q) - state.memory[opening].values[r];
    widest[of_velocity] = std::max(widest[of_velocity], std::abs(rate));
    widest[of_displacement] = std::max(widest[of_displacement], std::abs(apart));
  }
}

/// The momentum that ties gave ahead of t_n: to explicit bodies, whose p is half a fine step ahead, and less what they
/// owe implicit ones. It comes from outside for now, and goes back there.
void Coupled::book_momentum(const System& system, State& state, StepReport& report) {
  for (std::size_t r = 0; r < ties_; ++r) {
    for (const model::RowEntry& entry : system.ties().row(r)) {
      const auto k = entry.index();
      if (system.inverse_mass()[k] == 0) continue;
      const int domain = domain_of_[k];
      pulled_[k] += entry.weight * (domain < 0 ? 0.5 * fine_ * lambda_[r]
                                               : -domains_[static_cast<std::size_t>(domain)].owed_impulse(r, fine_));
    }
  }
  const Momentum now = system.momentum(state.q, pulled_);
  for (std::size_t r = 0; r < ties_; ++r) {
    for (const model::RowEntry& entry : system.ties().row(r)) pulled_[entry.index()] = 0;
  }
  auto linear = math::Vec3::Map(state.memory[ahead].values.data());
  auto angular = math::Vec3::Map(state.memory[ahead].values.data() + 3);
  report.external_impulse += {now.linear - linear, now.angular - angular};
  linear = now.linear;
  angular = now.angular;
}

/// What rounding of positions makes of velocities at the ties.
double Coupled::rounding_of_rates(const System& system, const State& state) const {
  double largest = 0;
  for (std::size_t r = 0; r < ties_; ++r) {
    for (const model::RowEntry& entry : system.ties().row(r))
      largest = std::max(largest, std::abs(state.q[entry.index()]));
  }
  return 16 * std::numeric_limits<double>::epsilon() * largest / fine_;
}

/// Where nonlinear domains end their step: the Λ for which their velocities, not those of their tangents, are equal to
/// the others' [eq. coupling-11]. What is left of the search is within reach of the tangents, which finish it.
void Coupled::follow_nonlinear(const System& system, int fine, State& state, StepReport& report) {
  const auto ends = [fine](const LinkedDomain& domain) {
    return !domain.part().linear() && fine % domain.ratio() == 0;
  };
  if (std::none_of(domains_.begin(), domains_.end(), ends)) return;
  double previous = std::numeric_limits<double>::infinity();
  constexpr int max_iterations = 50;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    for (std::size_t r = 0; r < ties_; ++r) linked_[r] = right_[r];
    for (LinkedDomain& domain : domains_) {
      if (ends(domain)) domain.take_beyond(system, lambda_, state, linked_);
    }
    inverse_.multiply(linked_, found_);
    for (std::size_t r = 0; r < ties_; ++r) linked_[r] = found_[r] - lambda_[r];
    std::swap(lambda_, found_);
    compliance_.multiply(linked_, moved_);
    double change = 0, speed = 0;
    for (std::size_t r = 0; r < ties_; ++r) {
      change = std::max(change, std::abs(moved_[r]));
      speed = std::max({speed, std::abs(rates_[r]), std::abs(free_[r])});
    }
    if (change <= tie_found * speed) return;
    if (change <= tie_acceptable * speed && change > 0.5 * previous) {  // it falls no further
      if (change > tie_rounding * speed + rounding_of_rates(system, state)) report.accept_unconverged(change / speed);
      return;
    }
    previous = change;
  }
  throw base::NumericalFailure(fmt::format("no forces at the ties were found in {} iterations", max_iterations),
                               fmt::format("t = {:g} s", state.time), "Use a smaller integrator.ratio or time.step");
}

model::Stored Coupled::energy(const System& system, double, const State& state) const {
  model::Stored stored = system.stored(state.p, system.potential_energy(state.q));
  double kinetic = 0;
  const auto add = [&](const NodalBody* body, std::span<const double> other) {
    const mechanics::Range range = body->dofs();
    for (std::size_t k = range.begin; k < range.end(); ++k)
      kinetic += 0.5 * state.p[k] * system.inverse_mass()[k] * other[k];
  };
  for (const NodalBody* body : explicit_) add(body, state.memory[before].values);
  for (const LinkedDomain& domain : domains_) {
    for (const NodalBody* body : domain.part().bodies()) add(body, state.p);
  }
  stored[model::Store::kinetic] = kinetic;
  return stored;
}

double Coupled::quadrature(const System& system, double, const State& state) const {
  return others_.quadrature(system, state, state.memory[account].values);
}

void Coupled::velocity(const System& system, double, const State& state, std::span<double> v) const {
  system.velocity(state.p, v);
  for (const NodalBody* body : explicit_) {
    const mechanics::Range range = body->dofs();
    for (std::size_t k = range.begin; k < range.end(); ++k)
      v[k] = 0.5 * system.inverse_mass()[k] * (state.p[k] + state.memory[before].values[k]);
  }
}

Extras Coupled::extras(const State& state) const {
  return {{"fine_step", fine_},
          {"interface_unknowns", static_cast<double>(ties_)},
          {"interface_velocity_gap", state.memory[worst].values[of_velocity]},
          {"interface_displacement_gap", state.memory[worst].values[of_displacement]}};
}

}  // namespace ictus::dynamics
