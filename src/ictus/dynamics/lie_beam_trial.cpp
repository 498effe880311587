// Notation: p momentum in space, n normal of a plane, E discrete energy of an interval, θ factor on mirror impulses.
#include <algorithm>
#include <cmath>
#include <ictus/dynamics/lie_beam_trial.hpp>
#include <limits>

namespace ictus::dynamics {

using Layout = mechanics::LieBeamLayout;
using math::Vector3;

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
  const mechanics::LieBeamPotential now = mechanics::lie_beam_potential(model, q);
  energy_before_ = before.kinetic + 0.5 * (before.strain + before.potential + now.total());
  contacts_.clear();
  for (auto* buffer : {&q_next_, &p_next_, &impulse_}) buffer->resize(model.size());
}

double LieBeamTrial::gap_next(std::size_t node, std::size_t obstacle) const {
  return obstacles_[obstacle].gap(Layout::get(q_next_, node, Layout::place));
}

bool LieBeamTrial::is_elastic(const BeamContact& contact) const {
  return !contact.held && obstacles_[contact.obstacle].restitution == 1.0;
}

double LieBeamTrial::lost_to_restitution(const BeamContact& contact) const {
  const double e = contact.held ? 0.0 : obstacles_[contact.obstacle].restitution;
  return (1.0 - e * e) * 0.5 * contact.incoming * contact.incoming / mass(contact.node);
}

/// The impulse f against a sliding momentum takes away |f|·(mean sliding velocity).
double LieBeamTrial::lost_to_friction(const BeamContact& contact) const {
  if (obstacles_[contact.obstacle].friction == 0.0) return 0.0;
  const Vector3<double> after = Layout::get(p_next_, contact.node, Layout::linear);
  return -dot(contact.friction, after - 0.5 * contact.friction) / mass(contact.node);
}

double LieBeamTrial::miss(const Result& result) const {
  double energy = result.energy;
  for (const BeamContact& contact : contacts_) energy += lost_to_restitution(contact) + lost_to_friction(contact);
  return energy - energy_before_;
}

LieBeamTrial::Result LieBeamTrial::run(double h) {
  Result result = with_theta(h, 1.0);
  // At θ = 1 the mirrored velocities are outward: dE/dθ = Σ 2 (p·n)²/m.
  double slope = 0.0;
  for (const BeamContact& contact : contacts_) {
    if (is_elastic(contact)) slope += 2.0 * contact.incoming * contact.incoming / mass(contact.node);
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
    if (!contact.held) contact.normal = -(1.0 + e) * (is_elastic(contact) ? theta : 1.0) * contact.incoming;
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
  for (int round = 0;; ++round) {
    std::fill(impulse_.begin(), impulse_.end(), 0.0);
    for (const BeamContact& contact : contacts_) {
      const Vector3<double> given = contact.normal * obstacles_[contact.obstacle].normal + contact.friction;
      Layout::set(impulse_, contact.node, Layout::linear, Layout::get(impulse_, contact.node, Layout::linear) + given);
    }
    result.totals = stepper_.step(exec::Executor(1), {&job, 1})[0];
    if (round + 1 == max_adjustments || !adjust_impulses(h)) break;
  }
  const mechanics::LieBeamPotential after = mechanics::lie_beam_potential(*model_, q_next_);
  result.energy = result.totals.kinetic + 0.5 * (result.totals.strain + result.totals.potential + after.total());
  return result;
}

/// Corrects the impulses that depend on where the sub-step led, if they are off by more than rounding: what stays is
/// what acted. Returns whether one was corrected, so that another round is needed.
bool LieBeamTrial::adjust_impulses(double h) {
  bool changed = false;
  for (BeamContact& contact : contacts_) {
    const BeamObstacle& obstacle = obstacles_[contact.obstacle];
    if (contact.held) {
      // ∂gap/∂impulse = h/m up to terms of the order of the turn during h.
      const double gap = gap_next(contact.node, contact.obstacle);
      const double wanted = std::max(0.0, contact.normal - gap * mass(contact.node) / h);
      if (std::abs(gap) > 0.25 * gap_tolerance_ && wanted != contact.normal) {
        contact.normal = wanted;
        changed = true;
      }
    }
    if (obstacle.friction > 0.0) {
      const Vector3<double> momentum = Layout::get(p_next_, contact.node, Layout::linear) - contact.friction;
      const Vector3<double> sliding = momentum - dot(obstacle.normal, momentum) * obstacle.normal;
      const double size = norm(sliding), most = obstacle.friction * contact.normal;
      const Vector3<double> wanted = (size > most ? -most / size : -1.0) * sliding;
      if (norm(wanted - contact.friction) > 4 * eps * norm(momentum)) {
        contact.friction = wanted;
        changed = true;
      }
    }
  }
  return changed;
}

}  // namespace ictus::dynamics
