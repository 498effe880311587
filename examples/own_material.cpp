// A material of one's own: a cube of rubber after Mooney and Rivlin, told by its energy, is thrown at a floor on an edge.
// Dual numbers make the stress of it.
#include <cmath>
#include <ictus/ictus.hpp>
#include <iostream>

namespace {

/// w = c₁ (Ī₁ − 3) + c₂ (Ī₂ − 3) of the invariants of F/J^⅓, and ½ κ (J − 1)².
struct MooneyRivlin {
  static constexpr double c1 = 0.4e6, c2 = 0.1e6, bulk = 50e6;  // Pa

  template <class S>
  S shape(const ictus::math::Matrix3<S>& f) const {
    using std::pow;
    const auto p = cross(f.b, f.c), q = cross(f.c, f.a), r = cross(f.a, f.b);  // cofactors
    const S j = dot(f.a, p);
    const S first = norm_sq(f.a) + norm_sq(f.b) + norm_sq(f.c), second = norm_sq(p) + norm_sq(q) + norm_sq(r);
    return c1 * (pow(j, -2.0 / 3) * first - 3.0) + c2 * (pow(j, -4.0 / 3) * second - 3.0);
  }
  template <class S>
  S volume(S j) const {
    return 0.5 * bulk * (j - 1.0) * (j - 1.0);
  }
};

}  // namespace

int main() {
  using namespace ictus;
  scene::Scene scene;
  scene.time = {.end = 5e-3, .step = {}, .courant = 0.5};
  scene::MaterialSpec rubber;
  rubber.law = scene::SolidLaw::own;
  rubber.density = 1100;
  scene.materials.add("rubber", rubber);
  scene::SolidSpec cube;
  cube.shape = scene::BoxShapeSpec{.size = {0.04, 0.04, 0.04}, .cells = {4, 4, 4}, .element = scene::SolidElement::hexahedron};
  cube.material.name = "rubber";
  cube.rotation = {0, 0.6, 0};
  cube.position = {0, 0, 0.024};
  cube.velocity = {0, 0, -8};
  scene.bodies.add("cube", cube);
  scene.bodies.add("floor", scene::PlaneSpec{});
  scene.contacts.push_back({.between = {"cube", "floor"}, .restitution = {}});

  run::Simulation simulation(
      scene, {.materials = {{"rubber", std::make_shared<mechanics::FormulaMaterial<MooneyRivlin>>(MooneyRivlin{})}}});
  double stored = 0, touched = 0;
  while (!simulation.finished()) {
    simulation.step(10);
    stored = std::max(stored, simulation.energies().stored[model::Store::strain]);
    if (simulation.contact_forces()[0] > 0) touched += 10 * simulation.step_size();
  }
  const run::Energies energies = simulation.energies();
  const double mass = 1100 * std::pow(0.04, 3), rebound = simulation.momentum().linear.z() / mass;
  std::cout << "the rubber stored up to " << stored << " J of " << energies.initial << " J, left the floor after "
            << touched * 1e3 << " ms with " << rebound << " m/s, and turns and shakes with the rest\n"
            << "energy made or lost by the scheme: " << energies.error() / energies.initial << " of it\n";
  return stored > 0.3 * energies.initial && rebound > 4 && rebound < 8 && std::abs(energies.error()) < 1e-2 * energies.initial ? 0 : 1;
}
