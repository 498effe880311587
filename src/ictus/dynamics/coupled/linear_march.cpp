#include <ictus/dynamics/coupled/linear_march.hpp>

#include <algorithm>
#include <ictus/mechanics/frame/beam_frame.hpp>

namespace ictus::dynamics {

using math::Pack;
using mechanics::NodalBody;

namespace {

constexpr std::size_t lanes = Pack::lanes;

/// The unknowns of a body with neighbours one after the other, as far as possible.
void add_chains(const NodalBody& body, std::vector<solve::Chain>& chains) {
  const int first = static_cast<int>(body.unknowns().begin);
  for (const mechanics::UnknownLine& line : body.lines()) {
    solve::Chain& chain = chains.emplace_back(solve::Chain{line.components, {}});
    for (const std::size_t k : line.unknowns) chain.unknowns.push_back(first + static_cast<int>(k));
  }
}

}  // namespace

LinearMarch::LinearMarch(const System& system, std::vector<const NodalBody*> bodies)
    : bodies_(std::move(bodies)), place_(system.unknowns(), -1) {
  std::vector<solve::Chain> chains;
  for (const NodalBody* body : bodies_) add_chains(*body, chains);
  order_ = solve::LaneOrder(chains);
  inverse_mass_.resize(order_.size());
  for (const auto& [k, unknown] : order_.seats()) {
    place_[static_cast<std::size_t>(unknown)] = static_cast<int>(k);
    inverse_mass_[k] = system.inverse_mass()[static_cast<std::size_t>(unknown)];
  }
  for (solve::LaneVector* values : {&shift_, &next_, &p_, &before_, &start_, &drift_})
    *values = solve::LaneVector(order_.size());
  if (order_.size() > 0) force_.resize(system.unknowns());
  for (std::size_t l = 0; l < system.loads().size(); ++l) {
    if (place_[system.loads()[l].first] >= 0) add_push(system, l);
  }
}

void LinearMarch::add_push(const System& system, std::size_t load) {
  const mechanics::Load& given = system.loads()[load];
  std::vector<double> force(inverse_mass_.size()), rate(inverse_mass_.size());
  std::size_t first = force.size(), last = 0;
  for (std::size_t i = 0; i < given.force.size(); ++i) {
    if (given.force[i] == 0) continue;
    const auto k = static_cast<std::size_t>(place_[given.first + i]);
    force[k] = given.force[i];
    rate[k] = given.force[i] * inverse_mass_[k];
    first = std::min(first, k / lanes * lanes);
    last = std::max(last, k + 1);
  }
  if (first >= last) return;
  Push push{load, first, {}, {}};
  for (std::size_t k = first; k < last; k += lanes) {
    push.force.push_back(Pack::load(&force[k]));
    push.rate.push_back(Pack::load(&rate[k]));
  }
  pushes_.push_back(std::move(push));
}

void LinearMarch::set_step(const System& system, double step) {
  step_ = step;
  for (std::size_t k = 0; k < drift_.size(); ++k) drift_[k] = step * inverse_mass_[k];
  std::vector<mechanics::StiffnessEntry> stiffness;
  for (const NodalBody* body : bodies_) body->stiffness(system.initial_state().q, stiffness);
  std::vector<solve::LaneMatrix::Entry> entries;
  for (const auto& [row, column, value] : stiffness) {
    const int here = place_[static_cast<std::size_t>(row)], there = place_[static_cast<std::size_t>(column)];
    const std::size_t seen = order_.seen_from(static_cast<std::size_t>(here), static_cast<std::size_t>(there));
    entries.push_back({here, static_cast<int>(seen), -step * value});
  }
  matrix_ = solve::LaneMatrix(drift_.size(), entries);
}

void LinearMarch::begin(const System& system, const model::State& state) {
  for (const NodalBody* body : bodies_) {
    std::fill_n(force_.begin() + static_cast<std::ptrdiff_t>(body->unknowns().begin), body->unknowns().size, 0.0);
    body->kick(system.exec(), state.q, step_, force_);
  }
  for (const auto& [k, unknown] : order_.seats()) {
    start_[k] = force_[static_cast<std::size_t>(unknown)];
    p_[k] = state.p[static_cast<std::size_t>(unknown)];
  }
  for (std::size_t k = 0; k < drift_.size(); k += lanes) {
    Pack().store(&shift_[k]);
    (Pack::load(&drift_[k]) * Pack::load(&p_[k])).store(&next_[k]);
  }
  for (Push& push : pushes_) push.impulse = 0, push.work = {};
}

void LinearMarch::drift() {
  for (const std::size_t k : touched_) next_[k] = shift_[k] + drift_[k] * p_[k];
  std::swap(shift_, next_);
  for (const auto& [place, of] : order_.mirrors()) shift_[place] = shift_[of];
}

void LinearMarch::kick(const exec::Executor& exec, std::span<const double> load_values,
                       std::span<const double> load_values_before) {
  for (Push& push : pushes_) {
    const double* p = p_.data() + push.first;
    const std::size_t count = push.rate.size();
    Pack even, odd;  // two sums, so that one does not wait for the other
    for (std::size_t i = 0; i + 1 < count; i += 2) {
      even += push.rate[i] * Pack::load(p + i * lanes);
      odd += push.rate[i + 1] * Pack::load(p + (i + 1) * lanes);
    }
    if (count % 2 == 1) even += push.rate[count - 1] * Pack::load(p + (count - 1) * lanes);
    push.work += Pack(0.5 * step_ * (load_values[push.load] + load_values_before[push.load])) * (even + odd);
  }
  for (Push& push : pushes_) {
    double* p = p_.data() + push.first;
    const double impulse = step_ * load_values[push.load];
    for (std::size_t i = 0; i < push.force.size(); ++i)
      (Pack::load(p + i * lanes) + Pack(impulse) * push.force[i]).store(p + i * lanes);
    push.impulse += impulse;
  }
  matrix_.march(exec, start_, drift_, shift_, p_, next_);
}

void LinearMarch::end(const System& system, int steps, model::State& state, std::span<double> before,
                      StepReport& report) {
  for (const auto& [k, number] : order_.seats()) {
    const auto unknown = static_cast<std::size_t>(number);
    const bool is_held = inverse_mass_[k] == 0;
    state.q[unknown] += shift_[k];
    state.p[unknown] = is_held ? 0 : p_[k];
    before[unknown] = is_held ? 0 : before_[k];
  }
  for (const NodalBody* body : bodies_) {
    report.external_impulse += body->gravity_impulse(state.q, steps * step_);
    for (const int k : body->fixed())
      report.external_impulse +=
          body->support_impulse(k, -p_[static_cast<std::size_t>(place_[static_cast<std::size_t>(k)])], state.q);
  }
  for (const Push& push : pushes_) {
    mechanics::Momentum share = system.loads()[push.load].total;
    share *= push.impulse;
    report.external_impulse += share;
    report.external_work += sum(push.work);
  }
}

}  // namespace ictus::dynamics
