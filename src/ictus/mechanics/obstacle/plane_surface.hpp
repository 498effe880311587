#pragma once

#include <Eigen/Geometry>
#include <ictus/mechanics/body/body.hpp>

namespace ictus::mechanics {

/// A plane as contact sees it, with the first dof of its frame where it moves.
class PlaneSurface final : public model::Surface {
 public:
  explicit PlaneSurface(const model::Plane& plane, int frame = -1) : plane_(plane), frame_(frame) {}

  std::size_t point_count() const override { return 0; }
  math::Vec3 position(std::size_t, std::span<const double>) const override { return plane_.point; }
  math::Vec3 outward_normal(std::size_t, std::span<const double>) const override { return plane_.normal; }
  void pull_back(std::size_t, std::span<const double>, const math::Vec3&, double,
                 std::vector<model::RowEntry>&) const override {}
  double layer_compliance(std::size_t) const override { return 0; }
  std::optional<model::Plane> plane() const override { return plane_; }
  int plane_frame() const override { return frame_; }

 private:
  model::Plane plane_;
  int frame_;
};

/// A square of a plane around its point, 1 m wide.
inline Picture picture_of(const model::Plane& plane) {
  const math::Vec3 a = plane.normal.unitOrthogonal(), b = plane.normal.cross(a);
  Picture picture;
  for (const auto& [s, t] : {std::pair{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}) {
    picture.points.push_back(plane.point + s * a + t * b);
  }
  picture.cells = {Picture::Cell::quad};
  picture.connectivity = {0, 1, 2, 3};
  return picture;
}

}  // namespace ictus::mechanics
