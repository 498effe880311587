#include <ictus/dynamics/beam/lie_beam_impact.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/mechanics/beam/lie_beam_state.hpp>
#include <ictus/solve/bracketed_root.hpp>
#include <limits>

namespace ictus::dynamics {

using Layout = mechanics::LieBeamLayout;
using math::Vector3;
using mechanics::LieBeamModel;

namespace {

/// More impacts in one step than this are an accumulation point, not a collision.
constexpr int max_sub_steps = 100000;
constexpr int max_halvings = 50;
/// A rest of a step shorter than this part of it is no step: it is below the rounding of the contact time.
constexpr double shortest_rest = 1e-12;

}  // namespace

math::Wrench<double> external_kick(const LieBeamModel& model, double kick, const mechanics::LieBeamTotals& totals,
                                   std::span<const double> q) {
  const auto at = [&](const math::Wrench<double>& support, std::size_t node) {
    return math::Wrench<double>{support.m + cross(Layout::get(q, node, Layout::position), support.n), support.n};
  };
  return mechanics::load_impulse(model, kick, totals.first_moment, q) - at(totals.start_support, 0) -
         at(totals.end_support, model.last());
}

double gap_tolerance(const LieBeamModel& model, std::span<const double> q) {
  double extent = 1.0;
  for (std::size_t node = 0; node < model.nodes; ++node) {
    const Vector3<double> r = Layout::get(q, node, Layout::position);
    extent = std::max({extent, std::abs(r.x), std::abs(r.y), std::abs(r.z)});
  }
  return 1e-13 * extent;
}

double smallest_gap(const LieBeamModel& model, std::span<const BeamObstacle> obstacles, std::span<const double> q) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const BeamObstacle& obstacle : obstacles) {
    smallest = std::min(smallest, mechanics::lie_beam_smallest(model, obstacle.normal, q) - obstacle.offset);
  }
  return smallest;
}

bool LieBeamImpact::starts_on(const Crossing& crossing, std::span<const double> q) const {
  return obstacles_[crossing.obstacle].gap(*model_, crossing.node, q) <= tolerance_;
}

/// Nodes on a plane that come in, and those that are held for the rest of the step. A node that moves less than the
/// tolerance of gaps in the step does not come in.
void LieBeamImpact::gather_contacts(std::span<const double> q, double h) {
  for (std::size_t k = 0; k < obstacles_.size(); ++k) {
    for (std::size_t node = 0; node < model_->nodes; ++node) {
      if (model_->clamped(node) || !starts_on({node, k}, q)) continue;
      trial_.touch(node, k, held({node, k}) != 0, tolerance_ / h);
    }
  }
}

/// Nodes that the sub-step just tried leaves behind a plane.
void LieBeamImpact::gather_crossings() {
  crossings_.clear();
  for (std::size_t k = 0; k < obstacles_.size(); ++k) {
    for (std::size_t node = 0; node < model_->nodes; ++node) {
      if (!model_->clamped(node) && trial_.gap_next(node, k) < -tolerance_) crossings_.push_back({node, k});
    }
  }
}

/// A node that starts on the plane and is driven into it by a sub-step of length h, just tried, is held for the rest of
/// the step if it did not come in, or came in and does not spring back fully: it would bounce ever faster. Returns
/// whether there was one.
bool LieBeamImpact::hold_what_cannot_leave(double h, std::span<const double> q) {
  bool any = false;
  for (const Crossing& crossing : crossings_) {
    BeamContact* contact = trial_.contact_of(crossing.node, crossing.obstacle);
    const bool elastic = contact && obstacles_[crossing.obstacle].restitution == 1.0;
    if (!starts_on(crossing, q) || elastic || (contact && contact->held)) continue;
    held(crossing) = 1;
    if (contact) {
      contact->held = true;
    } else {
      trial_.touch(crossing.node, crossing.obstacle, true, std::numeric_limits<double>::infinity());
    }
    trial_.lift(*trial_.contact_of(crossing.node, crossing.obstacle), h);
    any = true;
  }
  return any;
}

/// A time in (0, h) at which the node is above the plane; none if it goes down at once.
std::optional<double> LieBeamImpact::time_above(double h, const Crossing& crossing) {
  for (int i = 0; i < max_halvings; ++i) {
    h *= 0.5;
    trial_.run(h);
    if (trial_.gap_next(crossing.node, crossing.obstacle) > 0.0) return h;
  }
  return std::nullopt;
}

/// The sub-step that ends with the first contact of those that a sub-step of length h, just tried, would cross. None if
/// an elastic contact goes down at once: it is then marked as held.
std::optional<LieBeamTrial::Result> LieBeamImpact::until_contact(double h, std::span<const double> q) {
  LieBeamTrial::Result result;
  while (!crossings_.empty()) {
    const auto gap_next = [&](const Crossing& c) { return trial_.gap_next(c.node, c.obstacle); };
    const Crossing deepest =
        *std::min_element(crossings_.begin(), crossings_.end(),
                          [&](const Crossing& a, const Crossing& b) { return gap_next(a) < gap_next(b); });
    const auto gap_after = [&](double time) {
      result = trial_.run(time);
      return gap_next(deepest);
    };
    const double gap_end = gap_next(deepest);
    double begin = 0.0, gap_begin = obstacles_[deepest.obstacle].gap(*model_, deepest.node, q);
    if (starts_on(deepest, q)) {
      const std::optional<double> above = time_above(h, deepest);
      if (!above) {
        trial_.contact_of(deepest.node, deepest.obstacle)->held = true;
        held(deepest) = 1;
        return std::nullopt;
      }
      begin = *above;
      gap_begin = gap_next(deepest);
    }
    h = solve::bracketed_root(gap_after, begin, gap_begin, h, gap_end, 0.25 * tolerance_);
    gather_crossings();
  }
  return result;
}

/// Notes the impulses of a sub-step and what they did to the energy, by name.
void LieBeamImpact::record(const LieBeamTrial::Result& result, double time, std::span<const double> q,
                           BeamStepOutcome& outcome) {
  ++outcome.sub_steps;
  outcome.iterations = std::max(outcome.iterations, result.totals.iterations);
  outcome.unsettled += result.unsettled > 0.0 ? 1 : 0;
  outcome.largest_error = std::max(outcome.largest_error, result.unsettled);
  bool elastic = false;
  for (const BeamContact& contact : trial_.contacts()) {
    if (contact.normal == 0.0) continue;
    const LieBeamTrial::Work work = trial_.work(contact, result.h);
    BeamImpulse impulse{time,
                        contact.node,
                        contact.obstacle,
                        Layout::get(q, contact.node, Layout::position) + contact.lever,
                        contact.normal,
                        contact.friction};
    impulse.lost_to_friction = -work.friction;
    if (!trial_.is_elastic(contact)) {
      impulse.lost_to_restitution = -work.normal;
    } else {
      elastic = true;
      (result.keeps_energy ? impulse.lost_to_control : impulse.lost_to_fallback) = -work.normal;
    }
    impulse.closing = contact.incoming < 0.0;
    impulses_.push_back(impulse);
    outcome.max_penetration =
        std::max(outcome.max_penetration, -obstacles_[contact.obstacle].gap(*model_, contact.node, q));
  }
  if (!elastic) return;
  if (result.keeps_energy) {
    outcome.max_energy_jump = std::max(outcome.max_energy_jump, std::abs(trial_.miss(result) / trial_.energy_before()));
  } else {
    ++outcome.fallbacks;
  }
}

/// The node where a sub-step began.
void LieBeamImpact::book(const LieBeamTrial::Result& result, std::span<const double> q, std::span<const double> p,
                         BeamInterval& interval, BeamStepOutcome& outcome) {
  const double kick = model_->kick_time(interval.h, result.h);
  outcome.external_impulse = outcome.external_impulse + external_kick(*model_, kick, result.totals, q);
  const BeamBooking booking =
      begin_interval({*model_, result.h, result.totals, q, p, trial_.q_next(), trial_.p_next()}, interval);
  outcome.booked.quadrature += booking.quadrature;
  outcome.booked.sub_step += booking.sub_step;
  outcome.booked.moment_work += booking.moment_work;
}

BeamStepOutcome LieBeamImpact::step(const LieBeamModel& model, std::span<const BeamObstacle> obstacles, double h,
                                    std::span<double> q, std::span<double> p, BeamInterval& interval,
                                    const BeamMoment& where) {
  model_ = &model;
  obstacles_ = obstacles;
  tolerance_ = gap_tolerance(model, q);
  impulses_.clear();
  held_.assign(model.nodes * obstacles.size(), 0);
  BeamStepOutcome outcome;
  double done = 0.0;
  while (h - done > shortest_rest * h) {
    const BeamMoment now{where.body, where.time + done};
    if (outcome.sub_steps == max_sub_steps) {
      throw base::NumericalFailure("impacts follow one another without end",
                                   fmt::format("{}, t = {:.6g} s", now.body, now.time),
                                   "Use a coefficient of restitution below 1, or a smaller time step");
    }
    const double rest = h - done;
    trial_.begin(model, obstacles, q, p, interval, tolerance_);
    gather_contacts(q, h);
    LieBeamTrial::Result result = trial_.run(rest);
    gather_crossings();
    while (!crossings_.empty()) {
      if (!hold_what_cannot_leave(rest, q)) {
        if (const auto hit = until_contact(rest, q)) {
          result = *hit;
          break;
        }
        ++outcome.fallbacks;
      }
      result = trial_.run(rest);
      gather_crossings();
    }
    check_sweep(model, result.totals, q, trial_.q_next(), now);
    record(result, done, q, outcome);
    book(result, q, p, interval, outcome);
    std::copy(trial_.q_next().begin(), trial_.q_next().end(), q.begin());
    std::copy(trial_.p_next().begin(), trial_.p_next().end(), p.begin());
    done += result.h;
  }
  return outcome;
}

}  // namespace ictus::dynamics
