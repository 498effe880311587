#include <algorithm>
#include <ictus/dynamics/linear_march.hpp>
#include <ictus/mechanics/beam_frame.hpp>
#include <numeric>

namespace ictus::dynamics {

using mechanics::NodalBody;

namespace {

/// The unknowns of a body, counted from its first, neighbours side by side as far as possible.
std::vector<std::size_t> along_lines(const NodalBody& body) {
  if (const auto* frame = dynamic_cast<const mechanics::BeamFrame*>(&body)) return frame->line_order();
  std::vector<std::size_t> order(body.unknowns().size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

}  // namespace

LinearMarch::LinearMarch(const System& system, std::vector<const NodalBody*> bodies)
    : bodies_(std::move(bodies)), place_(system.unknowns(), -1) {
  for (const NodalBody* body : bodies_) {
    for (const std::size_t k : along_lines(*body)) {
      place_[body->unknowns().begin + k] = static_cast<int>(unknown_.size());
      unknown_.push_back(body->unknowns().begin + k);
    }
    held_.insert(held_.end(), body->fixed().begin(), body->fixed().end());
  }
  const std::size_t n = unknown_.size();
  for (const std::size_t k : unknown_) inverse_mass_.push_back(system.inverse_mass()[k]);
  for (solve::LaneVector* values : {&shift_, &next_, &p_, &before_, &start_, &drift_}) *values = solve::LaneVector(n);
  if (n > 0) force_.resize(system.unknowns());
  for (std::size_t l = 0; l < system.loads().size(); ++l) {
    if (place_[system.loads()[l].first] >= 0) add_push(system, l);
  }
}

void LinearMarch::add_push(const System& system, std::size_t load) {
  const mechanics::Load& given = system.loads()[load];
  std::size_t first = unknown_.size(), last = 0;
  const auto for_each = [&](auto&& f) {
    for (std::size_t i = 0; i < given.force.size(); ++i) {
      if (given.force[i] != 0) f(static_cast<std::size_t>(place_[given.first + i]), given.force[i]);
    }
  };
  for_each([&](std::size_t k, double) { first = std::min(first, k), last = std::max(last, k + 1); });
  if (first >= last) return;
  Push push{load, first, std::vector<double>(last - first), std::vector<double>(last - first)};
  for_each([&](std::size_t k, double force) {
    push.force[k - first] += force;
    push.rate[k - first] += force * inverse_mass_[k];
  });
  pushes_.push_back(std::move(push));
}

void LinearMarch::set_step(const System& system, double step) {
  step_ = step;
  for (std::size_t k = 0; k < drift_.size(); ++k) drift_[k] = step * inverse_mass_[k];
  std::vector<mechanics::StiffnessEntry> stiffness;
  for (const NodalBody* body : bodies_) body->stiffness(system.initial_state().q, stiffness);
  std::vector<solve::LaneMatrix::Entry> entries;
  for (const auto& [row, column, value] : stiffness)
    entries.push_back({place_[static_cast<std::size_t>(row)], place_[static_cast<std::size_t>(column)], -step * value});
  matrix_ = solve::LaneMatrix(unknown_.size(), entries);
}

void LinearMarch::begin(const System& system, const model::State& state) {
  for (const NodalBody* body : bodies_) {
    std::fill_n(force_.begin() + static_cast<std::ptrdiff_t>(body->unknowns().begin), body->unknowns().size, 0.0);
    body->kick(system.exec(), state.q, step_, force_);
  }
  for (std::size_t k = 0; k < unknown_.size(); ++k) {
    start_[k] = force_[unknown_[k]];
    p_[k] = state.p[unknown_[k]];
    shift_[k] = 0;
    next_[k] = drift_[k] * p_[k];
  }
  for (Push& push : pushes_) push.impulse = 0;
}

void LinearMarch::drift() {
  for (const std::size_t k : touched_) next_[k] = shift_[k] + drift_[k] * p_[k];
  std::swap(shift_, next_);
}

double LinearMarch::kick(const exec::Executor& exec, std::span<const double> load_values,
                         std::span<const double> load_values_before) {
  double work = 0;
  for (const Push& push : pushes_) {
    const double *p = p_.data() + push.first, *weights = push.rate.data();
    const double rate = exec::sum_lanes(0, push.rate.size(), [=](std::size_t k) { return weights[k] * p[k]; });
    work += 0.5 * step_ * (load_values[push.load] + load_values_before[push.load]) * rate;
  }
  for (Push& push : pushes_) {
    double* p = p_.data() + push.first;
    const double *force = push.force.data(), impulse = step_ * load_values[push.load];
    for (std::size_t k = 0; k < push.force.size(); ++k) p[k] += impulse * force[k];
    push.impulse += impulse;
  }
  matrix_.march(exec, start_, drift_, shift_, p_, next_);
  return work;
}

void LinearMarch::end(const System& system, int steps, model::State& state, std::span<double> before,
                      StepReport& report) {
  for (std::size_t k = 0; k < unknown_.size(); ++k) {
    const bool is_held = inverse_mass_[k] == 0;
    state.q[unknown_[k]] += shift_[k];
    state.p[unknown_[k]] = is_held ? 0 : p_[k];
    before[unknown_[k]] = is_held ? 0 : before_[k];
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
  }
}

}  // namespace ictus::dynamics
