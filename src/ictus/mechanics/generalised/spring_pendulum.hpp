#pragma once

#include <ictus/mechanics/generalised/generalised_body.hpp>

// Notation: q = (l, φ): length of the spring, angle from straight down towards +x.

namespace ictus::mechanics {

/// The energies of a mass on a spring in the plane y = 0 [eq. moreau-variational-16].
struct SpringPendulumFormula {
  double mass = 0;
  double stiffness = 0;
  double rest_length = 0;
  math::Vec3 gravity_field = math::Vec3::Zero();

  template <class S>
  S kinetic(const S* q, const S* v) const {
    return 0.5 * mass * (v[0] * v[0] + q[0] * q[0] * v[1] * v[1]);
  }
  template <class S>
  S strain(const S* q) const {
    const S stretch = q[0] - rest_length;
    return 0.5 * stiffness * stretch * stretch;
  }
  template <class S>
  S gravity(const S* q) const {
    using std::cos;
    using std::sin;
    return -mass * q[0] * (gravity_field.x() * sin(q[1]) - gravity_field.z() * cos(q[1]));
  }
  template <class S>
  S gap(std::size_t, const S* q) const {
    return q[1];
  }
};

struct SpringPendulumProperties {
  SpringPendulumFormula formula;
  math::Vec3 pivot = math::Vec3::Zero();
  double damping = 0;  ///< N s/m, of the spring
  std::array<double, 2> coordinates{};
  std::array<double, 2> rates{};
  bool wall = true;   ///< at φ = 0
  double radius = 0;  ///< of the ball that others meet, which turns with the spring; 0: a point (m)
};

/// A mass on a spring that swings against a wall (capobianco-2018, Fig. 1). The gap is the angle; friction acts along
/// the wall.
class SpringPendulum final : public GeneralisedBody {
 public:
  SpringPendulum(std::string name, const SpringPendulumProperties& properties, std::size_t first_dof);

  bool constant_inertia() const override { return false; }
  double kinetic_energy(std::span<const double> q, std::span<const double> v) const override;
  void inertia(std::span<const double> q, std::span<const double> v, Inertia& inertia) const override;
  PotentialEnergy potential_energy(std::span<const double> q) const override;
  void force(std::span<const double> q, CoordinateVector& f) const override;
  bool damped() const override { return p_.damping > 0; }
  void damping(std::span<const double> q, std::span<const double> v, Damping& damping) const override;
  void gaps(std::span<const double> q, std::span<double> g) const override;
  void contact(std::size_t i, std::span<const double> q, ContactGeometry& geometry) const override;
  std::size_t links() const override { return 1; }
  LinkSkin link_skin() const override;
  void link(std::size_t i, std::span<const double> q, LinkMotion& motion) const override;
  void start(std::span<double> q, std::span<double> v) const override;
  void add_momentum_in_space(std::span<const double>, std::span<const double>, Momentum&) const override {}

  /// length, angle and their rates.
  std::span<const std::string_view> probe_quantities() const override;
  void probe(double fraction, const Motion& motion, std::span<double> values) const override;
  Picture draw(std::span<const double> q, std::span<const double> v) const override;

 private:
  SpringPendulumProperties p_;
};

}  // namespace ictus::mechanics
