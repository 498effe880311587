#pragma once

#include <ictus/dynamics/rigid_system.hpp>
#include <ictus/dynamics/step_report.hpp>
#include <ictus/model/state.hpp>
#include <ictus/solve/cone_solver.hpp>
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
};

/// The impulses of all contacts of rigid bodies at one node: finds the contacts, solves for the impulses, applies them
/// to the momenta and books what they did. Keeps its memory.
class RigidResponse {
 public:
  explicit RigidResponse(const RigidResponseOptions& options) : options_(options) {}

  void prepare(const System& system);
  /// Lays out what a run must remember in state.memory.
  void start(model::State& state) const;

  /// On entry state.p has received the impulse of loads over the time h; `linear_before` are the velocities u_{k−1} of
  /// the bodies, `angular_before` their ω at this node. Throws base::NumericalFailure where the problem has no solution
  /// of the wanted accuracy.
  void respond(RigidSystem& rigid, double h, std::span<const math::Vector3<double>> linear_before,
               std::span<const math::Vector3<double>> angular_before, model::State& state, StepReport& report);

  std::span<const Impulse> impulses() const { return impulses_; }

 private:
  /// A contact that is part of the problem, and what its law made of it.
  struct Active {
    const contact::RigidTouch* touch;
    double restitution;
    bool bounces;  ///< the restitution decides, not the rest of the interval
  };
  /// How the memory of a contact lies in State::memory.
  static constexpr std::size_t remembered = 6;  // owner, other, feature, impulse

  void set_up_bodies(const RigidSystem& rigid, const model::State& state);
  math::Vector3<double> tangent(const RigidSystem& rigid, const RigidLaw& law,
                                const solve::RigidContact& contact) const;
  void add_contact(const RigidSystem& rigid, const contact::RigidTouch& touch, double h);
  double parting_speed(const RigidSystem& rigid, const contact::RigidTouch& touch, double h) const;
  solve::Local law_offset(const RigidSystem& rigid, const contact::RigidTouch& touch,
                          const solve::RigidContact& contact, double h, Active& active) const;
  void recall(const model::State& state);
  solve::ConeReport solve_problem(const model::State& state, StepReport& report);
  void give(const RigidSystem& rigid, model::State& state, StepReport& report);
  void apply(const RigidSystem& rigid, double h, model::State& state, StepReport& report);
  void book(const RigidSystem& rigid, std::size_t i, double h, double time, bool closing, StepReport& report);
  void remember(model::State& state) const;
  math::Vector3<double> impulse_of(std::size_t i) const;
  math::Vector3<double> relative_velocity(const RigidSystem& rigid, std::size_t i,
                                          std::span<const math::Vector3<double>> linear,
                                          std::span<const math::Vector3<double>> angular) const;

  RigidResponseOptions options_;
  std::optional<solve::ConeSolver> solver_;
  solve::RigidContacts problem_;
  std::vector<geometry::Pose> poses_;
  std::vector<double> margins_;
  std::vector<solve::RigidInertia> inertias_;
  std::vector<solve::RigidVelocity> free_, solved_;
  std::vector<solve::RigidContact> contacts_;
  std::vector<Active> active_;
  std::vector<double> reactions_;
  std::vector<char> was_closed_;
  std::vector<math::Vector3<double>> linear_after_, angular_after_;
  /// Sizes of the impulses and moments that a body received at this node, added up.
  struct Received {
    double impulse = 0, moment = 0;
  };
  std::vector<Received> received_;
  std::span<const math::Vector3<double>> linear_before_, angular_before_;
  std::vector<Impulse> impulses_;
};

}  // namespace ictus::dynamics
