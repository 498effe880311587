#include <ictus/run/simulation.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ictus/base/nearest.hpp>
#include <ictus/dynamics/system/dof_name.hpp>
#include <ictus/mechanics/generalised/generalised_body.hpp>
#include <ictus/model/rigid_frame.hpp>
#include <ictus/run/resumed_state.hpp>
#include <limits>

namespace ictus::run {

namespace {

[[noreturn]] void refuse(std::string key, std::string message) {
  throw base::InputError({"", 0, std::move(key), std::move(message)});
}

void require_finite(const dynamics::System& system, std::span<const double> values, const char* what) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k]))
      refuse(what, fmt::format("must be finite numbers, not {} at {}", values[k], dynamics::dof_name(system, k)));
  }
}

/// The momenta of velocities v at q.
void momenta_of(const dynamics::System& system, std::span<double> q, std::span<const double> v, std::span<double> p) {
  for (const dynamics::BodyPtr& body : system.bodies()) {
    const mechanics::Range range = body->dofs();
    if (const auto* generalised = body->generalised()) {
      mechanics::Inertia inertia{};
      generalised->inertia(generalised->part(q), generalised->part(v), inertia);
      std::copy_n(inertia.momentum.begin(), range.size, p.begin() + static_cast<std::ptrdiff_t>(range.begin));
    } else if (const auto* nodal = body->nodal()) {
      for (std::size_t i = 0; i < range.size; ++i) p[range.begin + i] = nodal->mass()[i] * v[range.begin + i];
      for (const int k : nodal->fixed()) p[static_cast<std::size_t>(k)] = 0;
      constexpr std::size_t dofs = model::RigidFrame::dofs, turn = model::RigidFrame::angular;
      for (std::size_t k = range.begin; nodal->turns() && k < range.end(); k += dofs) {
        Eigen::Map<Eigen::Vector4d> quaternion(&q[k + turn]);
        if (quaternion.norm() == 0)
          refuse("positions", fmt::format("have a quaternion of zeros, at {}", dynamics::dof_name(system, k + turn)));
        quaternion.normalize();
        p[k + dofs - 1] = 0;
      }
    } else if (range.size > 0) {
      refuse("positions", fmt::format("and velocities of {} can be read only: its integrator needs two instants of its "
                                      "motion to begin with",
                                      body->name()));
    }
  }
}

}  // namespace

double Energies::error() const {
  const double own = lost[model::Loss::quadrature] + lost[model::Loss::control] + lost[model::Loss::joint] +
                     std::min(lost[model::Loss::interface], 0.0);
  return total() - external_work + lost.total() - own - initial;
}

Simulation::Simulation(const scene::Document& scene, const build::Own& own, int threads)
    : built_(std::make_unique<build::Simulation>(build::build(scene, threads, own))),
      gaps_(built_->system),
      contact_forces_(gaps_.size()) {
  built_->integrator->prepare(system());
  state_ = system().initial_state();
  begin(built_->integrator->start(system(), built_->step, state_));
}

/// A motion begins with the report of Integrator::start.
void Simulation::begin(dynamics::StepReport report) {
  report_ = std::move(report);
  sums_.add(report_);
  initial_energy_ = built_->integrator->energy(system(), built_->step, state_).total();
  taken_before_ = system().dissipated(state_.q);
  bring_up_to_date();
}

const dynamics::StepReport& Simulation::step(std::int64_t count, const std::function<bool()>& stop) {
  if (count < 1) refuse("step", fmt::format("must be at least 1, not {}", count));
  if (failed_) refuse("step", "cannot go on after a failure; restore a saved state first");
  take_written();
  std::fill(contact_forces_.begin(), contact_forces_.end(), 0.0);
  failed_ = true;  // unless all goes well
  const std::int64_t before = state_.step;
  const double began = state_.time;
  for (std::int64_t i = 0; i < count; ++i) {
    if (stop && i > 0 && stop()) break;
    report_ = built_->integrator->step(system(), built_->step, state_);
    sums_.add(report_);
    for (const dynamics::Impulse& impulse : report_.impulses)
      contact_forces_[gaps_.contact_of(impulse.pair)] += impulse.normal_impulse;
    for (dynamics::Observer* observer : observers_) observer->observe(snapshot(), report_);
  }
  failed_ = false;
  const double duration =
      built_->integrator->follows() ? state_.time - began : static_cast<double>(state_.step - before) * built_->step;
  for (double& force : contact_forces_) force /= duration;
  bring_up_to_date();
  return report_;
}

void Simulation::run_until(double time) {
  // Steps that follow may be shorter than they are at most.
  while (const std::int64_t count = steps_until(time)) step(count);
}

std::int64_t Simulation::steps_until(double time) const {
  if (!std::isfinite(time)) refuse("time", fmt::format("must be a finite number, not {}", time));
  const double left = (time - state_.time) / built_->step;
  if (left < 1e-9) return 0;
  if (left > 9e15) refuse("time", fmt::format("of {:g} s is more steps away than can be counted", time));
  return static_cast<std::int64_t>(std::ceil(left - 1e-9));
}

std::span<double> Simulation::positions() {
  if (known_positions_.empty()) known_positions_ = state_.q;
  return std::span(state_.q).first(system().dofs());  // behind them is what materials remember
}

std::span<double> Simulation::velocities() {
  if (velocities_.empty()) {
    velocities_.resize(state_.p.size());
    positions();  // a new motion needs both
    bring_up_to_date();
  }
  return velocities_;
}

mechanics::Range Simulation::dofs(std::string_view body) const {
  if (const mechanics::Body* found = system().find_body(body)) return found->dofs();
  std::vector<std::string> names;
  for (const dynamics::BodyPtr& one : system().bodies()) names.push_back(one->name());
  const auto near = base::nearest(body, names);
  refuse("body", fmt::format("no body is named '{}'{}", body,
                             near ? fmt::format(", did you mean '{}'?", *near)
                                  : fmt::format(", the bodies are {}", fmt::join(names, ", "))));
}

void Simulation::restore(const model::State& state) {
  model::State fresh = system().initial_state();
  built_->integrator->prepare(system());
  built_->integrator->start(system(), built_->step, fresh);
  check_resumed_state(fresh, std::numeric_limits<std::int64_t>::max(), "the state", state);
  built_->integrator->prepare(system());  // as if it had not begun
  std::copy(state.q.begin(), state.q.end(), state_.q.begin());
  std::copy(state.p.begin(), state.p.end(), state_.p.begin());
  state_.memory = state.memory;
  state_.time = state.time;
  state_.step = state.step;
  failed_ = false;
  sums_ = {};
  quadrature_before_ = -built_->integrator->quadrature(system(), built_->step, state_);
  std::fill(contact_forces_.begin(), contact_forces_.end(), 0.0);
  begin({});
}

Energies Simulation::energies() const {
  Energies energies;
  energies.stored = built_->integrator->energy(system(), built_->step, state_);
  const model::Lost taken = system().dissipated(state_.q);
  for (std::size_t i = 0; i < model::Lost::size; ++i) {
    const auto loss = static_cast<model::Loss>(i);
    energies.lost[loss] = sums_.lost[i].value() + taken[loss] - taken_before_[loss];
  }
  energies.lost[model::Loss::quadrature] += quadrature();
  energies.external_work = sums_.external_work.value();
  energies.initial = initial_energy_;
  return energies;
}

double Simulation::quadrature() const {
  return quadrature_before_ + built_->integrator->quadrature(system(), built_->step, state_);
}

std::span<const double> Simulation::gaps() { return gaps_.measure(system(), state_); }

void Simulation::watch(dynamics::Observer& observer) {
  observers_.push_back(&observer);
  observer.begin(snapshot(), report_);
}

void Simulation::bring_up_to_date() {
  if (!known_positions_.empty()) known_positions_ = state_.q;
  if (velocities_.empty()) return;
  built_->integrator->velocity(system(), built_->step, state_, velocities_);
  known_velocities_ = velocities_;
}

void Simulation::take_written() {
  // Bits, not values: what is not a number must be found, too.
  const auto same = [](const std::vector<double>& a, const std::vector<double>& b) {
    return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
  };
  const bool moved = !known_positions_.empty() && !same(state_.q, known_positions_);
  if (!moved && same(velocities_, known_velocities_)) return;
  try {
    start_from_written();
  } catch (const base::InputError&) {
    std::copy(known_positions_.begin(), known_positions_.end(), state_.q.begin());
    std::copy(known_velocities_.begin(), known_velocities_.end(), velocities_.begin());
    throw;
  }
}

/// Starts the integrator from q and the velocities at the present time.
void Simulation::start_from_written() {
  require_finite(system(), positions(), "positions");
  require_finite(system(), velocities_, "velocities");
  model::State before = state_;
  before.q = known_positions_;
  std::vector<double> written_q = state_.q, v = velocities_, p(state_.p.size());
  if (v.empty()) {
    v.resize(before.p.size());
    built_->integrator->velocity(system(), built_->step, before, v);
  }
  momenta_of(system(), written_q, v, p);
  const double energy_before = built_->integrator->energy(system(), built_->step, before).total();
  const mechanics::Momentum momentum_before = system().momentum(before.q, before.p);
  quadrature_before_ += built_->integrator->quadrature(system(), built_->step, before);

  std::copy(written_q.begin(), written_q.end(), state_.q.begin());
  std::copy(p.begin(), p.end(), state_.p.begin());
  built_->integrator->prepare(system());
  dynamics::StepReport report = built_->integrator->start(system(), built_->step, state_);
  const mechanics::Momentum momentum_now = system().momentum(state_.q, state_.p);
  report.external_work = built_->integrator->energy(system(), built_->step, state_).total() - energy_before;
  report.external_impulse = {momentum_now.linear - momentum_before.linear,
                             momentum_now.angular - momentum_before.angular};
  for (std::size_t i = 0; i < model::Lost::size; ++i) report.lost[static_cast<model::Loss>(i)] = 0;
  sums_.add(report);
}

}  // namespace ictus::run
