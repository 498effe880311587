#pragma once

// What all racers of the tower share: ten cubes of 0.1 m stand on each other and on a floor, with friction 0.5, for 5 s
// in steps of 2 ms. The exact motion is none.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace stack {

constexpr int cubes = 10;
constexpr double side = 0.1, density = 500, mass = density * side * side * side, gravity = 9.81, friction = 0.5;
constexpr double step = 2e-3, end = 5;

inline double height(int i) { return side * (i + 0.5); }

/// Steps to the end: times `advance` alone. `place(i)` gives the centre of a cube, `kinetic()` the energy of all (J).
template <class Advance, class Place, class Kinetic>
void run(Advance advance, Place place, Kinetic kinetic) {
  using Clock = std::chrono::steady_clock;
  const int steps = static_cast<int>(std::lround(end / step));
  double seconds = 0, sunk = 0;
  for (int n = 0; n < steps; ++n) {
    const auto begin = Clock::now();
    advance();
    seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    double below = 0;
    for (int i = 0; i < cubes; ++i) {
      const auto [x, y, z] = place(i);
      sunk = std::max(sunk, below + side - (z + side / 2));  // into what is below it
      below = z + side / 2;
    }
  }
  double moved = 0;
  for (int i = 0; i < cubes; ++i) {
    const auto [x, y, z] = place(i);
    moved = std::max(moved, std::hypot(x, y, z - height(i)));
  }
  std::printf("{\"steps\": %d, \"seconds\": %.6g, \"moved\": %.6g, \"kinetic\": %.6g, \"penetration\": %.6g}\n", steps,
              seconds, moved, kinetic(), sunk);
}

struct Point {
  double x, y, z;
};

}  // namespace stack
