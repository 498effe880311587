// Many simulations at once: a thousand throws of a ball with different velocities, on all cores; and what mistakes in a
// scene look like.
#include <cmath>
#include <ictus/ictus.hpp>
#include <iostream>
#include <thread>

namespace {

ictus::scene::Scene thrown(double velocity) {
  using namespace ictus::scene;
  Scene scene;
  scene.time = {.end = 2, .step = 1e-3, .courant = {}};
  scene.gravity = {0, 0, -9.81};
  scene.bodies.add("ball", PointMassSpec{.mass = 0.1, .position = {0, 0, 0.5}, .velocity = {velocity, 0, 0}});
  scene.bodies.add("floor", PlaneSpec{});
  scene.contacts.push_back({.between = {"ball", "floor"}, .restitution = 0.8, .friction = 0.3});
  return scene;
}

}  // namespace

int main() {
  using namespace ictus;
  scene::Scene wrong = thrown(1);
  wrong.time.step = -1e-3;
  wrong.contacts[0].between[1] = "flor";
  try {
    run::Simulation never(wrong);
  } catch (const base::InputError& mistakes) {
    std::cout << "A scene with mistakes:\n" << mistakes.what() << "\n\n";
    if (mistakes.mistakes().size() != 2) return 1;
  }

  std::vector<scene::Document> scenes;
  for (int i = 0; i < 1000; ++i) scenes.push_back(scene::check(thrown(0.01 * i)));
  run::Batch batch(scenes, static_cast<int>(std::thread::hardware_concurrency()));
  const std::span<double> q = batch.positions();  // a row for each, brought up to date by each step
  batch.step(2000);

  double farthest = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) farthest = std::max(farthest, q[i * batch.dofs()]);
  std::cout << batch.size() << " balls; the farthest is at x = " << farthest << " m after " << batch[0].time() << " s\n";
  return farthest > 10 && farthest < 20 && q[0] == 0 ? 0 : 1;
}
