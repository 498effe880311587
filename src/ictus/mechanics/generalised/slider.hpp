#pragma once

#include <ictus/mechanics/generalised/generalised_body.hpp>

// Notation: q = (x, y, z): down the slope, across it, and off it, from the slope's origin.

namespace ictus::mechanics {

struct SliderProperties {
  double mass = 0;
  double slope = 0;                          ///< angle of the incline with the plane z = 0 of space, about −y (rad)
  math::Vec3 origin = math::Vec3::Zero();    ///< a point of the incline, in space
  math::Vec3 gravity = math::Vec3::Zero();   ///< in space
  math::Vec3 position = math::Vec3::Zero();  ///< q at the start
  math::Vec3 velocity = math::Vec3::Zero();
  math::Vec3 size = math::Vec3::Zero();  ///< of the block that others meet, above the middle of its foot; 0: a point
};

/// A block that does not turn, on or above an incline, in the axes of the incline [eq. moreau-variational-18].
struct SliderFormula {
  double mass = 0;
  math::Vec3 gravity_field = math::Vec3::Zero();  ///< in the axes of the incline

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
  template <class S>
  S gap(std::size_t, const S* q) const {
    return q[2];
  }
};

class Slider final : public GeneralisedBody {
 public:
  Slider(std::string name, const SliderProperties& properties, std::size_t first_dof);

  bool constant_inertia() const override { return true; }
  double kinetic_energy(std::span<const double> q, std::span<const double> v) const override;
  void inertia(std::span<const double> q, std::span<const double> v, Inertia& inertia) const override;
  PotentialEnergy potential_energy(std::span<const double> q) const override;
  void force(std::span<const double> q, CoordinateVector& f) const override;
  bool damped() const override { return false; }
  void damping(std::span<const double>, std::span<const double>, Damping&) const override {}
  void gaps(std::span<const double> q, std::span<double> g) const override { g[0] = q[2]; }
  void contact(std::size_t i, std::span<const double> q, ContactGeometry& geometry) const override;
  std::size_t links() const override { return 1; }
  LinkSkin link_skin() const override;
  void link(std::size_t i, std::span<const double> q, LinkMotion& motion) const override;
  void start(std::span<double> q, std::span<double> v) const override;
  void add_momentum_in_space(std::span<const double>, std::span<const double>, Momentum&) const override {}

  /// Distances down, across and off the slope, and their rates.
  std::span<const std::string_view> probe_quantities() const override;
  void probe(double fraction, const Motion& motion, std::span<double> values) const override;
  Picture draw(std::span<const double> q, std::span<const double> v) const override;

 private:
  math::Vec3 in_space(std::span<const double> q) const;
  bool is_point() const { return p_.size == math::Vec3::Zero(); }
  math::Vec3 low() const { return {-p_.size.x() / 2, -p_.size.y() / 2, 0}; }
  math::Vec3 high() const { return {p_.size.x() / 2, p_.size.y() / 2, p_.size.z()}; }

  SliderProperties p_;
  math::Vec3 down_, across_, off_;  // axes of the incline, in space
  SliderFormula formula_;
};

}  // namespace ictus::mechanics
