#pragma once

#include <array>
#include <ictus/mechanics/body/body.hpp>
#include <vector>

namespace ictus::observe {

/// The share of each point of a picture in the area of its outer faces: triangles, quadrangles, and the faces that
/// belong to one tetrahedron or hexahedron alone.
class OuterAreas {
 public:
  explicit OuterAreas(const mechanics::Picture& picture);

  bool any() const { return !faces_.empty(); }
  /// m², where the points are now: of each face an equal share to each of its corners.
  std::vector<double> of(const std::vector<math::Vec3>& points) const;

 private:
  using Face = std::array<int, 4>;  // −1: a triangle
  std::vector<Face> faces_;
};

}  // namespace ictus::observe
