#pragma once

#include <ictus/mechanics/generalised/generalised_body.hpp>
#include <ictus/model/rigid_frame.hpp>

// Notation: q coordinates, p = ∂T/∂q̇, M(q) = LLᵀ mass matrix, π = L⁻¹p, f = −∂V/∂q, h step.

namespace ictus::mechanics {

/// The system of GeneralisedBody among bodies of all families. Its momenta are π = L⁻¹p, of which T = ½π² at any q: the
/// inertia of each is one and never changes [eq. mixed-10]. Kicks are L⁻¹f, the flight without forces is that of the
/// trapezoid rule for T, symplectic and symmetric [eq. mixed-12], and the rows of contacts are L⁻¹ times the gradients.
/// Its slots in q are n ways with σ̇ = π, where its momenta are in p, the n coordinates, L⁻¹ by rows, and the pose of
/// each link with how it moves with π, see model::FollowedMomenta: all that contact must know of it. Momenta of the
/// other slots are zero. T must be quadratic in q̇; the body's own dofs begin at 0.
class CoordinateBody final : public NodalBody {
 public:
  /// Throws base::InputError where T is not quadratic.
  CoordinateBody(std::unique_ptr<const GeneralisedBody> system, std::size_t first_dof);
  ~CoordinateBody() override;

  const GeneralisedBody& system() const { return *system_; }
  /// The points of its own contacts, which meet those of `surroundings`.
  const model::Surface& surface() const override { return *surface_; }
  const model::Surface& surroundings() const { return *surroundings_; }
  /// What others meet of its links; its own points where it has none.
  const model::Surface& skin() const override { return skin_ ? *skin_ : *surface_; }

  const CoordinateBody* coordinate_body() const override { return this; }
  Range dofs() const override { return {first_, mass_.size()}; }
  void initialise(std::span<double> q, std::span<double> p) const override;
  Momentum momentum(std::span<const double> q, std::span<const double> p) const override;
  double momentum_scale(std::span<const double> p) const override;
  std::span<const std::string_view> probe_quantities() const override { return system_->probe_quantities(); }
  void probe(double fraction, const Motion& motion, std::span<double> values) const override;
  Picture draw(std::span<const double> q, std::span<const double> v) const override;

  std::span<const double> mass() const override { return mass_; }
  std::span<const int> fixed() const override { return {}; }
  std::string dof_name(std::size_t dof) const override { return "momentum " + std::to_string(dof - first_); }
  Momentum support_impulse(int dof, double p, std::span<const double> q) const override;
  Momentum gravity_impulse(std::span<const double> q, double h) const override;
  bool turns() const override { return true; }
  double fly(const exec::Executor& exec, double h, std::span<double> q, std::span<double> p) const override;
  void kick(const exec::Executor& exec, std::span<const double> q, double h, std::span<double> p) const override;
  PotentialEnergy potential_energy(const exec::Executor& exec, std::span<const double> q) const override;
  PotentialEnergy interval_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                                  double h) const override;
  PotentialEnergy trapezoid_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                                   double h) const override {
    return interval_energy(exec, q, p, h);
  }
  double chord_energy(const exec::Executor&, std::span<const double>, std::span<const double>, double) const override {
    return 0;
  }
  void stiffness(std::span<const double>, std::vector<StiffnessEntry>&) const override {}
  /// β = 1: `apply_damping` gives the whole force.
  Rayleigh damping() const override { return {0, system_->damped() ? 1.0 : 0.0}; }
  void apply_damping(const exec::Executor& exec, std::span<const double> q, std::span<const double> v, double h,
                     std::span<double> p) const override;
  CriticalStep critical_step() const override { return critical_; }
  /// Where M is constant and V quadratic.
  bool linear() const override { return linear_; }

 private:
  std::size_t count() const { return system_->coordinates(); }
  /// Where in the body's slots the coordinates, L⁻¹ and the links begin.
  std::size_t coordinates_at() const { return count(); }
  std::size_t inverse_root_at() const { return 2 * count(); }
  std::size_t links_at() const { return count() * (2 + count()); }
  std::span<const double> coordinates(std::span<const double> q) const {
    return q.subspan(first_ + coordinates_at(), count());
  }
  void rates(std::span<const double> q, std::span<const double> v, CoordinateVector& rates) const;
  void force(std::span<const double> q, CoordinateVector& scaled) const;
  bool follow(double* slots) const;
  [[noreturn]] void fail_flight() const;

  std::unique_ptr<const GeneralisedBody> system_;
  std::size_t first_;
  model::FollowedMomenta followed_;
  std::vector<double> mass_;
  CriticalStep critical_;
  bool linear_;
  std::unique_ptr<const model::Surface> surface_, surroundings_, skin_;
};

}  // namespace ictus::mechanics
