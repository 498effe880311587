#include <ictus/solve/cone/rigid_contacts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/math/pack_transpose.hpp>
#include <limits>

namespace ictus::solve {

namespace {

double lowest(const Vec& x) { return std::min({x.x, x.y, x.z}); }
double highest(const Vec& x) { return std::max({x.x, x.y, x.z}); }

/// 1/I where it is the same about every axis but for round-off, otherwise −1.
double round_inertia(const RigidInertia& m) {
  constexpr double few_roundings = 16 * std::numeric_limits<double>::epsilon();
  const double allowed = few_roundings * m.diagonal.x;
  const double spread =
      std::max({highest(m.diagonal) - lowest(m.diagonal), highest(m.off_diagonal), -lowest(m.off_diagonal)});
  return spread <= allowed ? m.diagonal.x : -1.0;
}

std::vector<base::Mistake> check_bodies(std::span<const RigidInertia> inertias,
                                        std::span<const RigidVelocity> velocities) {
  std::vector<base::Mistake> mistakes;
  for (std::size_t i = 0; i < inertias.size(); ++i) {
    const RigidInertia& m = inertias[i];
    const auto refuse = [&](const char* what) { mistakes.push_back({"", 0, fmt::format("body {}", i), what}); };
    if (!std::isfinite(m.inverse_mass) || !is_finite(m.diagonal) || !is_finite(m.off_diagonal)) {
      refuse("inverse mass or inertia is not finite: a body needs a mass above zero");
    } else if (m.inverse_mass < 0.0 || lowest(m.diagonal) < 0.0) {
      refuse("inverse mass or inertia is negative");
    }
    if (!is_finite(velocities[i].linear) || !is_finite(velocities[i].angular)) refuse("velocity is not finite");
  }
  return mistakes;
}

/// x in the contact's frame.
template <class Row, class T>
math::Vector3<T> to_frame(const Row& c, const math::Vector3<T>& x) {
  return {math::dot(c.normal, x), math::dot(c.tangent, x), math::dot(math::cross(c.normal, c.tangent), x)};
}

/// r in world axes.
template <class Row, class T>
math::Vector3<T> to_world(const Row& c, const math::Vector3<T>& r) {
  return r.x * c.normal + r.y * c.tangent + r.z * math::cross(c.normal, c.tangent);
}

/// Lines of eight bodies, column by column. Inlined so that the lines stay in registers.
[[gnu::always_inline]] inline math::Rows8 gather(const double* lines,
                                                 const std::array<int, math::Pack::lanes>& bodies) {
  const auto at = [&](std::size_t k) {
    return math::Pack::load(lines + math::Pack::lanes * static_cast<std::size_t>(bodies[k]));
  };
  math::Rows8 rows{at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)};
  math::transpose(rows);
  return rows;
}

math::Vector3<math::Pack> point_velocity(const math::Rows8& v, const math::Vector3<math::Pack>& lever) {
  return math::Vector3<math::Pack>{v[0], v[1], v[2]} + math::cross({v[4], v[5], v[6]}, lever);
}

/// Gives impulses to eight bodies, whose v, 1/m, ω and 1/I are the columns of `v`.
[[gnu::always_inline]] inline void add_impulse(const math::Vector3<math::Pack>& impulse,
                                               const math::Vector3<math::Pack>& turn, math::Rows8& v) {
  v[0] += v[3] * impulse.x;
  v[1] += v[3] * impulse.y;
  v[2] += v[3] * impulse.z;
  v[4] += turn.x;
  v[5] += turn.y;
  v[6] += turn.z;
}

/// I⁻¹ torque of eight bodies by their lines of inertia.
[[gnu::always_inline]] inline math::Vector3<math::Pack> turn(const math::Rows8& inertia,
                                                             const math::Vector3<math::Pack>& torque) {
  return BasicInertia<math::Pack>{
      inertia[0], {inertia[1], inertia[2], inertia[3]}, {inertia[4], inertia[5], inertia[6]}}
      .turn(torque);
}

Vec point_velocity(const double* v, const Vec& lever) {
  return Vec{v[0], v[1], v[2]} + math::cross(Vec{v[4], v[5], v[6]}, lever);
}

}  // namespace

void RigidContacts::take_bodies(std::span<const RigidInertia> inertias, std::span<const RigidVelocity> velocities) {
  const std::size_t n = inertias.size();
  moves_.resize(n);
  inertias_.assign(line * (n + 1), 0.0);
  free_.assign(line * (n + 1), 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const RigidInertia& m = inertias[i];
    const auto& [linear, angular] = velocities[i];
    moves_[i] = m.inverse_mass > 0.0 || m.diagonal.x + m.diagonal.y + m.diagonal.z > 0.0;
    const double round = round_inertia(m);
    const double values[line] = {m.inverse_mass,   m.diagonal.x,     m.diagonal.y,     m.diagonal.z,
                                 m.off_diagonal.x, m.off_diagonal.y, m.off_diagonal.z, round};
    std::copy_n(values, line, &inertias_[line * i]);
    const double state[line] = {linear.x, linear.y, linear.z, m.inverse_mass, angular.x, angular.y, angular.z, round};
    std::copy_n(state, line, &free_[line * i]);
  }
}

RigidInertia RigidContacts::inertia(int body) const {
  const double* m = &inertias_[line * static_cast<std::size_t>(body)];
  return {m[0], {m[1], m[2], m[3]}, {m[4], m[5], m[6]}};
}

void RigidContacts::assign(std::span<const RigidInertia> inertias, std::span<const RigidVelocity> velocities,
                           std::span<const RigidContact> contacts) {
  assert(inertias.size() == velocities.size());
  std::vector<base::Mistake> mistakes = check_bodies(inertias, velocities);
  take_bodies(inertias, velocities);
  pairs_.resize(contacts.size());
  const int count = static_cast<int>(bodies());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const RigidContact& c = contacts[i];
    const auto refuse = [&](std::string what) { mistakes.push_back({"", 0, fmt::format("contact {}", i), what}); };
    if (std::max(c.body_a, c.body_b) >= count || std::min(c.body_a, c.body_b) < RigidContact::held) {
      refuse(fmt::format("names bodies {} and {}, must lie in -1 .. {}", c.body_a, c.body_b, count - 1));
      continue;
    }
    const auto mover = [&](int body) { return body >= 0 && moves(body) ? body : -1; };
    pairs_[i] = {mover(c.body_a), mover(c.body_b)};
    if (pairs_[i][0] < 0 && pairs_[i][1] < 0) refuse("lies between two bodies that cannot move");
    if (c.body_a == c.body_b) refuse(fmt::format("lies between body {} and itself", c.body_a));
    if (!is_finite(c.normal) || !is_finite(c.tangent) || !is_finite(c.lever_a) || !is_finite(c.lever_b) ||
        !is_finite(c.offset)) {
      refuse("has a frame, lever or offset that is not finite");
    }
    if (!(c.cone.mu1 >= 0.0 && c.cone.mu2 >= 0.0 && std::isfinite(c.cone.mu1 + c.cone.mu2))) {
      refuse(fmt::format("has friction {} and {}, must be finite and not negative", c.cone.mu1, c.cone.mu2));
    }
    if (!(c.rolling >= 0.0 && c.spinning >= 0.0 && std::isfinite(c.rolling + c.spinning))) {
      refuse(fmt::format("has rolling friction {} and spinning friction {}, must be finite and not negative", c.rolling,
                         c.spinning));
    }
  }
  if (!mistakes.empty()) throw base::InputError(std::move(mistakes));

  planner_.plan(pairs_, bodies(), order_, plan_);
  pack(contacts);
  set_rolling(contacts);
}

RigidContacts::Rows<double> RigidContacts::row(std::size_t i) const {
  const Rows<math::Pack>& rows = blocks_[i / lanes].rows;
  const int k = lane(i);
  const auto at = [k](const math::Vector3<math::Pack>& v) { return Vec{v.x[k], v.y[k], v.z[k]}; };
  Rows<double> c{at(rows.normal), at(rows.tangent), at(rows.lever_a), at(rows.lever_b), at(rows.offset), {}};
  c.prox.step = at(rows.prox.step);
  c.prox.coupling1 = rows.prox.coupling1[k];
  c.prox.coupling2 = rows.prox.coupling2[k];
  c.prox.inverse_mu1 = rows.prox.inverse_mu1[k];
  c.prox.inverse_mu2 = rows.prox.inverse_mu2[k];
  return c;
}

/// Makes a contact lane k of a block, but for its proximal step.
void RigidContacts::set_lane(const RigidContact& c, std::size_t k, Block& block) const {
  Rows<math::Pack>& rows = block.rows;
  const auto set3 = [k](math::Vector3<math::Pack>& to, const Vec& value) {
    to.x.v[k] = value.x;
    to.y.v[k] = value.y;
    to.z.v[k] = value.z;
  };
  set3(rows.normal, c.normal);
  set3(rows.tangent, c.tangent);
  set3(rows.lever_a, c.lever_a);
  set3(rows.lever_b, c.lever_b);
  set3(rows.offset, c.offset);
  const auto number = [&](int body) { return body < 0 ? static_cast<int>(bodies()) : body; };
  block.body_a[k] = number(c.body_a);
  block.body_b[k] = number(c.body_b);
}

/// The contacts' own blocks of W.
math::Matrix3<math::Pack> RigidContacts::own_coupling(const Block& block) const {
  const Rows<math::Pack>& c = block.rows;
  const math::Rows8 a = gather(inertias_.data(), block.body_a), b = gather(inertias_.data(), block.body_b);
  const math::Pack inverse_mass = a[0] + b[0];
  const auto column = [&](const math::Vector3<math::Pack>& direction) {
    return to_frame(c, inverse_mass * direction + math::cross(turn(a, math::cross(c.lever_a, direction)), c.lever_a) +
                           math::cross(turn(b, math::cross(c.lever_b, direction)), c.lever_b));
  };
  return {column(c.normal), column(c.tangent), column(math::cross(c.normal, c.tangent))};
}

/// Contacts in the order of sweeps, with their proximal steps, |q| and mean W_NN.
void RigidContacts::pack(std::span<const RigidContact> contacts) {
  blocks_.resize((contacts.size() + lanes - 1) / lanes);
  math::Pack norm_sq, normal_sum;
  for (std::size_t first = 0; first < contacts.size(); first += lanes) {
    Block& block = blocks_[first / lanes];
    // Lanes without a contact touch nothing.
    if (first + lanes > contacts.size()) {
      block = {};
      block.body_a.fill(static_cast<int>(bodies()));
      block.body_b.fill(static_cast<int>(bodies()));
    }
    math::Pack mu1, mu2;
    for (std::size_t k = 0; k < lanes && first + k < contacts.size(); ++k) {
      const RigidContact& c = contacts[caller_index(first + k)];
      set_lane(c, k, block);
      mu1.v[k] = c.cone.mu1;
      mu2.v[k] = c.cone.mu2;
    }
    Rows<math::Pack>& c = block.rows;
    const math::Matrix3<math::Pack> own = own_coupling(block);
    c.prox = BasicProxStep<math::Pack>(mu1, mu2, own);
    normal_sum += own.a.x;
    norm_sq += math::norm_sq(to_frame(c, point_velocity(gather(free_.data(), block.body_b), c.lever_b) -
                                             point_velocity(gather(free_.data(), block.body_a), c.lever_a)) +
                             c.offset);
  }
  free_norm_ = std::sqrt(sum(norm_sq));
  reaction_unit_ = contacts.empty() ? 1.0 : sum(normal_sum) / static_cast<double>(contacts.size());
  mark_blocks();
}

void RigidContacts::mark_blocks() {
  for (std::size_t first = 0; first < size(); first += lanes) {
    Block& block = blocks_[first / lanes];
    block.independent = independent(first);
    block.circular = first + lanes <= size();
    for (std::size_t k = 0; k < lanes && block.circular; ++k) block.circular = cone(first + k).isotropic();
    const auto is_round = [this](int body) { return round(body); };
    block.round = block.independent && std::all_of(block.body_a.begin(), block.body_a.end(), is_round) &&
                  std::all_of(block.body_b.begin(), block.body_b.end(), is_round);
  }
}

bool RigidContacts::independent(std::size_t first) const {
  if (first + lanes > size()) return false;
  std::array<int, 2 * lanes> movers;
  std::size_t count = 0;
  for (std::size_t k = 0; k < lanes; ++k) {
    for (const int body : pairs_[caller_index(first + k)]) {
      if (body < 0) continue;
      const auto seen = movers.begin() + static_cast<std::ptrdiff_t>(count);
      if (std::find(movers.begin(), seen, body) != seen) return false;
      movers[count++] = body;
    }
  }
  return true;
}

bool RigidContacts::round(int body) const { return inertias_[line * static_cast<std::size_t>(body) + 7] >= 0.0; }

Local RigidContacts::velocity(std::size_t i, std::span<const double> state) const {
  const Rows<double> c = row(i);
  return to_frame(c, point_velocity(&state[body_offset(body_b(i))], c.lever_b) -
                         point_velocity(&state[body_offset(body_a(i))], c.lever_a)) +
         c.offset;
}

double RigidContacts::relax(std::size_t begin, std::size_t end, double relaxation, std::span<double> state) const {
  double sum = 0.0;
  for (std::size_t i = begin; i < end;) {
    if (in_block(i, end)) {
      sum +=
          blocks_[i / lanes].round ? relax_block<true>(i, relaxation, state) : relax_block<false>(i, relaxation, state);
      i += lanes;
    } else {
      sum += relax_one(i, relaxation, state);
      ++i;
    }
  }
  return sum;
}

double RigidContacts::relax_one(std::size_t i, double relaxation, std::span<double> state) const {
  const Rows<double> c = row(i);
  const Vec relative = point_velocity(&state[body_offset(body_b(i))], c.lever_b) -
                       point_velocity(&state[body_offset(body_a(i))], c.lever_a);
  const Local before = load(state, i);
  const Local after = c.prox.update(before, to_frame(c, relative) + c.offset, relaxation);
  store(after, i, state);
  push(i, c, after - before, state);
  const double change_sq = math::norm_sq(after - before);
  return rolling_.empty() ? change_sq : change_sq + roll_one(i, c, after.x, relaxation, state);
}

/// The same for eight contacts at once: they share no body that moves, so none sees the others' updates.
template <bool round_bodies>
double RigidContacts::relax_block(std::size_t first, double relaxation, std::span<double> state) const {
  const Block& block = blocks_[first / lanes];
  const Rows<math::Pack>& c = block.rows;
  double* lines = &state[body_offset(0)];
  math::Rows8 a = gather(lines, block.body_a), b = gather(lines, block.body_b);
  const math::Vector3<math::Pack> u =
      to_frame(c, point_velocity(b, c.lever_b) - point_velocity(a, c.lever_a)) + c.offset;
  const math::Vector3<math::Pack> before = math::load_triples(&state[3 * first]);
  const math::Vector3<math::Pack> after = c.prox.update(before, u, relaxation);
  math::store_triples(after, &state[3 * first]);
  const math::Vector3<math::Pack> change = after - before;
  push_block<round_bodies>(block, change, a, b);
  double change_sq = sum(math::norm_sq(change));
  if (!rolling_.empty()) change_sq += roll_block<round_bodies>(first, after.x, relaxation, state, a, b);
  scatter(block, a, b, lines);
  return change_sq;
}

/// Gives reactions r to the bodies of eight contacts, whose lines are the columns of a and b.
template <bool round_bodies>
[[gnu::always_inline]] inline void RigidContacts::push_block(const Block& block, const math::Vector3<math::Pack>& r,
                                                             math::Rows8& a, math::Rows8& b) const {
  const Rows<math::Pack>& c = block.rows;
  const math::Vector3<math::Pack> impulse = to_world(c, r);
  const math::Vector3<math::Pack> torque_a = math::cross(c.lever_a, -impulse),
                                  torque_b = math::cross(c.lever_b, impulse);
  if constexpr (round_bodies) {
    add_impulse(-impulse, a[7] * torque_a, a);
    add_impulse(impulse, b[7] * torque_b, b);
  } else {
    add_impulse(-impulse, turn(gather(inertias_.data(), block.body_a), torque_a), a);
    add_impulse(impulse, turn(gather(inertias_.data(), block.body_b), torque_b), b);
  }
}

/// Writes the columns back to the bodies' lines.
[[gnu::always_inline]] inline void RigidContacts::scatter(const Block& block, math::Rows8& a, math::Rows8& b,
                                                          double* lines) const {
  math::transpose(a);
  math::transpose(b);
  // Bodies that do not move are not written: threads share them.
  for (std::size_t k = 0; k < lanes; ++k) {
    if (moves(block.body_a[k])) a[k].store(lines + line * static_cast<std::size_t>(block.body_a[k]));
    if (moves(block.body_b[k])) b[k].store(lines + line * static_cast<std::size_t>(block.body_b[k]));
  }
}

/// The moments' own blocks of W, of lengths 1.
math::Matrix3<math::Pack> RigidContacts::turning_coupling(const Block& block) const {
  const Rows<math::Pack>& c = block.rows;
  const math::Rows8 a = gather(inertias_.data(), block.body_a), b = gather(inertias_.data(), block.body_b);
  const auto column = [&](const math::Vector3<math::Pack>& axis) { return to_frame(c, turn(a, axis) + turn(b, axis)); };
  return {column(c.normal), column(c.tangent), column(math::cross(c.normal, c.tangent))};
}

/// What the moments' updates need. ℓ is the longer lever.
void RigidContacts::set_rolling(std::span<const RigidContact> contacts) {
  const auto bears = [](const RigidContact& c) { return c.rolling > 0.0 || c.spinning > 0.0; };
  rolling_.clear();
  if (std::none_of(contacts.begin(), contacts.end(), bears)) return;
  rolling_.resize(blocks_.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const RigidContact& c = contacts[caller_index(i)];
    const double lever = std::sqrt(std::max(math::norm_sq(c.lever_a), math::norm_sq(c.lever_b)));
    const double length = lever > 0.0 ? lever : 1.0;
    BasicRollingStep<math::Pack>& rolling = rolling_[i / lanes];
    rolling.length.v[i % lanes] = length;
    rolling.limit.v[i % lanes] = c.rolling / length;
    rolling.spin_limit.v[i % lanes] = c.spinning / length;
  }
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    BasicRollingStep<math::Pack>& rolling = rolling_[k];
    const math::Matrix3<math::Pack> own = turning_coupling(blocks_[k]);
    const math::Pack length_sq = rolling.length * rolling.length;
    rolling.spin_step = inverse_or_zero(length_sq * own.a.x);
    rolling.step = inverse_or_zero(length_sq * larger_eigenvalue(own.b.y, own.b.z, own.c.z));
  }
}

BasicRollingStep<double> RigidContacts::rolling(std::size_t i) const {
  const BasicRollingStep<math::Pack>& all = rolling_[i / lanes];
  const int k = lane(i);
  return {all.length[k], all.spin_limit[k], all.limit[k], all.spin_step[k], all.step[k]};
}

/// ℓ times the relative angular velocity of contact i.
Vec RigidContacts::turning(std::size_t i, const Rows<double>& c, std::span<const double> state) const {
  const double *a = &state[body_offset(body_a(i))], *b = &state[body_offset(body_b(i))];
  return rolling(i).length * to_frame(c, Vec{b[4] - a[4], b[5] - a[5], b[6] - a[6]});
}

/// The update of a moment, once the reaction has its own.
double RigidContacts::roll_one(std::size_t i, const Rows<double>& c, double normal, double relaxation,
                               std::span<double> state) const {
  const BasicRollingStep<double> own = rolling(i);
  const Local before = load(state, size() + i);
  const Local after = own.update(before, turning(i, c, state), normal, relaxation);
  store(after, size() + i, state);
  turn_bodies(i, own.length * to_world(c, after - before), state);
  return math::norm_sq(after - before);
}

template <bool round_bodies>
[[gnu::always_inline]] inline double RigidContacts::roll_block(std::size_t first, const math::Pack& normal,
                                                               double relaxation, std::span<double> state,
                                                               math::Rows8& a, math::Rows8& b) const {
  const Block& block = blocks_[first / lanes];
  const BasicRollingStep<math::Pack>& own = rolling_[first / lanes];
  const math::Vector3<math::Pack> w =
      own.length * to_frame(block.rows, math::Vector3<math::Pack>{b[4] - a[4], b[5] - a[5], b[6] - a[6]});
  const math::Vector3<math::Pack> before = math::load_triples(&state[moment_offset(first)]);
  const math::Vector3<math::Pack> after = own.update(before, w, normal, relaxation);
  math::store_triples(after, &state[moment_offset(first)]);
  turn_block<round_bodies>(block, own.length * (after - before), a, b);
  return sum(math::norm_sq(after - before));
}

/// Gives moments, in contact frames, to the bodies of eight contacts.
template <bool round_bodies>
[[gnu::always_inline]] inline void RigidContacts::turn_block(const Block& block,
                                                             const math::Vector3<math::Pack>& moment, math::Rows8& a,
                                                             math::Rows8& b) const {
  const math::Vector3<math::Pack> in_space = to_world(block.rows, moment), none;
  if constexpr (round_bodies) {
    add_impulse(none, -(a[7] * in_space), a);
    add_impulse(none, b[7] * in_space, b);
  } else {
    add_impulse(none, -turn(gather(inertias_.data(), block.body_a), in_space), a);
    add_impulse(none, turn(gather(inertias_.data(), block.body_b), in_space), b);
  }
}

/// Gives a moment in space to the bodies of contact i.
void RigidContacts::turn_bodies(std::size_t i, const Vec& moment, std::span<double> state) const {
  for (const auto& [body, turning] : {std::pair(body_a(i), -moment), std::pair(body_b(i), moment)}) {
    if (!moves(body)) continue;
    const Vec angular = inertia(body).turn(turning);
    double* v = &state[body_offset(body)];
    v[4] += angular.x;
    v[5] += angular.y;
    v[6] += angular.z;
  }
}

void RigidContacts::put(std::span<const double> reactions, std::span<const double> moments,
                        std::span<double> state) const {
  for (std::size_t i = 0; i < size(); ++i) {
    store(load(reactions, caller_index(i)), i, state);
    if (rolling_.empty()) continue;
    store(moments.empty() ? Local{} : (1.0 / rolling(i).length) * load(moments, caller_index(i)), size() + i, state);
  }
}

void RigidContacts::take(std::span<const double> state, std::span<double> reactions, std::span<double> moments) const {
  for (std::size_t i = 0; i < size(); ++i) {
    store(load(state, i), caller_index(i), reactions);
    if (moments.empty()) continue;
    store(rolling_.empty() ? Local{} : rolling(i).length * load(state, size() + i), caller_index(i), moments);
  }
}

double RigidContacts::defect_sq(std::size_t begin, std::size_t end, std::span<const double> state) const {
  double sum = 0.0;
  for (std::size_t i = begin; i < end;) {
    if (i % lanes == 0 && i + lanes <= end && blocks_[i / lanes].circular) {
      sum += block_defect_sq(i, state);
      i += lanes;
    } else {
      sum += math::norm_sq(law_defect(cone(i), reaction_unit_ * load(state, i), velocity(i, state)));
      ++i;
    }
  }
  for (std::size_t i = begin; i < end && !rolling_.empty(); ++i) {
    sum += math::norm_sq(rolling(i).defect(reaction_unit_ * load(state, size() + i), turning(i, row(i), state),
                                           reaction_unit_ * state[3 * i]));
  }
  return sum;
}

/// The same for eight contacts at once, which may share bodies.
double RigidContacts::block_defect_sq(std::size_t first, std::span<const double> state) const {
  const Block& block = blocks_[first / lanes];
  const Rows<math::Pack>& c = block.rows;
  const double* lines = &state[body_offset(0)];
  const math::Rows8 a = gather(lines, block.body_a), b = gather(lines, block.body_b);
  const math::Vector3<math::Pack> u =
      to_frame(c, point_velocity(b, c.lever_b) - point_velocity(a, c.lever_a)) + c.offset;
  const math::Pack inverse = c.prox.inverse_mu1;
  const auto rough = inverse.v > 0.0;
  const math::Pack mu =
      math::select(rough, math::Pack(1.0) / math::select(rough, inverse, math::Pack(1.0)), math::Pack(0.0));
  const math::Vector3<math::Pack> r = math::load_triples(&state[3 * first]);
  return sum(math::norm_sq(circular_law_defect(mu, math::Pack(reaction_unit_) * r, u)));
}

void RigidContacts::push(std::size_t i, const Rows<double>& c, const Local& r, std::span<double> state) const {
  const Vec impulse = to_world(c, r);
  push_body(body_a(i), c.lever_a, -impulse, state);
  push_body(body_b(i), c.lever_b, impulse, state);
}

void RigidContacts::push_body(int body, const Vec& lever, const Vec& impulse, std::span<double> state) const {
  if (!moves(body)) return;
  const RigidInertia m = inertia(body);
  const Vec linear = m.inverse_mass * impulse;
  const Vec angular = m.turn(math::cross(lever, impulse));
  double* v = &state[body_offset(body)];
  v[0] += linear.x;
  v[1] += linear.y;
  v[2] += linear.z;
  v[4] += angular.x;
  v[5] += angular.y;
  v[6] += angular.z;
}

void RigidContacts::rebuild(const exec::Executor& executor, std::span<double> state) const {
  executor.for_blocks(bodies() + 1, [&](std::size_t begin, std::size_t end) {
    std::copy(&free_[line * begin], &free_[line * begin] + line * (end - begin),
              &state[body_offset(static_cast<int>(begin))]);
  });
  plan_.run(executor, [&](std::size_t, std::size_t begin, std::size_t end) {
    double* lines = &state[body_offset(0)];
    for (std::size_t i = begin; i < end;) {
      if (in_block(i, end)) {
        const Block& block = blocks_[i / lanes];
        math::Rows8 a = gather(lines, block.body_a), b = gather(lines, block.body_b);
        push_block<false>(block, math::load_triples(&state[3 * i]), a, b);
        if (!rolling_.empty())
          turn_block<false>(block, rolling_[i / lanes].length * math::load_triples(&state[moment_offset(i)]), a, b);
        scatter(block, a, b, lines);
        i += lanes;
      } else {
        const Rows<double> c = row(i);
        push(i, c, load(state, i), state);
        if (!rolling_.empty()) turn_bodies(i, rolling(i).length * to_world(c, load(state, size() + i)), state);
        ++i;
      }
    }
  });
}

RigidVelocity RigidContacts::body_velocity(std::size_t body, std::span<const double> state) const {
  const double* v = &state[body_offset(static_cast<int>(body))];
  return {{v[0], v[1], v[2]}, {v[4], v[5], v[6]}};
}

/// What the reactions of contact j do to the relative velocity of contact i through one body.
LocalMatrix RigidContacts::coupling(std::size_t i, std::size_t j, int body) const {
  const Rows<double> row_i = row(i), row_j = row(j);
  const RigidInertia m = inertia(body);
  const bool second_of_i = body_b(i) == body;
  const bool second_of_j = body_b(j) == body;
  const Vec& lever_i = second_of_i ? row_i.lever_b : row_i.lever_a;
  const Vec& lever_j = second_of_j ? row_j.lever_b : row_j.lever_a;
  const double sign = second_of_i == second_of_j ? 1.0 : -1.0;
  const auto column = [&](const Vec& direction) {
    const Vec turn = m.turn(math::cross(lever_j, direction));
    return sign * to_frame(row_i, m.inverse_mass * direction + math::cross(turn, lever_i));
  };
  return {column(row_j.normal), column(row_j.tangent), column(math::cross(row_j.normal, row_j.tangent))};
}

BlockProblem RigidContacts::assemble() const {
  std::vector<std::vector<int>> contacts_of(bodies());
  for (std::size_t i = 0; i < size(); ++i) {
    for (const int body : {body_a(i), body_b(i)}) {
      if (moves(body)) contacts_of[body].push_back(static_cast<int>(i));
    }
  }
  BlockProblem::Data data;
  data.row_offsets.push_back(0);
  data.reaction_unit = reaction_unit();
  std::vector<double> state(state_size(), 0.0);
  rebuild(exec::Executor(), state);
  std::vector<int> column_of(size(), -1);
  for (std::size_t i = 0; i < size(); ++i) {
    const int first = static_cast<int>(data.columns.size());
    for (const int body : {body_a(i), body_b(i)}) {
      if (!moves(body)) continue;
      for (const int j : contacts_of[body]) {
        if (column_of[j] < first) {
          column_of[j] = static_cast<int>(data.columns.size());
          data.columns.push_back(j);
          data.blocks.emplace_back();
        }
        data.blocks[column_of[j]] = data.blocks[column_of[j]] + coupling(i, static_cast<std::size_t>(j), body);
      }
    }
    data.row_offsets.push_back(static_cast<int>(data.columns.size()));
    data.q.push_back(velocity(i, state));
    data.cones.push_back(cone(i));
  }
  return BlockProblem(std::move(data));
}

}  // namespace ictus::solve
