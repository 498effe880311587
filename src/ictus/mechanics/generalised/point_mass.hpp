#pragma once

#include <ictus/mechanics/generalised/generalised_body.hpp>

namespace ictus::mechanics {

/// A plane that a mass can meet, with the tangents along which friction is reported.
struct MassObstacle {
  model::Plane plane;
  math::Vec3 tangent1, tangent2;  ///< unit vectors, with the normal an orthogonal frame
};

struct PointMassProperties {
  double mass = 0;
  math::Vec3 position = math::Vec3::Zero();
  math::Vec3 velocity = math::Vec3::Zero();
  math::Vec3 gravity = math::Vec3::Zero();
  double damping = 0;  ///< N s/m
  std::vector<MassObstacle> obstacles;
};

inline constexpr std::string_view point_mass_quantities[] = {"x", "y", "z", "velocity.x", "velocity.y", "velocity.z"};
Picture draw_point_mass(const math::Vec3& x, const math::Vec3& v);

/// T = ½ m |ẋ|², V = −m g·x [eq. moreau-variational-17].
struct PointMassFormula {
  double mass = 0;
  math::Vec3 gravity_field = math::Vec3::Zero();

  template <class S>
  S kinetic(const S*, const S* v) const {
    return 0.5 * mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
  template <class S>
  S strain(const S*) const {
    return S(0.0);
  }
  template <class S>
  S gravity(const S* q) const {
    return -mass * (gravity_field.x() * q[0] + gravity_field.y() * q[1] + gravity_field.z() * q[2]);
  }
};

/// A particle that flies and meets planes, q = x.
class PointMass final : public GeneralisedBody {
 public:
  PointMass(std::string name, const PointMassProperties& properties, std::size_t first_dof);

  bool constant_inertia() const override { return p_.damping == 0; }
  double kinetic_energy(std::span<const double> q, std::span<const double> v) const override;
  void inertia(std::span<const double> q, std::span<const double> v, Inertia& inertia) const override;
  PotentialEnergy potential_energy(std::span<const double> q) const override;
  void force(std::span<const double> q, CoordinateVector& f) const override;
  bool damped() const override { return p_.damping > 0; }
  void damping(std::span<const double> q, std::span<const double> v, Damping& damping) const override;
  void gaps(std::span<const double> q, std::span<double> g) const override;
  void contact(std::size_t i, std::span<const double> q, ContactGeometry& geometry) const override;
  void start(std::span<double> q, std::span<double> v) const override;
  void add_momentum_in_space(std::span<const double> q, std::span<const double> p, Momentum& sum) const override;

  std::span<const std::string_view> probe_quantities() const override;
  void probe(double fraction, const Motion& motion, std::span<double> values) const override;
  Picture draw(std::span<const double> q, std::span<const double> v) const override;

 private:
  PointMassProperties p_;
  PointMassFormula formula_;
};

}  // namespace ictus::mechanics
