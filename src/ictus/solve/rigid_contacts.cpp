#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/solve/rigid_contacts.hpp>

namespace ictus::solve {

namespace {

bool finite(const Vec& x) { return std::isfinite(x.x + x.y + x.z); }

double lowest(const Vec& x) { return std::min({x.x, x.y, x.z}); }

std::vector<base::Mistake> check_bodies(std::span<const RigidInertia> inertias,
                                        std::span<const RigidVelocity> velocities) {
  std::vector<base::Mistake> mistakes;
  for (std::size_t i = 0; i < inertias.size(); ++i) {
    const RigidInertia& m = inertias[i];
    const auto refuse = [&](const char* what) { mistakes.push_back({"", 0, fmt::format("body {}", i), what}); };
    if (!std::isfinite(m.inverse_mass) || !finite(m.diagonal) || !finite(m.off_diagonal)) {
      refuse("inverse mass or inertia is not finite: a body needs a mass above zero");
    } else if (m.inverse_mass < 0.0 || lowest(m.diagonal) < 0.0) {
      refuse("inverse mass or inertia is negative");
    }
    if (!finite(velocities[i].linear) || !finite(velocities[i].angular)) refuse("velocity is not finite");
  }
  return mistakes;
}

}  // namespace

void RigidContacts::assign(std::span<const RigidInertia> inertias, std::span<const RigidVelocity> velocities,
                           std::span<const RigidContact> contacts) {
  assert(inertias.size() == velocities.size());
  std::vector<base::Mistake> mistakes = check_bodies(inertias, velocities);
  bodies_.resize(inertias.size());
  for (std::size_t i = 0; i < inertias.size(); ++i) {
    const RigidInertia& m = inertias[i];
    bodies_[i] = {m, m.inverse_mass > 0.0 || m.diagonal.x + m.diagonal.y + m.diagonal.z > 0.0};
  }
  free_.assign(velocities.begin(), velocities.end());

  pairs_.resize(contacts.size());
  const int count = static_cast<int>(bodies_.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const RigidContact& c = contacts[i];
    const auto refuse = [&](std::string what) { mistakes.push_back({"", 0, fmt::format("contact {}", i), what}); };
    if (std::max(c.body_a, c.body_b) >= count || std::min(c.body_a, c.body_b) < RigidContact::held) {
      refuse(fmt::format("names bodies {} and {}, must lie in -1 .. {}", c.body_a, c.body_b, count - 1));
      continue;
    }
    const auto mover = [&](int body) { return body >= 0 && bodies_[body].moves ? body : -1; };
    pairs_[i] = {mover(c.body_a), mover(c.body_b)};
    if (pairs_[i][0] < 0 && pairs_[i][1] < 0) refuse("lies between two bodies that cannot move");
    if (c.body_a == c.body_b) refuse(fmt::format("lies between body {} and itself", c.body_a));
    if (!finite(c.normal) || !finite(c.tangent) || !finite(c.lever_a) || !finite(c.lever_b) || !finite(c.offset)) {
      refuse("has a frame, lever or offset that is not finite");
    }
    if (!(c.cone.mu1 >= 0.0 && c.cone.mu2 >= 0.0 && std::isfinite(c.cone.mu1 + c.cone.mu2))) {
      refuse(fmt::format("has friction {} and {}, must be finite and not negative", c.cone.mu1, c.cone.mu2));
    }
  }
  if (!mistakes.empty()) throw base::InputError(std::move(mistakes));

  planner_.plan(pairs_, bodies_.size(), order_, plan_);
  pack(contacts);
}

/// Contacts in the order of sweeps, with their proximal steps, |q| and mean W_NN.
void RigidContacts::pack(std::span<const RigidContact> contacts) {
  contacts_.resize(contacts.size());
  double norm_sq = 0.0;
  double normal_sum = 0.0;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const RigidContact& c = contacts[caller_index(k)];
    Packed& p = contacts_[k];
    p = {c.body_a, c.body_b, c.normal, c.tangent, c.lever_a, c.lever_b, c.offset, {}};
    const LocalMatrix diagonal = coupling(p, p, c.body_a) + coupling(p, p, c.body_b);
    p.prox = ProxStep(c.cone, diagonal);
    normal_sum += diagonal.a.x;
    const auto free_at = [&](int body, const Vec& lever) {
      return body < 0 ? Vec{} : free_[body].linear + math::cross(free_[body].angular, lever);
    };
    norm_sq += math::norm_sq(to_frame(p, free_at(c.body_b, c.lever_b) - free_at(c.body_a, c.lever_a)) + c.offset);
  }
  free_norm_ = std::sqrt(norm_sq);
  reaction_unit_ = contacts.empty() ? 1.0 : normal_sum / static_cast<double>(contacts.size());
}

void RigidContacts::rebuild(const exec::Executor& executor, std::span<double> state) const {
  executor.for_blocks(bodies(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t body = begin; body < end; ++body) {
      double* v = &state[place(static_cast<int>(body))];
      const auto& [linear, angular] = free_[body];
      const double values[body_stride] = {linear.x, linear.y, linear.z, 0.0, angular.x, angular.y, angular.z, 0.0};
      std::copy_n(values, body_stride, v);
    }
  });
  plan_.run(executor, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) push(contacts_[i], load(state, i), state);
  });
}

RigidVelocity RigidContacts::body_velocity(std::size_t body, std::span<const double> state) const {
  const double* v = &state[place(static_cast<int>(body))];
  return {{v[0], v[1], v[2]}, {v[4], v[5], v[6]}};
}

/// What the reactions of contact j do to the relative velocity of contact i through one body.
LocalMatrix RigidContacts::coupling(const Packed& i, const Packed& j, int body) const {
  if (body < 0) return {};
  const RigidInertia& inertia = bodies_[body].inertia;
  const bool second_of_i = i.body_b == body;
  const bool second_of_j = j.body_b == body;
  const Vec& lever_i = second_of_i ? i.lever_b : i.lever_a;
  const Vec& lever_j = second_of_j ? j.lever_b : j.lever_a;
  const double sign = second_of_i == second_of_j ? 1.0 : -1.0;
  const auto column = [&](const Vec& direction) {
    const Vec turn = inertia.turn(math::cross(lever_j, direction));
    return sign * to_frame(i, inertia.inverse_mass * direction + math::cross(turn, lever_i));
  };
  return {column(j.normal), column(j.tangent), column(math::cross(j.normal, j.tangent))};
}

BlockProblem RigidContacts::assemble() const {
  std::vector<std::vector<int>> contacts_of(bodies());
  for (std::size_t i = 0; i < size(); ++i) {
    for (const int body : {contacts_[i].body_a, contacts_[i].body_b}) {
      if (body >= 0 && bodies_[body].moves) contacts_of[body].push_back(static_cast<int>(i));
    }
  }
  BlockProblem::Data data;
  data.row_offsets.push_back(0);
  std::vector<double> state(state_size(), 0.0);
  rebuild(exec::Executor(), state);
  std::vector<int> place_of(size(), -1);
  for (std::size_t i = 0; i < size(); ++i) {
    const Packed& c = contacts_[i];
    const int first = static_cast<int>(data.columns.size());
    for (const int body : {c.body_a, c.body_b}) {
      if (body < 0) continue;
      for (const int j : contacts_of[body]) {
        if (place_of[j] < first) {
          place_of[j] = static_cast<int>(data.columns.size());
          data.columns.push_back(j);
          data.blocks.emplace_back();
        }
        data.blocks[place_of[j]] = data.blocks[place_of[j]] + coupling(c, contacts_[j], body);
      }
    }
    data.row_offsets.push_back(static_cast<int>(data.columns.size()));
    data.q.push_back(velocity(i, state));
    data.cones.push_back(cone(i));
  }
  return BlockProblem(std::move(data));
}

}  // namespace ictus::solve
