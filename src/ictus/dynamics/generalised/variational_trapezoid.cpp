// Notation: q coordinates, p⁻ p⁺ momenta before and after the impulses P of a node, v± = M⁻¹p±, u velocity of an
// interval, w contact directions, ε restitution, h step.
#include <ictus/dynamics/generalised/variational_trapezoid.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/dynamics/system/without_rounding.hpp>

namespace ictus::dynamics {

using model::Loss;
using model::State;

namespace {

constexpr const char* smaller_step = "Try a smaller time.step";
constexpr const char* no_impulses = "No impulses of the closed contacts obey the laws of restitution and friction";
/// Passes over impulses and interval velocity: each gains a factor of order h |ω|.
constexpr int max_passes = 50;
/// Relative, in the energy norm: far below what the next pass could change visibly.
constexpr double settled = 1e-26;
/// What the last pass still changes by less than this, in the same norm, is rounding.
constexpr double rounding = 1e-22;
/// Where the two conditions of the law of momenta ask for the same impulse to this share, the contact is at rest.
constexpr double tie = 1e-6;
/// In State::memory, of a contact that is closed because rest, and no impact, decided about it.
constexpr double at_rest_before = 2;

}  // namespace

Capabilities VariationalTrapezoid::capabilities() const {
  return {.friction = true,
          .restitution_max = 1,
          .losses = {Loss::restitution, Loss::friction, Loss::damping, Loss::quadrature, Loss::solver}};
}

void VariationalTrapezoid::step_body(GeneralisedMember& member, double h, State& state, StepReport& report) {
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
    book_interval(member, state, report);
    contacts_.add(impulse_, end_.first);
    body.add_momentum_in_space(q, std::span(end_.first).first(n), report.external_impulse);
    copy_entries(end_.q, q, n);
    copy_entries(end_.p, p, n);
    copy_entries(u_, u, n);
    body.add_momentum_in_space(q, std::span(end_.last).first(n), report.external_impulse);
  });
}

void VariationalTrapezoid::solve_interval(GeneralisedMember& member, double h, const State& state, StepReport& report) {
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
void VariationalTrapezoid::respond(Size n, GeneralisedMember& member, double h, const State& state,
                                   StepReport& report) {
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
  for (int pass = 0; pass < max_passes; ++pass) {
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
    const double left = contacts_.difference_sq(impulse_, before), size = contacts_.difference_sq(impulse_, {});
    if (left <= settled * size) break;
    if (pass + 1 == max_passes && left > rounding * size) report.accept_unconverged(std::sqrt(left / size));
    before = impulse_;
  }
  for (std::size_t i = 0; i < n; ++i) {
    u_[i] = without_rounding(u_[i], std::abs(free_u[i]) + std::abs(jump[i]));
  }
  contacts_.rates(u_, rates_.next);
}

/// ξ − D P of each row, D = wᵀM⁻¹w, so that ξ = D P + this [eq. moreau-variational-8].
void VariationalTrapezoid::set_free_rates() {
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
    at_rest_[static_cast<std::size_t>(i)] = rest <= impact + tie * (std::abs(rest) + std::abs(impact));
    contacts_.free(normal) = std::min(impact, rest);
    for (const int row : {normal + 1, normal + 2}) {
      contacts_.free(row) =
          at_rest_[static_cast<std::size_t>(i)] ? resting(row) : (1 + law.tangential_restitution) * rates_.minus[row];
    }
  }
}

/// What impulse i took under the names of its law. The law of momenta speaks of the velocities of the node, whose sum
/// is all that an impulse can work on; the law of the paper of the u before and after.
ContactWork VariationalTrapezoid::work_at(int i, const State& state) const {
  const auto triple = [&](const Rows& rows) { return solve::Local{rows[3 * i], rows[3 * i + 1], rows[3 * i + 2]}; };
  const ContactLaw& law = contacts_.law(i);
  const solve::Local r = triple(impulse_);
  const auto returned = [&](const solve::Local& u) {
    return solve::Local{law.restitution * u.x, law.tangential_restitution * u.y, law.tangential_restitution * u.z};
  };
  if (law_ == ImpactLaw::paper) {
    const solve::Local before = triple(rates_.previous);
    return work_of(law.cone, r, before, triple(rates_.next), returned(before), ContactRule::impact, false);
  }
  const solve::Local before = triple(rates_.minus), after = triple(rates_.plus);
  if (!at_rest_[static_cast<std::size_t>(i)]) {
    return work_of(law.cone, r, before, after, returned(before), ContactRule::impact, false);
  }
  const auto pair = static_cast<std::size_t>(law.pair);
  const double* last = &state.memory[contact_impulse].values[3 * pair];
  const bool lasts = state.memory[contact_closed].values[pair] == at_rest_before;
  return work_of(law.cone, r, before, after, triple(rates_.next) - after,
                 lasts ? ContactRule::hold : ContactRule::impact,
                 lasts && sticks(law.cone, {last[0], last[1], last[2]}) && sticks(law.cone, r));
}

/// The work of an impulse at its node is ½ P·(w·v⁺ + w·v⁻). Where the law of the paper looks at the u before and after
/// instead, the difference of the two velocities is the scheme's own error [eq. moreau-variational-13].
void VariationalTrapezoid::book(const GeneralisedMember& member, double time, State& state, StepReport& report) {
  std::array<double, GeneralisedContacts::max_count> lost{};
  for (int i = 0; i < contacts_.size(); ++i) {
    if (impulse_[3 * i] == 0) continue;
    const ContactWork work = work_at(i, state);
    report.lost[Loss::restitution] += work.restitution;
    report.lost[Loss::friction] += work.friction;
    report.lost[Loss::quadrature] += work.quadrature;
    report.lost[Loss::solver] += work.solver;
    double& all = lost[static_cast<std::size_t>(i)] = work.total();
    if (law_ == ImpactLaw::momentum) continue;
    double unseen = 0;
    for (int row = 3 * i; row < 3 * i + 3; ++row) {
      unseen -=
          0.5 * impulse_[row] * ((rates_.minus[row] + rates_.plus[row]) - (rates_.previous[row] + rates_.next[row]));
    }
    report.lost[Loss::quadrature] += unseen;
    all += unseen;
  }
  record_.add(member, contacts_, impulse_, lost, time, state, report);
  for (int i = 0; i < contacts_.size(); ++i) {
    double& closed = state.memory[contact_closed].values[static_cast<std::size_t>(contacts_.law(i).pair)];
    if (closed > 0 && at_rest_[static_cast<std::size_t>(i)]) closed = at_rest_before;
  }
}

/// What the energy of the body grew by without work, and what damping took, since it was reported last: in the middle
/// of the interval before, or at the node for a constant mass matrix.
void VariationalTrapezoid::book_interval(const GeneralisedMember& member, State& state, StepReport& report) const {
  double* before = &state.memory[second_half].values[2 * member.number];
  report.lost[Loss::quadrature] -= before[0] + end_.unseen;
  report.lost[Loss::damping] += before[1] + end_.damped_first;
  before[0] = end_.unseen_after;
  before[1] = end_.damped_last;
}

model::Stored VariationalTrapezoid::energy(const System&, double h, const State& state) const {
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

void VariationalTrapezoid::velocity(const System& system, double, const State& state, std::span<double> v) const {
  generalised_velocity(system, state, v);
}

}  // namespace ictus::dynamics
