#pragma once

// What the racers of the sliding rod share: the rod of rod.hpp lies on a floor and is thrown along itself. Friction
// stops it after speed²/(2 mu g), and it lies still until the end.
#include <algorithm>

#include "rod.hpp"

namespace sliding_rod {

constexpr double speed = 0.5, friction = 0.2, gravity = 9.81, end = 0.3;
constexpr double way = speed * speed / (2 * friction * gravity);

/// Times steps to the end. `last()` gives the way of the rod's end (m), its velocity (m/s) and its height above the
/// floor.
template <class Advance, class Last>
void run(double step, Advance advance, Last last) {
  const auto steps = static_cast<long>(std::ceil(end / step));
  const auto begin = std::chrono::steady_clock::now();
  for (long n = 0; n < steps; ++n) advance();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto [x, velocity, height] = last();
  std::printf("{\"steps\": %ld, \"seconds\": %.6g, \"error\": %.6g, \"creep\": %.6g, \"penetration\": %.6g}\n", steps,
              seconds, std::abs(x / way - 1), std::abs(velocity), std::max(0.0, -height));
}

struct Last {
  double x, velocity, height;
};

}  // namespace sliding_rod
