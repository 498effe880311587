#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/dynamics/rigid_flight.hpp>
#include <ictus/dynamics/rigid_response.hpp>
#include <ictus/dynamics/without_rounding.hpp>

namespace ictus::dynamics {

using math::dot;
using Vec = math::Vector3<double>;

namespace {

/// Places in State::memory.
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
/// Error up to which a step is taken where the iterations have run out or stalled: a hundredth of the velocities
/// without impulses, or this many times the tolerance.
constexpr double acceptable = 1e-2, acceptable_times = 10;

/// Any unit vector across n, the same for the same n.
Vec across(const Vec& n) {
  const Vec other = std::abs(n.x) < 0.6 ? Vec{1, 0, 0} : Vec{0, 1, 0};
  const Vec t = math::cross(n, other);
  return (1 / std::sqrt(math::norm_sq(t))) * t;
}

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

void RigidResponse::prepare(const System& system) { solver_.emplace(options_.solver, system.exec()); }

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
  solved_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const RigidUnit& unit = rigid.units[i];
    const double* q = &state.q[unit.place];
    const math::Matrix3<double> axes = matrix(mechanics::rigid_orientation(q));
    poses_[i] = {mechanics::rigid_position(q), axes};
    inertias_[i] = world_inertia(unit, axes);
    free_[i] = {};
    if (unit.moves) free_[i] = {(1 / unit.mass) * load3(&state.p[unit.place]), angular_before_[i]};
  }
}

/// The speed at which bodies that overlap should part. Those that turn overlap by O(h) where other features meet than
/// at the beginning of a step, which a law of velocities alone does not undo [eq. rigid-bodies-16].
double RigidResponse::parting_speed(const RigidSystem& rigid, const contact::RigidTouch& touch, double h) const {
  double size = rigid.units[static_cast<std::size_t>(touch.owner)].reach;
  if (!touch.on_plane()) size = std::min(size, rigid.units[static_cast<std::size_t>(touch.other)].reach);
  return std::max(0.0, -touch.at.gap - overlap * size) / (parting_steps * h);
}

/// What is added to the relative velocity u_k so that the cone problem is the law.
solve::Local RigidResponse::law_offset(const RigidSystem& rigid, const contact::RigidTouch& touch,
                                       const solve::RigidContact& contact, double h, Active& active) const {
  const RigidLaw& law = rigid.laws[static_cast<std::size_t>(touch.pair)];
  const double e = law.restitution;
  solve::Local offset;
  active.restitution = e;
  active.bounces = false;
  const Vec before = relative_velocity(rigid, active_.size(), linear_before_, angular_before_);
  const double normal_before = dot(contact.normal, before);
  if (law.tangential_restitution > 0) {
    offset.y = law.tangential_restitution * dot(contact.tangent, before);
    offset.z = law.tangential_restitution * dot(math::cross(contact.normal, contact.tangent), before);
  }
  if (options_.law == RigidImpactLaw::interval) {
    offset.x = e * normal_before;
    active.bounces = e > 0;
  } else if (e == 0) {
    // A gap of the size of round-off, or of what the solver leaves open, is none: bodies at rest on each other have no
    // reason to move, and an impulse that such a gap should take away would take thousands of sweeps to go.
    const double size = rigid.units[static_cast<std::size_t>(touch.owner)].reach;
    const double closing = std::max(0.0, -normal_before - 2 * half_kick_apart(rigid, contact, h));
    const double none = std::max(touching * size, unresolved * options_.solver.tolerance * h * closing);
    offset.x = touch.at.gap > none ? touch.at.gap / h : -parting_speed(rigid, touch, h);
  } else {
    // w·u_k + min(0, e w·v⁻ − w·d) ≥ 0 with d of both bodies.
    const double d = half_kick_apart(rigid, contact, h);
    const double bounce = e * (normal_before + d) - d;
    active.bounces = bounce < 0;
    offset.x = std::min(0.0, bounce);
  }
  return offset;
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

void RigidResponse::add_contact(const RigidSystem& rigid, const contact::RigidTouch& touch, double h) {
  const RigidLaw& law = rigid.laws[static_cast<std::size_t>(touch.pair)];
  const double size = rigid.units[static_cast<std::size_t>(touch.owner)].reach;
  // Inelastic contacts that would close within the interval to come are held to close at its end
  // [eq. rigid-bodies-10].
  const bool ahead = law.restitution == 0 && options_.law == RigidImpactLaw::momentum;
  if (!ahead && touch.at.gap > touching * size) return;
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
  contacts_.push_back(contact);
  Active active{&touch, 0, false};
  contacts_.back().offset = law_offset(rigid, touch, contact, h, active);
  active_.push_back(active);
}

Vec RigidResponse::relative_velocity(const RigidSystem& rigid, std::size_t i, std::span<const Vec> linear,
                                     std::span<const Vec> angular) const {
  const solve::RigidContact& c = contacts_[i];
  const auto at = [&](int body, const Vec& lever) {
    if (body < 0 || !rigid.units[static_cast<std::size_t>(body)].moves) return Vec{};
    return linear[static_cast<std::size_t>(body)] + math::cross(angular[static_cast<std::size_t>(body)], lever);
  };
  return at(c.body_b, c.lever_b) - at(c.body_a, c.lever_a);
}

/// Impulses of the step before as a guess. Both lists are in the order of owner and other.
void RigidResponse::recall(const model::State& state) {
  const std::vector<double>& memory = state.memory[contact_memory].values;
  reactions_.assign(3 * contacts_.size(), 0.0);
  was_closed_.assign(contacts_.size(), 0);
  std::size_t m = 0;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const contact::RigidTouch& touch = *active_[i].touch;
    const auto before = [&](std::size_t k) {
      const double* entry = &memory[k];
      return entry[0] != touch.owner ? entry[0] < touch.owner : entry[1] < touch.other;
    };
    while (m < memory.size() && before(m)) m += remembered;
    for (std::size_t k = m; k < memory.size() && memory[k] == touch.owner && memory[k + 1] == touch.other;
         k += remembered) {
      was_closed_[i] = 1;
      if (memory[k + 2] != touch.at.feature) continue;
      const Vec impulse = load3(&memory[k + 3]);
      const solve::RigidContact& c = contacts_[i];
      solve::store({dot(c.normal, impulse), dot(c.tangent, impulse), dot(math::cross(c.normal, c.tangent), impulse)}, i,
                   reactions_);
    }
  }
}

Vec RigidResponse::impulse_of(std::size_t i) const {
  const solve::Local r = solve::load(reactions_, i);
  const solve::RigidContact& c = contacts_[i];
  return r.x * c.normal + r.y * c.tangent + r.z * math::cross(c.normal, c.tangent);
}

void RigidResponse::remember(model::State& state) const {
  std::vector<double>& memory = state.memory[contact_memory].values;
  memory.clear();
  for (std::size_t i = 0; i < active_.size(); ++i) {
    if (reactions_[3 * i] == 0) continue;
    const contact::RigidTouch& touch = *active_[i].touch;
    const Vec p = impulse_of(i);
    for (const double value : {static_cast<double>(touch.owner), static_cast<double>(touch.other),
                               static_cast<double>(touch.at.feature), p.x, p.y, p.z}) {
      memory.push_back(value);
    }
  }
}

/// The energy that impulse i took, by name [eq. rigid-bodies-12]. The law's own cost is what the normal impulse took
/// besides the loss that the restitution means.
void RigidResponse::book(const RigidSystem& rigid, std::size_t i, double h, double time, bool closing,
                         StepReport& report) {
  const solve::RigidContact& c = contacts_[i];
  const solve::Local r = solve::load(reactions_, i);
  const Vec before = relative_velocity(rigid, i, linear_before_, angular_before_);
  const Vec sum = before + relative_velocity(rigid, i, linear_after_, angular_after_);
  const Vec second = math::cross(c.normal, c.tangent);
  const double normal = -0.5 * r.x * dot(c.normal, sum);
  const double friction = -0.5 * (r.y * dot(c.tangent, sum) + r.z * dot(second, sum));
  double approach = dot(c.normal, before);
  if (active_[i].bounces && options_.law == RigidImpactLaw::momentum) {
    approach += half_kick_apart(rigid, c, h);
  }
  const double restitution = -0.5 * r.x * (1 - active_[i].restitution) * std::min(0.0, approach);
  report.lost[model::Loss::restitution] += restitution;
  report.lost[model::Loss::friction] += friction;
  report.lost[model::Loss::law] += normal - restitution;
  ++report.contacts;
  if (!closing) {
    report.lasting.normal_impulse += r.x;
    report.lasting.time = time;
    return;
  }
  const contact::RigidTouch& touch = *active_[i].touch;
  const int group_b = rigid.units[static_cast<std::size_t>(c.body_b)].group;
  const bool forward = group_b == rigid.laws[static_cast<std::size_t>(touch.pair)].second_group;
  impulses_.push_back({time, touch.pair, to_eigen(touch.at.point), to_eigen(forward ? c.normal : -c.normal), r.x,
                       std::hypot(r.y, r.z), normal + friction});
}

/// Gives the impulses to the momenta; what planes and held bodies gave came from outside.
void RigidResponse::give(const RigidSystem& rigid, model::State& state, StepReport& report) {
  received_.assign(rigid.units.size(), {});
  const auto push = [&](int body, const Vec& lever, const Vec& impulse) {
    if (body < 0 || !rigid.units[static_cast<std::size_t>(body)].moves) return false;
    const RigidUnit& unit = rigid.units[static_cast<std::size_t>(body)];
    double* p = &state.p[unit.place];
    store3(load3(p) + impulse, p);
    double* pi = &state.p[unit.angular()];
    store3(load3(pi) + math::cross(lever, impulse), pi);
    Received& received = received_[static_cast<std::size_t>(body)];
    received.impulse += sum_of_sizes(impulse);
    received.moment += sum_of_sizes(lever) * sum_of_sizes(impulse);
    return true;
  };
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const solve::RigidContact& c = contacts_[i];
    report.max_penetration = std::max(report.max_penetration, -active_[i].touch->at.gap);
    if (reactions_[3 * i] == 0) continue;
    const Vec impulse = impulse_of(i);
    const bool on_a = push(c.body_a, c.lever_a, -impulse), on_b = push(c.body_b, c.lever_b, impulse);
    if (on_a && on_b) continue;
    const Vec from_outside = on_b ? impulse : -impulse;
    report.external_impulse.linear += to_eigen(from_outside);
    report.external_impulse.angular += to_eigen(math::cross(active_[i].touch->at.point, from_outside));
  }
}

/// Gives the impulses and books what they did.
void RigidResponse::apply(const RigidSystem& rigid, double h, model::State& state, StepReport& report) {
  give(rigid, state, report);
  const std::size_t n = rigid.units.size();
  linear_after_.assign(n, {});
  angular_after_.assign(n, {});
  for (std::size_t i = 0; i < n; ++i) {
    const RigidUnit& unit = rigid.units[i];
    if (!unit.moves) continue;
    drop_rounding(&state.p[unit.place], received_[i].impulse);
    drop_rounding(&state.p[unit.angular()], received_[i].moment);
    linear_after_[i] = (1 / unit.mass) * load3(&state.p[unit.place]);
    angular_after_[i] = inertias_[i].turn(load3(&state.p[unit.angular()]));
  }
  int closed_owner = -1, closed_other = -1;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (reactions_[3 * i] == 0) continue;
    book(rigid, i, h, state.time, !was_closed_[i], report);
    const contact::RigidTouch& touch = *active_[i].touch;
    if (was_closed_[i] || (touch.owner == closed_owner && touch.other == closed_other)) continue;
    closed_owner = touch.owner;
    closed_other = touch.other;
    ++report.closings;
  }
}

/// From the impulses of the step before.
solve::ConeReport RigidResponse::solve_problem(const model::State& state, StepReport& report) {
  const solve::ConeReport solved = solver_->solve(problem_, reactions_, solved_);
  if (solved.solved()) return solved;
  const bool ran_out =
      solved.status == solve::ConeStatus::iteration_limit || solved.status == solve::ConeStatus::stalled;
  // Nearly solved is told in the report and lets the run go on.
  if (ran_out && solved.error <= std::max(acceptable, acceptable_times * options_.solver.tolerance)) {
    ++report.fallbacks;
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
  for (std::size_t i = 0; i < rigid.units.size(); ++i) {
    const RigidUnit& unit = rigid.units[i];
    const double speed =
        std::sqrt(math::norm_sq(free_[i].linear)) + unit.reach * std::sqrt(math::norm_sq(free_[i].angular));
    margins_[i] = h * speed + 2 * touching * unit.reach;
  }
  contacts_.clear();
  active_.clear();
  impulses_.clear();
  for (const contact::RigidTouch& touch : rigid.detector.detect(poses_, margins_)) add_contact(rigid, touch, h);
  recall(state);
  if (contacts_.empty()) {
    remember(state);
    return;
  }
  problem_.assign(inertias_, free_, contacts_);
  const solve::ConeReport solved = solve_problem(state, report);
  report.iterations += solved.iterations;
  apply(rigid, h, state, report);
  remember(state);
  std::vector<double>& figures = state.memory[figure_memory].values;
  figures[0] = std::max(figures[0], solved.error);
  figures[1] += solved.iterations;
  figures[2] = std::max(figures[2], static_cast<double>(contacts_.size()));
  figures[3] += solved.handovers;
}

}  // namespace ictus::dynamics
