// Notation: p momentum in space, n normal of a plane, E discrete energy of an interval, θ factor on mirror impulses.
#include <ictus/dynamics/beam/lie_beam_trial.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/mechanics/beam/lie_beam_state.hpp>
#include <limits>

namespace ictus::dynamics {

using Layout = mechanics::LieBeamLayout;
using math::Vector3;
using math::Wrench;

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr int max_theta_iterations = 40;
constexpr int max_adjustments = 40;
/// Outside, the energy-conserving impulse has nothing to do with a mirror: grazing contact.
constexpr double theta_min = 0.5, theta_max = 2.0;
/// Energies that agree to this are equal: the sum over the nodes rounds this much.
constexpr double energy_tolerance = 4 * eps;

}  // namespace

void LieBeamTrial::begin(const mechanics::LieBeamModel& model, std::span<const BeamObstacle> obstacles,
                         std::span<const double> q, std::span<const double> p, const BeamInterval& before,
                         double gap_tolerance) {
  model_ = &model;
  obstacles_ = obstacles;
  q_ = q;
  p_ = p;
  before_ = before;
  gap_tolerance_ = gap_tolerance;
  energy_before_ = before.open + 0.5 * mechanics::lie_beam_potential(model, q).total();
  contacts_.clear();
  first_on_node_.assign(model.nodes, BeamContact::none);
  shared_nodes_ = false;
  force_known_ = false;
  for (auto* buffer : {&q_next_, &p_next_, &impulse_, &force_}) buffer->resize(model.size());
}

void LieBeamTrial::touch(std::size_t node, std::size_t obstacle, bool held, double slowest) {
  if (!force_known_) {
    std::fill(force_.begin(), force_.end(), 0.0);
    mechanics::lie_beam_kick(*model_, 1.0, q_, force_);
    force_known_ = true;
  }
  const BeamObstacle& plane = obstacles_[obstacle];
  const Vector3<double> lever =
      mechanics::touching_point(*model_, node, plane.normal, q_) - Layout::get(q_, node, Layout::position);
  const TouchedSection touched(*model_, node, q_, lever);
  const double lead = plane.restitution < 1.0 ? 0.5 * before_.h : 0.0;
  const Wrench<double> momentum = Layout::momentum(p_, node) + lead * Layout::momentum(force_, node);
  const double incoming = dot(plane.normal, touched.velocity(momentum));
  const bool comes_in = incoming < -slowest;
  if (!comes_in && !held) return;
  std::size_t* last = &first_on_node_[node];
  for (; *last != BeamContact::none; last = &contacts_[*last].next_on_node) shared_nodes_ = true;
  *last = contacts_.size();
  contacts_.push_back({.node = node,
                       .obstacle = obstacle,
                       .lever = lever,
                       .section = touched,
                       .sliding = {touched, plane.normal},
                       .inverse_mass = dot(plane.normal, touched.velocity(touched.momentum(plane.normal))),
                       .incoming = comes_in ? incoming : 0.0,
                       .held = held});
}

BeamContact* LieBeamTrial::contact_of(std::size_t node, std::size_t obstacle) {
  for (std::size_t i = first_on_node_[node]; i != BeamContact::none; i = contacts_[i].next_on_node) {
    if (contacts_[i].obstacle == obstacle) return &contacts_[i];
  }
  return nullptr;
}

double LieBeamTrial::gap_next(std::size_t node, std::size_t obstacle) const {
  return obstacles_[obstacle].gap(*model_, node, q_next_);
}

bool LieBeamTrial::is_elastic(const BeamContact& contact) const {
  return !contact.held && obstacles_[contact.obstacle].restitution == 1.0;
}

Vector3<double> LieBeamTrial::impulse_of(const BeamContact& contact) const {
  return contact.normal * obstacles_[contact.obstacle].normal + contact.friction;
}

/// What all contacts of a node give to it.
Wrench<double> LieBeamTrial::impulse_on(std::size_t node) const {
  Wrench<double> sum{};
  for (std::size_t i = first_on_node_[node]; i != BeamContact::none; i = contacts_[i].next_on_node)
    sum = sum + contacts_[i].section.momentum(impulse_of(contacts_[i]));
  return sum;
}

/// The momentum with which a node leaves q after a kick and its impulses.
Wrench<double> LieBeamTrial::momentum_after(std::size_t node, double kick) const {
  return Layout::momentum(p_, node) + kick * Layout::momentum(force_, node) + impulse_on(node);
}

LieBeamTrial::Work LieBeamTrial::work(const BeamContact& contact, double h) const {
  const double lead = model_->kick_time(before_.h, h) - 0.5 * h;
  const Wrench<double> mean = Layout::momentum(p_, contact.node) + lead * Layout::momentum(force_, contact.node) +
                              0.5 * impulse_on(contact.node);
  const Vector3<double> velocity = contact.section.velocity(mean);
  return {contact.normal * dot(obstacles_[contact.obstacle].normal, velocity), dot(contact.friction, velocity)};
}

double LieBeamTrial::miss(const Result& result) const {
  double energy = result.energy;
  for (const BeamContact& contact : contacts_) {
    const Work done = work(contact, result.h);
    energy -= done.friction + (is_elastic(contact) ? 0.0 : done.normal);
  }
  return energy - energy_before_;
}

LieBeamTrial::Result LieBeamTrial::run(double h) {
  Result result = with_theta(h, 1.0);
  // At θ = 1 the mirrored velocities are outward: dE/dθ = Σ 2 (n·u)² m.
  double slope = 0.0;
  for (const BeamContact& contact : contacts_) {
    if (is_elastic(contact)) slope += 2.0 * contact.incoming * contact.incoming / contact.inverse_mass;
  }
  if (slope == 0.0) return result;

  const double enough = energy_tolerance * std::abs(energy_before_);
  double error = miss(result);
  for (int i = 0; i < max_theta_iterations && std::abs(error) > enough; ++i) {
    const double theta = result.theta - error / slope;
    if (theta == result.theta) break;
    if (!(theta >= theta_min) || !(theta <= theta_max)) return with_theta(h, 1.0);
    const Result next = with_theta(h, theta);
    const double next_error = miss(next);
    if (next_error != error) slope = (next_error - error) / (theta - result.theta);
    result = next;
    error = next_error;
  }
  if (!(std::abs(error) <= 1e3 * enough)) return with_theta(h, 1.0);
  result.keeps_energy = true;
  return result;
}

LieBeamTrial::Result LieBeamTrial::with_theta(double h, double theta) {
  for (BeamContact& contact : contacts_) {
    const double e = obstacles_[contact.obstacle].restitution;
    if (contact.held) continue;
    contact.normal = -(1.0 + e) * (is_elastic(contact) ? theta : 1.0) * contact.incoming / contact.inverse_mass;
  }
  const mechanics::LieBeamJob job{.model = model_,
                                  .h = h,
                                  .kick = model_->kick_time(before_.h, h),
                                  .q = q_.data(),
                                  .p = p_.data(),
                                  .impulse = contacts_.empty() ? nullptr : impulse_.data(),
                                  .q_next = q_next_.data(),
                                  .p_next = p_next_.data()};
  Result result;
  result.h = h;
  result.theta = theta;
  for (int round = 1;; ++round) {
    result.unsettled = rub(job.kick);
    std::fill(impulse_.begin(), impulse_.end(), 0.0);
    for (const BeamContact& contact : contacts_) Layout::set_momentum(impulse_, contact.node, impulse_on(contact.node));
    result.totals = stepper_.step(here_, {&job, 1})[0];
    // What acted stays: the last round corrects nothing.
    const bool last = round == max_adjustments;
    const double error = held_error(h, !last);
    result.unsettled = std::max(result.unsettled, error);
    if (last || error == 0.0) break;
  }
  const mechanics::LieBeamPotential after = mechanics::lie_beam_potential(*model_, q_next_);
  result.energy = result.totals.kinetic + 0.5 * (result.totals.strain + result.totals.potential + after.total());
  return result;
}

/// Friction for the normal impulses as they are. One round is enough where a node touches one plane. Returns the change
/// of the last round over the impulse, zero where it is rounding.
double LieBeamTrial::rub(double kick) {
  double error = 0.0;
  for (int round = 0; round < max_adjustments; ++round) {
    error = 0.0;
    for (BeamContact& contact : contacts_) {
      const BeamObstacle& obstacle = obstacles_[contact.obstacle];
      if (obstacle.friction == 0.0) continue;
      const Vector3<double> old = contact.friction;
      contact.friction = {};
      const Wrench<double> momentum = momentum_after(contact.node, kick);
      contact.friction =
          contact.sliding.coulomb_impulse(contact.section.velocity(momentum), obstacle.friction * contact.normal);
      const double change = norm(contact.friction - old);
      if (change > 4 * eps * norm(momentum.n)) error = std::max(error, change / norm(contact.friction + old));
    }
    if (!shared_nodes_) return 0.0;
    if (error == 0.0) break;
  }
  return error;
}

/// The normal impulse that would leave the point on the plane: ∂gap/∂impulse = h/m up to terms of the order of the turn
/// during h.
double LieBeamTrial::wanted(const BeamContact& contact, double h) const {
  return std::max(0.0, contact.normal - gap_next(contact.node, contact.obstacle) / (h * contact.inverse_mass));
}

/// The largest error of the impulses of held contacts, over the impulse, as the gaps tell it where the sub-step led;
/// zero where it is rounding. Corrects them where asked to.
double LieBeamTrial::held_error(double h, bool correct) {
  double error = 0.0;
  for (BeamContact& contact : contacts_) {
    if (!contact.held) continue;
    const double gap = gap_next(contact.node, contact.obstacle), better = wanted(contact, h);
    if (std::abs(gap) <= 0.25 * gap_tolerance_ || better == contact.normal) continue;
    error = std::max(error, std::abs(better - contact.normal) / std::max(better, contact.normal));
    if (correct) contact.normal = better;
  }
  return error;
}

}  // namespace ictus::dynamics
