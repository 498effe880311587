#include <ictus/dynamics/beam/multisymplectic_beam.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <ictus/dynamics/beam/lie_beam_noether.hpp>
#include <ictus/math/convert.hpp>
#include <ictus/mechanics/beam/lie_beam_stability.hpp>
#include <ictus/mechanics/beam/lie_beam_state.hpp>
#include <limits>

namespace ictus::dynamics {

using math::from_eigen;
using math::to_eigen;

using Layout = mechanics::LieBeamLayout;
using math::Vector3;
using math::Wrench;
using mechanics::LieBeam;
using mechanics::LieBeamModel;
using model::Loss;
using model::State;
using model::Store;

namespace {

/// State::memory: the last interval of each beam, figures for the summary, and a Noether monitor for each beam.
enum : std::size_t { interval_slot, figure_slot, noether_slot };
enum : std::size_t {
  corner_first,
  corner_change,
  interval_first,  ///< energy of the first interval [eq. lie-beam-24] (J)
  interval_change,
  energy_jump,
  newton_sum,
  figure_count
};

constexpr std::array interval_members{&BeamInterval::h,           &BeamInterval::kinetic, &BeamInterval::strain,
                                      &BeamInterval::potential,   &BeamInterval::open,    &BeamInterval::lead,
                                      &BeamInterval::span,        &BeamInterval::instant, &BeamInterval::shadow,
                                      &BeamInterval::moment_power};
constexpr std::size_t interval_size = interval_members.size();

/// Steps above this share of the largest stable one gain energy of the stiffest waves by unequal intervals, whose price
/// is up to (ωh)²/4 of it for each impact.
constexpr double advised_share = 0.5;

/// Gaps above this (m) need no closer look.
constexpr double clearly_apart = 1e-6;

BeamInterval read_interval(const State& state, std::size_t beam) {
  const double* x = &state.memory[interval_slot].values[beam * interval_size];
  BeamInterval interval;
  for (std::size_t i = 0; i < interval_size; ++i) interval.*interval_members[i] = x[i];
  return interval;
}

void write_interval(const BeamInterval& interval, std::size_t beam, State& state) {
  double* x = &state.memory[interval_slot].values[beam * interval_size];
  for (std::size_t i = 0; i < interval_size; ++i) x[i] = interval.*interval_members[i];
}

mechanics::Momentum to_momentum(const Wrench<double>& wrench) { return {to_eigen(wrench.n), to_eigen(wrench.m)}; }

void book(const BeamBooking& booking, StepReport& report) {
  report.lost[Loss::quadrature] += booking.quadrature;
  report.lost[Loss::sub_step] += booking.sub_step;
  report.external_work += booking.moment_work;
}

}  // namespace

Capabilities MultisymplecticBeam::capabilities() const {
  return {
      .contact = true,
      .friction = true,
      .restitution_min = 0,
      .restitution_max = 1,
      .stores = {},
      .losses = {Loss::restitution, Loss::friction, Loss::quadrature, Loss::sub_step, Loss::control, Loss::fallback}};
}

bool MultisymplecticBeam::steps(const mechanics::Body& body) const { return body.dofs().size == 0 || body.lie_beam(); }

StepLimit MultisymplecticBeam::step_limit(const System& system) const {
  StepLimit limit{std::numeric_limits<double>::infinity(), "nothing"};
  for (const BodyPtr& body : system.bodies()) {
    const auto* beam = body->lie_beam();
    if (!beam) continue;
    const double critical = mechanics::lie_beam_critical_step(beam->model());
    if (critical < limit.step) limit = {critical, fmt::format("the elements of {}", beam->name())};
  }
  if (!system.pairs().empty()) {
    limit.advised = advised_share * limit.step;
    limit.advice = "impacts cut a step into unequal intervals, which near the largest stable step feed energy";
  }
  return limit;
}

void MultisymplecticBeam::prepare(const System& system) {
  fliers_.clear();
  for (const BodyPtr& body : system.bodies()) {
    const auto* beam = body->lie_beam();
    if (!beam) continue;
    Flier flier;
    flier.beam = beam;
    for (std::size_t k = 0; k < system.pairs().size(); ++k) {
      const contact::ContactPair& pair = system.pairs()[k];
      const bool is_first = pair.first_surface == &beam->surface();
      if (!is_first && pair.second_surface != &beam->surface()) continue;
      const model::Plane plane = *(is_first ? pair.second_surface : pair.first_surface)->plane();
      flier.obstacles.push_back(
          {from_eigen(plane.normal), plane.normal.dot(plane.point), pair.restitution.value_or(1.0), pair.friction});
      flier.pairs.push_back(static_cast<int>(k));
      flier.is_first.push_back(is_first);
    }
    fliers_.push_back(std::move(flier));
  }
  q_next_.assign(system.dofs(), 0.0);
  p_next_.assign(system.dofs(), 0.0);
  jobs_.resize(fliers_.size());
  gaps_step_ = -1;
}

StepReport MultisymplecticBeam::start(const System& system, double h, State& state) {
  StepReport report;
  const mechanics::Momentum before = system.momentum(state.q, state.p);
  if (options_.start == BeamStart::interval) {
    for (const Flier& flier : fliers_) {
      const auto q = flier.beam->part(std::span<const double>(state.q));
      const auto p = flier.beam->part(std::span<double>(state.p));
      mechanics::apply_legendre(flier.beam->model(), h, q, p);
      mechanics::lie_beam_kick(flier.beam->model(), -flier.beam->model().kick_time(0.0, h), q, p);
    }
  }
  const mechanics::Momentum after = system.momentum(state.q, state.p);
  report.external_impulse = {after.linear - before.linear, after.angular - before.angular};

  state.memory = {{"beam.interval", std::vector<double>(fliers_.size() * interval_size)},
                  {"beam.figures", std::vector<double>(figure_count)}};
  for (std::size_t i = 0; i < fliers_.size(); ++i) {
    write_interval(before_the_start(fliers_[i].beam->model(), h), i, state);
  }
  // The energy of the first interval is known before it is flown: the velocities in it and both its ends.
  fly(system, h, state);
  auto& figures = state.memory[figure_slot].values;
  for (std::size_t i = 0; i < fliers_.size(); ++i) {
    const LieBeam& beam = *fliers_[i].beam;
    const BeamInterval none = read_interval(state, i);
    BeamInterval first = none;
    begin_interval(sweep_of(i, state), first);
    const double end = mechanics::lie_beam_potential(beam.model(), beam.part(std::span<const double>(q_next_))).total();
    figures[corner_first] += first.kinetic + first.strain + first.potential;
    figures[interval_first] += first.open + 0.5 * end;
    first.open = first.kinetic + 0.5 * end;
    first.h = none.h;
    first.lead = none.lead;
    write_interval(first, i, state);
    if (options_.noether_rectangles == 0) continue;
    state.memory.push_back({fmt::format("beam.noether.{}", beam.name()), {}});
    const double scale = beam.momentum_scale(state.p);
    NoetherMonitor(state.memory.back().values).begin(options_.noether_rectangles, scale, beam.model());
  }
  return report;
}

/// Every beam over the step h as if there were no planes, into q_next_ and p_next_.
void MultisymplecticBeam::fly(const System& system, double h, const State& state) {
  for (std::size_t i = 0; i < fliers_.size(); ++i) {
    const LieBeamModel& model = fliers_[i].beam->model();
    const std::size_t first = fliers_[i].beam->dofs().begin;
    jobs_[i] = {.model = &model,
                .h = h,
                .kick = model.kick_time(read_interval(state, i).h, h),
                .q = state.q.data() + first,
                .p = state.p.data() + first,
                .impulse = nullptr,
                .q_next = q_next_.data() + first,
                .p_next = p_next_.data() + first};
  }
  totals_ = stepper_.step(system.exec(), jobs_);
}

/// What fly() did with a beam.
BeamSweep MultisymplecticBeam::sweep_of(std::size_t i, const State& state) const {
  const LieBeam& beam = *fliers_[i].beam;
  return {beam.model(),
          jobs_[i].h,
          totals_[i],
          beam.part(std::span<const double>(state.q)),
          beam.part(std::span<const double>(state.p)),
          beam.part(std::span<const double>(q_next_)),
          beam.part(std::span<const double>(p_next_))};
}

StepReport MultisymplecticBeam::step(const System& system, double h, State& state) {
  StepReport report;
  impulses_.clear();
  fly(system, h, state);
  auto& figures = state.memory[figure_slot].values;
  double corner = 0.0, passed = 0.0;
  for (std::size_t i = 0; i < fliers_.size(); ++i) {
    const Flier& flier = fliers_[i];
    passed += read_interval(state, i).open + 0.5 * (totals_[i].strain + totals_[i].potential);
    if (meets_planes(i, state)) {
      impact(i, h, state, report);
    } else {
      pass(i, state, report);
    }
    const BeamInterval interval = read_interval(state, i);
    corner += interval.kinetic + interval.strain + interval.potential;
    fliers_[i].smallest_gap =
        smallest_gap(flier.beam->model(), flier.obstacles, flier.beam->part(std::span<const double>(q_next_)));
  }
  std::copy(q_next_.begin(), q_next_.end(), state.q.begin());
  std::copy(p_next_.begin(), p_next_.end(), state.p.begin());
  gaps_step_ = ++state.step;
  state.time = static_cast<double>(state.step) * h;
  figures[corner_change] = std::max(figures[corner_change], std::abs(corner - figures[corner_first]));
  figures[interval_change] = std::max(figures[interval_change], std::abs(passed - figures[interval_first]));
  figures[newton_sum] += report.iterations;
  report.impulses = impulses_;
  report.contacts = static_cast<int>(impulses_.size());
  return report;
}

/// Whether a beam touches a plane, or would be behind one after the step that fly() tried.
bool MultisymplecticBeam::meets_planes(std::size_t i, const State& state) const {
  const Flier& flier = fliers_[i];
  if (flier.obstacles.empty()) return false;
  const LieBeamModel& model = flier.beam->model();
  const auto q = flier.beam->part(std::span<const double>(state.q));
  const double now = gaps_step_ == state.step ? flier.smallest_gap : smallest_gap(model, flier.obstacles, q);
  const double next = smallest_gap(model, flier.obstacles, flier.beam->part(std::span<const double>(q_next_)));
  if (now > clearly_apart && next > 0.0) return false;
  const double tolerance = gap_tolerance(model, q);
  return now <= tolerance || next < -tolerance;
}

/// Takes over what fly() found for a beam that met nothing.
void MultisymplecticBeam::pass(std::size_t i, State& state, StepReport& report) {
  const BeamSweep sweep = sweep_of(i, state);
  const double kick = jobs_[i].kick;
  check_sweep(sweep.model, sweep.totals, sweep.q, sweep.q_next, {fliers_[i].beam->name(), state.time});
  report.iterations = std::max(report.iterations, sweep.totals.iterations);
  report.external_impulse += to_momentum(external_kick(sweep.model, kick, sweep.totals, sweep.q));
  BeamInterval interval = read_interval(state, i);
  book(begin_interval(sweep, interval), report);
  write_interval(interval, i, state);
  if (options_.noether_rectangles > 0) {
    NoetherMonitor(state.memory[noether_slot + i].values)
        .add({sweep.model, state.step, kick, sweep.q, sweep.p, sweep.q_next, sweep.p_next});
  }
}

/// Takes a beam through its impacts.
void MultisymplecticBeam::impact(std::size_t i, double h, State& state, StepReport& report) {
  const Flier& flier = fliers_[i];
  const LieBeamModel& model = flier.beam->model();
  const auto q = flier.beam->part(std::span<double>(state.q)), p = flier.beam->part(std::span<double>(state.p));
  const auto q_next = flier.beam->part(std::span<double>(q_next_)),
             p_next = flier.beam->part(std::span<double>(p_next_));
  std::copy(q.begin(), q.end(), q_next.begin());
  std::copy(p.begin(), p.end(), p_next.begin());
  BeamInterval interval = read_interval(state, i);
  const BeamStepOutcome outcome =
      impact_.step(model, flier.obstacles, h, q_next, p_next, interval, {flier.beam->name(), state.time});
  write_interval(interval, i, state);
  report.iterations = std::max(report.iterations, outcome.iterations);
  report.fallbacks += outcome.fallbacks;
  for (int k = 0; k < outcome.unsettled; ++k) report.accept_unconverged(outcome.largest_error);
  report.max_penetration = std::max(report.max_penetration, outcome.max_penetration);
  report.external_impulse += to_momentum(outcome.external_impulse);
  book(outcome.booked, report);
  book_impulses(flier, state.time, report);
  auto& figures = state.memory[figure_slot].values;
  figures[energy_jump] = std::max(figures[energy_jump], outcome.max_energy_jump);
  if (options_.noether_rectangles > 0) {
    NoetherMonitor(state.memory[noether_slot + i].values).interrupt(state.step, model);
  }
}

void MultisymplecticBeam::book_impulses(const Flier& flier, double time, StepReport& report) {
  for (const BeamImpulse& impulse : impact_.impulses()) {
    const Vector3<double>& normal = flier.obstacles[impulse.obstacle].normal;
    const Vector3<double> total = impulse.normal * normal + impulse.friction;
    const double side = flier.is_first[impulse.obstacle] ? -1.0 : 1.0;
    impulses_.push_back({time + impulse.time, flier.pairs[impulse.obstacle], to_eigen(impulse.point),
                         to_eigen(side * normal), impulse.normal, std::sqrt(norm_sq(impulse.friction)),
                         impulse.lost()});
    report.lost[Loss::restitution] += impulse.lost_to_restitution;
    report.lost[Loss::friction] += impulse.lost_to_friction;
    report.lost[Loss::control] += impulse.lost_to_control;
    report.lost[Loss::fallback] += impulse.lost_to_fallback;
    report.closings += impulse.closing ? 1 : 0;
    report.external_impulse += to_momentum({cross(impulse.point, total), total});
  }
}

model::Stored MultisymplecticBeam::energy(const System&, double, const State& state) const {
  model::Stored stored;
  for (std::size_t i = 0; i < fliers_.size(); ++i) {
    const BeamInterval interval = read_interval(state, i);
    stored[Store::kinetic] += interval.instant;
    stored[Store::strain] += interval.strain - interval.shadow;
    stored[Store::potential] += interval.potential;
  }
  return stored;
}

void MultisymplecticBeam::velocity(const System&, double, const State& state, std::span<double> v) const {
  std::vector<double> p = state.p;
  for (std::size_t i = 0; i < fliers_.size(); ++i) {
    const LieBeam& beam = *fliers_[i].beam;
    const auto q = beam.part(std::span<const double>(state.q));
    const auto own_p = beam.part(std::span<double>(p)), own_v = beam.part(v);
    // The momentum at t^j is half a kick after the one that arrives.
    mechanics::lie_beam_kick(beam.model(), 0.5 * read_interval(state, i).h, q, own_p);
    std::fill(own_v.begin(), own_v.end(), 0.0);
    for (std::size_t a = 0; a < beam.model().nodes; ++a) {
      const math::Rotation<double> turn = Layout::pose(q, a).q;
      const math::Twist<double> xi = mechanics::velocity(beam.model(), a, q, own_p);
      Layout::set_momentum(own_v, a, {rotate(turn, xi.w), rotate(turn, xi.c)});
    }
  }
}

Extras MultisymplecticBeam::extras(const State& state) const {
  const auto& figures = state.memory[figure_slot].values;
  Extras extras{
      {"energy_corner_initial", figures[corner_first]},
      {"energy_corner_max_relative_error", figures[corner_change] / std::abs(figures[corner_first])},
      {"energy_interval_initial", figures[interval_first]},
      {"energy_interval_max_relative_error", figures[interval_change] / std::abs(figures[interval_first])},
      {"impact_energy_jump_max", figures[energy_jump]},
      {"newton_iterations_mean", state.step > 0 ? figures[newton_sum] / static_cast<double>(state.step) : 0.0}};
  if (options_.noether_rectangles == 0) return extras;
  double residual = 0.0;
  std::int64_t completed = 0;
  for (std::size_t i = 0; i < fliers_.size(); ++i) {
    std::vector<double> memory = state.memory[noether_slot + i].values;
    const NoetherMonitor monitor(memory);
    completed += monitor.completed();
    residual = std::max(residual, monitor.largest_residual());
  }
  extras.emplace_back("noether_rectangles", static_cast<double>(completed));
  extras.emplace_back("noether_residual_max", residual);
  return extras;
}

}  // namespace ictus::dynamics
