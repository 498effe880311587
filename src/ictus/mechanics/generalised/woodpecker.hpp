#pragma once

#include <ictus/mechanics/generalised/generalised_body.hpp>

// Notation: q = (y, φ_M, φ_S): height of the sleeve, angles of the sleeve and of the bird.

namespace ictus::mechanics {

/// Dimensions of the woodpecker toy of Leine, Glocker and van Campen (2001), in SI units: a sleeve (M) that slides down
/// a pole and a bird (S) on a spring whose beak strikes it [eq. moreau-variational-19].
struct WoodpeckerFormula {
  double sleeve_mass = 0.0003;
  double sleeve_inertia = 5e-9;
  double bird_mass = 0.0045;
  double bird_inertia = 7e-7;
  double spring = 0.0056;          ///< c, N m/rad
  double pole_radius = 0.0025;     ///< r0
  double sleeve_radius = 0.0031;   ///< r_M
  double sleeve_height = 0.0058;   ///< h_M, half
  double sleeve_to_spring = 0.01;  ///< l_M
  double spring_to_bird = 0.015;   ///< l_G
  double beak_height = 0.02;       ///< h_S
  double beak_reach = 0.0201;      ///< l_S
  double gravity_field = 9.81;     ///< downwards

  template <class S>
  S kinetic(const S*, const S* v) const {
    const S bird = v[0] + sleeve_to_spring * v[1] + spring_to_bird * v[2];
    return 0.5 * (sleeve_mass * v[0] * v[0] + sleeve_inertia * v[1] * v[1] + bird_mass * bird * bird +
                  bird_inertia * v[2] * v[2]);
  }
  template <class S>
  S strain(const S* q) const {
    const S turn = q[1] - q[2];
    return 0.5 * spring * turn * turn;
  }
  template <class S>
  S gravity(const S* q) const {
    return gravity_field * (sleeve_mass * q[0] + bird_mass * (q[0] + sleeve_to_spring * q[1] + spring_to_bird * q[2]));
  }
  template <class S>
  S gap(std::size_t contact, const S* q) const {
    if (contact == 0) return sleeve_to_spring + spring_to_bird - beak_reach - pole_radius - beak_height * q[2];
    const double play = sleeve_radius - pole_radius;
    return contact == 1 ? play + sleeve_height * q[1] : play - sleeve_height * q[1];
  }
};

struct WoodpeckerProperties {
  WoodpeckerFormula formula;
  std::array<double, 3> coordinates{};
  std::array<double, 3> rates{};
};

/// The toy, with contacts of the beak (0) and of the lower (1) and upper (2) edge of the sleeve with the pole.
class Woodpecker final : public GeneralisedBody {
 public:
  Woodpecker(std::string name, const WoodpeckerProperties& properties, std::size_t first_dof);

  bool constant_inertia() const override { return true; }
  double kinetic_energy(std::span<const double> q, std::span<const double> v) const override;
  void inertia(std::span<const double> q, std::span<const double> v, Inertia& inertia) const override;
  PotentialEnergy potential_energy(std::span<const double> q) const override;
  void force(std::span<const double> q, CoordinateVector& f) const override;
  bool damped() const override { return false; }
  void damping(std::span<const double>, std::span<const double>, Damping&) const override {}
  void gaps(std::span<const double> q, std::span<double> g) const override;
  void contact(std::size_t i, std::span<const double> q, ContactGeometry& geometry) const override;
  /// The bird: its spine and its beak, as thick as the pole.
  std::size_t links() const override { return 1; }
  LinkSkin link_skin() const override;
  void link(std::size_t i, std::span<const double> q, LinkMotion& motion) const override;
  void start(std::span<double> q, std::span<double> v) const override;
  void add_momentum_in_space(std::span<const double>, std::span<const double>, Momentum&) const override {}

  /// height, sleeve_angle, bird_angle and their rates.
  std::span<const std::string_view> probe_quantities() const override;
  void probe(double fraction, const Motion& motion, std::span<double> values) const override;
  /// Sleeve, spring, bird and beak as lines.
  Picture draw(std::span<const double> q, std::span<const double> v) const override;

 private:
  math::Vec3 beak(std::span<const double> q) const;

  WoodpeckerProperties p_;
  std::array<std::array<double, 3>, 3> mass_;
};

}  // namespace ictus::mechanics
