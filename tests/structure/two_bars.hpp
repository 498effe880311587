#pragma once

#include <ictus/dynamics/system/system.hpp>
#include <ictus/mechanics/bar/bar.hpp>
#include <memory>
#include <optional>
#include <vector>

namespace ictus::testing {

/// A row of bars along x that may touch their neighbours.
inline dynamics::System bars_in_a_row(const std::vector<mechanics::BarProperties>& bars,
                                      exec::Executor exec = exec::Executor(1),
                                      std::optional<double> restitution = std::nullopt) {
  std::vector<dynamics::BodyPtr> bodies;
  std::size_t dof = 0;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    bodies.push_back(std::make_unique<mechanics::Bar>("bar" + std::to_string(i), bars[i], dof));
    dof += bars[i].elements + 1;
  }
  std::vector<contact::ContactPair> pairs;
  for (std::size_t i = 0; i + 1 < bodies.size(); ++i) {
    pairs.push_back({bodies[i]->name(), bodies[i + 1]->name(), &bodies[i]->surface(), &bodies[i + 1]->surface(),
                     restitution, 0.0, 1, 0});
  }
  return {std::move(bodies), std::move(pairs), exec};
}

/// Steel bars of fekak-2017 §3.1: 0.254 m, 0.645e-3 m², 5 m/s against each other, gap 0.2 mm.
inline std::vector<mechanics::BarProperties> steel_bars(std::size_t elements) {
  const double length = 0.254, area = 0.645e-3, gap = 0.2e-3;
  mechanics::BarProperties left{};
  left.length = length;
  left.elements = elements;
  left.mass_per_length = 7847 * area;
  left.stiffness = 2.1e11 * area;
  left.start = {-length - gap / 2, 0, 0};
  left.direction = {1, 0, 0};
  left.velocity = 5;
  mechanics::BarProperties right = left;
  right.start = {gap / 2, 0, 0};
  right.velocity = -5;
  return {left, right};
}

/// Cases 1 to 6 of demoures-2016 Fig. 4.2 and 4.3: unit bars of length 10 and 50 elements, 0.1 m/s against each other,
/// gap 0.01; 2 heavy, 3 stiff, 4 short, 5 coarse, 6 moving.
inline std::vector<mechanics::BarProperties> demoures_bars(int number) {
  mechanics::BarProperties a{};
  a.length = 10;
  a.elements = 50;
  a.mass_per_length = 1;
  a.stiffness = 1;
  a.start = {-10.005, 0, 0};
  a.direction = {1, 0, 0};
  a.velocity = 0.1;
  mechanics::BarProperties b = a;
  b.start = {0.005, 0, 0};
  b.velocity = -0.1;
  if (number == 2) b.mass_per_length = 5;
  if (number == 3) b.stiffness = 5;
  if (number == 4) b.length = 5, b.elements = 25;
  if (number == 5) b.elements = 25;
  if (number == 6) a.velocity = 0, b.velocity = -1;
  return {a, b};
}

}  // namespace ictus::testing
