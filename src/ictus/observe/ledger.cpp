// Notation: E stored energy, E₀ its initial value, p momentum.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/observe/ledger.hpp>

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

std::optional<double> over(double value, double scale) {
  return scale > 0 ? std::optional(value / scale) : std::nullopt;
}

/// The largest energy of a reading: what is stored in all, what was lost in all, what came from outside.
double largest_energy(const Reading& reading, double external_work) {
  double stored = 0, lost = 0;
  for (std::size_t i = 0; i < model::Stored::size; ++i)
    stored += std::abs(reading.stored[static_cast<model::Store>(i)]);
  for (std::size_t i = 0; i < model::Lost::size; ++i) lost += std::abs(reading.lost[static_cast<model::Loss>(i)]);
  return std::max({stored, lost, std::abs(external_work)});
}

bool is_finite(const Reading& reading) {
  return std::isfinite(reading.total) && reading.momentum.linear.allFinite() && reading.momentum.angular.allFinite();
}

/// The unknown to blame for an energy that is not finite: the first that is not finite itself, else the largest
/// momentum.
std::size_t worst_unknown(const model::State& state) {
  for (std::size_t k = 0; k < state.q.size(); ++k) {
    if (!std::isfinite(state.q[k]) || !std::isfinite(state.p[k])) return k;
  }
  const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  return static_cast<std::size_t>(std::max_element(state.p.begin(), state.p.end(), smaller) - state.p.begin());
}

std::string place(const Snapshot& snapshot, std::size_t unknown) {
  for (const dynamics::BodyPtr& body : snapshot.system.bodies()) {
    const mechanics::Range range = body->unknowns();
    if (unknown >= range.begin && unknown < range.end())
      return fmt::format("unknown {} of {}", unknown - range.begin, body->name());
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
                               fmt::format("{}, {}", place(snapshot, worst_unknown(snapshot.state)), instant(snapshot)),
                               step_advice(snapshot));
}

/// Whether every unknown belongs to a body with lumped masses and all move by one step, for which the plain trapezoid
/// energy is defined.
bool all_nodal(const Snapshot& snapshot) {
  std::size_t unknowns = 0;
  for (const mechanics::NodalBody* body : snapshot.system.nodal_bodies()) unknowns += body->unknowns().size;
  return unknowns > 0 && unknowns == snapshot.state.q.size() && snapshot.integrator.stride() == 1;
}

/// The largest distance of a moving body's points from the origin.
double reach(const dynamics::System& system, const model::State& state) {
  const std::vector<double> at_rest(state.q.size());
  double squared = 0;
  for (const dynamics::BodyPtr& body : system.bodies()) {
    if (body->unknowns().size == 0) continue;
    for (const Vec3& point : body->frame(state.q, at_rest).points) squared = std::max(squared, point.squaredNorm());
  }
  return std::sqrt(squared);
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
  if (report.lasting.normal_impulse == 0) return;
  total_impulse.add(report.lasting.normal_impulse);
  if (!first_impulse_time) first_impulse_time = report.lasting.time;
  last_impulse_time = report.lasting.time;
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
  archive.number("ledger.initial_trapezoid", initial_trapezoid);
  archive.number("ledger.initial_momentum.linear", initial_momentum.linear);
  archive.number("ledger.initial_momentum.angular", initial_momentum.angular);
  archive.number("ledger.momentum_scale", momentum_scale);
  archive.number("ledger.length_scale", length_scale);
  archive.number("ledger.largest_energy", largest_energy);
  archive.number("ledger.max_energy_change", max_energy_change);
  archive.number("ledger.max_trapezoid_change", max_trapezoid_change);
  archive.number("ledger.max_residual", max_residual);
  archive.number("ledger.max_linear_change", max_linear_change);
  archive.number("ledger.max_angular_change", max_angular_change);
}

void Ledger::begin(const Snapshot& snapshot, const StepReport& report) {
  const model::State initial = snapshot.system.initial_state();
  account_ = {};
  account_.sums.add(report);
  account_.initial_momentum = snapshot.system.momentum(initial.q, initial.p);
  account_.momentum_scale = snapshot.system.momentum_scale(initial.p);
  account_.length_scale = reach(snapshot.system, initial);
  const Reading first = peek(snapshot);
  account_.initial_energy = first.total;
  account_.initial_trapezoid = first.trapezoid;
  last_ = {};
  reading(snapshot);
}

void Ledger::observe(const Snapshot& snapshot, const StepReport& report) {
  account_.sums.add(report);
  if (due(snapshot)) reading(snapshot);
}

std::int64_t Ledger::default_interval(std::size_t unknowns) {
  constexpr std::size_t small = 1000;
  return unknowns <= small ? 1 : static_cast<std::int64_t>(std::max<std::size_t>(100, unknowns / 250));
}

bool Ledger::due(const Snapshot& snapshot) const {
  const std::int64_t every = options_.every ? *options_.every : default_interval(snapshot.system.unknowns());
  return snapshot.state.step % every == 0;
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
  if (all_nodal(snapshot)) {
    const mechanics::PotentialEnergy potential = snapshot.system.trapezoid_energy(state.q, state.p, snapshot.step);
    reading.trapezoid = snapshot.system.kinetic_energy(state.p) + potential.strain + potential.gravity;
  }
  const StepSums& sums = account_.sums;
  for (std::size_t i = 0; i < sums.lost.size(); ++i) reading.lost[static_cast<model::Loss>(i)] = sums.lost[i].value();
  reading.lost[model::Loss::quadrature] += snapshot.integrator.quadrature(snapshot.system, snapshot.step, state);
  reading.residual = (reading.total - account_.initial_energy) + (reading.lost.total() - sums.external_work.value());
  const mechanics::Momentum& initial = account_.initial_momentum;
  reading.linear_change =
      (reading.momentum.linear - initial.linear - value(sums.external_impulse)).cwiseAbs().maxCoeff();
  reading.angular_change =
      (reading.momentum.angular - initial.angular - value(sums.external_moment)).cwiseAbs().maxCoeff();
  return reading;
}

const Reading& Ledger::reading(const Snapshot& snapshot) {
  if (last_.step == snapshot.state.step) return last_;
  const Reading now = peek(snapshot);
  account_.largest_energy = std::max(account_.largest_energy, largest_energy(now, account_.sums.external_work.value()));
  const std::optional<double> residual = relative_residual(now);
  if (options_.residual_limit && residual && *residual > *options_.residual_limit)
    throw base::NumericalFailure(
        fmt::format(
            "The ledger does not close: {:.3g} of the {} energy is unexplained, and limits.energy_residual is {:.3g}",
            *residual, relevant(account_.initial_energy) > 0 ? "initial" : "largest", *options_.residual_limit),
        instant(snapshot), step_advice(snapshot));
  count(now);
  last_ = now;
  return last_;
}

void Ledger::count(const Reading& reading) {
  const auto raise = [](double& largest, double change) { largest = std::max(largest, std::abs(change)); };
  raise(account_.max_energy_change, reading.total - account_.initial_energy);
  raise(account_.max_trapezoid_change, reading.trapezoid - account_.initial_trapezoid);
  raise(account_.max_residual, reading.residual);
  raise(account_.max_linear_change, reading.linear_change);
  raise(account_.max_angular_change, reading.angular_change);
}

void Ledger::restore(const Account& account) {
  account_ = account;
  last_ = {};
}

/// |E₀|, or zero where it is less than a millionth of the largest energy met: an error over it would be round-off over
/// round-off.
double Ledger::relevant(double initial) const {
  constexpr double negligible = 1e-6;
  return std::abs(initial) < negligible * account_.largest_energy ? 0 : std::abs(initial);
}

std::optional<double> Ledger::max_relative_error() const {
  return over(account_.max_energy_change, relevant(account_.initial_energy));
}
std::optional<double> Ledger::max_relative_residual() const {
  const double initial = relevant(account_.initial_energy);
  return over(account_.max_residual, initial > 0 ? initial : account_.largest_energy);
}
std::optional<double> Ledger::max_trapezoid_error() const {
  return over(account_.max_trapezoid_change, relevant(account_.initial_trapezoid));
}
std::optional<double> Ledger::max_linear_drift() const {
  return over(account_.max_linear_change, account_.momentum_scale);
}
std::optional<double> Ledger::max_angular_drift() const {
  return over(account_.max_angular_change, account_.momentum_scale * account_.length_scale);
}
std::optional<double> Ledger::relative_residual(const Reading& reading) const {
  const double initial = relevant(account_.initial_energy);
  return over(std::abs(reading.residual), initial > 0 ? initial : account_.largest_energy);
}
std::optional<double> Ledger::linear_drift(const Reading& reading) const {
  return over(reading.linear_change, account_.momentum_scale);
}
std::optional<double> Ledger::angular_drift(const Reading& reading) const {
  return over(reading.angular_change, account_.momentum_scale * account_.length_scale);
}

}  // namespace ictus::observe
