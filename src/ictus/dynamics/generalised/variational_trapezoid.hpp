#pragma once

#include <ictus/dynamics/booking/contact_work.hpp>
#include <ictus/dynamics/generalised/generalised_integrator.hpp>

namespace ictus::dynamics {

/// What the impact law speaks of: the velocities u of the intervals (capobianco-2018), or the momenta at the node.
enum class ImpactLaw { paper, momentum };

/// Moreau-type variational integrator (capobianco-2018) for bodies with generalised coordinates. Linear elements in
/// time and the trapezoid rule make of T(q, v), V(q) and the damping forces a scheme in the momenta at the nodes,
///   p_k⁺ = p_k⁻ + w P,   u_k from p_k⁺ [eq. moreau-variational-4],   p_{k+1}⁻ [eq. moreau-variational-5],
/// with P ≠ 0 where g(q_k) ≤ 0. The law of the paper reads ξ = w·(u_k + ε u_{k−1}) [eq. moreau-variational-9]; the law
/// of momenta wants w·(v⁺ + ε v⁻) ≥ 0 and w·u_k ≥ 0 [eq. moreau-variational-10]. Second order and symplectic between
/// impacts. The state is (q_k, p_k⁻). The energy is v·∂T/∂v − T + V: at the node for bodies of constant inertia,
/// whose fall it keeps exactly, else in the middle of the last interval, where it oscillates least
/// [eq. moreau-variational-12].
class VariationalTrapezoid final : public GeneralisedIntegrator {
 public:
  explicit VariationalTrapezoid(ImpactLaw law) : law_(law) {}

  std::string_view name() const override { return "moreau-variational"; }
  Capabilities capabilities() const override;
  model::Stored energy(const System& system, double h, const model::State& state) const override;
  void velocity(const System& system, double h, const model::State& state, std::span<double> v) const override;

 private:
  /// Velocities along the contact directions at one node.
  struct ContactRates {
    Rows minus{};     ///< w·v⁻
    Rows plus{};      ///< w·v⁺
    Rows previous{};  ///< w·u_{k−1}, for the law of the paper
    Rows next{};      ///< w·u_k
  };

  void step_body(GeneralisedMember& member, double h, model::State& state, StepReport& report) override;
  void solve_interval(GeneralisedMember& member, double h, const model::State& state, StepReport& report);
  template <class Size>
  void respond(Size n, GeneralisedMember& member, double h, const model::State& state, StepReport& report);
  void set_free_rates();
  ContactWork work_at(int contact, const model::State& state) const;
  void book(const GeneralisedMember& member, double time, model::State& state, StepReport& report);
  void book_interval(const GeneralisedMember& member, model::State& state, StepReport& report) const;

  ImpactLaw law_;
  Vector u_{}, p_plus_{}, v_minus_{};
  Rows impulse_{};
  ContactRates rates_;
  std::array<bool, GeneralisedContacts::max_count> at_rest_{};  // rest decides about the impulse, not the impact
  GeneralisedMotion::End end_{};
};

}  // namespace ictus::dynamics
