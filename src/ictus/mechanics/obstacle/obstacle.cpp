#include <ictus/mechanics/obstacle/obstacle.hpp>

#include <Eigen/Geometry>

namespace ictus::mechanics {

using math::Vec3;

namespace {

class PlaneSurface final : public model::Surface {
 public:
  explicit PlaneSurface(const model::Plane& plane) : plane_(plane) {}

  std::size_t point_count() const override { return 0; }
  Vec3 position(std::size_t, std::span<const double>) const override { return plane_.point; }
  Vec3 outward_normal(std::size_t, std::span<const double>) const override { return plane_.normal; }
  void pull_back(std::size_t, std::span<const double>, const Vec3&, double,
                 std::vector<model::RowEntry>&) const override {}
  double layer_compliance(std::size_t) const override { return 0; }
  std::optional<model::Plane> plane() const override { return plane_; }

 private:
  model::Plane plane_;
};

}  // namespace

Obstacle::Obstacle(std::string name, const model::Plane& plane)
    : Body(std::move(name)), plane_(plane), surface_(std::make_unique<PlaneSurface>(plane)) {}

Obstacle::~Obstacle() = default;

Picture Obstacle::draw(std::span<const double>, std::span<const double>) const {
  const Vec3 a = plane_.normal.unitOrthogonal(), b = plane_.normal.cross(a);
  Picture picture;
  for (const auto& [s, t] : {std::pair{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}) {
    picture.points.push_back(plane_.point + s * a + t * b);
  }
  picture.cells = {Picture::Cell::quad};
  picture.connectivity = {0, 1, 2, 3};
  return picture;
}

}  // namespace ictus::mechanics
