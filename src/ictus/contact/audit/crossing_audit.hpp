#pragma once

#include <ictus/contact/detect/box_grid.hpp>
#include <ictus/contact/detect/skins.hpp>

namespace ictus::contact {

/// Triangles that pass through each other, numbered within their skins.
struct Crossing {
  int pair;
  int first_skin, first_triangle;
  int second_skin, second_triangle;
};

/// Looks for triangles that really pass through each other, of all surfaces that have a law between them: an audit that
/// shares nothing with detection but the mesh. Triangles that share a vertex do not count. Spheres and capsules cross
/// what comes nearer to their centre than half their radius.
class CrossingAudit {
 public:
  /// Appends the crossings at q, in the order of the triangles' numbers.
  void find(const Skins& skins, std::span<const double> q, std::vector<Crossing>& crossings);

 private:
  std::vector<Box> boxes_;
  std::vector<int> found_;
  BoxGrid::Hits hits_;
  BoxGrid grid_;
};

}  // namespace ictus::contact
