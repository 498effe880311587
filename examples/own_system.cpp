// A mechanical system of one's own: a gantry, a cart with a load on a rod, told by the formulas of its energies and
// driven by a motor into a stop. Dual numbers differentiate the formulas.
#include <cmath>
#include <ictus/ictus.hpp>
#include <iostream>

namespace {

/// q = (x of the cart, angle φ of the rod from straight down).
struct Gantry {
  static constexpr std::size_t coordinates = 2, contacts = 1;
  static constexpr std::string_view quantities[] = {"x", "angle", "velocity", "angular_velocity"};
  static constexpr double cart = 1.0, load = 0.5, length = 0.5, stop = 0.6;  // kg, kg, m, m
  const double* motor;                                                      ///< force on the cart (N)

  template <class S>
  S kinetic(const S* q, const S* v) const {
    using std::cos;
    return 0.5 * (cart + load) * v[0] * v[0] + load * length * cos(q[1]) * v[0] * v[1] +
           0.5 * load * length * length * v[1] * v[1];
  }
  template <class S>
  S strain(const S*) const {
    return S(0.0);
  }
  template <class S>
  S gravity(const S* q) const {
    using std::cos;
    return -9.81 * load * length * cos(q[1]);
  }
  template <class S>
  void applied(const S*, const S*, S* force) const {
    force[0] = S(*motor);
    force[1] = S(0.0);
  }
  template <class S>
  S gap(std::size_t, const S* q) const {
    return stop - q[0];
  }
  int sliding(std::size_t, std::span<const double>, ictus::mechanics::CoordinateVector&) const { return 0; }
  ictus::math::Vec3 point(std::size_t, std::span<const double> q) const { return {q[0], 0, 0}; }
  ictus::math::Vec3 push(std::size_t, std::span<const double>) const { return {-1, 0, 0}; }
};

}  // namespace

int main() {
  using namespace ictus;
  double motor = 0;
  scene::Scene scene;
  scene.time = {.end = 20, .step = 1e-3, .courant = {}};
  scene.bodies.add("gantry", scene::OwnSystemSpec{.restitution = 0.5});
  const auto make = [&](const std::string& name, std::size_t first_dof) -> dynamics::BodyPtr {
    return std::make_unique<mechanics::FormulaBody<Gantry>>(name, Gantry{&motor}, std::array{0.0, 0.0},
                                                            std::array{0.0, 0.0}, first_dof);
  };

  run::Simulation simulation(scene, {.bodies = {{"gantry", make}}});
  const auto q = simulation.positions(), v = simulation.velocities();
  int strikes = 0;
  double swing = 0;  // largest angle of the last second
  while (!simulation.finished()) {
    motor = -4 * (q[0] - 0.55) - 2 * v[0];
    strikes += simulation.step().closings;
    if (simulation.time() > 19) swing = std::max(swing, std::abs(q[1]));
  }
  std::cout << "the cart struck its stop " << strikes << " times, is at x = " << q[0]
            << " m, and its rod swung by no more than " << swing << " rad in the end\n";
  return strikes > 0 && std::abs(q[0] - 0.55) < 0.01 && swing < 0.02 ? 0 : 1;
}
