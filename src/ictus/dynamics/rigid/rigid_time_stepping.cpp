#include <ictus/dynamics/rigid/rigid_time_stepping.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/base/error.hpp>
#include <ictus/mechanics/rigid/rigid_flight.hpp>
#include <limits>

namespace ictus::dynamics {

using math::Rotation;
using Vec = math::Vector3<double>;

namespace {

/// Slot in State::memory, after those of the response.
constexpr std::size_t velocity_memory = 2;

void store_rotation(const Rotation<double>& r, double* q) {
  q[3] = r.s;
  store3(r.v, q + 4);
}

}  // namespace

RigidTimeStepping::RigidTimeStepping(Scheme scheme, const RigidResponseOptions& options)
    : scheme_(scheme), response_([&] {
        RigidResponseOptions own = options;
        if (scheme == Scheme::midpoint) own.law = RigidImpactLaw::interval;
        return own;
      }()) {}

Capabilities RigidTimeStepping::capabilities() const {
  Capabilities can;
  can.friction = true;
  can.restitution_max = 1;
  can.vanishing = true;
  can.losses = {model::Loss::restitution, model::Loss::friction, model::Loss::solver};
  if (scheme_ == Scheme::midpoint) {
    can.losses.push_back(model::Loss::gyroscopic);
  } else {
    can.losses.insert(can.losses.end(), {model::Loss::quadrature, model::Loss::parting});
  }
  if (response_.options().rolls) can.losses.push_back(model::Loss::rolling);
  can.heap = response_.options().heap;
  return can;
}

StepLimit RigidTimeStepping::step_limit(const System&) const { return {std::numeric_limits<double>::infinity(), ""}; }

void RigidTimeStepping::prepare(const System& system) {
  rigid_ = RigidSystem(system);
  response_.prepare(system);
  linear_before_.assign(rigid_.units.size(), {});
  angular_before_.assign(rigid_.units.size(), {});
}

/// u and ω before the loads and impulses of a node; u is remembered for velocity().
void RigidTimeStepping::note_before(model::State& state) {
  for (std::size_t i = 0; i < rigid_.units.size(); ++i) {
    const RigidUnit& unit = rigid_.units[i];
    if (!unit.moves) continue;
    linear_before_[i] = (1 / unit.mass) * load3(&state.p[unit.first_dof]);
    angular_before_[i] = mechanics::node_spin(mechanics::rigid_orientation(&state.q[unit.first_dof]), unit.inertia,
                                              load3(&state.p[unit.angular()]));
    store3(linear_before_[i], &state.memory[velocity_memory].values[3 * i]);
  }
}

void RigidTimeStepping::kick(double h, model::State& state, StepReport& report) {
  for (const RigidUnit& unit : rigid_.units) {
    if (!unit.moves) continue;
    const Vec impulse = (h * unit.mass) * unit.gravity;
    double* p = &state.p[unit.first_dof];
    store3(load3(p) + impulse, p);
    report.external_impulse.linear += to_eigen(impulse);
    report.external_impulse.angular += to_eigen(math::cross(load3(&state.q[unit.first_dof]), impulse));
  }
}

/// Free flight over h with constant momenta [eq. rigid-bodies-2] [eq. rigid-bodies-4].
void RigidTimeStepping::fly(double h, model::State& state) const {
  for (const RigidUnit& unit : rigid_.units) {
    if (!unit.moves) continue;
    double* q = &state.q[unit.first_dof];
    if (!mechanics::fly(unit.mass, unit.inertia, h, q, &state.p[unit.first_dof])) {
      throw base::NumericalFailure("A body turns too far in one step",
                                   fmt::format("body at ({:g}, {:g}, {:g}), t = {:g} s", q[0], q[1], q[2], state.time),
                                   "Try a smaller time.step: a body should turn by less than a quarter in a step");
    }
  }
}

/// Half a step of Moreau's scheme: constant velocities, also of the spin in body axes.
void RigidTimeStepping::drift_midpoint(double h, model::State& state) const {
  for (const RigidUnit& unit : rigid_.units) {
    if (!unit.moves) continue;
    double* q = &state.q[unit.first_dof];
    store3(load3(q) + (h / unit.mass) * load3(&state.p[unit.first_dof]), q);
    const Vec momentum = load3(&state.p[unit.angular()]);
    if (momentum == Vec{}) continue;
    const Vec spin{momentum.x / unit.inertia.x, momentum.y / unit.inertia.y, momentum.z / unit.inertia.z};
    store_rotation(normalized(mechanics::rigid_orientation(q) * math::cayley(h * spin)), q);
  }
}

/// The explicit gyroscopic impulse −h ω × Jω of Moreau's scheme, and the energy that it brings.
void RigidTimeStepping::turn_gyroscopically(double h, model::State& state, StepReport& report) const {
  for (const RigidUnit& unit : rigid_.units) {
    if (!unit.moves) continue;
    double* m = &state.p[unit.angular()];
    const auto over = [&](const Vec& a) {
      return Vec{a.x / unit.inertia.x, a.y / unit.inertia.y, a.z / unit.inertia.z};
    };
    const Vec before = load3(m);
    const Vec after = before - h * math::cross(over(before), before);
    report.lost[model::Loss::gyroscopic] += 0.5 * (math::dot(before, over(before)) - math::dot(after, over(after)));
    store3(after, m);
  }
}

StepReport RigidTimeStepping::start(const System&, double h, model::State& state) {
  response_.start(state);
  state.memory.push_back({"velocity", std::vector<double>(3 * rigid_.units.size())});
  StepReport report;
  if (scheme_ == Scheme::midpoint) return report;
  // The nodal velocity v⁻ is the given one: u_{−1} = v⁻ − (h/2) g.
  kick(-0.5 * h, state, report);
  note_before(state);
  kick(h, state, report);
  rigid_.vanish(state.time);
  response_.respond(rigid_, h, linear_before_, angular_before_, state, report);
  report.impulses = response_.impulses();
  return report;
}

StepReport RigidTimeStepping::step(const System&, double h, model::State& state) {
  StepReport report;
  ++state.step;
  state.time = static_cast<double>(state.step) * h;
  if (scheme_ == Scheme::variational) {
    fly(h, state);
    note_before(state);
  } else {
    drift_midpoint(0.5 * h, state);
    turn_gyroscopically(h, state, report);
    note_before(state);
  }
  kick(h, state, report);
  rigid_.vanish(state.time);
  response_.respond(rigid_, h, linear_before_, angular_before_, state, report);
  if (scheme_ == Scheme::midpoint) drift_midpoint(0.5 * h, state);
  report.impulses = response_.impulses();
  return report;
}

model::Stored RigidTimeStepping::energy(const System&, double h, const model::State& state) const {
  model::Stored stored;
  double kinetic = 0, potential = 0;
  for (const RigidUnit& unit : rigid_.units) {
    if (!unit.moves) continue;
    const Vec p = load3(&state.p[unit.first_dof]), m = load3(&state.p[unit.angular()]);
    const double* q = &state.q[unit.first_dof];
    kinetic += 0.5 * math::norm_sq(p) / unit.mass +
               0.5 * (m.x * m.x / unit.inertia.x + m.y * m.y / unit.inertia.y + m.z * m.z / unit.inertia.z);
    // Of the middle of the interval to which u_k belongs [eq. rigid-bodies-6].
    const double ahead = scheme_ == Scheme::variational ? 0.5 * h : 0.0;
    potential -= unit.mass * math::dot(unit.gravity, load3(q) + (ahead / unit.mass) * p);
  }
  stored[model::Store::kinetic] = kinetic;
  stored[model::Store::potential] = potential;
  return stored;
}

/// The mean of the intervals before and after the node, and the spin at the node.
void RigidTimeStepping::velocity(const System&, double, const model::State& state, std::span<double> v) const {
  const std::vector<double>& before = state.memory[velocity_memory].values;
  for (std::size_t i = 0; i < rigid_.units.size(); ++i) {
    const RigidUnit& unit = rigid_.units[i];
    const Vec after = unit.moves ? (1 / unit.mass) * load3(&state.p[unit.first_dof]) : Vec{};
    const Vec linear = scheme_ == Scheme::variational ? 0.5 * (after + load3(&before[3 * i])) : after;
    store3(unit.moves ? linear : Vec{}, &v[unit.first_dof]);
    const Vec m = load3(&state.p[unit.angular()]);
    store3({m.x / unit.inertia.x, m.y / unit.inertia.y, m.z / unit.inertia.z}, &v[unit.angular()]);
    v[unit.first_dof + 6] = 0;
  }
}

Extras RigidTimeStepping::extras(const model::State& state) const {
  const std::vector<double>& figures = state.memory[1].values;
  return {{"contact_error_max", figures[0]},
          {"contact_iterations_per_step", state.step > 0 ? figures[1] / static_cast<double>(state.step) : 0},
          {"contacts_max", figures[2]},
          {"contact_handovers", figures[3]}};
}

}  // namespace ictus::dynamics
