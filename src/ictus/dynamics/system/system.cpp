#include <ictus/dynamics/system/system.hpp>

#include <algorithm>

namespace ictus::dynamics {

using mechanics::Momentum;
using mechanics::NodalBody;
using mechanics::PotentialEnergy;

System::System(std::vector<BodyPtr> bodies, std::vector<contact::ContactPair> pairs, exec::Executor exec,
               std::vector<mechanics::Load> loads, model::ConstraintSet ties,
               std::vector<mechanics::SupportMotion> motions, std::vector<mechanics::ForceOn> forces)
    : bodies_(std::move(bodies)),
      pairs_(std::move(pairs)),
      loads_(std::move(loads)),
      forces_(std::move(forces)),
      ties_(std::move(ties)),
      exec_(exec) {
  std::size_t count = 0;
  for (const BodyPtr& body : bodies_) {
    count = std::max(count, body->dofs().end());
    if (const auto* nodal = body->nodal()) nodal_.push_back(nodal);
  }
  inverse_mass_.resize(count);
  for (const NodalBody* body : nodal_) {
    const std::span<const double> mass = body->mass();
    for (std::size_t i = 0; i < mass.size(); ++i) inverse_mass_[body->dofs().begin + i] = 1 / mass[i];
    for (const int k : body->fixed()) inverse_mass_[static_cast<std::size_t>(k)] = 0;
    history_ += body->history();
  }
  drift_rate_ = inverse_mass_;
  for (const NodalBody* body : nodal_) {
    if (!body->turns()) continue;
    turning_.push_back(body);
    std::fill_n(drift_rate_.begin() + static_cast<std::ptrdiff_t>(body->dofs().begin), body->dofs().size, 0.0);
  }
  list_damping();
  list_drifts();
  if (motions.empty()) return;
  std::vector<double> q(dofs()), p(dofs());
  for (const BodyPtr& body : bodies_) body->initialise(q, p);
  motions_ = Motions(std::move(motions), q);
}

/// Loops over all dofs go body by body where bodies are large, as their kicks do: each part of a body then stays in the
/// cache of one core.
void System::list_drifts() {
  for (std::size_t begin = 0; const NodalBody* body : nodal_) {
    const mechanics::Range range = body->dofs();
    if (range.size < exec::Executor::block_size) continue;
    if (begin < range.begin) drifts_.push_back({begin, range.begin - begin});
    drifts_.push_back(range);
    begin = range.end();
  }
  const std::size_t end = drifts_.empty() ? 0 : drifts_.back().end();
  if (end < dofs()) drifts_.push_back({end, dofs() - end});
}

void System::list_damping() {
  for (const NodalBody* body : nodal_) {
    const mechanics::Rayleigh damping = body->damping();
    if (damping.stiffness > 0) damped_.push_back(body);
    if (damping.mass == 0) continue;
    mass_damping_.resize(dofs());
    const mechanics::Range range = body->dofs();
    std::fill_n(mass_damping_.begin() + static_cast<std::ptrdiff_t>(range.begin), range.size, damping.mass);
  }
}

const mechanics::Body* System::find_body(std::string_view name) const {
  const auto found = std::find_if(bodies_.begin(), bodies_.end(), [&](const BodyPtr& b) { return b->name() == name; });
  return found == bodies_.end() ? nullptr : found->get();
}

model::State System::initial_state() const {
  model::State state;
  state.q.resize(dofs() + history());
  state.p.resize(dofs());
  for (const BodyPtr& body : bodies_) body->initialise(state.q, state.p);
  for (const NodalBody* body : nodal_) body->begin_history(state.q);
  motions_.place(state.time, state.q);
  if (!rest_.q.empty()) {
    state.q = rest_.q;
    std::fill(state.p.begin(), state.p.end(), 0.0);
  }
  return state;
}

Momentum System::kick(std::span<const double> q, double h, std::span<double> p, std::span<double> reaction,
                      std::span<Momentum> supports) const {
  for (const NodalBody* body : nodal_) body->kick(exec_, q, h, p);
  return settle_kick(q, h, p, reaction, supports);
}

Momentum System::advance(double elapsed, std::span<double> q, double h, std::span<double> p, std::span<double> reaction,
                         std::span<Momentum> supports) const {
  for (const NodalBody* body : nodal_) body->advance(exec_, elapsed, q, h, p);
  return settle_kick(q, h, p, reaction, supports);
}

model::Lost System::dissipated(std::span<const double> q) const {
  model::Lost lost;
  for (const NodalBody* body : nodal_) {
    if (body->history() == 0) continue;
    const mechanics::Dissipated own = body->dissipated(exec_, q);
    lost[model::Loss::heat] += own.heat;
    lost[model::Loss::hardening] += own.hardening;
    lost[model::Loss::viscous] += own.viscous;
    lost[model::Loss::failure] += own.failure;
  }
  return lost;
}

Momentum System::settle_kick(std::span<const double> q, double h, std::span<double> p, std::span<double> reaction,
                             std::span<Momentum> supports) const {
  Momentum from_outside;
  for (const NodalBody* body : nodal_) from_outside += body->gravity_impulse(q, h);
  for (std::size_t i = 0; i < reaction.size(); ++i) reaction[i] = p[static_cast<std::size_t>(driven()[i])];
  from_outside += release_to_supports(q, p, supports);
  return from_outside;
}

void System::apply_damping(std::span<const double> q, std::span<const double> v, double h, std::span<double> p) const {
  for (const NodalBody* body : damped_) body->apply_damping(exec_, q, v, h * body->damping().stiffness, p);
}

/// A supported dof keeps no momentum: what it has received goes to the ground. Returns what the ground gave back.
Momentum System::release_to_supports(std::span<const double> q, std::span<double> p,
                                     std::span<Momentum> supports) const {
  Momentum from_outside;
  for (std::size_t i = 0; i < nodal_.size(); ++i) {
    Momentum given;
    for (const int k : nodal_[i]->fixed()) {
      double& momentum = p[static_cast<std::size_t>(k)];
      given += nodal_[i]->support_impulse(k, -momentum, q);
      momentum = 0;
    }
    from_outside += given;
    if (!supports.empty()) supports[i] += given;
  }
  return from_outside;
}

void System::load_values(double time, std::span<double> values) const {
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const bool is_as_before = i > 0 && loads_[i].signal == loads_[i - 1].signal;  // one signal on several bodies
    values[i] = is_as_before ? values[i - 1] : loads_[i].signal->at(time);
  }
}

Momentum System::apply_loads(std::span<const double> load_values, std::span<const double> q, double h,
                             std::span<double> p) const {
  Momentum from_outside;
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const mechanics::Load& load = loads_[i];
    const double impulse = h * load_values[i];
    double* momenta = p.data() + load.first;
    for (std::size_t k = 0; k < load.force.size(); ++k) momenta[k] += impulse * load.force[k];
    for (const mechanics::FrameForce& one : load.on_frames) {
      const auto [push, turn] = one.at(model::RigidFrame::at(q, one.first));
      math::Vec3::Map(&p[one.first]) += impulse * push;
      math::Vec3::Map(&p[one.first + model::RigidFrame::angular]) += impulse * turn;
    }
    from_outside += load.momentum(q) *= impulse;
  }
  return from_outside;
}

double System::load_power(std::span<const double> load_values, std::span<const double> q,
                          std::span<const double> p) const {
  double power = 0;
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const double *force = loads_[i].force.data(), *momenta = p.data() + loads_[i].first;
    const double* inverse_mass = inverse_mass_.data() + loads_[i].first;
    power += load_values[i] * exec::sum_lanes(0, loads_[i].force.size(),
                                              [=](std::size_t k) { return force[k] * inverse_mass[k] * momenta[k]; });
    for (const mechanics::FrameForce& one : loads_[i].on_frames) {
      const auto [push, turn] = one.at(model::RigidFrame::at(q, one.first));
      const auto velocity = [&](std::size_t k) {
        return math::Vec3(math::Vec3::Map(&inverse_mass_[k]).cwiseProduct(math::Vec3::Map(&p[k])));
      };
      power +=
          load_values[i] * (push.dot(velocity(one.first)) + turn.dot(velocity(one.first + model::RigidFrame::angular)));
    }
  }
  return power;
}

void System::evaluate_forces(double time, std::span<const double> q, std::span<const double> p, std::span<double> v,
                             std::span<double> force) const {
  velocity(p, v);
  std::fill(force.begin(), force.end(), 0.0);
  for (const auto& [own, dofs] : forces_) {
    own->add({time, q.subspan(dofs.begin, dofs.size), v.subspan(dofs.begin, dofs.size)},
             force.subspan(dofs.begin, dofs.size));
  }
  for (std::size_t k = 0; k < force.size(); ++k) {
    if (inverse_mass_[k] == 0) force[k] = 0;
  }
}

Momentum System::apply_forces(std::span<const double> force, std::span<const double> q, double h,
                              std::span<double> p) const {
  Momentum from_outside;
  for (const NodalBody* body : nodal_) {
    for (std::size_t k = body->dofs().begin; k < body->dofs().end(); ++k) {
      if (force[k] == 0) continue;
      p[k] += h * force[k];
      from_outside += body->support_impulse(static_cast<int>(k), h * force[k], q);
    }
  }
  return from_outside;
}

double System::force_power(std::span<const double> force, std::span<const double> p) const {
  return exec::sum_lanes(0, force.size(), [&](std::size_t k) { return force[k] * inverse_mass_[k] * p[k]; });
}

void System::drift(std::span<const double> p, double h, std::span<double> q) const {
  for (const mechanics::Range& range : drifts_) {
    exec_.for_blocks(range.size, [=, rate = drift_rate_.data()](std::size_t begin, std::size_t end) {
      for (std::size_t i = range.begin + begin; i < range.begin + end; ++i) q[i] += h * rate[i] * p[i];
    });
  }
}

double System::fly(double h, std::span<double> q, std::span<double> p) const {
  double gained = 0;
  for (const NodalBody* body : turning_) gained += body->fly(exec_, h, q, p);
  return gained;
}

void System::velocity(std::span<const double> p, std::span<double> v) const {
  for (std::size_t i = 0; i < dofs(); ++i) v[i] = inverse_mass_[i] * p[i];
}

double System::kinetic_energy(std::span<const double> p) const {
  return exec_.sum(dofs(),
                   [p = p.data(), w = inverse_mass_.data()](std::size_t i) { return 0.5 * p[i] * p[i] * w[i]; });
}

namespace {

template <class Term>
PotentialEnergy sum_over(std::span<const NodalBody* const> bodies, Term&& term) {
  PotentialEnergy sum;
  for (const NodalBody* body : bodies) {
    const PotentialEnergy energy = term(*body);
    sum.strain += energy.strain;
    sum.gravity += energy.gravity;
  }
  return sum;
}

}  // namespace

PotentialEnergy System::potential_energy(std::span<const double> q) const {
  return sum_over(nodal_, [&](const NodalBody& body) { return body.potential_energy(exec_, q); });
}

PotentialEnergy System::interval_energy(std::span<const double> q, std::span<const double> p, double h) const {
  return sum_over(nodal_, [&](const NodalBody& body) { return interval_energy(body, q, p, h); });
}

PotentialEnergy System::interval_energy(const NodalBody& body, std::span<const double> q, std::span<const double> p,
                                        double h) const {
  PotentialEnergy energy = body.interval_energy(exec_, q, p, h);
  if (is_implicit(body)) energy.strain += 0.5 * body.chord_energy(exec_, q, p, h);
  return energy;
}

double System::implicit_energy(std::span<const double> q, std::span<const double> p, double h) const {
  double sum = 0;
  for (const NodalBody* body : implicit_) sum += 0.5 * body->chord_energy(exec_, q, p, h);
  return sum;
}

PotentialEnergy System::trapezoid_energy(std::span<const double> q, std::span<const double> p, double h) const {
  return sum_over(nodal_, [&](const NodalBody& body) { return body.trapezoid_energy(exec_, q, p, h); });
}

double System::chord_energy(std::span<const double> q, std::span<const double> p, double h) const {
  double sum = 0;
  for (const NodalBody* body : nodal_) sum += body->chord_energy(exec_, q, p, h);
  return sum;
}

model::Stored System::stored(std::span<const double> p, const PotentialEnergy& potential) const {
  model::Stored stored;
  stored[model::Store::kinetic] = kinetic_energy(p);
  stored[model::Store::strain] = potential.strain;
  stored[model::Store::potential] = potential.gravity;
  return stored;
}

Momentum System::momentum(std::span<const double> q, std::span<const double> p) const {
  Momentum sum;
  for (const BodyPtr& body : bodies_) sum += body->momentum(q, p);
  return sum;
}

double System::momentum_scale(std::span<const double> p) const {
  double sum = 0;
  for (const BodyPtr& body : bodies_) sum += body->momentum_scale(p);
  return sum;
}

}  // namespace ictus::dynamics
