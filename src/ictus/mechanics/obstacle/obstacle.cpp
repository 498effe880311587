#include <ictus/mechanics/obstacle/obstacle.hpp>

#include <ictus/mechanics/obstacle/plane_surface.hpp>

namespace ictus::mechanics {

Obstacle::Obstacle(std::string name, const model::Plane& plane)
    : Body(std::move(name)), plane_(plane), surface_(std::make_unique<PlaneSurface>(plane)) {}

Obstacle::~Obstacle() = default;

Picture Obstacle::draw(std::span<const double>, std::span<const double>) const { return picture_of(plane_); }

}  // namespace ictus::mechanics
