#pragma once

#include <cmath>
#include <ictus/dynamics/beam/lie_beam_impact.hpp>
#include <ictus/mechanics/beam/lie_beam_state.hpp>
#include <vector>

#include "paper_beams.hpp"

namespace ictus::dynamics::testing {

using mechanics::testing::PaperBeam;

/// A beam flown by hand, without scene and System, and what it did.
struct Flight {
  /// The velocities are those of the first interval, as in the papers, or those at t = 0.
  enum class Start { interval, instant };

  Flight(const PaperBeam& beam, double step, Start start = Start::interval)
      : model(beam.model), h(step), q(model.size()), p(model.size()), interval(before_the_start(model, step)) {
    mechanics::set_shape(model, beam.start, beam.strains, q);
    mechanics::set_velocities(model, beam.velocities, q, p);
    if (start == Start::interval) {
      mechanics::apply_legendre(model, h, q, p);
      mechanics::lie_beam_kick(model, -model.kick_time(0.0, h), q, p);
    }
    first_momentum = momentum();
    for (std::size_t a = 0; a < model.nodes; ++a) {
      const auto part = mechanics::LieBeamLayout::momentum(p, a);
      const auto r = mechanics::LieBeamLayout::get(q, a, mechanics::LieBeamLayout::position);
      linear_scale += std::sqrt(norm_sq(part.n));
      angular_scale += std::sqrt(norm_sq(part.m + cross(r, part.n)));
    }
  }

  /// The papers' energy of the interval just passed [eq. lie-beam-24].
  double interval_energy() const { return interval.open + 0.5 * mechanics::lie_beam_potential(model, q).total(); }
  math::Wrench<double> momentum() const { return mechanics::momentum_map(model, q, p); }
  math::Vector3<double> position(std::size_t node) const {
    return mechanics::LieBeamLayout::get(q, node, mechanics::LieBeamLayout::position);
  }

  void step() {
    const BeamStepOutcome outcome = impact.step(model, obstacles, h, q, p, interval, {"beam", time});
    fallbacks += outcome.fallbacks + outcome.unsettled;
    iterations = std::max(iterations, outcome.iterations);
    energy_jump = std::max(energy_jump, outcome.max_energy_jump);
    for (BeamImpulse impulse : impact.impulses()) {
      impulse.time += time;
      lost += impulse.lost_to_restitution + impulse.lost_to_friction;
      control += impulse.lost_to_control + impulse.lost_to_fallback;
      if (impulse.closing) ++collisions;
      impulses.push_back(impulse);
    }
    quadrature += outcome.booked.quadrature;
    sub_step += outcome.booked.sub_step;
    work += outcome.booked.moment_work;
    time = static_cast<double>(++steps) * h;
    const double booked = interval.energy() + lost + control + quadrature + sub_step - work;
    if (steps == 1) first_energy = booked;
    if (steps == 1) first_interval_energy = interval_energy();
    energy_error = std::max(energy_error, std::abs((interval_energy() + lost) / first_interval_energy - 1.0));
    residual = std::max(residual, std::abs(booked / first_energy - 1.0));
    quadrature_error = std::max(quadrature_error, std::abs(quadrature / first_energy));
    const math::Wrench<double> change = momentum() - first_momentum;
    drift.m = {std::max(drift.m.x, std::abs(change.m.x)), std::max(drift.m.y, std::abs(change.m.y)),
               std::max(drift.m.z, std::abs(change.m.z))};
    drift.n = {std::max(drift.n.x, std::abs(change.n.x)), std::max(drift.n.y, std::abs(change.n.y)),
               std::max(drift.n.z, std::abs(change.n.z))};
  }
  void run(double end) {
    while (time < end * (1.0 - 1e-12)) step();
  }

  mechanics::LieBeamModel model;
  std::vector<BeamObstacle> obstacles;
  double h;
  std::vector<double> q, p;
  BeamInterval interval;
  LieBeamImpact impact;
  double time = 0.0;
  std::int64_t steps = 0;
  int fallbacks = 0, iterations = 0, collisions = 0;
  double first_interval_energy = 0.0, energy_error = 0.0, energy_jump = 0.0;  ///< of the papers' energy
  double first_energy = 0.0, lost = 0.0, control = 0.0, quadrature = 0.0, sub_step = 0.0, work = 0.0;
  double residual = 0.0, quadrature_error = 0.0;  ///< largest, over the energy at the start
  math::Wrench<double> first_momentum{};
  math::Wrench<double> drift{};  ///< largest change of each component
  double linear_scale = 0.0, angular_scale = 0.0;
  std::vector<BeamImpulse> impulses;
};

}  // namespace ictus::dynamics::testing
