#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace ictus {

/// What falls and how well its impulses are found.
struct Settling {
  static constexpr double radius = 0.05, pitch = 0.125;  ///< m; boxes are cubes of 2 radius
  static constexpr double step = 2e-3;                   ///< s
  static constexpr double friction = 0.3;

  std::int64_t side = 8;  ///< side × side × (2 side) bodies
  double tolerance = 1e-3;
  int max_sweeps = 2000;
  bool boxes = false;

  std::int64_t bodies() const { return 2 * side * side * side; }
  /// Of the box that they fall into, a little wider than their grid (m).
  double width() const { return pitch * static_cast<double>(side); }

  /// The scene; e = 0.
  std::string scene() const {
    std::string walls, contacts;
    const char* const sides[][2] = {{"left", "1, 0"}, {"right", "-1, 0"}, {"front", "0, 1"}, {"back", "0, -1"}};
    for (const auto& [name, normal] : sides) {
      const bool low = std::string_view(name) == "left" || std::string_view(name) == "front";
      walls += fmt::format("  {0}: {{type: plane, position: [{1}, {1}, 0], normal: [{2}, 0]}}\n", name,
                           low ? 0 : width(), normal);
      contacts += fmt::format("  - {{between: [bodies, {}], restitution: 0, friction: {}}}\n", name, friction);
    }
    const std::string shape =
        boxes ? fmt::format("type: rigid\n    shape: {{type: box, size: [{0}, {0}, {0}]}}", 2 * radius)
              : fmt::format("type: rigid\n    shape: {{type: sphere, radius: {}}}", radius);
    return fmt::format(R"(
title: Settling bodies
time: {{end: 10, step: {} s}}
integrator: {{type: moreau-variational, contact_solver: {{tolerance: {}, max_iterations: {}}}}}
gravity: [0, 0, -9.81]
bodies:
  floor: {{type: plane, position: [0, 0, 0], normal: [0, 0, 1]}}
{}  bodies:
    {}
    position: [{}, {}, 0.07]
    copies: {{type: grid, count: [{}, {}, {}], spacing: [{}, {}, {}], jitter: 0.009}}
contacts:
  - {{between: [bodies, floor], restitution: 0, friction: {}}}
  - {{between: [bodies, bodies], restitution: 0, friction: {}}}
{})",
                       step, tolerance, max_sweeps, walls, shape, pitch / 2, pitch / 2, side, side, 2 * side, pitch,
                       pitch, pitch, friction, friction, contacts);
  }
};

}  // namespace ictus
