#pragma once

#include <ictus/geometry/mesh/triangle_mesh.hpp>
#include <ictus/geometry/shape/rigid_shape.hpp>
#include <ictus/mechanics/body/body.hpp>
#include <limits>

namespace ictus::mechanics {

/// Pose and velocity of one rigid body at t = 0.
struct RigidStart {
  math::Vector3<double> position;          ///< of the centre of mass (m)
  math::Rotation<double> orientation;      ///< of the principal axes
  math::Vector3<double> velocity;          ///< of the centre of mass (m/s)
  math::Vector3<double> angular_velocity;  ///< in world axes (rad/s)
};

/// What the bodies of a group have in common. The shape is about the centre of mass, in principal axes.
struct RigidProperties {
  geometry::RigidShape shape;
  double mass = 0;                  ///< kg
  math::Vector3<double> inertia;    ///< principal moments (kg m²)
  math::Vector3<double> gravity{};  ///< m/s²
  double drag = 0;                  ///< α of forces −α m v and moments −α J ω (1/s)
  bool fixed = false;               ///< held where they start, whatever pushes them
  math::Rotation<double> axes{};    ///< the principal axes, in those in which the shape was described
  /// How many times larger than the shape each body is, with s³ times its mass and s⁵ times its inertia; empty: none
  /// is.
  std::vector<double> scales{};
};

/// Any number of rigid bodies of one shape, of one size or of sizes of their own. Each has seven dofs, q = (x, Λ) with
/// Λ as a unit quaternion (s, v), and p = (m ẋ, Jω, 0) with Jω the angular momentum about the centre of mass along the
/// principal axes [eq. rigid-bodies-1].
class RigidBodies final : public NodalBody {
 public:
  static constexpr std::size_t stride = model::RigidFrame::dofs;
  /// Where the angular momentum stands in a body's part of p.
  static constexpr std::size_t angular = model::RigidFrame::angular;
  /// What contact sees of the bodies: their centres where a scheme for rigid bodies finds the touching shapes itself,
  /// or a skin that meets those of other families.
  enum class Outside { centres, skin };

  RigidBodies(std::string name, RigidProperties properties, std::vector<RigidStart> starts, std::size_t first_dof,
              Outside outside = Outside::centres);
  ~RigidBodies() override;

  const RigidProperties& properties() const { return properties_; }
  /// Of one body, the shape about its centre of mass in its principal axes (m, kg, kg m²).
  const geometry::RigidShape& shape(std::size_t body) const { return shapes_[shapes_.size() > 1 ? body : 0]; }
  double mass(std::size_t body) const { return mass_[stride * body]; }
  math::Vector3<double> inertia(std::size_t body) const {
    const double* j = &mass_[stride * body + angular];
    return {j[0], j[1], j[2]};
  }
  std::size_t size() const { return starts_.size(); }

  const RigidBodies* rigid_bodies() const override { return this; }
  Range dofs() const override { return {first_, stride * size()}; }
  const model::Surface& surface() const override { return *surface_; }
  void initialise(std::span<double> q, std::span<double> p) const override;
  Momentum momentum(std::span<const double> q, std::span<const double> p) const override;
  double momentum_scale(std::span<const double> p) const override;
  /// x, y, z of one body, its velocity, its angular velocity in its own axes, and the height of the centre of mass of
  /// the group; the fraction chooses the body, 0 the first and 1 the last.
  std::span<const std::string_view> probe_quantities() const override;
  void probe(double fraction, const Motion& motion, std::span<double> values) const override;
  Picture draw(std::span<const double> q, std::span<const double> v) const override;

  std::span<const double> mass() const override { return mass_; }
  std::span<const int> fixed() const override { return fixed_; }
  std::string dof_name(std::size_t dof) const override;
  Momentum support_impulse(int dof, double p, std::span<const double> q) const override;
  Momentum gravity_impulse(std::span<const double> q, double h) const override;
  bool turns() const override { return true; }
  Rayleigh damping() const override { return {properties_.drag, 0}; }
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
  CriticalStep critical_step() const override { return {std::numeric_limits<double>::infinity(), 0}; }
  bool linear() const override { return true; }

 private:
  std::size_t slot(std::size_t body) const { return first_ + stride * body; }
  double scale(std::size_t body) const { return properties_.scales.empty() ? 1 : properties_.scales[body]; }

  RigidProperties properties_;
  std::vector<RigidStart> starts_;
  std::size_t first_;
  geometry::TriangleMesh skin_;               ///< of one body about its centre of mass, for pictures
  std::vector<geometry::RigidShape> shapes_;  // one, or one for each body
  std::vector<double> mass_;
  std::vector<int> fixed_;
  std::unique_ptr<const model::Surface> surface_;
};

/// Λ and x of one body in its part of q.
inline math::Rotation<double> rigid_orientation(const double* q) { return {q[3], {q[4], q[5], q[6]}}; }
inline math::Vector3<double> rigid_position(const double* q) { return {q[0], q[1], q[2]}; }

}  // namespace ictus::mechanics
