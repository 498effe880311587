#pragma once

#include <ictus/mechanics/body/body.hpp>
#include <ictus/mechanics/generalised/point_mass.hpp>
#include <limits>

namespace ictus::mechanics {

/// The mass of PointMass among bodies of all families: a node that is all skin there is.
class Particle final : public NodalBody {
 public:
  Particle(std::string name, const PointMassProperties& properties, std::size_t first_dof);
  ~Particle() override;

  Range dofs() const override { return {first_, 3}; }
  const model::Surface& surface() const override { return *surface_; }
  void initialise(std::span<double> q, std::span<double> p) const override;
  Momentum momentum(std::span<const double> q, std::span<const double> p) const override;
  double momentum_scale(std::span<const double> p) const override;
  std::span<const std::string_view> probe_quantities() const override { return point_mass_quantities; }
  void probe(double fraction, const Motion& motion, std::span<double> values) const override;
  Picture draw(std::span<const double> q, std::span<const double> v) const override;

  std::span<const double> mass() const override { return mass_; }
  std::span<const int> fixed() const override { return {}; }
  Momentum support_impulse(int dof, double p, std::span<const double> q) const override;
  Momentum gravity_impulse(std::span<const double> q, double h) const override;
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
  Rayleigh damping() const override { return {p_.damping / p_.mass, 0}; }
  CriticalStep critical_step() const override { return {std::numeric_limits<double>::infinity(), 0}; }
  bool linear() const override { return true; }

 private:
  math::Vec3 own(std::span<const double> x) const { return math::Vec3::Map(&x[first_]); }

  PointMassProperties p_;
  std::size_t first_;
  std::vector<double> mass_;
  std::unique_ptr<const model::Surface> surface_;
};

}  // namespace ictus::mechanics
