// A force of one's own: a ball hangs on a rubber band, which pulls only while it is stretched, and bounces off the floor
// on its way.
#include <algorithm>
#include <cmath>
#include <ictus/ictus.hpp>
#include <iostream>

namespace {

/// Pulls with k (r − r₀) towards a fixed point where r > r₀, and resists stretching with c ṙ.
class RubberBand final : public ictus::mechanics::Force {
 public:
  void add(const Motion& motion, std::span<double> force) const override {
    // A rigid body's dofs: x, y, z of its centre of mass, then its orientation.
    const double x = motion.q[0], z = motion.q[2] - height;
    const double r = std::hypot(x, z);
    if (r <= rest_length) return;
    const double rate = (x * motion.v[0] + z * motion.v[2]) / r;
    const double pull = std::max(stiffness * (r - rest_length) + viscosity * rate, 0.0);
    force[0] -= pull * x / r;
    force[2] -= pull * z / r;
  }

  static constexpr double height = 2, rest_length = 0.8, stiffness = 40, viscosity = 0.05;
};

}  // namespace

int main() {
  using namespace ictus;
  scene::Scene scene;
  scene.time = {.end = 6, .step = 1e-4, .courant = {}};
  scene.gravity = {0, 0, -9.81};
  scene.integrator = scene::MoreauVariationalSpec{};
  scene::RigidSpec ball{.shape = scene::SphereSpec{.radius = 0.1, .radii = {}}};
  ball.mass = 0.5;
  ball.position = {0.4, 0, 1.2};
  scene.bodies.add("ball", ball);
  scene.bodies.add("floor", scene::PlaneSpec{.position = {0, 0, 1}, .normal = {0, 0, 1}});
  scene.contacts.push_back({.between = {"ball", "floor"}, .restitution = 0.7});
  scene.loads.push_back(scene::OwnForceSpec{.name = "band", .on = "ball"});

  run::Simulation simulation(scene, {.bodies = {}, .forces = {{"band", std::make_shared<RubberBand>()}}});
  int bounces = 0;
  while (!simulation.finished()) bounces += simulation.step().closings;

  const run::Energies energies = simulation.energies();
  const double scale = std::abs(energies.external_work) + energies.initial;
  std::cout << bounces << " bounces; the band gave " << energies.external_work << " J, impacts took "
            << energies.lost.total() << " J; " << energies.error() << " J are not accounted for\n"
            << "the ball is at z = " << simulation.positions()[2] << " m\n";
  return bounces > 2 && std::abs(energies.error()) < 1e-3 * scale ? 0 : 1;
}
