#include <ictus/dynamics/coupled/linear_stepper.hpp>

#include <algorithm>
#include <ictus/mechanics/frame/beam_frame.hpp>

namespace ictus::dynamics {

using math::Pack;
using mechanics::NodalBody;

namespace {

constexpr std::size_t lanes = Pack::lanes;

/// The dofs of a body with neighbours one after the other, as far as possible.
void add_chains(const NodalBody& body, std::vector<solve::Chain>& chains) {
  const int first = static_cast<int>(body.dofs().begin);
  for (const mechanics::DofLine& line : body.lines()) {
    solve::Chain& chain = chains.emplace_back(solve::Chain{line.components, {}});
    for (const std::size_t k : line.dofs) chain.dofs.push_back(first + static_cast<int>(k));
  }
}

}  // namespace

LinearStepper::LinearStepper(const System& system, std::vector<const NodalBody*> bodies)
    : bodies_(std::move(bodies)), slot_(system.dofs(), -1) {
  std::vector<solve::Chain> chains;
  for (const NodalBody* body : bodies_) add_chains(*body, chains);
  order_ = solve::LaneOrder(chains);
  inverse_mass_.resize(order_.size());
  for (const auto& [k, dof] : order_.seats()) {
    slot_[static_cast<std::size_t>(dof)] = static_cast<int>(k);
    inverse_mass_[k] = system.inverse_mass()[static_cast<std::size_t>(dof)];
  }
  for (solve::LaneVector* values : {&shift_, &next_, &p_, &before_, &start_, &drift_})
    *values = solve::LaneVector(order_.size());
  if (order_.size() > 0) force_.resize(system.dofs());
  for (std::size_t l = 0; l < system.loads().size(); ++l) {
    if (slot_[system.loads()[l].first] >= 0) add_load(system, l);
  }
}

void LinearStepper::add_load(const System& system, std::size_t load) {
  const mechanics::Load& pattern = system.loads()[load];
  std::vector<double> force(inverse_mass_.size()), rate(inverse_mass_.size());
  std::size_t first = force.size(), last = 0;
  for (std::size_t i = 0; i < pattern.force.size(); ++i) {
    if (pattern.force[i] == 0) continue;
    const auto k = static_cast<std::size_t>(slot_[pattern.first + i]);
    force[k] = pattern.force[i];
    rate[k] = pattern.force[i] * inverse_mass_[k];
    first = std::min(first, k / lanes * lanes);
    last = std::max(last, k + 1);
  }
  if (first >= last) return;
  PackedLoad packed{load, first, {}, {}};
  for (std::size_t k = first; k < last; k += lanes) {
    packed.force.push_back(Pack::load(&force[k]));
    packed.rate.push_back(Pack::load(&rate[k]));
  }
  loads_.push_back(std::move(packed));
}

void LinearStepper::set_step(const System& system, double step) {
  step_ = step;
  for (std::size_t k = 0; k < drift_.size(); ++k) drift_[k] = step * inverse_mass_[k];
  std::vector<mechanics::StiffnessEntry> stiffness;
  for (const NodalBody* body : bodies_) body->stiffness(system.initial_state().q, stiffness);
  std::vector<solve::LaneMatrix::Entry> entries;
  for (const auto& [row, column, value] : stiffness) {
    const int here = slot_[static_cast<std::size_t>(row)], there = slot_[static_cast<std::size_t>(column)];
    const std::size_t seen = order_.seen_from(static_cast<std::size_t>(here), static_cast<std::size_t>(there));
    entries.push_back({here, static_cast<int>(seen), -step * value});
  }
  matrix_ = solve::LaneMatrix(drift_.size(), entries);
}

void LinearStepper::begin(const System& system, const model::State& state) {
  for (const NodalBody* body : bodies_) {
    std::fill_n(force_.begin() + static_cast<std::ptrdiff_t>(body->dofs().begin), body->dofs().size, 0.0);
    body->kick(system.exec(), state.q, step_, force_);
  }
  for (const auto& [k, dof] : order_.seats()) {
    start_[k] = force_[static_cast<std::size_t>(dof)];
    p_[k] = state.p[static_cast<std::size_t>(dof)];
  }
  for (std::size_t k = 0; k < drift_.size(); k += lanes) {
    Pack().store(&shift_[k]);
    (Pack::load(&drift_[k]) * Pack::load(&p_[k])).store(&next_[k]);
  }
  for (PackedLoad& packed : loads_) packed.impulse = 0, packed.work = {};
}

void LinearStepper::drift() {
  for (const std::size_t k : touched_) next_[k] = shift_[k] + drift_[k] * p_[k];
  std::swap(shift_, next_);
  for (const auto& [slot, of] : order_.mirrors()) shift_[slot] = shift_[of];
}

void LinearStepper::kick(const exec::Executor& exec, std::span<const double> load_values,
                         std::span<const double> load_values_before) {
  for (PackedLoad& packed : loads_) {
    const double* p = p_.data() + packed.first;
    const std::size_t count = packed.rate.size();
    Pack even, odd;  // two sums, so that one does not wait for the other
    for (std::size_t i = 0; i + 1 < count; i += 2) {
      even += packed.rate[i] * Pack::load(p + i * lanes);
      odd += packed.rate[i + 1] * Pack::load(p + (i + 1) * lanes);
    }
    if (count % 2 == 1) even += packed.rate[count - 1] * Pack::load(p + (count - 1) * lanes);
    packed.work += Pack(0.5 * step_ * (load_values[packed.load] + load_values_before[packed.load])) * (even + odd);
  }
  for (PackedLoad& packed : loads_) {
    double* p = p_.data() + packed.first;
    const double impulse = step_ * load_values[packed.load];
    for (std::size_t i = 0; i < packed.force.size(); ++i)
      (Pack::load(p + i * lanes) + Pack(impulse) * packed.force[i]).store(p + i * lanes);
    packed.impulse += impulse;
  }
  matrix_.kick_and_drift(exec, start_, drift_, shift_, p_, next_);
}

void LinearStepper::end(const System& system, int steps, model::State& state, std::span<double> before,
                        StepReport& report) {
  for (const auto& [k, number] : order_.seats()) {
    const auto dof = static_cast<std::size_t>(number);
    const bool is_held = inverse_mass_[k] == 0;
    state.q[dof] += shift_[k];
    state.p[dof] = is_held ? 0 : p_[k];
    before[dof] = is_held ? 0 : before_[k];
  }
  for (const NodalBody* body : bodies_) {
    report.external_impulse += body->gravity_impulse(state.q, steps * step_);
    for (const int k : body->fixed())
      report.external_impulse +=
          body->support_impulse(k, -p_[static_cast<std::size_t>(slot_[static_cast<std::size_t>(k)])], state.q);
  }
  for (const PackedLoad& packed : loads_) {
    mechanics::Momentum share = system.loads()[packed.load].total;
    share *= packed.impulse;
    report.external_impulse += share;
    report.external_work += sum(packed.work);
  }
}

}  // namespace ictus::dynamics
