#pragma once

#include <ictus/dynamics/equilibrium/static_equilibrium.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/mechanics/frame/beam_frame.hpp>
#include <memory>
#include <vector>

namespace ictus::testing {

/// The bridge crane of fekak-2017 §3.2: bridge, and a trolley on four wheels.
struct Crane {
  static mechanics::FrameMember girder(std::size_t a, std::size_t b, std::size_t elements) {
    return {a, b, elements, model::box_section(0.6, 0.4, 0.02), 2.1e11, 2.1e11 / 2.6, 7844.33, {0, 0, 1}};
  }
  static mechanics::FrameMember carriage(std::size_t a, std::size_t b, std::size_t elements) {
    return {a, b, elements, model::box_section(0.5, 0.35, 0.025), 2.1e11, 2.1e11 / 2.6, 7820.31, {0, 0, 1}};
  }
  static mechanics::FrameMember trolley(std::size_t a, std::size_t b, std::size_t elements) {
    return {a, b, elements, model::box_section(0.3, 0.2, 0.02), 2.1e11, 2.1e11 / 2.6, 31805.83, {0, 0, 1}};
  }

  static mechanics::FrameProperties empty() {
    mechanics::FrameProperties frame;
    frame.kind = mechanics::FrameKind::grillage;
    frame.gravity = {0, 0, -10};
    return frame;
  }

  /// Wheels at joints 0 to 3: (8|10, ∓1.2).
  static mechanics::FrameProperties trolley_frame() {
    mechanics::FrameProperties frame = empty();
    frame.joints = {{8, -1.2, 0}, {10, -1.2, 0}, {8, 1.2, 0}, {10, 1.2, 0}};
    frame.members = {trolley(0, 1, 20), trolley(2, 3, 20), trolley(0, 2, 24), trolley(1, 3, 24)};
    return frame;
  }

  /// The whole bridge; wheels at joints 0 to 3, midspan of a girder at joint 4.
  static mechanics::FrameProperties bridge_frame() {
    mechanics::FrameProperties frame = empty();
    frame.joints = {{8, -1.2, 0}, {10, -1.2, 0}, {8, 1.2, 0},  {10, 1.2, 0}, {9, -1.2, 0},  {0, -1.2, 0}, {18, -1.2, 0},
                    {0, 1.2, 0},  {18, 1.2, 0},  {0, -2.4, 0}, {0, 2.4, 0},  {18, -2.4, 0}, {18, 2.4, 0}};
    frame.members = {girder(5, 0, 80),   girder(0, 4, 10),    girder(4, 1, 10),    girder(1, 6, 80),
                     girder(7, 2, 80),   girder(2, 3, 20),    girder(3, 8, 80),    carriage(9, 5, 12),
                     carriage(5, 7, 24), carriage(7, 10, 12), carriage(11, 6, 12), carriage(6, 8, 24),
                     carriage(8, 12, 12)};
    for (const std::size_t joint : {9, 10, 11, 12}) frame.supports.push_back({joint, {true, true, true}});
    return frame;
  }

  static std::shared_ptr<const mechanics::Signal> earthquake() {
    return std::make_shared<mechanics::Harmonics>(std::vector<mechanics::Harmonics::Term>{{8, 6, 0}, {4, 13, 0}}, 0.02);
  }

  /// The four wheels on joints 0 to 3 of a body.
  static std::vector<contact::ContactPair> wheels(const mechanics::Body& bridge, const mechanics::Body& on_top) {
    std::vector<contact::ContactPair> pairs;
    for (std::size_t i = 0; i < 4; ++i) {
      contact::ContactPair pair{
          bridge.name(), on_top.name(), &bridge.surface(), &on_top.surface(), std::nullopt, 0, i, i};
      pair.direction = math::Vec3(0, 0, 1);
      pair.slack = 1e-12;
      pairs.push_back(std::move(pair));
    }
    return pairs;
  }

  /// Everything at 100 mm, at rest on closed contacts.
  static dynamics::System whole() {
    auto bridge = std::make_unique<mechanics::BeamFrame>("bridge", bridge_frame(), 0);
    auto on_top = std::make_unique<mechanics::BeamFrame>("trolley", trolley_frame(), bridge->dofs().end());
    std::vector<contact::ContactPair> pairs = wheels(*bridge, *on_top);
    std::vector<mechanics::Load> loads{mechanics::inertial_load(*bridge, earthquake(), {0, 0, 1}, -1.0)};
    std::vector<dynamics::BodyPtr> bodies;
    bodies.push_back(std::move(bridge));
    bodies.push_back(std::move(on_top));
    dynamics::System system(std::move(bodies), std::move(pairs), exec::Executor(1), std::move(loads));
    system.begin_at(dynamics::static_equilibrium(system));
    return system;
  }

  /// Girders on 7 ≤ x ≤ 11; wheels at joints 0 to 3, ends at joints 4 to 7.
  static mechanics::FrameProperties middle_frame() {
    mechanics::FrameProperties frame = empty();
    frame.joints = {{8, -1.2, 0}, {10, -1.2, 0}, {8, 1.2, 0}, {10, 1.2, 0},
                    {7, -1.2, 0}, {11, -1.2, 0}, {7, 1.2, 0}, {11, 1.2, 0}};
    frame.members = {girder(4, 0, 10), girder(0, 1, 20), girder(1, 5, 10),
                     girder(6, 2, 10), girder(2, 3, 20), girder(3, 7, 10)};
    return frame;
  }

  /// The bridge without that, in elements of 200 mm over `finer`; joints 0 to 3 meet joints 4 to 7 of the middle.
  static mechanics::FrameProperties rest_frame(std::size_t finer) {
    mechanics::FrameProperties frame = empty();
    frame.joints = {{7, -1.2, 0}, {11, -1.2, 0}, {7, 1.2, 0},  {11, 1.2, 0}, {0, -1.2, 0},  {18, -1.2, 0},
                    {0, 1.2, 0},  {18, 1.2, 0},  {0, -2.4, 0}, {0, 2.4, 0},  {18, -2.4, 0}, {18, 2.4, 0}};
    const std::size_t f = finer;
    frame.members = {girder(4, 0, 35 * f),   girder(1, 5, 35 * f),   girder(6, 2, 35 * f),  girder(3, 7, 35 * f),
                     carriage(8, 4, 6 * f),  carriage(4, 6, 12 * f), carriage(6, 9, 6 * f), carriage(10, 5, 6 * f),
                     carriage(5, 7, 12 * f), carriage(7, 11, 6 * f)};
    for (const std::size_t joint : {8, 9, 10, 11}) frame.supports.push_back({joint, {true, true, true}});
    return frame;
  }

  /// The crane in two domains, tied at four nodes, at rest: "rest" is for implicit steps.
  static dynamics::System divided(std::size_t finer = 1) {
    auto middle = std::make_unique<mechanics::BeamFrame>("middle", middle_frame(), 0);
    auto on_top = std::make_unique<mechanics::BeamFrame>("trolley", trolley_frame(), middle->dofs().end());
    auto rest = std::make_unique<mechanics::BeamFrame>("rest", rest_frame(finer), on_top->dofs().end());
    std::vector<contact::ContactPair> pairs = wheels(*middle, *on_top);
    std::vector<mechanics::Load> loads{mechanics::inertial_load(*middle, earthquake(), {0, 0, 1}, -1.0),
                                       mechanics::inertial_load(*rest, earthquake(), {0, 0, 1}, -1.0)};
    model::ConstraintSet ties;
    for (std::size_t node = 0; node < 4; ++node) {
      for (std::size_t c = 0; c < 3; ++c) {
        ties.open_row().push_back({middle->dof(4 + node, c), 1.0});
        ties.open_row().push_back({rest->dof(node, c), -1.0});
        ties.add(0.0, {-1, rest->nodes()[node], {0, 0, 1}});
      }
    }
    std::vector<dynamics::BodyPtr> bodies;
    bodies.push_back(std::move(middle));
    bodies.push_back(std::move(on_top));
    bodies.push_back(std::move(rest));
    dynamics::System system(std::move(bodies), std::move(pairs), exec::Executor(1), std::move(loads), std::move(ties));
    system.begin_at(dynamics::static_equilibrium(system));
    return system;
  }
};

}  // namespace ictus::testing
