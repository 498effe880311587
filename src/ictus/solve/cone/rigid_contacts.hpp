#pragma once

#include <algorithm>
#include <array>
#include <ictus/math/pack_transpose.hpp>
#include <ictus/solve/cone/cone_problem.hpp>
#include <ictus/solve/cone/rolling_step.hpp>
#include <ictus/solve/sweeps/sweep_planner.hpp>
#include <span>
#include <type_traits>
#include <vector>

// Notation: v velocity of a centre of mass, ω angular velocity, both in world axes; a, b the two bodies of a contact.

namespace ictus::solve {

using Vec = math::Vector3<double>;

/// Inverse mass and inverse inertia tensor of a rigid body (T = double) or of eight (T = math::Pack), the latter in
/// world axes. All zero: held, or moved by others.
template <class T>
struct BasicInertia {
  T inverse_mass{};
  math::Vector3<T> diagonal;      ///< I⁻¹ xx, yy, zz
  math::Vector3<T> off_diagonal;  ///< I⁻¹ yz, xz, xy

  constexpr math::Vector3<T> turn(const math::Vector3<T>& torque) const {
    return {diagonal.x * torque.x + off_diagonal.z * torque.y + off_diagonal.y * torque.z,
            off_diagonal.z * torque.x + diagonal.y * torque.y + off_diagonal.x * torque.z,
            off_diagonal.y * torque.x + off_diagonal.x * torque.y + diagonal.z * torque.z};
  }
};

using RigidInertia = BasicInertia<double>;

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
  /// The moments that it bears across and along the normal, over its normal reaction: lengths (m)
  /// [eq. contact-solvers-16].
  double rolling = 0;
  double spinning = 0;
};

/// The form simulations use: no matrix, contacts act on the velocities of two bodies each. Chunks of neighbouring
/// contacts stay in cache while they are swept, eight at a time where these share no body. About 200 bytes for a
/// contact and 130 for a body beside the state. The error is measured with the reactions in units of 1/ρ, ρ = mean
/// W_NN, so that it does not depend on the units of mass.
class RigidContacts {
 public:
  /// Takes over a new problem; allocates only where it is larger than every one before. `velocities` are those without
  /// reactions, one for each body of `inertias`.
  /// Throws base::InputError for a body number out of range, a contact between two held bodies, a value that is not
  /// finite, μ < 0 or another friction below 0, or an inverse mass or inertia < 0.
  void assign(std::span<const RigidInertia> inertias, std::span<const RigidVelocity> velocities,
              std::span<const RigidContact> contacts);

  std::size_t size() const { return order_.size(); }
  std::size_t bodies() const { return moves_.size(); }
  std::size_t reactions() const { return (rolling_.empty() ? 3 : 6) * size(); }
  std::size_t state_size() const { return reactions() + line * (bodies() + 1); }
  const SweepPlan& plan() const { return plan_; }
  FrictionCone cone(std::size_t i) const {
    const auto mu = [](double inverse) { return inverse > 0.0 ? 1.0 / inverse : 0.0; };
    const BasicProxStep<math::Pack>& p = blocks_[i / lanes].rows.prox;
    return {mu(p.inverse_mu1[lane(i)]), mu(p.inverse_mu2[lane(i)])};
  }
  ProxStep prox(std::size_t i) const { return row(i).prox; }

  Local velocity(std::size_t i, std::span<const double> state) const;
  double relax(std::size_t begin, std::size_t end, double relaxation, std::span<double> state) const;
  double defect_sq(std::size_t begin, std::size_t end, std::span<const double> state) const;
  void rebuild(const exec::Executor& executor, std::span<double> state) const;
  double free_norm() const { return free_norm_; }
  /// The error becomes one relative to `norm` where |q| is less: these contacts are a part of a problem that is solved
  /// in parts, and hardly pushed.
  void raise_free_norm(double norm) { free_norm_ = std::max(free_norm_, norm); }
  double reaction_unit() const { return reaction_unit_; }

  /// The caller's contact that stands at index i of the state.
  std::size_t caller_index(std::size_t i) const { return static_cast<std::size_t>(order_[i]); }
  /// Puts the caller's reactions and moments (N s, N m s, in contact frames; no moments: zeros) into the state, and
  /// back.
  void put(std::span<const double> reactions, std::span<const double> moments, std::span<double> state) const;
  void take(std::span<const double> state, std::span<double> reactions, std::span<double> moments) const;
  RigidVelocity body_velocity(std::size_t body, std::span<const double> state) const;

  /// The same problem with W written out, contacts in the order of the state.
  BlockProblem assemble() const;

 private:
  static constexpr std::size_t lanes = math::Pack::lanes;
  /// A body's v, 1/m, ω and 1/I make a line of the state, the last where its inertia is the same about every axis: such
  /// bodies, balls and cubes among them, are swept without a look at their inertia tensors, which make lines of their
  /// own. One body more than there are stands for whatever is held: its lines are zero.
  static constexpr std::size_t line = 8;

  /// What sweeps know of one contact (T = double) or of eight (T = math::Pack).
  template <class T>
  struct Rows {
    math::Vector3<T> normal, tangent, lever_a, lever_b, offset;
    std::conditional_t<std::is_same_v<T, double>, ProxStep, BasicProxStep<T>> prox;
  };
  /// Contacts that follow one another in the order of sweeps.
  struct Block {
    Rows<math::Pack> rows;
    std::array<int, lanes> body_a, body_b;
    bool independent = false;  ///< eight contacts, and no body that moves occurs twice
    bool round = false;        ///< independent, and every body has the same inertia about every axis
    bool circular = false;     ///< eight contacts, and every cone is circular
  };

  static int lane(std::size_t i) { return static_cast<int>(i % lanes); }
  int body_a(std::size_t i) const { return blocks_[i / lanes].body_a[i % lanes]; }
  int body_b(std::size_t i) const { return blocks_[i / lanes].body_b[i % lanes]; }
  bool moves(int body) const { return static_cast<std::size_t>(body) < bodies() && moves_[body] != 0; }
  Rows<double> row(std::size_t i) const;
  void set_lane(const RigidContact& contact, std::size_t k, Block& block) const;
  math::Matrix3<math::Pack> own_coupling(const Block& block) const;
  RigidInertia inertia(int body) const;
  std::size_t body_offset(int body) const { return reactions() + line * static_cast<std::size_t>(body); }

  void take_bodies(std::span<const RigidInertia> inertias, std::span<const RigidVelocity> velocities);
  void pack(std::span<const RigidContact> contacts);
  void mark_blocks();
  bool independent(std::size_t first) const;
  bool round(int body) const;
  double relax_one(std::size_t i, double relaxation, std::span<double> state) const;
  template <bool round_bodies>
  double relax_block(std::size_t first, double relaxation, std::span<double> state) const;
  template <bool round_bodies>
  void push_block(const Block& block, const math::Vector3<math::Pack>& r, math::Rows8& a, math::Rows8& b) const;
  template <bool round_bodies>
  void turn_block(const Block& block, const math::Vector3<math::Pack>& moment, math::Rows8& a, math::Rows8& b) const;
  template <bool round_bodies>
  double roll_block(std::size_t first, const math::Pack& normal, double relaxation, std::span<double> state,
                    math::Rows8& a, math::Rows8& b) const;
  double roll_one(std::size_t i, const Rows<double>& c, double normal, double relaxation,
                  std::span<double> state) const;
  void scatter(const Block& block, math::Rows8& a, math::Rows8& b, double* lines) const;
  bool in_block(std::size_t i, std::size_t end) const {
    return i % lanes == 0 && i + lanes <= end && blocks_[i / lanes].independent;
  }
  BasicRollingStep<double> rolling(std::size_t i) const;
  std::size_t moment_offset(std::size_t i) const { return 3 * (size() + i); }
  void set_rolling(std::span<const RigidContact> contacts);
  math::Matrix3<math::Pack> turning_coupling(const Block& block) const;
  Vec turning(std::size_t i, const Rows<double>& c, std::span<const double> state) const;
  void turn_bodies(std::size_t i, const Vec& moment, std::span<double> state) const;
  double block_defect_sq(std::size_t first, std::span<const double> state) const;
  void push(std::size_t i, const Rows<double>& c, const Local& r, std::span<double> state) const;
  void push_body(int body, const Vec& lever, const Vec& impulse, std::span<double> state) const;
  LocalMatrix coupling(std::size_t i, std::size_t j, int body) const;

  std::vector<Block> blocks_;
  std::vector<BasicRollingStep<math::Pack>> rolling_;  // by block; empty where no contact bears a moment
  std::vector<double> inertias_;                       // lines
  std::vector<char> moves_;                            // bodies
  std::vector<double> free_;                           // lines of the state without reactions
  std::vector<int> order_;
  std::vector<SweepPlanner::Pair> pairs_;
  SweepPlanner planner_;
  SweepPlan plan_;
  double free_norm_ = 0.0;
  double reaction_unit_ = 1.0;
};

}  // namespace ictus::solve
