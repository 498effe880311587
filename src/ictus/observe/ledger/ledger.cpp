// Notation: E stored energy, E₀ its initial value, p momentum.
#include <ictus/observe/ledger/ledger.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <limits>

namespace ictus::observe {

using dynamics::Snapshot;
using dynamics::StepReport;
using math::Vec3;

namespace {

void add(std::array<CompensatedSum, 3>& sums, const Vec3& terms) {
  for (int c = 0; c < 3; ++c) sums[static_cast<std::size_t>(c)].add(terms[c]);
}

Vec3 value(const std::array<CompensatedSum, 3>& sums) { return {sums[0].value(), sums[1].value(), sums[2].value()}; }

void exchange_sum(Archive& archive, const std::string& name, CompensatedSum& sum) {
  archive.number(name, sum.sum);
  archive.number(name + ".correction", sum.correction);
}

double relative_to(double value, double scale) { return scale > 0 ? std::abs(value) / scale : 0; }

/// What is stored besides the potential energy, whose zero is anywhere.
double in_motion(const model::Stored& stored) { return stored.total() - stored[model::Store::potential]; }

double largest_entry(const Reading& reading, double external_work) {
  double largest = std::abs(external_work);
  for (std::size_t i = 0; i < model::Stored::size; ++i)
    largest = std::max(largest, std::abs(reading.stored[static_cast<model::Store>(i)]));
  for (std::size_t i = 0; i < model::Lost::size; ++i)
    largest = std::max(largest, std::abs(reading.lost[static_cast<model::Loss>(i)]));
  return largest;
}

bool is_finite(const Reading& reading) {
  return std::isfinite(reading.total) && reading.momentum.linear.allFinite() && reading.momentum.angular.allFinite();
}

/// The dof to blame for an energy that is not finite: the first that is not finite itself, else the largest
/// momentum.
std::size_t worst_dof(const model::State& state) {
  for (std::size_t k = 0; k < state.p.size(); ++k) {
    if (!std::isfinite(state.q[k]) || !std::isfinite(state.p[k])) return k;
  }
  const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  return static_cast<std::size_t>(std::max_element(state.p.begin(), state.p.end(), smaller) - state.p.begin());
}

std::string location(const Snapshot& snapshot, std::size_t dof) {
  for (const dynamics::BodyPtr& body : snapshot.system.bodies()) {
    const mechanics::Range range = body->dofs();
    if (dof >= range.begin && dof < range.end())
      return fmt::format("unknown {} of {}", dof - range.begin, body->name());
  }
  return "no body";
}

std::string instant(const Snapshot& snapshot) {
  return fmt::format("t = {} s, step {}", snapshot.state.time, snapshot.state.step);
}

std::string step_advice(const Snapshot& snapshot) {
  const dynamics::StepLimit limit = snapshot.integrator.step_limit(snapshot.system);
  const std::string advice = fmt::format("Try a time.step smaller than {} s", snapshot.step);
  if (limit.reason.empty()) return advice;
  return advice + fmt::format("; {} allows {} s at most", limit.reason, limit.step);
}

[[noreturn]] void fail_not_finite(const Snapshot& snapshot) {
  throw base::NumericalFailure("The energy is no longer a finite number",
                               fmt::format("{}, {}", location(snapshot, worst_dof(snapshot.state)), instant(snapshot)),
                               step_advice(snapshot));
}

/// Whether every dof belongs to a body with lumped masses.
bool all_nodal(const Snapshot& snapshot) {
  std::size_t dofs = 0;
  for (const mechanics::NodalBody* body : snapshot.system.nodal_bodies()) dofs += body->dofs().size;
  return dofs > 0 && dofs == snapshot.state.p.size();
}

/// T + V of nodal bodies at the time of q, with what the scheme keeps besides.
double energy_at_node(const Snapshot& snapshot, const model::Stored& stored) {
  const model::State& state = snapshot.state;
  const auto inverse_mass = snapshot.system.inverse_mass();
  std::vector<double> v(state.p.size());
  snapshot.integrator.velocity(snapshot.system, snapshot.step, state, v);
  // Implicit bodies have nodes of their own, half a step later [eq. mixed-14].
  std::vector<double> q = state.q;
  for (const mechanics::NodalBody* body : snapshot.system.implicit_bodies()) {
    for (std::size_t k = body->dofs().begin; k < body->dofs().end(); ++k) {
      v[k] = inverse_mass[k] * state.p[k];
      q[k] += snapshot.step / 2 * v[k];
    }
  }
  double energy = stored[model::Store::bank] + stored[model::Store::layer];
  for (std::size_t k = 0; k < v.size(); ++k) energy += inverse_mass[k] > 0 ? 0.5 * v[k] * v[k] / inverse_mass[k] : 0;
  const mechanics::PotentialEnergy potential = snapshot.system.potential_energy(q);
  return energy + potential.strain + potential.gravity;
}

/// The points of the bodies that move.
std::vector<Vec3> moving_points(const dynamics::System& system, const model::State& state) {
  const std::vector<double> at_rest(state.p.size());
  std::vector<Vec3> points;
  for (const dynamics::BodyPtr& body : system.bodies()) {
    if (body->dofs().size == 0) continue;
    const mechanics::Picture picture = body->draw(state.q, at_rest);
    points.insert(points.end(), picture.points.begin(), picture.points.end());
  }
  return points;
}

}  // namespace

void StepSums::add(const StepReport& report) {
  for (std::size_t i = 0; i < lost.size(); ++i) lost[i].add(report.lost[static_cast<model::Loss>(i)]);
  external_work.add(report.external_work);
  observe::add(external_impulse, report.external_impulse.linear);
  observe::add(external_moment, report.external_impulse.angular);
  closings += report.closings;
  fallbacks += report.fallbacks;
  fallback_error = std::max(fallback_error, report.fallback_error);
  max_penetration = std::max(max_penetration, report.max_penetration);
  for (const dynamics::Impulse& impulse : report.impulses) {
    total_impulse.add(impulse.normal_impulse);
    if (!first_impulse_time) first_impulse_time = impulse.time;
    last_impulse_time = impulse.time;
  }
}

void StepSums::exchange(Archive& archive) {
  for (std::size_t i = 0; i < lost.size(); ++i)
    exchange_sum(archive, fmt::format("ledger.lost.{}", model::loss_names[i]), lost[i]);
  exchange_sum(archive, "ledger.external_work", external_work);
  for (std::size_t c = 0; c < 3; ++c) {
    exchange_sum(archive, fmt::format("ledger.external_impulse.{}", c), external_impulse[c]);
    exchange_sum(archive, fmt::format("ledger.external_moment.{}", c), external_moment[c]);
  }
  exchange_sum(archive, "ledger.total_impulse", total_impulse);
  archive.number("ledger.closings", closings);
  archive.number("ledger.fallbacks", fallbacks);
  archive.number("ledger.fallback_error", fallback_error);
  archive.number("ledger.first_impulse_time", first_impulse_time);
  archive.number("ledger.last_impulse_time", last_impulse_time);
  archive.number("ledger.max_penetration", max_penetration);
}

void Ledger::Account::exchange(Archive& archive) {
  sums.exchange(archive);
  archive.number("ledger.initial_energy", initial_energy);
  archive.number("ledger.free_energy", free_energy);
  archive.number("ledger.initial_trapezoid", initial_trapezoid);
  archive.number("ledger.initial_momentum.linear", initial_momentum.linear);
  archive.number("ledger.initial_momentum.angular", initial_momentum.angular);
  archive.number("ledger.middle", middle);
  archive.number("ledger.length_scale", length_scale);
  archive.number("ledger.momentum_scale", momentum_scale);
  archive.number("ledger.most_in_motion", max_in_motion);
  archive.number("ledger.potential_min", potential_min);
  archive.number("ledger.potential_max", potential_max);
  archive.number("ledger.largest_entry", largest_entry);
  archive.number("ledger.max_energy_change", max_energy_change);
  archive.number("ledger.max_trapezoid_change", max_trapezoid_change);
  archive.number("ledger.max_error", max_error);
  archive.number("ledger.max_residual", max_residual);
  archive.number("ledger.max_excess", max_excess);
  archive.number("ledger.max_linear_change", max_linear_change);
  archive.number("ledger.max_angular_change", max_angular_change);
}

void Ledger::begin(const Snapshot& snapshot, const StepReport& report) {
  const model::State initial = snapshot.system.initial_state();
  account_ = {};
  account_.initial_momentum = snapshot.system.momentum(initial.q, initial.p);
  account_.momentum_scale = snapshot.system.momentum_scale(initial.p);
  const std::vector<Vec3> points = moving_points(snapshot.system, initial);
  for (const Vec3& point : points) account_.middle += point / static_cast<double>(points.size());
  for (const Vec3& point : points)
    account_.length_scale = std::max(account_.length_scale, (point - account_.middle).norm());
  account_.sums.add(report);
  const Reading first = peek(snapshot);
  // What the start itself lost or was given is part of the run.
  account_.initial_energy = first.total + first.lost.total() - account_.sums.external_work.value();
  // A body that lies still has the energy of an interval only once contact holds it; before, less by half a kick.
  const double at_node = all_nodal(snapshot) ? energy_at_node(snapshot, first.stored) : first.total;
  account_.free_energy = std::max(first.total, at_node) - account_.sums.external_work.value();
  account_.initial_trapezoid = first.trapezoid;
  account_.potential_min = account_.potential_max = first.stored[model::Store::potential];
  last_ = {};
  reading(snapshot);
}

void Ledger::observe(const Snapshot& snapshot, const StepReport& report) {
  account_.sums.add(report);
  if (snapshot.state.step % interval(snapshot) == 0) reading(snapshot);
}

std::int64_t Ledger::default_interval(std::size_t dofs) {
  constexpr std::size_t small = 1000;
  return dofs <= small ? 1 : static_cast<std::int64_t>(std::max<std::size_t>(100, dofs / 250));
}

std::int64_t Ledger::interval(const Snapshot& snapshot) const {
  return options_.every ? *options_.every : default_interval(snapshot.system.dofs());
}

std::int64_t Ledger::patience(const Snapshot& snapshot) const {
  const std::int64_t every = interval(snapshot);
  return every - snapshot.state.step % every;
}

Reading Ledger::peek(const Snapshot& snapshot) const {
  const model::State& state = snapshot.state;
  Reading reading;
  reading.step = state.step;
  reading.time = state.time;
  reading.stored = snapshot.integrator.energy(snapshot.system, snapshot.step, state);
  reading.total = reading.stored.total();
  reading.momentum = snapshot.system.momentum(state.q, state.p);
  if (!is_finite(reading)) fail_not_finite(snapshot);
  if (knows_trapezoid(snapshot)) {
    const mechanics::PotentialEnergy potential = snapshot.system.trapezoid_energy(state.q, state.p, snapshot.step);
    reading.trapezoid = snapshot.system.kinetic_energy(state.p) + potential.strain + potential.gravity;
  }
  const StepSums& sums = account_.sums;
  for (std::size_t i = 0; i < sums.lost.size(); ++i) reading.lost[static_cast<model::Loss>(i)] = sums.lost[i].value();
  reading.lost += snapshot.system.dissipated(state.q);
  reading.lost[model::Loss::quadrature] += snapshot.integrator.quadrature(snapshot.system, snapshot.step, state);
  // Joints that turn take and give by the step. Ties between steps of different lengths lose what these do not resolve;
  // what they make is the scheme's own.
  const double own = reading.lost[model::Loss::quadrature] + reading.lost[model::Loss::control] +
                     reading.lost[model::Loss::joint] + std::min(reading.lost[model::Loss::interface], 0.0);
  reading.residual = (reading.total - account_.initial_energy) + (reading.lost.total() - sums.external_work.value());
  reading.error = reading.residual - own;
  // At the start bodies at rest have nothing but half a kick to measure by.
  if (snapshot.state.step > 0 && all_nodal(snapshot))
    reading.excess = energy_at_node(snapshot, reading.stored) - (reading.total - reading.error);
  const mechanics::Momentum& initial = account_.initial_momentum;
  const Vec3 linear = reading.momentum.linear - initial.linear - value(sums.external_impulse);
  const Vec3 angular = reading.momentum.angular - initial.angular - value(sums.external_moment);
  reading.linear_change = linear.cwiseAbs().maxCoeff();
  reading.angular_change = (angular - account_.middle.cross(linear)).cwiseAbs().maxCoeff();
  return reading;
}

const Reading& Ledger::reading(const Snapshot& snapshot) {
  if (last_.step == snapshot.state.step) return last_;
  const Reading now = peek(snapshot);
  const Account before = account_;
  grow_scales(now, snapshot.system.momentum_scale(snapshot.state.p));
  try {
    require_limits(now, snapshot);
  } catch (const base::NumericalFailure&) {
    account_ = before;
    throw;
  }
  count(now);
  last_ = now;
  return last_;
}

void Ledger::grow_scales(const Reading& reading, double momentum_scale) {
  const StepSums& sums = account_.sums;
  const double potential = reading.stored[model::Store::potential];
  account_.max_in_motion = std::max(account_.max_in_motion, in_motion(reading.stored));
  account_.potential_min = std::min(account_.potential_min, potential);
  account_.potential_max = std::max(account_.potential_max, potential);
  account_.largest_entry = std::max(account_.largest_entry, largest_entry(reading, sums.external_work.value()));
  account_.momentum_scale = std::max({account_.momentum_scale, momentum_scale, value(sums.external_impulse).norm()});
}

/// What the bodies would have if they moved by the rounding of their places in a step: as long as there is no more,
/// nothing has begun to move.
double Ledger::rounding_energy(const Snapshot& snapshot) const {
  double mass = 0;
  for (const mechanics::NodalBody* body : snapshot.system.nodal_bodies()) {
    for (const double own : body->mass()) mass = std::max(mass, own);
  }
  const double speed = 16 * std::numeric_limits<double>::epsilon() * account_.length_scale / snapshot.step;
  return 0.5 * mass * speed * speed;
}

void Ledger::require_limits(const Reading& reading, const Snapshot& snapshot) const {
  const double error = relative_error(reading), residual = relative_residual(reading);
  if (options_.residual_limit && residual > *options_.residual_limit)
    throw base::NumericalFailure(
        fmt::format("The ledger does not close: {:.3g} of the energy is unexplained, and limits.energy_residual is "
                    "{:.3g}",
                    residual, *options_.residual_limit),
        instant(snapshot), step_advice(snapshot));
  if (!options_.error_limit || options_.is_flux || scale() <= rounding_energy(snapshot)) return;
  if (error > *options_.error_limit)
    throw base::NumericalFailure(
        fmt::format("The scheme {} {:.3g} of the energy of itself, and limits.energy_error is {:.3g}",
                    reading.error > 0 ? "made" : "lost", error, *options_.error_limit),
        instant(snapshot), step_advice(snapshot));
  // Whatever the name under which it is booked: no run makes more energy than an error may be.
  const double given = account_.sums.external_work.value() - reading.lost[model::Loss::motor];
  const double made = reading.total - given - account_.free_energy;
  if (made > *options_.error_limit * scale())
    throw base::NumericalFailure(
        fmt::format(
            "The energy has grown by {:.3g} of itself though nothing gave it, and limits.energy_error is {:.3g}",
            relative_to(made, scale()), *options_.error_limit),
        instant(snapshot), step_advice(snapshot));
  if (reading.excess > std::max(excess_limit, excess_factor * *options_.error_limit) * scale())
    throw base::NumericalFailure(
        fmt::format("The motion is unstable: kinetic and potential energy together are {:.3g} times what there can be",
                    1 + relative_to(reading.excess, scale())),
        instant(snapshot), step_advice(snapshot));
}

void Ledger::count(const Reading& reading) {
  const auto raise = [](double& largest, double change) { largest = std::max(largest, std::abs(change)); };
  raise(account_.max_energy_change, reading.total - account_.initial_energy);
  raise(account_.max_trapezoid_change, reading.trapezoid - account_.initial_trapezoid);
  raise(account_.max_error, reading.error);
  raise(account_.max_residual, reading.residual);
  raise(account_.max_excess, std::max(reading.excess, 0.0));
  raise(account_.max_linear_change, reading.linear_change);
  raise(account_.max_angular_change, reading.angular_change);
}

void Ledger::restore(const Account& account) {
  account_ = account;
  last_ = {};
}

bool Ledger::knows_trapezoid(const Snapshot& snapshot) {
  return all_nodal(snapshot) && snapshot.integrator.stride() == 1;
}

double Ledger::scale() const {
  if (options_.is_flux) return std::abs(account_.initial_energy);
  // Where all that ever moves is less than this share of the entries, as of bodies that lie still high above the datum
  // of gravity, an error over it would be round-off over round-off.
  constexpr double negligible = 1e-6;
  return std::max(account_.max_in_motion + (account_.potential_max - account_.potential_min),
                  negligible * account_.largest_entry);
}

double Ledger::max_relative_error() const { return relative_to(account_.max_error, scale()); }
double Ledger::max_relative_residual() const { return relative_to(account_.max_residual, scale()); }
double Ledger::max_relative_change() const { return relative_to(account_.max_energy_change, scale()); }
double Ledger::max_relative_excess() const { return relative_to(account_.max_excess, scale()); }
double Ledger::max_trapezoid_error() const { return relative_to(account_.max_trapezoid_change, scale()); }
double Ledger::max_linear_drift() const { return relative_to(account_.max_linear_change, account_.momentum_scale); }
double Ledger::max_angular_drift() const {
  return relative_to(account_.max_angular_change, account_.momentum_scale * account_.length_scale);
}
double Ledger::relative_error(const Reading& reading) const { return relative_to(reading.error, scale()); }
double Ledger::relative_residual(const Reading& reading) const { return relative_to(reading.residual, scale()); }
double Ledger::linear_drift(const Reading& reading) const {
  return relative_to(reading.linear_change, account_.momentum_scale);
}
double Ledger::angular_drift(const Reading& reading) const {
  return relative_to(reading.angular_change, account_.momentum_scale * account_.length_scale);
}

}  // namespace ictus::observe
