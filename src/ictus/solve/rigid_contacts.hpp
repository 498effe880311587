#pragma once

#include <ictus/solve/cone_problem.hpp>
#include <ictus/solve/sweep_planner.hpp>
#include <span>
#include <vector>

// Notation: v velocity of a centre of mass, ω angular velocity, both in world axes; a, b the two bodies of a contact.

namespace ictus::solve {

using Vec = math::Vector3<double>;

/// Inverse mass and inverse inertia tensor of a rigid body, the latter in world axes. All zero: held, or moved by
/// others.
struct RigidInertia {
  double inverse_mass = 0.0;
  Vec diagonal;      ///< I⁻¹ xx, yy, zz
  Vec off_diagonal;  ///< I⁻¹ yz, xz, xy

  constexpr Vec turn(const Vec& torque) const {
    return {diagonal.x * torque.x + off_diagonal.z * torque.y + off_diagonal.y * torque.z,
            off_diagonal.z * torque.x + diagonal.y * torque.y + off_diagonal.x * torque.z,
            off_diagonal.y * torque.x + off_diagonal.x * torque.y + diagonal.z * torque.z};
  }
};

struct RigidVelocity {
  Vec linear;
  Vec angular;
};

/// One contact point: relative velocity u = F (v_b + ω_b × l_b − v_a − ω_a × l_a) + offset in the frame
/// F = (normal, tangent, normal × tangent); the reaction pushes b along the normal and a against it.
struct RigidContact {
  static constexpr int held = -1;

  int body_a = held;
  int body_b = held;
  Vec normal;   ///< unit, from a to b
  Vec tangent;  ///< unit, across the normal: the direction of the cone's μ₁
  Vec lever_a;  ///< l, from the centre of mass to the point
  Vec lever_b;
  Local offset;  ///< added to u: restitution, gap over step
  FrictionCone cone;
};

/// The form simulations use: no matrix, contacts act on the velocities of two bodies each. Chunks of neighbouring
/// contacts stay in cache while they are swept. About 170 bytes for a contact and 130 for a body beside the state. The
/// error is measured with the reactions in units of 1/ρ, ρ = mean W_NN, so that it does not depend on the units of
/// mass.
class RigidContacts {
 public:
  /// Takes over a new problem; allocates only where it is larger than every one before. `velocities` are those without
  /// reactions, one for each body of `inertias`.
  /// Throws base::InputError for a body number out of range, a contact between two held bodies, a value that is not
  /// finite, μ < 0, or an inverse mass or inertia < 0.
  void assign(std::span<const RigidInertia> inertias, std::span<const RigidVelocity> velocities,
              std::span<const RigidContact> contacts);

  std::size_t size() const { return contacts_.size(); }
  std::size_t bodies() const { return bodies_.size(); }
  std::size_t state_size() const { return 3 * size() + body_stride * bodies(); }
  const SweepPlan& plan() const { return plan_; }
  FrictionCone cone(std::size_t i) const {
    const ProxStep& p = contacts_[i].prox;
    return {p.inverse_mu1 > 0.0 ? 1.0 / p.inverse_mu1 : 0.0, p.inverse_mu2 > 0.0 ? 1.0 / p.inverse_mu2 : 0.0};
  }
  const ProxStep& prox(std::size_t i) const { return contacts_[i].prox; }

  Local velocity(std::size_t i, std::span<const double> state) const {
    const Packed& c = contacts_[i];
    const Vec relative = point_velocity(c.body_b, c.lever_b, state) - point_velocity(c.body_a, c.lever_a, state);
    return to_frame(c, relative) + c.offset;
  }

  double relax(std::size_t i, double relaxation, std::span<double> state) const {
    const Packed& c = contacts_[i];
    const Vec second = math::cross(c.normal, c.tangent);
    const Vec relative = point_velocity(c.body_b, c.lever_b, state) - point_velocity(c.body_a, c.lever_a, state);
    const Local u =
        Local{math::dot(c.normal, relative), math::dot(c.tangent, relative), math::dot(second, relative)} + c.offset;
    const Local before = load(state, i);
    const Local after = c.prox.update(before, u, relaxation);
    const Local change = after - before;
    const Vec impulse = change.x * c.normal + change.y * c.tangent + change.z * second;
    push_body(c.body_a, c.lever_a, -impulse, state);
    push_body(c.body_b, c.lever_b, impulse, state);
    store(after, i, state);
    return math::norm_sq(change);
  }

  void rebuild(const exec::Executor& executor, std::span<double> state) const;
  double free_norm() const { return free_norm_; }
  double reaction_unit() const { return reaction_unit_; }

  /// The caller's contact that stands at place i of the state.
  std::size_t caller_index(std::size_t i) const { return static_cast<std::size_t>(order_[i]); }
  RigidVelocity body_velocity(std::size_t body, std::span<const double> state) const;

  /// The same problem with W written out, contacts in the order of the state.
  BlockProblem assemble() const;

 private:
  /// A body's v and ω, each padded to four doubles: one cache line.
  static constexpr std::size_t body_stride = 8;

  struct Packed {
    int body_a, body_b;
    Vec normal, tangent, lever_a, lever_b;
    Local offset;
    ProxStep prox;
  };
  struct Body {
    RigidInertia inertia;
    bool moves;
  };

  static Local to_frame(const Packed& c, const Vec& x) {
    return {math::dot(c.normal, x), math::dot(c.tangent, x), math::dot(math::cross(c.normal, c.tangent), x)};
  }
  std::size_t place(int body) const { return 3 * size() + body_stride * static_cast<std::size_t>(body); }
  Vec point_velocity(int body, const Vec& lever, std::span<const double> state) const {
    if (body < 0) return {};
    const double* v = &state[place(body)];
    return Vec{v[0], v[1], v[2]} + math::cross(Vec{v[4], v[5], v[6]}, lever);
  }
  /// Adds the reaction's velocities to both bodies. Bodies that do not move are not written: threads share them.
  void push(const Packed& c, const Local& r, std::span<double> state) const {
    const Vec impulse = r.x * c.normal + r.y * c.tangent + r.z * math::cross(c.normal, c.tangent);
    push_body(c.body_a, c.lever_a, -impulse, state);
    push_body(c.body_b, c.lever_b, impulse, state);
  }
  void push_body(int body, const Vec& lever, const Vec& impulse, std::span<double> state) const {
    if (body < 0 || !bodies_[body].moves) return;
    const RigidInertia inertia = bodies_[body].inertia;
    const Vec linear = inertia.inverse_mass * impulse;
    const Vec angular = inertia.turn(math::cross(lever, impulse));
    double* v = &state[place(body)];
    v[0] += linear.x;
    v[1] += linear.y;
    v[2] += linear.z;
    v[4] += angular.x;
    v[5] += angular.y;
    v[6] += angular.z;
  }
  void pack(std::span<const RigidContact> contacts);
  LocalMatrix coupling(const Packed& i, const Packed& j, int body) const;

  std::vector<Packed> contacts_;
  std::vector<Body> bodies_;
  std::vector<RigidVelocity> free_;
  std::vector<int> order_;
  std::vector<SweepPlanner::Pair> pairs_;
  SweepPlanner planner_;
  SweepPlan plan_;
  double free_norm_ = 0.0;
  double reaction_unit_ = 1.0;
};

}  // namespace ictus::solve
