#pragma once

#include <ictus/mechanics/beam/lie_beam_model.hpp>
#include <ictus/mechanics/body/damped_body.hpp>

namespace ictus::mechanics {

/// The beam of LieBeam among bodies of all families: a line of rigid cross-sections, of which each has the dofs of
/// a rigid body, see model::RigidFrame. Forces are those of the beam's elements; sections fly by the Cayley map of
/// SE(3) [eq. mixed-5], which keeps both momenta and, other than the flight of rigid bodies, changes the kinetic energy
/// by O(h³). Loads may have no moments, which have no potential.
class SectionBeam final : public DampedBody {
 public:
  static constexpr std::size_t stride = model::RigidFrame::dofs;

  SectionBeam(std::string name, LieBeamProperties properties, std::size_t first_dof);
  ~SectionBeam() override;

  const LieBeamModel& model() const { return properties_.model; }

  const SectionBeam* section_beam() const override { return this; }
  Range dofs() const override { return {first_, stride * model().nodes}; }
  /// A tube around the line of nodes where the section is round, or has no outline; else the faces of the prisms
  /// between the sections.
  const model::Surface& surface() const override { return *surface_; }
  void initialise(std::span<double> q, std::span<double> p) const override;
  Momentum momentum(std::span<const double> q, std::span<const double> p) const override;
  double momentum_scale(std::span<const double> p) const override;
  std::span<const std::string_view> probe_quantities() const override;
  void probe(double fraction, const Motion& motion, std::span<double> values) const override;
  Picture draw(std::span<const double> q, std::span<const double> v) const override;

  std::span<const double> mass() const override { return mass_; }
  std::span<const int> fixed() const override { return fixed_; }
  Momentum support_impulse(int dof, double p, std::span<const double> q) const override;
  Momentum gravity_impulse(std::span<const double> q, double h) const override;
  bool turns() const override { return true; }
  double fly(const exec::Executor& exec, double h, std::span<double> q, std::span<double> p) const override;
  /// Flies the section whose first dof this is; `q` and `p` are its seven. False where it turns too far in one step.
  bool fly_section(std::size_t dof, double h, double* q, double* p) const {
    return fly_node((dof - first_) / stride, h, q, p);
  }
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
  /// By displacements and small turns about the sections' own axes. Exact, but for an antisymmetric part that has no
  /// potential and is zero at rest.
  void stiffness(std::span<const double> q, std::vector<StiffnessEntry>& entries) const override;
  /// Of the strains of the elements [eq. mixed-17].
  void apply_damping(const exec::Executor& exec, std::span<const double> q, std::span<const double> v, double h,
                     std::span<double> p) const override;
  CriticalStep critical_step() const override;
  std::string dof_name(std::size_t dof) const override;
  bool linear() const override { return false; }

 private:
  std::size_t slot(std::size_t node) const { return first_ + stride * node; }
  math::Pose<double> pose(std::span<const double> q, std::size_t node) const;
  math::Vector3<double> dead_force(std::size_t node) const;
  template <class F>
  void for_each_force(std::span<const double> q, std::size_t begin, std::size_t end, F&& f) const;
  bool fly_node(std::size_t node, double h, double* q, double* p) const;
  double kinetic_energy(const exec::Executor& exec, std::span<const double> p) const;
  std::vector<double> in_lanes(std::span<const double> q) const;
  std::vector<double> velocities_in_lanes(std::span<const double> q, std::span<const double> v) const;

  LieBeamProperties properties_;
  std::size_t first_;
  std::vector<double> mass_;
  std::vector<int> fixed_;
  std::unique_ptr<const model::Surface> surface_;
};

}  // namespace ictus::mechanics
