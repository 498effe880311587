#pragma once

#include <ictus/dynamics/booking/contact_work.hpp>
#include <ictus/dynamics/rigid/rigid_memory.hpp>
#include <ictus/dynamics/rigid/rigid_system.hpp>
#include <ictus/dynamics/system/heap_figures.hpp>
#include <ictus/dynamics/system/step_report.hpp>
#include <ictus/model/state.hpp>
#include <ictus/solve/cone/island_solver.hpp>
#include <optional>

// Notation: u velocities of the intervals before (u_{k−1}) and after (u_k) a node, d = (h/2) g, v⁻ = u_{k−1} + d and
// v⁺ = u_k − d those of the node; w a direction of a contact, P its impulse, e restitution.

namespace ictus::dynamics {

/// How Newton's law is put on the velocities of a step.
enum class RigidImpactLaw {
  momentum,  ///< w·(v⁺ + e v⁻) ≥ 0 and w·u_k ≥ 0 [eq. rigid-bodies-9]
  interval   ///< w·(u_k + e u_{k−1}) ≥ 0 [eq. rigid-bodies-8]
};

struct RigidResponseOptions {
  RigidImpactLaw law = RigidImpactLaw::momentum;
  solve::ConeOptions solver;
  bool rolls = false;  ///< moments beside forces will be booked
  bool heap = false;   ///< figures of all contacts are asked for
};

/// The impulses of all contacts of rigid bodies at one node: finds the contacts, solves for the impulses, applies them
/// to the momenta and books what they did. Keeps its memory.
class RigidResponse {
 public:
  explicit RigidResponse(const RigidResponseOptions& options) : options_(options) {}

  const RigidResponseOptions& options() const { return options_; }
  void prepare(const System& system);
  /// Lays out what a run must remember in state.memory.
  void start(model::State& state) const;

  /// On entry state.p has received the impulse of loads over the time h; `linear_before` are the velocities u_{k−1} of
  /// the bodies, `angular_before` their ω at this node. Throws base::NumericalFailure where the problem has no solution
  /// of the wanted accuracy.
  void respond(RigidSystem& rigid, double h, std::span<const math::Vector3<double>> linear_before,
               std::span<const math::Vector3<double>> angular_before, model::State& state, StepReport& report);

  std::span<const Impulse> impulses() const { return impulses_; }
  HeapFigures heap(const RigidSystem& rigid, double h) const;

 private:
  /// A contact that is part of the problem, and what its law made of it.
  struct Active {
    const contact::RigidTouch* touch;
    ContactRule rule = ContactRule::impact;
    double reference = 0;          ///< the gap at which it is held should it last (m)
    double none = 0;               ///< distances up to this are none (m)
    bool anchored = false;         ///< stuck in the step before
    bool stuck = false;            ///< sticks now
    bool bounces = false;          ///< restitution decides
    math::Vector3<double> slip{};  ///< how far it has slipped since (m)
    bool pair_pushed = false;      ///< the two bodies pushed each other in the step before
  };

  void set_up_bodies(const RigidSystem& rigid, const model::State& state);
  math::Vector3<double> tangent(const RigidSystem& rigid, const RigidLaw& law,
                                const solve::RigidContact& contact) const;
  void add_contact(RigidSystem& rigid, const contact::RigidTouch& touch, double h, RigidMemory& memory);
  solve::RigidContact contact_at(const RigidSystem& rigid, const contact::RigidTouch& touch) const;
  bool passes_through(RigidSystem& rigid, const contact::RigidTouch& touch, const solve::RigidContact& contact,
                      double h) const;
  double parting_speed(const RigidSystem& rigid, const contact::RigidTouch& touch, double h) const;
  double no_distance(const RigidSystem& rigid, const solve::RigidContact& contact, int owner, double h) const;
  double max_turned(const solve::RigidContact& contact, double h) const;
  void set_normal_offset(const RigidSystem& rigid, solve::RigidContact& contact, double h,
                         const std::optional<RememberedContact>& before, Active& active) const;
  void set_tangential_offset(const RigidSystem& rigid, solve::RigidContact& contact, double h,
                             const std::optional<RememberedContact>& before, Active& active) const;
  solve::ConeReport solve_problem(const model::State& state, StepReport& report);
  void apply_impulses(const RigidSystem& rigid, model::State& state, StepReport& report);
  void apply(const RigidSystem& rigid, double h, model::State& state, StepReport& report);
  void book(const RigidSystem& rigid, std::size_t i, double h, double time, StepReport& report);
  bool lasts(std::size_t contact, double h) const;
  void remember(double h, model::State& state) const;
  math::Vector3<double> impulse_of(std::size_t i) const;
  /// The moment of a contact beside that of its impulse, in space (N m s).
  math::Vector3<double> moment_of(std::size_t i) const;
  double book_rolling(std::size_t i) const;
  /// In the frame of the contact.
  static solve::Local relative_velocity(const solve::RigidContact& contact,
                                        std::span<const math::Vector3<double>> linear,
                                        std::span<const math::Vector3<double>> angular);

  RigidResponseOptions options_;
  std::optional<solve::IslandSolver> solver_;
  std::vector<geometry::Pose> poses_;
  std::vector<double> margins_;
  std::vector<solve::RigidInertia> inertias_;
  std::vector<solve::RigidVelocity> free_;
  std::vector<solve::RigidContact> contacts_;
  std::vector<Active> active_;
  std::vector<double> reactions_, moments_;
  double error_ = 0;  // of the last solution
  std::vector<math::Vector3<double>> linear_free_, angular_after_, linear_after_;
  /// Sizes of the impulses and moments that a body received at this node, added up.
  struct Received {
    double impulse = 0, moment = 0;
  };
  std::vector<Received> received_;
  std::span<const math::Vector3<double>> linear_before_, angular_before_;
  std::vector<Impulse> impulses_;
};

}  // namespace ictus::dynamics
