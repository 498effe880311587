// Two elastic bars collide: a scene made of structs, stepped by hand, its contact, energy and state read on the way.
#include <cmath>
#include <ictus/ictus.hpp>
#include <iostream>

int main() {
  using namespace ictus;
  scene::Scene scene;
  scene.title = "Two bars of steel";
  scene.time = {.end = 4e-4, .step = {}, .courant = 0.5};
  scene.integrator = scene::CdLagrangeSpec{};
  const scene::BarSpec bar{.length = 0.25, .cells = 50, .density = 7850, .youngs_modulus = 210e9, .area = 1e-4};
  scene::BarSpec left = bar, right = bar;
  left.position = {-0.2501, 0, 0};
  left.velocity = {2, 0, 0};
  scene.bodies.add("left", left);
  scene.bodies.add("right", right);
  scene.contacts.push_back({.between = {"left", "right"}, .restitution = {}});

  try {
    run::Simulation simulation(scene);
    double duration = 0;  // of the contact
    while (!simulation.finished()) {
      simulation.step();
      if (simulation.contact_forces()[0] > 0) duration += simulation.step_size();
    }
    const run::Energies energies = simulation.energies();
    const double wave = 2 * 0.25 / std::sqrt(210e9 / 7850);  // there and back along a bar
    std::cout << "in touch for " << duration * 1e6 << " us, a wave takes " << wave * 1e6 << " us\n"
              << "gap at the end " << simulation.gaps()[0] * 1e3 << " mm\n"
              << "energy made or lost by the scheme: " << energies.error() / energies.initial << " of it\n";
    // The bars are alike, so the left one stops and the right one flies off with its velocity.
    const mechanics::Range of_right = simulation.dofs("right");
    double mean = 0;
    for (const double v : simulation.velocities().subspan(of_right.begin, of_right.size))
      mean += v / static_cast<double>(of_right.size);
    std::cout << "the right bar flies with " << mean << " m/s\n";
    return std::abs(duration / wave - 1) < 0.05 && std::abs(mean - 2) < 0.1 &&
                   std::abs(energies.error()) < 1e-6 * energies.initial
               ? 0
               : 1;
  } catch (const base::InputError& mistakes) {  // all of them, with the keys of the scene
    std::cerr << mistakes.what() << '\n';
    return 2;
  }
}
