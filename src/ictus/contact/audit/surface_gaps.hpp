#pragma once

#include <ictus/contact/detect/box_grid.hpp>
#include <ictus/contact/detect/skins.hpp>
#include <span>
#include <vector>

namespace ictus::contact {

/// How far the surfaces of each contact are from each other, however far that is: steps know only what a step could
/// close. By trees of boxes around the triangles of each skin, which are made at the start and follow the motion.
class SurfaceGaps {
 public:
  explicit SurfaceGaps(std::span<const ContactPair> pairs);

  /// Takes over the configuration whose gaps are asked for.
  void move(std::span<const double> q);
  /// The gap of a pair that has a triangulated surface (m); infinity for a surface with itself and all other pairs.
  double smallest(std::size_t pair);

 private:
  /// Boxes of the triangles from `begin` to `end` of the order, and its two halves; a leaf has none.
  struct Node {
    int begin, end;
    int halves = -1;  ///< the first of the two
    Box box = Box::nothing();
  };
  struct Tree {
    std::vector<Node> nodes;     // halves after what they are halves of
    std::vector<int> triangles;  // in the order of the leaves, numbered within the skin
    std::vector<math::Vec3> x;   // positions of the vertices
    bool moved = false;          // with the configuration
  };

  Tree& tree(int skin);
  void build(int skin, Tree& tree) const;
  void refit(int skin, Tree& tree) const;
  double over_plane(const model::Plane& plane, int skin);
  void descend(int first, int second, const Tree& a, const Tree& b, std::size_t node_a, std::size_t node_b,
               double& least) const;
  std::array<math::Vec3, 3> corners(int skin, const Tree& tree, int triangle) const;
  double shortfall(int skin, int triangle) const;

  std::vector<ContactPair> pairs_;
  Skins skins_;
  std::span<const double> q_;
  std::vector<Tree> trees_;  // of each skin
};

}  // namespace ictus::contact
