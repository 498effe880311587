#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/dynamics/joint/joint.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/scene/text/document.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ictus::build {

/// What one side of a joint holds, before it is known where the joint is.
struct JointSide {
  /// A point that moves with dofs in which it is linear: a node, a point of a surface, an end of a bar, a node of a
  /// frame.
  struct Point {
    std::vector<dynamics::Guide> guides;
    math::Vec3 base = math::Vec3::Zero();  ///< where it is when these are zero (m)
  };

  const mechanics::NodalBody* body = nullptr;  ///< null: the world
  int frame = -1;                              ///< first dof of the frame that is held; −1: points are
  std::vector<Point> points{};                 ///< several: those of a set
  bool turns = true;                           ///< bodies of nodes do not
  math::Vec3 place = math::Vec3::Zero();
  bool has_place = false;  ///< it says itself where it is

  bool nodal() const { return !points.empty(); }
  /// Whether not all that it holds is held already.
  bool moves() const;
};

/// Finds what side 0 or 1 of a joint of the scene holds, among bodies at q; nothing where there are mistakes, which are
/// added under its key.
std::optional<JointSide> find_joint_side(const scene::AnyJoint& joint, std::size_t side, const std::string& key,
                                         const scene::Scene& scene, const std::vector<dynamics::BodyPtr>& bodies,
                                         std::span<const double> q, Mistakes& mistakes);

}  // namespace ictus::build
