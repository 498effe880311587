#include <ictus/dynamics/rigid/rigid_response.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/dynamics/system/without_rounding.hpp>
#include <ictus/mechanics/rigid/rigid_flight.hpp>

namespace ictus::dynamics {

using math::dot;
using Vec = math::Vector3<double>;

namespace {

/// Slots in State::memory.
constexpr std::size_t contact_memory = 0;
constexpr std::size_t figure_memory = 1;
/// A gap of up to this share of a body's size is a contact: positions are known to round-off only.
constexpr double touching = 1e-9;

/// A unit vector whose part along a surface is shorter than this is normal to it.
constexpr double normal_to_surface = 1e-6;

/// Bodies that overlap by more than this share of the smaller one's size are parted, over about so many steps.
constexpr double overlap = 0.01, parting_steps = 4;

/// A gap that closes within this many times the solver's tolerance of a step is none.
constexpr double unresolved = 10;
/// A contact lasts until its gap differs by this many times what the solver may leave open in a step: such differences
/// add up over steps before they are taken back.
constexpr double lasting = 2;
/// Share of the way of a step by which turning levers and normals can change the gap of a contact that lasts.
constexpr double max_drift = 0.2;
/// Bodies that bounce come into each other by up to this share of the thinner one's inner radius.
constexpr double deepest_bounce = 0.5;
/// Error up to which a step is taken where the iterations have run out or stalled: a hundredth of the velocities
/// without impulses, or this many times the tolerance.
constexpr double acceptable = 1e-2, acceptable_times = 10;

/// Bodies at rest are swept on towards this error, or this share of the tolerance, while that pays: impulses that are
/// nearly right let contacts come and go from step to step, which costs more sweeps.
constexpr double refined = 1e-10, refined_share = 0.01;

/// Λ diag(1/J) Λᵀ.
solve::RigidInertia world_inertia(const RigidUnit& unit, const math::Matrix3<double>& axes) {
  if (!unit.moves) return {};
  const double a = 1 / unit.inertia.x, b = 1 / unit.inertia.y, c = 1 / unit.inertia.z;
  const auto entry = [&](double Vec::*i, double Vec::*j) {
    return a * axes.a.*i * axes.a.*j + b * axes.b.*i * axes.b.*j + c * axes.c.*i * axes.c.*j;
  };
  return {1 / unit.mass,
          {entry(&Vec::x, &Vec::x), entry(&Vec::y, &Vec::y), entry(&Vec::z, &Vec::z)},
          {entry(&Vec::y, &Vec::z), entry(&Vec::x, &Vec::z), entry(&Vec::x, &Vec::y)}};
}

double sum_of_sizes(const Vec& v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); }

/// Momenta that impulses have brought to rest but for rounding are at rest.
void drop_rounding(double* momentum, double received) {
  for (int i = 0; i < 3; ++i) momentum[i] = without_rounding(momentum[i], received);
}

/// w·d: how much half a kick of gravity parts the two bodies of a contact.
double half_kick_apart(const RigidSystem& rigid, const solve::RigidContact& c, double h) {
  const auto gravity = [&](int body) {
    const bool moves = body >= 0 && rigid.units[static_cast<std::size_t>(body)].moves;
    return moves ? rigid.units[static_cast<std::size_t>(body)].gravity : Vec{};
  };
  return 0.5 * h * dot(c.normal, gravity(c.body_b) - gravity(c.body_a));
}

}  // namespace

void RigidResponse::prepare(const System& system) {
  solve::ConeOptions options = options_.solver;
  options.refine_to = std::min(refined, refined_share * options.tolerance);
  solver_.emplace(options, system.exec());
}

void RigidResponse::start(model::State& state) const {
  state.memory.assign(2, {});
  state.memory[contact_memory] = {"contacts", {}};
  state.memory[figure_memory] = {"figures", {0, 0, 0, 0}};
}

void RigidResponse::set_up_bodies(const RigidSystem& rigid, const model::State& state) {
  const std::size_t n = rigid.units.size();
  poses_.resize(n);
  inertias_.resize(n);
  free_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const RigidUnit& unit = rigid.units[i];
    const double* q = &state.q[unit.first_dof];
    const math::Matrix3<double> axes = matrix(mechanics::rigid_orientation(q));
    poses_[i] = {mechanics::rigid_position(q), axes};
    inertias_[i] = world_inertia(unit, axes);
    free_[i] = {};
    if (unit.moves) free_[i] = {(1 / unit.mass) * load3(&state.p[unit.first_dof]), angular_before_[i]};
  }
}

/// The speed at which bodies that overlap should part. Those that turn overlap by O(h) where other features meet than
/// at the beginning of a step, which a law of velocities alone does not undo [eq. rigid-bodies-16].
double RigidResponse::parting_speed(const RigidSystem& rigid, const contact::RigidTouch& touch, double h) const {
  double size = rigid.units[static_cast<std::size_t>(touch.owner)].reach;
  if (!touch.on_plane()) size = std::min(size, rigid.units[static_cast<std::size_t>(touch.other)].reach);
  return std::max(0.0, -touch.at.gap - overlap * size) / (parting_steps * h);
}

/// Distances up to this are none (m): those of the size of round-off, or of what the solver leaves open. Bodies at rest
/// on each other have no reason to move, and an impulse that such a gap should take away would take thousands of sweeps
/// to go.
double RigidResponse::no_distance(const RigidSystem& rigid, const solve::RigidContact& contact, int owner,
                                  double h) const {
  const double size = rigid.units[static_cast<std::size_t>(owner)].reach;
  const double closing = -relative_velocity(contact, linear_free_, angular_before_).x;
  // Two bodies that fall alike press on each other as soon as one of them is held.
  const double fall = h * std::sqrt(math::norm_sq(rigid.units[static_cast<std::size_t>(contact.body_b)].gravity));
  return std::max(touching * size, unresolved * options_.solver.tolerance * h * std::max(closing, fall));
}

/// How much of a change of gap or of a slip in the step before the turning of the bodies can explain (m).
double RigidResponse::max_turned(const solve::RigidContact& contact, double h) const {
  const auto turning = [&](int body, const Vec& lever) {
    if (body < 0) return 0.0;
    return std::sqrt(math::norm_sq(angular_before_[static_cast<std::size_t>(body)]) * math::norm_sq(lever));
  };
  const solve::Local free = relative_velocity(contact, linear_free_, angular_before_);
  return max_drift * h *
         (std::sqrt(math::norm_sq(free)) + turning(contact.body_a, contact.lever_a) +
          turning(contact.body_b, contact.lever_b));
}

/// What is added to the normal velocity w·u_k so that the cone problem is the law, and which rule it is.
void RigidResponse::set_normal_offset(const RigidSystem& rigid, solve::RigidContact& contact, double h,
                                      const std::optional<RememberedContact>& before, Active& active) const {
  const contact::RigidTouch& touch = *active.touch;
  const double e = rigid.laws[static_cast<std::size_t>(touch.pair)].restitution;
  const double normal_before = relative_velocity(contact, linear_before_, angular_before_).x;
  if (options_.law == RigidImpactLaw::interval) {
    contact.offset.x = e * normal_before;
    active.bounces = e > 0;
    return;
  }
  active.reference = std::min(0.0, touch.at.gap);
  // What the turning of a contact that lasts, and what the solver left open, can explain is neither a bounce nor a gap.
  const double explained = before ? std::max(lasting * active.none, max_turned(contact, h)) : active.none;
  // w·u_k + min(0, e w·v⁻ − w·d) ≥ 0 with d of both bodies.
  const double d = half_kick_apart(rigid, contact, h);
  const double bounce = e * (normal_before + d) - d;
  if (e > 0 && -h * bounce > explained) {
    contact.offset.x = bounce;
    active.bounces = true;
    return;
  }
  if (const double apart = parting_speed(rigid, touch, h); apart > 0) {
    active.rule = ContactRule::part;
    contact.offset.x = -apart;
    return;
  }
  if (before && std::max(std::abs(touch.at.gap - before->reference), h * std::abs(normal_before)) <= explained) {
    // A contact that lasts is held at its gap [eq. rigid-bodies-17].
    active.rule = ContactRule::hold;
    active.reference = before->reference;
    const double drift = touch.at.gap - before->reference;
    contact.offset.x = (drift - std::clamp(drift, -active.none, active.none)) / h;
    return;
  }
  contact.offset.x = touch.at.gap > active.none ? touch.at.gap / h : 0;
}

/// The same along the surface: tangential restitution, or for contacts that stick and last the way back to where they
/// began to [eq. rigid-bodies-18].
void RigidResponse::set_tangential_offset(const RigidSystem& rigid, solve::RigidContact& contact, double h,
                                          const std::optional<RememberedContact>& before, Active& active) const {
  const double back = rigid.laws[static_cast<std::size_t>(active.touch->pair)].tangential_restitution;
  const Vec second = math::cross(contact.normal, contact.tangent);
  if (back > 0) {
    const solve::Local u = relative_velocity(contact, linear_before_, angular_before_);
    contact.offset.y = back * u.y;
    contact.offset.z = back * u.z;
    return;
  }
  if (active.rule != ContactRule::hold || !before->stuck) return;
  const auto at = [&](int body, const Vec& local) {
    return body >= 0 ? poses_[static_cast<std::size_t>(body)].position_of(local) : local;
  };
  const Vec moved = before->slip + at(contact.body_b, before->on_b) - at(contact.body_a, before->on_a);
  const double along = dot(contact.tangent, moved), across = dot(second, moved);
  const double size = solve::tangential_norm(along, across);
  if (size > std::max(active.none, max_turned(contact, h))) return;
  active.anchored = true;
  active.slip = along * contact.tangent + across * second;
  if (size <= active.none) return;
  contact.offset.y = along / h;
  contact.offset.z = across / h;
}

/// The direction of μ₁ at a contact; any where the law knows none, or one that is normal to the surface there.
Vec RigidResponse::tangent(const RigidSystem& rigid, const RigidLaw& law, const solve::RigidContact& contact) const {
  if (!law.direction) return across(contact.normal);
  Vec direction = *law.direction;
  if (law.direction_group >= 0) {
    const auto carries = [&](int body) {
      return body >= 0 && rigid.units[static_cast<std::size_t>(body)].group == law.direction_group;
    };
    const int body = carries(contact.body_a) ? contact.body_a : contact.body_b;
    direction = poses_[static_cast<std::size_t>(body)].axes * direction;
  }
  const Vec along = direction - dot(contact.normal, direction) * contact.normal;
  const double size = std::sqrt(math::norm_sq(along));
  return size > normal_to_surface ? (1 / size) * along : across(contact.normal);
}

solve::RigidContact RigidResponse::contact_at(const RigidSystem& rigid, const contact::RigidTouch& touch) const {
  const RigidLaw& law = rigid.laws[static_cast<std::size_t>(touch.pair)];
  solve::RigidContact contact;
  contact.body_a = touch.on_plane() ? solve::RigidContact::held : touch.owner;
  contact.body_b = touch.on_plane() ? touch.owner : touch.other;
  contact.normal = touch.at.normal;
  contact.tangent = tangent(rigid, law, contact);
  const auto lever = [&](int body) {
    return body >= 0 ? touch.at.point - poses_[static_cast<std::size_t>(body)].position : Vec{};
  };
  contact.lever_a = lever(contact.body_a);
  contact.lever_b = lever(contact.body_b);
  contact.cone = law.cone;
  contact.rolling = law.rolling;
  contact.spinning = law.spinning;
  return contact;
}

/// Whether bodies that are apart would be in each other deeper at the next node than a contact there could tell from
/// one on the far side.
bool RigidResponse::passes_through(RigidSystem& rigid, const contact::RigidTouch& touch,
                                   const solve::RigidContact& contact, double h) const {
  if (touch.on_plane()) return false;  // it has no far side
  const auto room = [&](int body) { return rigid.units[static_cast<std::size_t>(body)].inner_radius; };
  const double thin = std::min(room(touch.owner), room(touch.other));
  const double closing = -h * relative_velocity(contact, linear_free_, angular_before_).x;
  return closing - touch.at.gap > deepest_bounce * thin &&
         rigid.detector.meet(touch, poses_, linear_free_, angular_before_, h);
}

void RigidResponse::add_contact(RigidSystem& rigid, const contact::RigidTouch& touch, double h, RigidMemory& memory) {
  const RigidMemory::Found before = memory.find(touch);
  const std::optional<RememberedContact> rested =
      before.contact && before.contact->rests ? before.contact : std::nullopt;
  const RigidLaw& law = rigid.laws[static_cast<std::size_t>(touch.pair)];
  const double size = rigid.units[static_cast<std::size_t>(touch.owner)].reach;
  solve::RigidContact contact = contact_at(rigid, touch);
  Active active{
      .touch = &touch, .none = no_distance(rigid, contact, touch.owner, h), .pair_pushed = before.pair_pushed};
  set_normal_offset(rigid, contact, h, rested, active);
  // Inelastic contacts that would close within the interval to come are held to close at its end
  // [eq. rigid-bodies-10]; those that bounce do so a step early where the next one would find them on the far side.
  const bool ahead = law.restitution == 0 && options_.law == RigidImpactLaw::momentum;
  if (!ahead && active.rule != ContactRule::hold && touch.at.gap > touching * size &&
      !passes_through(rigid, touch, contact, h)) {
    return;
  }
  set_tangential_offset(rigid, contact, h, rested, active);
  const Vec guess = before.contact ? before.contact->impulse : Vec{};
  const Vec moment = before.contact ? before.contact->moment : Vec{};
  for (const Vec& direction : {contact.normal, contact.tangent, math::cross(contact.normal, contact.tangent)}) {
    reactions_.push_back(dot(direction, guess));
    if (rigid.moments) moments_.push_back(dot(direction, moment));
  }
  contacts_.push_back(contact);
  active_.push_back(active);
}

solve::Local RigidResponse::relative_velocity(const solve::RigidContact& c, std::span<const Vec> linear,
                                              std::span<const Vec> angular) {
  const auto at = [&](int body, const Vec& lever) {
    if (body < 0) return Vec{};
    return linear[static_cast<std::size_t>(body)] + math::cross(angular[static_cast<std::size_t>(body)], lever);
  };
  const Vec u = at(c.body_b, c.lever_b) - at(c.body_a, c.lever_a);
  return {dot(c.normal, u), dot(c.tangent, u), dot(math::cross(c.normal, c.tangent), u)};
}

Vec RigidResponse::impulse_of(std::size_t i) const {
  const solve::Local r = solve::load(reactions_, i);
  const solve::RigidContact& c = contacts_[i];
  return r.x * c.normal + r.y * c.tangent + r.z * math::cross(c.normal, c.tangent);
}

Vec RigidResponse::moment_of(std::size_t i) const {
  if (moments_.empty()) return {};
  const solve::Local m = solve::load(moments_, i);
  const solve::RigidContact& c = contacts_[i];
  return m.x * c.normal + m.y * c.tangent + m.z * math::cross(c.normal, c.tangent);
}

/// Whether a contact lasts beyond the step. One corner of several that carries nothing for once does too: forgotten, it
/// would bounce with what the solver left open.
bool RigidResponse::lasts(std::size_t i, double h) const {
  if (reactions_[3 * i] != 0) return true;
  const Active& active = active_[i];
  const double parted = h * relative_velocity(contacts_[i], linear_after_, angular_after_).x;
  return !active.bounces && active.touch->at.gap + parted - active.reference <= active.none;
}

void RigidResponse::remember(double h, model::State& state) const {
  std::vector<double>& memory = state.memory[contact_memory].values;
  memory.clear();
  for (std::size_t i = 0; i < active_.size(); ++i) {
    if (!lasts(i, h)) continue;
    const Active& active = active_[i];
    const contact::RigidTouch& touch = *active.touch;
    const auto local = [&](int body) {
      return body >= 0 ? poses_[static_cast<std::size_t>(body)].local(touch.at.point) : touch.at.point;
    };
    RigidMemory::append(
        {touch.owner, touch.other, touch.at.feature, impulse_of(i), active.reference, !active.bounces, active.stuck,
         active.slip, moment_of(i), local(contacts_[i].body_a), local(contacts_[i].body_b)},
        memory);
  }
}

/// The energy that the moment of contact i took: −½ m·(ω⁻ + ω⁺), ω of the second body against the first.
double RigidResponse::book_rolling(std::size_t i) const {
  if (moments_.empty()) return 0;
  const auto spin = [&](int body) {
    if (body < 0) return Vec{};
    const auto k = static_cast<std::size_t>(body);
    return angular_before_[k] + angular_after_[k];
  };
  return -0.5 * dot(moment_of(i), spin(contacts_[i].body_b) - spin(contacts_[i].body_a));
}

/// The energy that impulse i took, by name, and the impulse itself.
void RigidResponse::book(const RigidSystem& rigid, std::size_t i, double h, double time, StepReport& report) {
  const solve::RigidContact& c = contacts_[i];
  Active& active = active_[i];
  const solve::Local r = solve::load(reactions_, i);
  const solve::Local after = relative_velocity(c, linear_after_, angular_after_), left = after + c.offset;
  // Where more contacts stick than are needed to hold the bodies, some of the impulses lie on their cones.
  active.stuck = sticks(c.cone, r) ||
                 (c.cone.mu1 > 0 && c.cone.mu2 > 0 && h * solve::tangential_norm(left.y, left.z) <= active.none);
  solve::Local before = relative_velocity(c, linear_before_, angular_before_);
  if (time == 0) {
    // What rests at the first node rested before it, too: it was not thrown there [eq. rigid-bodies-19].
    const solve::Local node = 0.5 * (before + relative_velocity(c, linear_free_, angular_before_));
    if (h * std::abs(node.x) <= active.none) before = node;
  }
  const ContactWork work = work_of(c.cone, r, before, after, c.offset, active.rule, active.anchored && active.stuck);
  report.lost[model::Loss::restitution] += work.restitution;
  report.lost[model::Loss::friction] += work.friction;
  report.lost[model::Loss::quadrature] += work.quadrature;
  report.lost[model::Loss::parting] += work.parting;
  report.lost[model::Loss::solver] += work.solver;
  const double rolling = book_rolling(i);
  report.lost[model::Loss::rolling] += rolling;
  ++report.contacts;
  const contact::RigidTouch& touch = *active.touch;
  const int group_b = rigid.units[static_cast<std::size_t>(c.body_b)].group;
  const bool forward = group_b == rigid.laws[static_cast<std::size_t>(touch.pair)].second_group;
  impulses_.push_back({time, touch.pair, to_eigen(touch.at.point), to_eigen(forward ? c.normal : -c.normal), r.x,
                       solve::tangential_norm(r.y, r.z), work.total() + rolling});
}

/// Gives the impulses to the momenta; what planes and held bodies gave came from outside.
void RigidResponse::apply_impulses(const RigidSystem& rigid, model::State& state, StepReport& report) {
  received_.assign(rigid.units.size(), {});
  const auto push = [&](int body, const Vec& lever, const Vec& impulse, const Vec& moment) {
    if (body < 0 || !rigid.units[static_cast<std::size_t>(body)].moves) return false;
    const RigidUnit& unit = rigid.units[static_cast<std::size_t>(body)];
    double* p = &state.p[unit.first_dof];
    store3(load3(p) + impulse, p);
    double* m = &state.p[unit.angular()];
    const math::Rotation<double> turn = mechanics::rigid_orientation(&state.q[unit.first_dof]);
    store3(load3(m) + coadjoint(turn, math::cross(lever, impulse) + moment), m);
    Received& received = received_[static_cast<std::size_t>(body)];
    received.impulse += sum_of_sizes(impulse);
    received.moment += sum_of_sizes(lever) * sum_of_sizes(impulse) + sum_of_sizes(moment);
    return true;
  };
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const solve::RigidContact& c = contacts_[i];
    report.max_penetration = std::max(report.max_penetration, -active_[i].touch->at.gap);
    if (reactions_[3 * i] == 0) continue;
    const Vec impulse = impulse_of(i), moment = moment_of(i);
    const bool on_a = push(c.body_a, c.lever_a, -impulse, -moment), on_b = push(c.body_b, c.lever_b, impulse, moment);
    if (on_a && on_b) continue;
    const double side = on_b ? 1 : -1;
    report.external_impulse.linear += to_eigen(side * impulse);
    report.external_impulse.angular += to_eigen(side * (math::cross(active_[i].touch->at.point, impulse) + moment));
  }
}

/// Gives the impulses and books what they did.
void RigidResponse::apply(const RigidSystem& rigid, double h, model::State& state, StepReport& report) {
  apply_impulses(rigid, state, report);
  const std::size_t n = rigid.units.size();
  linear_after_.assign(n, {});
  angular_after_.assign(n, {});
  for (std::size_t i = 0; i < n; ++i) {
    const RigidUnit& unit = rigid.units[i];
    if (!unit.moves) continue;
    drop_rounding(&state.p[unit.first_dof], received_[i].impulse);
    drop_rounding(&state.p[unit.angular()], received_[i].moment);
    linear_after_[i] = (1 / unit.mass) * load3(&state.p[unit.first_dof]);
    angular_after_[i] = mechanics::node_spin(mechanics::rigid_orientation(&state.q[unit.first_dof]), unit.inertia,
                                             load3(&state.p[unit.angular()]));
  }
  int closed_owner = -1, closed_other = -1;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (reactions_[3 * i] == 0) continue;
    book(rigid, i, h, state.time, report);
    const contact::RigidTouch& touch = *active_[i].touch;
    if (active_[i].pair_pushed || (touch.owner == closed_owner && touch.other == closed_other)) continue;
    closed_owner = touch.owner;
    closed_other = touch.other;
    ++report.closings;
  }
}

/// From the impulses of the step before.
solve::ConeReport RigidResponse::solve_problem(const model::State& state, StepReport& report) {
  const solve::ConeReport solved = solver_->solve(inertias_, free_, contacts_, reactions_, moments_);
  if (solved.solved()) return solved;
  const bool ran_out =
      solved.status == solve::ConeStatus::iteration_limit || solved.status == solve::ConeStatus::stalled;
  // Nearly solved is noted in the report and lets the run go on.
  if (ran_out && solved.error <= std::max(acceptable, acceptable_times * options_.solver.tolerance)) {
    report.accept_unconverged(solved.error);
    return solved;
  }
  throw base::NumericalFailure(
      fmt::format("The impulses of {} contacts were not found: an error of {:.3g} is left after {} iterations",
                  contacts_.size(), solved.error, solved.iterations),
      fmt::format("t = {:g} s, step {}", state.time, state.step),
      "Try a smaller time.step, a larger integrator.contact_solver.tolerance or more max_iterations; friction above 1 "
      "and bodies wedged between held ones can leave a problem without solution");
}

void RigidResponse::respond(RigidSystem& rigid, double h, std::span<const Vec> linear_before,
                            std::span<const Vec> angular_before, model::State& state, StepReport& report) {
  linear_before_ = linear_before;
  angular_before_ = angular_before;
  set_up_bodies(rigid, state);
  margins_.resize(rigid.units.size());
  linear_free_.resize(rigid.units.size());
  for (std::size_t i = 0; i < rigid.units.size(); ++i) {
    const RigidUnit& unit = rigid.units[i];
    linear_free_[i] = free_[i].linear;
    const double speed =
        std::sqrt(math::norm_sq(free_[i].linear)) + unit.reach * std::sqrt(math::norm_sq(free_[i].angular));
    margins_[i] = h * speed + 2 * touching * unit.reach;
  }
  error_ = 0;
  contacts_.clear();
  active_.clear();
  reactions_.clear();
  moments_.clear();
  impulses_.clear();
  RigidMemory memory(state.memory[contact_memory].values);
  for (const contact::RigidTouch& touch : rigid.detector.detect(poses_, margins_)) {
    add_contact(rigid, touch, h, memory);
  }
  if (contacts_.empty()) {
    remember(h, state);
    return;
  }
  const solve::ConeReport solved = solve_problem(state, report);
  error_ = solved.error;
  report.iterations += solved.iterations;
  apply(rigid, h, state, report);
  remember(h, state);
  std::vector<double>& figures = state.memory[figure_memory].values;
  figures[0] = std::max(figures[0], solved.error);
  figures[1] += solved.iterations;
  figures[2] = std::max(figures[2], static_cast<double>(contacts_.size()));
  figures[3] += solved.handovers;
}

HeapFigures RigidResponse::heap(const RigidSystem& rigid, double h) const {
  std::vector<double> forces;
  std::vector<char> touched(rigid.units.size(), 0);
  double sides = 0, bodies = 0;
  const auto count = [&](int body) {
    if (body < 0 || !rigid.units[static_cast<std::size_t>(body)].moves) return;
    sides += 1;
    bodies += touched[static_cast<std::size_t>(body)] ? 0 : 1;
    touched[static_cast<std::size_t>(body)] = 1;
  };
  // The points of a pair follow one another.
  for (std::size_t i = 0; i < contacts_.size();) {
    const std::size_t first = i;
    double impulse = 0;
    const auto same_pair = [&](const contact::RigidTouch& touch) {
      return touch.owner == active_[first].touch->owner && touch.other == active_[first].touch->other;
    };
    for (; i < contacts_.size() && same_pair(*active_[i].touch); ++i) impulse += reactions_[3 * i];
    if (impulse <= 0) continue;
    forces.push_back(impulse / h);
    count(contacts_[first].body_a);
    count(contacts_[first].body_b);
  }
  HeapFigures figures{.coordination = bodies > 0 ? sides / bodies : 0, .solver_error = error_};
  if (forces.empty()) return figures;
  std::sort(forces.begin(), forces.end());
  for (std::size_t k = 0; k < HeapFigures::shares.size(); ++k) {
    figures.force[k] =
        forces[static_cast<std::size_t>(HeapFigures::shares[k] * static_cast<double>(forces.size() - 1))];
  }
  return figures;
}

}  // namespace ictus::dynamics
