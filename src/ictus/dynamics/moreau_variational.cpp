// Notation: q coordinates, p⁻ p⁺ momenta before and after the impulses P of a node, v± = M⁻¹p±, u velocity of an
// interval, w contact directions, ε restitution, h step.
#include <algorithm>
#include <cmath>
#include <ictus/dynamics/moreau_variational.hpp>
#include <ictus/dynamics/without_rounding.hpp>

namespace ictus::dynamics {

using model::Loss;
using model::State;

namespace {

constexpr const char* smaller_step = "Try a smaller time.step";
constexpr const char* no_impulses = "No impulses of the closed contacts obey the laws of restitution and friction";
/// Passes over impulses and interval velocity: each gains a factor of order h |ω|.
constexpr int most_passes = 50;
/// Relative, in the energy norm: far below what the next pass could change visibly.
constexpr double settled = 1e-26;
/// Where the two conditions of the law of momenta ask for the same impulse to this share, the contact is at rest.
constexpr double tie = 1e-6;

}  // namespace

Capabilities MoreauVariational::capabilities() const {
  Capabilities can{
      .friction = true, .restitution_max = 1, .losses = {Loss::restitution, Loss::friction, Loss::damping}};
  if (law_ == ImpactLaw::paper) can.losses.push_back(Loss::law);
  return can;
}

void MoreauVariational::step_body(GeneralisedMember& member, double h, State& state, StepReport& report) {
  const mechanics::GeneralisedBody& body = member.motion.body();
  const auto q = body.part(std::span(state.q)), p = body.part(std::span(state.p));
  const auto u = body.part(std::span(state.memory[interval_velocity].values));
  if (!contacts_.find(body, q, member.laws)) {
    fail_generalised("More contacts close at once than can be solved together", body, state.time, smaller_step);
  }
  with_size(q.size(), [&](auto n) {
    copy_entries(u, u_, n);
    copy_entries(p, p_plus_, n);
    if (contacts_.size() == 0) {
      solve_interval(member, h, state, report);
    } else {
      respond(n, member, h, state, report);
    }
    book(member, state.time, state, report);
    member.motion.finish(q, std::span(p_plus_).first(n), h, u_, end_);
    require_finite_motion(body, end_.q, end_.p, state.time);
    report.lost[Loss::damping] += end_.damped;
    contacts_.add(impulse_, end_.first);
    body.add_momentum_in_space(q, std::span(end_.first).first(n), report.external_impulse);
    copy_entries(end_.q, q, n);
    copy_entries(end_.p, p, n);
    copy_entries(u_, u, n);
    body.add_momentum_in_space(q, std::span(end_.last).first(n), report.external_impulse);
  });
}

void MoreauVariational::solve_interval(GeneralisedMember& member, double h, const State& state, StepReport& report) {
  const mechanics::GeneralisedBody& body = member.motion.body();
  const int iterations =
      member.motion.interval(body.part(std::span(state.q)), std::span(p_plus_).first(member.motion.size()), h, u_);
  if (iterations == 0) fail_generalised("Newton's method finds no next step", body, state.time, smaller_step);
  report.iterations = std::max(report.iterations, iterations);
}

/// P, p⁺ and u of a node with closed contacts. The law is linear in P up to the shift w·(u − v⁺), which depends on P
/// only by terms of order h, and not at all for a constant mass matrix: it is found by repetition
/// [eq. moreau-variational-11].
template <class Size>
void MoreauVariational::respond(Size n, GeneralisedMember& member, double h, const State& state, StepReport& report) {
  GeneralisedMotion& motion = member.motion;
  const mechanics::GeneralisedBody& body = motion.body();
  const auto p = body.part(std::span(state.p));
  if (law_ == ImpactLaw::paper) contacts_.rates(u_, rates_.previous);
  copy_entries(u_, v_minus_, n);
  if (!motion.velocity(body.part(std::span(state.q)), p, v_minus_)) {
    fail_generalised("The mass matrix is singular", body, state.time, smaller_step);
  }
  contacts_.condense(motion);
  contacts_.rates(v_minus_, rates_.minus);
  contacts_.rates(v_minus_, rates_.plus);
  solve_interval(member, h, state, report);
  Vector free_u, jump;
  copy_entries(u_, free_u, n);
  Rows before{};
  recall_impulses(contacts_, state, impulse_);
  for (int pass = 0; pass < most_passes; ++pass) {
    contacts_.rates(u_, rates_.next);
    set_free_rates();
    if (!contacts_.solve(impulse_)) fail_generalised(no_impulses, body, state.time, smaller_step);
    for (std::size_t i = 0; i < n; ++i) jump[i] = 0;
    contacts_.add_velocity(impulse_, jump);
    contacts_.rates(jump, rates_.plus);
    for (int row = 0; row < contacts_.rows(); ++row) rates_.plus[row] += rates_.minus[row];
    copy_entries(p, p_plus_, n);
    contacts_.add(impulse_, p_plus_);
    if (motion.constant()) {
      for (std::size_t i = 0; i < n; ++i) u_[i] = free_u[i] + jump[i];
      break;
    }
    solve_interval(member, h, state, report);
    if (contacts_.difference_sq(impulse_, before) <= settled * contacts_.difference_sq(impulse_, {})) break;
    before = impulse_;
  }
  for (std::size_t i = 0; i < n; ++i) {
    u_[i] = without_rounding(u_[i], std::abs(free_u[i]) + std::abs(jump[i]));
  }
  if (law_ == ImpactLaw::paper) contacts_.rates(u_, rates_.next);
}

/// ξ − D P of each row, D = wᵀM⁻¹w, so that ξ = D P + this [eq. moreau-variational-8].
void MoreauVariational::set_free_rates() {
  for (int i = 0; i < contacts_.size(); ++i) {
    const ContactLaw& law = contacts_.law(i);
    const auto resting = [&](int row) { return rates_.minus[row] + (rates_.next[row] - rates_.plus[row]); };
    const int normal = 3 * i;
    if (law_ == ImpactLaw::paper) {
      contacts_.free(normal) = resting(normal) + law.restitution * rates_.previous[normal];
      for (const int row : {normal + 1, normal + 2}) {
        contacts_.free(row) = resting(row) + law.tangential_restitution * rates_.previous[row];
      }
      continue;
    }
    const double impact = (1 + law.restitution) * rates_.minus[normal], rest = resting(normal);
    const bool at_rest = rest <= impact + tie * (std::abs(rest) + std::abs(impact));
    contacts_.free(normal) = std::min(impact, rest);
    for (const int row : {normal + 1, normal + 2}) {
      contacts_.free(row) = at_rest ? resting(row) : (1 + law.tangential_restitution) * rates_.minus[row];
    }
  }
}

/// The work of an impulse at its node is ½ P·(w·v⁺ + w·v⁻). The law of the paper looks at the u before and after
/// instead: what it means to lose stands under the names of the law, the rest is what the law costs
/// [eq. moreau-variational-13].
void MoreauVariational::book(const GeneralisedMember& member, double time, State& state, StepReport& report) {
  std::array<double, GeneralisedContacts::most> lost{};
  for (int row = 0; row < contacts_.rows(); ++row) {
    if (impulse_[row] == 0) continue;
    const double at_node = -0.5 * impulse_[row] * (rates_.minus[row] + rates_.plus[row]);
    const double meant =
        law_ == ImpactLaw::momentum ? at_node : -0.5 * impulse_[row] * (rates_.previous[row] + rates_.next[row]);
    report.lost[row % 3 == 0 ? Loss::restitution : Loss::friction] += meant;
    report.lost[Loss::law] += at_node - meant;
    lost[static_cast<std::size_t>(row / 3)] += at_node;
  }
  record_.add(member, contacts_, impulse_, lost, time, state, report);
}

model::Stored MoreauVariational::energy(const System&, double h, const State& state) const {
  model::Stored stored;
  for (const GeneralisedMember& member : members_) {
    const mechanics::GeneralisedBody& body = member.motion.body();
    const auto q = body.part(std::span(state.q));
    Vector at{}, v{};
    std::copy(q.begin(), q.end(), at.begin());
    if (body.constant_inertia() || state.step == 0) {
      node_velocity(body, state, v);
    } else {
      const auto u = body.part(std::span(state.memory[interval_velocity].values));
      for (std::size_t i = 0; i < q.size(); ++i) {
        v[i] = u[i];
        at[i] -= h / 2 * u[i];
      }
    }
    add_energy(body, at, v, stored);
  }
  return stored;
}

void MoreauVariational::velocity(const System& system, double, const State& state, std::span<double> v) const {
  generalised_velocity(system, state, v);
}

}  // namespace ictus::dynamics
