#pragma once

#include <ictus/mechanics/body/damped_body.hpp>

namespace ictus::mechanics {

/// Stress–strain law of a bar, ε the engineering strain.
enum class BarMaterial {
  linear,              ///< energy ½ K ε² per length
  st_venant_kirchhoff  ///< energy ½ K E² per length, E = ε + ε²/2 the Green–Lagrange strain
};

struct BarProperties {
  double length;  ///< m
  std::size_t elements;
  double mass_per_length;  ///< μ = ρ S (kg/m)
  double stiffness;        ///< K = E S (N)
  BarMaterial material = BarMaterial::linear;
  math::Vec3 start;                         ///< position of the start in space (m)
  math::Vec3 direction;                     ///< unit vector from start to end
  double velocity = 0;                      ///< along the direction (m/s)
  math::Vec3 gravity = math::Vec3::Zero();  ///< m/s²; only its part along the direction moves the bar
  bool fixed_start = false;
  bool fixed_end = false;
  /// An end with its mass a quarter of an element inside and a tip without mass [eq. bars-8]; not for a fixed end.
  bool massless_start = false;
  bool massless_end = false;
  double area = 1;  ///< S (m²), of what is drawn
  Rayleigh damping = {};
};

/// A straight elastic bar guided along its axis. Dofs: the axial displacements u_0 … u_N of its nodes. Masses l μ
/// inside and l μ/2 at the ends, springs of stiffness K/l between [eq. bars-1].
class Bar final : public DampedBody {
 public:
  Bar(std::string name, const BarProperties& properties, std::size_t first_dof);
  ~Bar() override;

  const BarProperties& properties() const { return properties_; }
  double element_length() const { return element_length_; }

  const Bar* bar() const override { return this; }
  Range dofs() const override { return dofs_; }
  const model::Surface& surface() const override { return *surface_; }
  /// Its two ends, as points.
  const model::Surface& skin() const override { return *skin_; }
  void initialise(std::span<double> q, std::span<double> p) const override;
  Momentum momentum(std::span<const double> q, std::span<const double> p) const override;
  double momentum_scale(std::span<const double> p) const override;
  /// displacement and velocity along the direction, and the axial force (tension positive); in the layer of a massless
  /// tip those of the layer, whose skin meets the body that presses on it.
  std::span<const std::string_view> probe_quantities() const override;
  void probe(double fraction, const Motion& motion, std::span<double> values) const override;
  Picture draw(std::span<const double> q, std::span<const double> v) const override;

  std::span<const double> mass() const override { return mass_; }
  std::span<const int> fixed() const override { return fixed_; }
  Momentum support_impulse(int dof, double p, std::span<const double> q) const override;
  Momentum gravity_impulse(std::span<const double> q, double h) const override;
  void kick(const exec::Executor& exec, std::span<const double> q, double h, std::span<double> p) const override;
  /// Of the stiffness at rest.
  void apply_damping(const exec::Executor& exec, std::span<const double> q, std::span<const double> v, double h,
                     std::span<double> p) const override;
  PotentialEnergy potential_energy(const exec::Executor& exec, std::span<const double> q) const override;
  PotentialEnergy interval_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                                  double h) const override;
  PotentialEnergy trapezoid_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                                   double h) const override;
  double chord_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                      double h) const override;
  void stiffness(std::span<const double> q, std::vector<StiffnessEntry>& entries) const override;
  CriticalStep critical_step() const override { return damped(free_step()); }
  bool linear() const override { return properties_.material == BarMaterial::linear; }

 private:
  /// An end element whose outer quarter belongs to the layer of a massless tip.
  struct ShortElement {
    std::size_t element;
    double length;  ///< ¾ l, or ½ l of a single element with two tips (m)
  };

  template <class F>
  auto with_element(std::size_t element, F&& f) const;
  template <class Energy>
  double strain_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p, double h,
                       Energy energy) const;
  CriticalStep free_step() const;
  double largest_frequency_sq() const;
  Momentum along_axis(double p) const;
  double axial_gravity() const { return properties_.gravity.dot(properties_.direction); }
  double axial_force(std::size_t element, std::span<const double> u) const;
  double gravity_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                        double time) const;

  BarProperties properties_;
  Range dofs_;
  double element_length_;
  std::vector<double> mass_;
  std::vector<double> inverse_mass_;  ///< 0 where fixed
  std::vector<int> fixed_;
  std::vector<ShortElement> short_elements_;
  std::unique_ptr<const model::Surface> surface_, skin_;
};

}  // namespace ictus::mechanics
