#pragma once

#include <ictus/dynamics/system/integrator.hpp>
#include <ictus/mechanics/obstacle/obstacle.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "structure/two_bars.hpp"

namespace ictus::testing {

struct Walls {
  std::optional<double> left, right;  ///< x of the planes
};

/// A row of bars along x as a scheme wants it, its first and last tip before walls where there are any; the same
/// restitution everywhere.
inline dynamics::System row_for(const dynamics::Integrator& scheme, std::vector<mechanics::BarProperties> bars,
                                const Walls& walls = {}, std::optional<double> restitution = {},
                                exec::Executor exec = exec::Executor(1)) {
  std::vector<dynamics::BodyPtr> bodies;
  std::size_t dof = 0;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    if (scheme.capabilities().massless_tips) {
      bars[i].massless_start = i > 0 || walls.left;
      bars[i].massless_end = i + 1 < bars.size() || walls.right;
    }
    bodies.push_back(std::make_unique<mechanics::Bar>("bar" + std::to_string(i), bars[i], dof));
    dof += bars[i].elements + 1;
  }
  std::vector<contact::ContactPair> pairs;
  const auto add_pair = [&](const mechanics::Body& a, const mechanics::Body& b) {
    pairs.push_back({a.name(), b.name(), &a.surface(), &b.surface(), restitution, 0.0, 1, 0});
  };
  for (std::size_t i = 0; i + 1 < bars.size(); ++i) add_pair(*bodies[i], *bodies[i + 1]);
  if (walls.left) {
    bodies.push_back(
        std::make_unique<mechanics::Obstacle>("left", model::Plane{{*walls.left, 0, 0}, math::Vec3(1, 0, 0)}));
    add_pair(*bodies.back(), *bodies[0]);
  }
  if (walls.right) {
    bodies.push_back(
        std::make_unique<mechanics::Obstacle>("right", model::Plane{{*walls.right, 0, 0}, math::Vec3(-1, 0, 0)}));
    add_pair(*bodies[bars.size() - 1], *bodies.back());
  }
  return {std::move(bodies), std::move(pairs), exec};
}

/// Five equal unit bars, the first flying at the others, which are at rest `gap` apart.
inline std::vector<mechanics::BarProperties> cradle(double gap) {
  std::vector<mechanics::BarProperties> bars(5, demoures_bars(1)[0]);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    bars[i].start = {static_cast<double>(i) * (10 + gap), 0, 0};
    bars[i].velocity = i == 0 ? 0.1 : 0;
  }
  bars[0].start.x() -= 0.05;
  return bars;
}

}  // namespace ictus::testing
