// Notation: q coordinates, u velocities; B begin, M middle, E end of a step; P impulses, w contact directions, h step.
#include <ictus/dynamics/generalised/midpoint.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/dynamics/system/without_rounding.hpp>

namespace ictus::dynamics {

using model::Loss;
using model::State;

namespace {

/// K = v·∂T/∂v − T.
double kinetic_energy(const mechanics::GeneralisedBody& body, std::span<const double> q,
                      const mechanics::CoordinateVector& v) {
  const std::span<const double> own = std::span(v).first(body.coordinates());
  mechanics::Inertia inertia;
  body.inertia(q, own, inertia);
  return dot(v, inertia.momentum, body.coordinates()) - body.kinetic_energy(q, own);
}

}  // namespace

Capabilities Midpoint::capabilities() const {
  return {.friction = true,
          .restitution_max = 1,
          .losses = {Loss::restitution, Loss::friction, Loss::damping, Loss::gyroscopic, Loss::quadrature}};
}

/// u_E without contact.
void Midpoint::accelerate(GeneralisedMember& member, double h, double time) {
  GeneralisedMotion& motion = member.motion;
  motion.body().force(std::span(middle_).first(motion.size()), force_);
  with_size(motion.size(), [&](auto n) {
    Vector all;
    for (std::size_t i = 0; i < n; ++i) all[i] = push_[i] = force_[i] *= h;
    if (!motion.constant()) {
      prepare_smooth_terms(member, h, time);
      for (std::size_t i = 0; i < n; ++i) all[i] += gyroscopic_[i] + drag_[i];
    }
    motion.divide_by_mass(all, after_);
    for (std::size_t i = 0; i < n; ++i) after_[i] += before_[i];
  });
}

/// Impulses of the gyroscopic terms and of damping, with M(q_M) factored.
void Midpoint::prepare_smooth_terms(GeneralisedMember& member, double h, double time) {
  const mechanics::GeneralisedBody& body = member.motion.body();
  const std::size_t n = member.motion.size();
  const auto middle = std::span(middle_).first(n), before = std::span(before_).first(n);
  if (!member.motion.factor_mass(middle, before)) {
    fail_generalised("The mass matrix is singular", body, time, "Try a smaller time.step");
  }
  const mechanics::Inertia& inertia = member.motion.inertia();
  if (body.damped()) body.damping(middle, before, damping_);
  for (std::size_t i = 0; i < n; ++i) {
    gyroscopic_[i] = h * (inertia.configuration_force[i] - dot(inertia.coupling.rows[i], before_, n));
    drag_[i] = body.damped() ? h * damping_.force[i] : 0;
  }
}

void Midpoint::respond(const GeneralisedMember& member, double time, State& state, StepReport& report) {
  Rows before, after, impulse;
  std::array<double, GeneralisedContacts::max_count> lost{};
  if (contacts_.size() > 0) {
    recall_impulses(contacts_, state, impulse);
    contacts_.condense(member.motion);
    contacts_.rates(before_, before);
    contacts_.rates(after_, after);
    for (int row = 0; row < contacts_.rows(); ++row) {
      const ContactLaw& law = contacts_.law(row / 3);
      contacts_.free(row) = after[row] + (row % 3 == 0 ? law.restitution : law.tangential_restitution) * before[row];
    }
    if (!contacts_.solve(impulse)) {
      fail_generalised("No impulses of the closed contacts obey the laws of restitution and friction",
                       member.motion.body(), time, "Try a smaller time.step");
    }
    Vector jump{};
    contacts_.add_velocity(impulse, jump);
    with_size(member.motion.size(), [&](auto n) {
      for (std::size_t i = 0; i < n; ++i) {
        after_[i] = without_rounding(after_[i] + jump[i], std::abs(after_[i]) + std::abs(jump[i]));
      }
    });
    contacts_.rates(after_, after);
    for (int row = 0; row < contacts_.rows(); ++row) {
      const double loss = -0.5 * impulse[row] * (before[row] + after[row]);
      report.lost[row % 3 == 0 ? Loss::restitution : Loss::friction] += loss;
      lost[static_cast<std::size_t>(row / 3)] += loss;
    }
    contacts_.add(impulse, force_);
  }
  record_.add(member, contacts_, impulse, lost, time, state, report);
}

void Midpoint::step_body(GeneralisedMember& member, double h, State& state, StepReport& report) {
  GeneralisedMotion& motion = member.motion;
  const mechanics::GeneralisedBody& body = motion.body();
  const auto q = body.part(std::span(state.q)), p = body.part(std::span(state.p));
  const auto u = body.part(std::span(state.memory[interval_velocity].values));
  with_size(motion.size(), [&](auto n) {
    for (std::size_t i = 0; i < n; ++i) {
      before_[i] = u[i];
      start_[i] = q[i];
      middle_[i] = q[i] + h / 2 * u[i];
    }
  });
  const auto middle = std::span(middle_).first(motion.size());
  if (!contacts_.find(body, middle, member.laws)) {
    fail_generalised("More contacts close at once than can be solved together", body, state.time,
                     "Try a smaller time.step");
  }
  accelerate(member, h, state.time);
  respond(member, state.time + h / 2, state, report);
  mechanics::Inertia at_end;
  with_size(motion.size(), [&](auto n) {
    for (std::size_t i = 0; i < n; ++i) {
      q[i] = middle_[i] + h / 2 * after_[i];
      u[i] = after_[i];
      if (!motion.constant()) force_[i] += drag_[i];
    }
    body.inertia(q, u, at_end);
    for (std::size_t i = 0; i < n; ++i) p[i] = at_end.momentum[i];
  });
  body.add_momentum_in_space(middle, std::span(force_).first(motion.size()), report.external_impulse);
  require_finite_motion(body, after_, at_end.momentum, state.time);
  book_forces(body, q, report);
  if (!motion.constant()) book_inertia(motion, q, report);
}

/// The potential changed by more or less than the force at the middle worked.
void Midpoint::book_forces(const mechanics::GeneralisedBody& body, std::span<const double> q,
                           StepReport& report) const {
  const mechanics::PotentialEnergy before = body.potential_energy(std::span(start_).first(q.size()));
  const mechanics::PotentialEnergy after = body.potential_energy(q);
  double unseen = (after.strain - before.strain) + (after.gravity - before.gravity);
  for (std::size_t i = 0; i < q.size(); ++i) unseen += push_[i] * (before_[i] + after_[i]) / 2;
  report.lost[Loss::quadrature] -= unseen;
}

/// What damping took, and the explicit gyroscopic terms: their work, and what the kinetic energy changes by as the mass
/// matrix does along the two halves of the step. Exact terms would cancel these [eq. moreau-variational-15].
void Midpoint::book_inertia(const GeneralisedMotion& motion, std::span<const double> q, StepReport& report) const {
  const std::size_t n = motion.size();
  const mechanics::GeneralisedBody& body = motion.body();
  const auto start = std::span(start_).first(n), middle = std::span(middle_).first(n);
  double work = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double mean = (before_[i] + after_[i]) / 2;
    work += mean * gyroscopic_[i];
    report.lost[Loss::damping] -= mean * drag_[i];
  }
  const double first = kinetic_energy(body, middle, before_) - kinetic_energy(body, start, before_);
  const double second = kinetic_energy(body, q, after_) - kinetic_energy(body, middle, after_);
  report.lost[Loss::gyroscopic] -= work + first + second;
}

model::Stored Midpoint::energy(const System&, double, const State& state) const {
  model::Stored stored;
  for (const GeneralisedMember& member : members_) {
    const mechanics::GeneralisedBody& body = member.motion.body();
    const auto q = body.part(std::span(state.q));
    const auto u = body.part(std::span(state.memory[interval_velocity].values));
    Vector at{}, v{};
    std::copy(q.begin(), q.end(), at.begin());
    std::copy(u.begin(), u.end(), v.begin());
    add_energy(body, at, v, stored);
  }
  return stored;
}

void Midpoint::velocity(const System&, double, const State& state, std::span<double> v) const {
  const std::vector<double>& u = state.memory[interval_velocity].values;
  std::copy(u.begin(), u.end(), v.begin());
}

}  // namespace ictus::dynamics
