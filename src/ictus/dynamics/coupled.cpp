// Notation: Δt fine step, h = stride·Δt, j counts fine steps; L rows of the ties, Λ their forces, H their compliance;
// v^∓ velocities of explicit bodies half a fine step before and after t_j; w gradient of a gap, λ impulse of contact.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/contact/detect.hpp>
#include <ictus/dynamics/coupled.hpp>
#include <ictus/dynamics/damping.hpp>
#include <ictus/dynamics/require_finite.hpp>
#include <ictus/dynamics/step_limit.hpp>
#include <limits>

namespace ictus::dynamics {

using math::Pack;
using mechanics::Momentum;
using mechanics::NodalBody;
using model::Loss;
using model::State;

namespace {

/// Slots of State::memory: closed pairs; p⁻ of explicit bodies; A of implicit ones; Λ; L V_free of each implicit
/// domain, one after the other; the largest differences of velocities and of displacements at a tie; L q at the start;
/// the account of ElementMarch; the configuration at which nonlinear implicit domains were factored.
enum Slot : std::size_t { closed, before, acceleration, force, free_rates, worst, opening, account, factored };
/// Changes of the velocities at the ties of nonlinear domains, over the velocities: at the first their forces are
/// found; up to the last they are accepted where they fall no further, and counted as unconverged above what rounding
/// explains.
constexpr double tie_found = 1e-13, tie_rounding = 1e-11, tie_acceptable = 1e-6;

enum Gap : std::size_t { of_velocity, of_displacement, gaps };

/// Linear bodies without damping that contact lets march: what they touch marches too, or does not move.
std::vector<const NodalBody*> marching(const System& system, std::vector<const NodalBody*> bodies) {
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

void Coupled::prepare(const System& system) {
  fine_ = 0;
  explicit_.clear();
  domains_.clear();
  for (const NodalBody* body : system.nodal_bodies()) {
    if (!is_implicit(body->name())) explicit_.push_back(body);
  }
  is_explicit_.assign(system.unknowns(), 0);
  for (const NodalBody* body : explicit_)
    std::fill_n(is_explicit_.begin() + static_cast<std::ptrdiff_t>(body->unknowns().begin), body->unknowns().size, 1);
  const std::size_t loads = system.loads().size();
  ties_ = system.ties().size();
  const std::size_t ties = (ties_ + Pack::lanes - 1) / Pack::lanes * Pack::lanes;
  for (const ImplicitBodies& choice : choice_) {
    std::vector<const NodalBody*> bodies;
    for (const NodalBody* body : system.nodal_bodies()) {
      if (std::find(choice.bodies.begin(), choice.bodies.end(), body->name()) != choice.bodies.end())
        bodies.push_back(body);
    }
    domains_.push_back({ImplicitDomain(system, std::move(bodies)), choice.ratio, std::vector<double>(ties),
                        std::vector<double>(ties), std::vector<double>(ties), std::vector<double>(loads),
                        std::vector<double>(ties)});
  }
  is_linear_ = std::all_of(domains_.begin(), domains_.end(), [](const Domain& d) { return d.part.linear(); });
  march_ = LinearMarch(system, marching(system, explicit_));
  march_contacts_ = MarchContacts(system, march_);
  std::vector<const NodalBody*> others;
  std::copy_if(explicit_.begin(), explicit_.end(), std::back_inserter(others),
               [this](const NodalBody* body) { return march_.place(body->unknowns().begin) < 0; });
  std::vector<bool> other_pairs;
  for (std::size_t i = 0; i < system.pairs().size(); ++i)
    other_pairs.push_back(!march_contacts_.takes(static_cast<int>(i)));
  others_ = ElementMarch(system, std::move(others), std::move(other_pairs));
  march_rows_.emplace(system.ties(), system.inverse_mass(), [this](std::size_t k) { return march_.place(k); });
  for (const DomainRows::Entry& entry : march_rows_->entries()) march_.touch(entry.unknown);
  explicit_pushes_.clear();
  for (std::size_t l = 0; l < loads; ++l) {
    if (is_explicit_[system.loads()[l].first]) explicit_pushes_.push_back(l);
  }
  for (std::vector<double>* values : {&right_, &lambda_, &lambda_before_, &rates_, &free_, &linked_, &found_, &moved_})
    values->assign(ties, 0.0);
  for (std::vector<double>* values : {&loads_, &loads_before_, &loads_ahead_}) values->assign(loads, 0.0);
  signals_.assign(loads, std::vector<double>(static_cast<std::size_t>(stride_)));
}

void Coupled::factor(const System& system, double h, const State& state) {
  fine_ = h / stride_;
  const model::State initial = system.initial_state();
  for (Domain& domain : domains_)
    domain.part.factor(system, domain.ratio * fine_, domain.part.linear() ? initial.q : state.memory[factored].values);
  march_.set_step(system, fine_);
  others_.set_step(system, fine_);
  const auto place = [this](std::size_t k) {
    return march_.place(k) >= 0 || !is_explicit_[k] ? -1 : static_cast<int>(k);
  };
  other_rows_.emplace(system.ties(), system.inverse_mass(), place);
  slowed_rows_.emplace(system.ties(), others_.inverse_mass(system), place);
  lumped_ = 0.5 * fine_ * (march_rows_->lumped() + slowed_rows_->lumped());
  join_operators();
}

/// H^E + Σ H^I, factored.
void Coupled::join_operators() {
  Eigen::MatrixXd compliance = Eigen::MatrixXd::Zero(lumped_.rows(), lumped_.cols());
  for (const Domain& domain : domains_) compliance += domain.part.compliance();
  compliance_ = SmallSymmetric(compliance);
  std::optional<SmallSymmetric> inverted = inverse(lumped_ + compliance);
  if (inverted) {
    inverse_ = std::move(*inverted);
    return;
  }
  throw base::NumericalFailure("the ties between the domains say something twice: their operator is singular",
                               "at the start", "Take out ties between the same bodies");
}

std::vector<double> Coupled::initial_forces(const System& system, State& state, StepReport& report) {
  std::vector<double> f(system.unknowns());
  system.load_values(state.time, loads_);
  for (const NodalBody* body : system.nodal_bodies()) body->kick(system.exec(), state.q, 1.0, f);
  system.push(loads_, 1.0, f);
  damp_start(system, state, f, report);
  contact::detect(system.pairs(), state.q, constraints_);
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const auto pair = static_cast<std::size_t>(constraints_.place(i).pair);
    state.memory[closed].values[pair] = constraints_.gap(i) <= system.pairs()[pair].slack ? 1 : 0;
    if (system.initial_contact_force().empty()) continue;
    const double pressed = system.initial_contact_force()[pair];
    model::add_scaled(constraints_.row(i), pressed, f);
    record_.add(system, constraints_, i, state.time, 0.5 * fine_ * pressed, Loss::impact, 0.0, report);
  }
  system.for_each_initial_surface_force([&](const model::ConstraintSet& surfaces, std::size_t i, double pressed) {
    state.memory[closed].values[static_cast<std::size_t>(surfaces.place(i).pair)] = 1;
    model::add_scaled(surfaces.row(i), pressed, f);
    record_.add(system, surfaces, i, state.time, 0.5 * fine_ * pressed, Loss::impact, 0.0, report);
  });
  const DomainRows all(system.ties(), system.inverse_mass(), [](std::size_t k) { return static_cast<int>(k); });
  const std::optional<SmallSymmetric> lumped = inverse(all.lumped());
  if (!lumped)
    throw base::NumericalFailure("the ties between the domains say something twice: their operator is singular",
                                 "at the start", "Take out ties between the same bodies");
  std::fill(right_.begin(), right_.end(), 0.0);
  all.add_rates(f, right_);
  lumped->multiply(right_, lambda_);
  for (double& pull : lambda_) pull = -pull;
  all.pull(lambda_, 1.0, f);
  return f;
}

/// The forces of damping at the start; explicit bodies get half a fine step of them there.
void Coupled::damp_start(const System& system, const State& state, std::span<double> f, StepReport& report) const {
  if (!system.damped()) return;
  std::vector<double> v(system.unknowns()), d(system.unknowns());
  system.velocity(state.p, v);
  for (const mechanics::DampedBody* body : damped_among(system.nodal_bodies())) {
    damping_force(system, *body, state.q, v, d);
    const mechanics::Range range = body->unknowns();
    for (std::size_t k = range.begin; k < range.end(); ++k) f[k] += d[k];
    if (is_implicit(body->name())) continue;
    Momentum taken = body->momentum(state.q, d);
    report.external_impulse += taken *= 0.5 * fine_;
  }
}

StepReport Coupled::start(const System& system, double h, State& state) {
  const std::size_t n = system.unknowns(), ties = system.ties().size();
  state.memory = {{"contact.closed", std::vector<double>(system.pairs().size())},
                  {"coupled.before", std::vector<double>(n)},
                  {"coupled.acceleration", std::vector<double>(n)},
                  {"coupled.force", std::vector<double>(ties)},
                  {"coupled.free", std::vector<double>(ties * domains_.size())},
                  {"coupled.worst", std::vector<double>(gaps)},
                  {"coupled.opening", std::vector<double>(ties)},
                  {"coupled.account", std::vector<double>(ElementMarch::figures)},
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
    const mechanics::Range range = body->unknowns();
    for (std::size_t k = range.begin; k < range.end(); ++k) {
      const double half = inverse_mass[k] > 0 ? 0.5 * fine_ * f[k] : 0;
      state.memory[before].values[k] = state.p[k] - half;
      state.p[k] += half;
    }
  }
  for (const std::size_t l : explicit_pushes_) {
    Momentum share = system.loads()[l].total;
    share *= 0.5 * fine_ * loads_[l];
    report.external_impulse += share;
  }
  others_.start(system, fine_, state, state.memory[before].values, state.memory[account].values);
  for (std::size_t d = 0; d < domains_.size(); ++d) {
    const ImplicitDomain& part = domains_[d].part;
    for (const NodalBody* body : part.bodies()) {
      const mechanics::Range range = body->unknowns();
      for (std::size_t k = range.begin; k < range.end(); ++k)
        state.memory[acceleration].values[k] = inverse_mass[k] * f[k];
    }
    // Free of the ties' forces: V − ΔT/2 M̃⁻¹LᵀΛ.
    const auto free = std::span(state.memory[free_rates].values).subspan(d * ties, ties);
    part.rows().add_rates(state.p, free);
    const Eigen::VectorXd linked =
        part.compliance() * Eigen::Map<const Eigen::VectorXd>(lambda_.data(), static_cast<Eigen::Index>(ties));
    for (std::size_t r = 0; r < ties; ++r) free[r] -= linked[static_cast<Eigen::Index>(r)];
  }
  state.memory[force].values.assign(lambda_.begin(), lambda_.begin() + static_cast<std::ptrdiff_t>(ties_));
  report.impulses = record_.impulses();
  return report;
}

StepReport Coupled::step(const System& system, double h, State& state) {
  StepReport report;
  record_.clear();
  if (fine_ != h / stride_) factor(system, h, state);
  const std::size_t ties = ties_;
  const std::int64_t first = state.step * stride_;
  std::copy_n(state.memory[force].values.begin(), ties, lambda_.begin());
  system.load_values(static_cast<double>(first) * fine_, loads_);
  sample_loads(system, static_cast<double>(first) * fine_);
  for (std::size_t d = 0; d < domains_.size(); ++d)
    std::copy_n(state.memory[free_rates].values.begin() + static_cast<std::ptrdiff_t>(d * ties), ties,
                domains_[d].free_before.begin());
  contact::detect(system.pairs(), state.q, constraints_);
  require_finite(system, constraints_, state);
  march_contacts_.begin(constraints_);
  march_.begin(system, state);
  find_rates(state);
  for (int j = 1; j <= stride_; ++j) {
    for (Domain& domain : domains_) {
      if ((j - 1) % domain.ratio == 0)
        open(system, static_cast<double>(first + j - 1 + domain.ratio) * fine_, domain, state);
    }
    state.time = static_cast<double>(first + j) * fine_;
    fine_step(system, j, state, report);
    for (Domain& domain : domains_) {
      if (j % domain.ratio == 0) close(system, domain, state, report);
    }
  }
  march_.end(system, stride_, state, state.memory[before].values, report);
  ++state.step;
  book_ties(system, state, report);
  state.memory[force].values.assign(lambda_.begin(), lambda_.begin() + static_cast<std::ptrdiff_t>(ties_));
  for (std::size_t d = 0; d < domains_.size(); ++d)
    std::copy_n(domains_[d].free_before.begin(), ties,
                state.memory[free_rates].values.begin() + static_cast<std::ptrdiff_t>(d * ties));
  report.impulses = record_.impulses();
  return report;
}

void Coupled::open(const System& system, double end, Domain& domain, State& state) {
  domain.lambda_before = lambda_;
  domain.load_before = loads_;
  system.load_values(end, loads_ahead_);
  const bool is_new =
      domain.part.begin(system, loads_ahead_, std::span(lambda_).first(ties_), state, state.memory[acceleration].values,
                        state.memory[factored].values, domain.free_after);
  if (domain.part.linear()) return;
  if (is_new) join_operators();
  // Free of the ties' forces, with the operator of this step: V − ΔT/2 M̃⁻¹LᵀΛ.
  std::fill(domain.free_before.begin(), domain.free_before.end(), 0.0);
  domain.part.rows().add_rates(state.p, domain.free_before);
  const auto ties = static_cast<Eigen::Index>(ties_);
  Eigen::Map<Eigen::VectorXd>(domain.free_before.data(), ties).noalias() -=
      domain.part.compliance() * Eigen::Map<const Eigen::VectorXd>(lambda_.data(), ties);
}

void Coupled::close(const System& system, Domain& domain, State& state, StepReport& report) {
  const ImplicitDomain::Given given =
      domain.part.finish(system, std::span(lambda_).first(ties_), domain.lambda_before, loads_, domain.load_before,
                         state, state.memory[acceleration].values);
  report.lost[Loss::interface] -= given.interface_work;
  report.lost[Loss::damping] += given.damping;
  report.lost[Loss::quadrature] += given.quadrature;
  report.external_work += given.load_work;
  report.external_impulse += given.impulse;
  std::swap(domain.free_before, domain.free_after);
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
  march_.drift();
  others_.drift(system, fine_, state);
  march_contacts_.find(march_, memory[closed].values, report);
  if (fine == stride_) march_.keep();
  std::swap(loads_, loads_before_);
  for (std::size_t l = 0; l < signals_.size(); ++l) loads_[l] = signals_[l][static_cast<std::size_t>(fine) - 1];
  march_.kick(system.exec(), loads_, loads_before_);
  others_.kick(system, fine_, loads_, loads_before_, state, memory[before].values, memory[account].values, report);
  tie(system, fine, state, report);
  march_contacts_.respond(system, state.time, march_, record_, report);
  if (!others_.any()) return;
  others_.respond(system, fine_, state, memory[before].values, memory[closed].values, memory[account].values, record_,
                  report);
  others_.settle(system, fine_, memory[before].values, state, memory[account].values, report);
  find_rates(state);  // contact may have reached a tie
}

void Coupled::find_rates(const State& state) {
  for (std::size_t r = 0; r < ties_; r += Pack::lanes)
    (march_rows_->rates(march_.p(), r) + other_rows_->rates(state.p, r)).store(rates_.data() + r);
}

/// Λ_j from equal velocities at t_j [eq. coupling-4]. rates_ are those before the forces of the step on entry, and
/// those after on exit.
void Coupled::tie(const System& system, int fine, State& state, StepReport& report) {
  if (ties_ == 0 && !is_linear_) follow_nonlinear(system, fine, state, report);
  if (ties_ == 0) return;
  const auto of = [](const std::vector<double>& values, std::size_t r) { return Pack::load(values.data() + r); };
  for (std::size_t r = 0; r < ties_; r += Pack::lanes) (Pack(0.5) * of(rates_, r)).store(free_.data() + r);
  for (const Domain& domain : domains_) {
    const double share = static_cast<double>((fine - 1) % domain.ratio + 1) / domain.ratio;
    const Pack late(share), early(1 - share);
    for (std::size_t r = 0; r < ties_; r += Pack::lanes)
      (of(free_, r) + early * of(domain.free_before, r) + late * of(domain.free_after, r)).store(free_.data() + r);
  }
  for (std::size_t r = 0; r < ties_; r += Pack::lanes)
    (-of(free_, r) - Pack(0.5) * rates(state, r)).store(right_.data() + r);
  std::swap(lambda_, lambda_before_);
  inverse_.multiply(right_, lambda_);
  if (!is_linear_) follow_nonlinear(system, fine, state, report);
  march_rows_->pull(lambda_, fine_, march_.p());
  slowed_rows_->pull(lambda_, fine_, state.p);
  for (std::size_t r = 0; r < ties_; r += Pack::lanes) {
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
      const auto k = static_cast<std::size_t>(entry.unknown);
      rate += entry.weight * inverse_mass[k] * (is_explicit_[k] ? 0.5 * (p[k] + p_before[k]) : p[k]);
    }
    const double apart = model::dot(row, state.q) - state.memory[opening].values[r];
    widest[of_velocity] = std::max(widest[of_velocity], std::abs(rate));
    widest[of_displacement] = std::max(widest[of_displacement], std::abs(apart));
  }
}

/// What rounding of positions makes of velocities at the ties.
double Coupled::rounding_of_rates(const System& system, const State& state) const {
  double largest = 0;
  for (std::size_t r = 0; r < ties_; ++r) {
    for (const model::RowEntry& entry : system.ties().row(r))
      largest = std::max(largest, std::abs(state.q[static_cast<std::size_t>(entry.unknown)]));
  }
  return 16 * std::numeric_limits<double>::epsilon() * largest / fine_;
}

/// Where nonlinear domains end their step: the Λ for which their velocities, not those of their tangents, are equal to
/// the others' [eq. coupling-11]. What is left of the search is within reach of the tangents, which finish it.
void Coupled::follow_nonlinear(const System& system, int fine, State& state, StepReport& report) {
  const auto ends = [fine](const Domain& domain) { return !domain.part.linear() && fine % domain.ratio == 0; };
  if (std::none_of(domains_.begin(), domains_.end(), ends)) return;
  double previous = std::numeric_limits<double>::infinity();
  constexpr int most = 50;
  for (int iteration = 0; iteration < most; ++iteration) {
    for (std::size_t r = 0; r < ties_; ++r) linked_[r] = right_[r];
    for (Domain& domain : domains_) {
      if (!ends(domain)) continue;
      domain.part.follow(system, std::span(lambda_).first(ties_), state, std::span(domain.beyond).first(ties_));
      for (std::size_t r = 0; r < ties_; ++r) linked_[r] -= domain.beyond[r];
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
  throw base::NumericalFailure(fmt::format("no forces at the ties were found in {} iterations", most),
                               fmt::format("t = {:g} s", state.time), "Use a smaller integrator.ratio or time.step");
}

model::Stored Coupled::energy(const System& system, double, const State& state) const {
  model::Stored stored = system.stored(state.p, system.potential_energy(state.q));
  double kinetic = 0;
  const auto add = [&](const NodalBody* body, std::span<const double> other) {
    const mechanics::Range range = body->unknowns();
    for (std::size_t k = range.begin; k < range.end(); ++k)
      kinetic += 0.5 * state.p[k] * system.inverse_mass()[k] * other[k];
  };
  for (const NodalBody* body : explicit_) add(body, state.memory[before].values);
  for (const Domain& domain : domains_) {
    for (const NodalBody* body : domain.part.bodies()) add(body, state.p);
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
    const mechanics::Range range = body->unknowns();
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
