// Notation: Δt fine step, h = stride·Δt, j counts fine steps; L rows of the ties, Λ their forces, H their compliance;
// v^∓ velocities of explicit bodies half a fine step before and after t_j; w gradient of a gap, λ impulse of contact.
#include <ictus/dynamics/coupled/coupled.hpp>

#include <algorithm>
#include <ictus/base/error.hpp>
#include <ictus/contact/detect/detect.hpp>
#include <ictus/dynamics/system/damping.hpp>

namespace ictus::dynamics {

using math::Pack;
using mechanics::Momentum;
using mechanics::NodalBody;
using model::Loss;
using model::State;

namespace {

/// Linear bodies without damping that are stepped in vectors of their own: what they touch is so too, or does not move.
std::vector<const NodalBody*> stepped_in_vectors(const System& system, std::vector<const NodalBody*> bodies) {
  const auto damped = damped_among(bodies);
  std::erase_if(bodies, [&](const NodalBody* body) {
    return !body->linear() || body->surface().mesh() || std::find(damped.begin(), damped.end(), body) != damped.end();
  });
  const auto holds = [&](const model::Surface* surface) {
    return surface->plane() || std::any_of(bodies.begin(), bodies.end(),
                                           [&](const NodalBody* body) { return &body->surface() == surface; });
  };
  for (std::size_t count = bodies.size() + 1; count > bodies.size();) {
    count = bodies.size();
    for (const contact::ContactPair& pair : system.pairs()) {
      if (holds(pair.first_surface) && holds(pair.second_surface)) continue;
      std::erase_if(bodies, [&](const NodalBody* body) {
        return &body->surface() == pair.first_surface || &body->surface() == pair.second_surface;
      });
    }
  }
  return bodies;
}

[[noreturn]] void fail_for_ties() {
  throw base::NumericalFailure("the ties between the domains say something twice: their operator is singular",
                               "at the start", "Take out ties between the same bodies");
}

}  // namespace

void Coupled::prepare(const System& system) {
  fine_ = 0;
  explicit_.clear();
  domains_.clear();
  for (const NodalBody* body : system.nodal_bodies()) {
    if (!is_implicit(body->name())) explicit_.push_back(body);
  }
  domain_of_.assign(system.dofs(), -1);
  const std::size_t loads = system.loads().size();
  ties_ = system.ties().size();
  const std::size_t ties = (ties_ + Pack::lanes - 1) / Pack::lanes * Pack::lanes;
  for (const ImplicitBodies& choice : choice_) {
    std::vector<const NodalBody*> bodies;
    for (const NodalBody* body : system.nodal_bodies()) {
      if (std::find(choice.bodies.begin(), choice.bodies.end(), body->name()) != choice.bodies.end())
        bodies.push_back(body);
    }
    for (const NodalBody* body : bodies)
      std::fill_n(domain_of_.begin() + static_cast<std::ptrdiff_t>(body->dofs().begin), body->dofs().size,
                  static_cast<int>(domains_.size()));
    domains_.emplace_back(ImplicitDomain(system, std::move(bodies)), choice.ratio, ties, loads);
  }
  is_linear_ = std::all_of(domains_.begin(), domains_.end(), [](const LinkedDomain& d) { return d.part().linear(); });
  stepper_ = LinearStepper(system, stepped_in_vectors(system, explicit_));
  stepper_contacts_ = LinearStepperContacts(system, stepper_);
  std::vector<const NodalBody*> others;
  std::copy_if(explicit_.begin(), explicit_.end(), std::back_inserter(others),
               [this](const NodalBody* body) { return stepper_.slot(body->dofs().begin) < 0; });
  std::vector<bool> other_pairs;
  for (std::size_t i = 0; i < system.pairs().size(); ++i)
    other_pairs.push_back(!stepper_contacts_.takes(static_cast<int>(i)));
  others_ = ElementStepper(system, std::move(others), std::move(other_pairs));
  stepper_rows_.emplace(system.ties(), system.inverse_mass(), [this](std::size_t k) { return stepper_.slot(k); });
  for (const DomainRows::Entry& entry : stepper_rows_->entries()) stepper_.touch(entry.dof);
  explicit_loads_.clear();
  for (std::size_t l = 0; l < loads; ++l) {
    if (domain_of_[system.loads()[l].first] < 0) explicit_loads_.push_back(l);
  }
  for (std::vector<double>* values : {&right_, &lambda_, &lambda_before_, &rates_, &free_, &linked_, &found_, &moved_})
    values->assign(ties, 0.0);
  for (std::vector<double>* values : {&loads_, &loads_before_, &loads_ahead_}) values->assign(loads, 0.0);
  pulled_.assign(system.dofs(), 0.0);
  signals_.assign(loads, std::vector<double>(static_cast<std::size_t>(stride_)));
}

void Coupled::factor(const System& system, double h, const State& state) {
  fine_ = h / stride_;
  const model::State initial = system.initial_state();
  for (LinkedDomain& domain : domains_)
    domain.part().factor(system, domain.ratio() * fine_,
                         domain.part().linear() ? initial.q : state.memory[factored].values);
  stepper_.set_step(system, fine_);
  others_.set_step(system, fine_);
  const auto slot = [this](std::size_t k) {
    return stepper_.slot(k) >= 0 || domain_of_[k] >= 0 ? -1 : static_cast<int>(k);
  };
  other_rows_.emplace(system.ties(), system.inverse_mass(), slot);
  slowed_rows_.emplace(system.ties(), others_.inverse_mass(system), slot);
  lumped_ = 0.5 * fine_ * (stepper_rows_->lumped() + slowed_rows_->lumped());
  join_operators();
}

/// H^E + Σ H^I, inverted.
void Coupled::join_operators() {
  implicit_.setZero(lumped_.rows(), lumped_.cols());
  for (const LinkedDomain& domain : domains_) implicit_ += domain.part().compliance();
  joined_ = lumped_ + implicit_;
  compliance_.assign(implicit_);
  if (!inverter_.find(joined_, inverse_)) fail_for_ties();
}

std::vector<double> Coupled::initial_forces(const System& system, State& state, StepReport& report) {
  std::vector<double> f(system.dofs());
  system.load_values(state.time, loads_);
  for (const NodalBody* body : system.nodal_bodies()) body->kick(system.exec(), state.q, 1.0, f);
  system.apply_loads(loads_, state.q, 1.0, f);
  damp_start(system, state, f, report);
  contact::detect(system.pairs(), state.q, constraints_);
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const auto pair = static_cast<std::size_t>(constraints_.contact(i).pair);
    state.memory[closed].values[pair] = constraints_.gap(i) <= system.pairs()[pair].slack ? 1 : 0;
    if (system.initial_contact_force().empty()) continue;
    const double pressed = system.initial_contact_force()[pair];
    model::add_scaled(constraints_.row(i), pressed, f);
    record_.add(system, constraints_, i, state, 0.5 * fine_ * pressed, Loss::impact, 0.0, report);
  }
  system.for_each_initial_surface_force(
      [&](const model::ConstraintSet& surfaces, std::size_t i, double pressed, const std::array<double, 2>& friction) {
        state.memory[closed].values[static_cast<std::size_t>(surfaces.contact(i).pair)] = 1;
        model::add_scaled(surfaces.row(i), pressed, f);
        for (std::size_t k = 0; k < 2 && surfaces.has_tangents(i); ++k)
          model::add_scaled(surfaces.tangent(i, k), friction[k], f);
        const double half = 0.5 * fine_;
        record_.add(system, surfaces, i, state, {half * pressed, {half * friction[0], half * friction[1]}},
                    Loss::impact, 0.0, 0.0, report);
      });
  const DomainRows all(system.ties(), system.inverse_mass(), [](std::size_t k) { return static_cast<int>(k); });
  SmallSymmetric lumped;
  if (!inverter_.find(all.lumped(), lumped)) fail_for_ties();
  std::fill(right_.begin(), right_.end(), 0.0);
  all.add_rates(f, right_);
  lumped.multiply(right_, lambda_);
  for (double& pull : lambda_) pull = -pull;
  all.pull(lambda_, 1.0, f);
  return f;
}

/// The forces of damping at the start; explicit bodies get half a fine step of them there.
void Coupled::damp_start(const System& system, const State& state, std::span<double> f, StepReport& report) const {
  if (!system.damped()) return;
  std::vector<double> v(system.dofs()), d(system.dofs());
  system.velocity(state.p, v);
  for (const mechanics::NodalBody* body : damped_among(system.nodal_bodies())) {
    damping_force(system, *body, state.q, v, d);
    const mechanics::Range range = body->dofs();
    for (std::size_t k = range.begin; k < range.end(); ++k) f[k] += d[k];
    if (is_implicit(body->name())) continue;
    Momentum removed = body->momentum(state.q, d);
    report.external_impulse += removed *= 0.5 * fine_;
  }
}

StepReport Coupled::start(const System& system, double h, State& state) {
  const std::size_t n = system.dofs(), ties = system.ties().size();
  state.memory = {{"contact.closed", std::vector<double>(system.pairs().size())},
                  {"coupled.before", std::vector<double>(n)},
                  {"coupled.acceleration", std::vector<double>(n)},
                  {"coupled.force", std::vector<double>(ties)},
                  {"coupled.domains", std::vector<double>(LinkedDomain::kept * ties * domains_.size())},
                  {"coupled.worst", std::vector<double>(gaps)},
                  {"coupled.opening", std::vector<double>(ties)},
                  {"coupled.ahead", std::vector<double>(6)},
                  {"coupled.account", std::vector<double>(ElementStepper::figures)},
                  {"coupled.factored", is_linear_ ? std::vector<double>() : state.q}};
  for (std::size_t r = 0; r < ties; ++r) state.memory[opening].values[r] = model::dot(system.ties().row(r), state.q);
  StepReport report;
  record_.clear();
  factor(system, h, state);
  const std::vector<double> f = initial_forces(system, state, report);
  const auto inverse_mass = system.inverse_mass();
  for (const NodalBody* body : explicit_) {
    report.external_impulse += body->gravity_impulse(state.q, fine_ / 2);
    for (const int k : body->fixed())
      report.external_impulse += body->support_impulse(k, -0.5 * fine_ * f[static_cast<std::size_t>(k)], state.q);
    const mechanics::Range range = body->dofs();
    for (std::size_t k = range.begin; k < range.end(); ++k) {
      const double half = inverse_mass[k] > 0 ? 0.5 * fine_ * f[k] : 0;
      state.memory[before].values[k] = state.p[k] - half;
      state.p[k] += half;
    }
  }
  for (const std::size_t l : explicit_loads_) {
    Momentum share = system.loads()[l].total;
    share *= 0.5 * fine_ * loads_[l];
    report.external_impulse += share;
  }
  others_.start(system, fine_, state, state.memory[before].values, state.memory[account].values);
  for (std::size_t d = 0; d < domains_.size(); ++d) {
    for (const NodalBody* body : domains_[d].part().bodies()) {
      const mechanics::Range range = body->dofs();
      for (std::size_t k = range.begin; k < range.end(); ++k)
        state.memory[acceleration].values[k] = inverse_mass[k] * f[k];
    }
    domains_[d].start(lambda_, state.p);
    domains_[d].keep(memory_of(d, state));
  }
  state.memory[force].values.assign(lambda_.begin(), lambda_.begin() + static_cast<std::ptrdiff_t>(ties_));
  book_momentum(system, state, report);
  report.impulses = record_.impulses();
  return report;
}

}  // namespace ictus::dynamics
