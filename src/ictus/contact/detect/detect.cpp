#include <ictus/contact/detect/detect.hpp>

namespace ictus::contact {

using math::Vec3;
using model::ConstraintSet;

namespace {

void point_on_plane(const model::Plane& plane, const model::Surface& surface, std::size_t point, double side, int pair,
                    std::span<const double> q, ConstraintSet& constraints) {
  const Vec3 x = surface.furthest(point, -plane.normal, q);
  surface.pull_back(point, q, plane.normal, 1.0, constraints.open_row());
  constraints.add(plane.normal.dot(x - plane.point), {pair, x, side * plane.normal}, surface.layer_compliance(point));
}

/// The point that the pair names, or every one.
void surface_on_plane(const model::Plane& plane, const model::Surface& surface, const ContactPair& pair,
                      std::size_t point, double side, int index, std::span<const double> q,
                      ConstraintSet& constraints) {
  if (!pair.every_point) return point_on_plane(plane, surface, point, side, index, q, constraints);
  for (std::size_t i = 0; i < surface.point_count(); ++i) {
    point_on_plane(plane, surface, i, side, index, q, constraints);
  }
}

void point_on_point(const ContactPair& pair, int index, std::span<const double> q, ConstraintSet& constraints) {
  const Vec3 n = pair.direction ? *pair.direction : pair.first_surface->outward_normal(pair.first_point, q);
  const Vec3 x1 = pair.first_surface->position(pair.first_point, q);
  const Vec3 x2 = pair.second_surface->position(pair.second_point, q);
  pair.first_surface->pull_back(pair.first_point, q, n, -1.0, constraints.open_row());
  pair.second_surface->pull_back(pair.second_point, q, n, 1.0, constraints.open_row());
  constraints.add(n.dot(x2 - x1) - pair.distance, {index, 0.5 * (x1 + x2), n},
                  pair.first_surface->layer_compliance(pair.first_point) +
                      pair.second_surface->layer_compliance(pair.second_point));
}

}  // namespace

void detect(std::span<const ContactPair> pairs, std::span<const double> q, ConstraintSet& constraints) {
  constraints.clear();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const ContactPair& pair = pairs[i];
    if (pair.first_surface->mesh() || pair.second_surface->mesh()) continue;
    const int index = static_cast<int>(i);
    if (const auto plane = pair.second_surface->plane()) {
      surface_on_plane(*plane, *pair.first_surface, pair, pair.first_point, -1.0, index, q, constraints);
    } else if (const auto first_plane = pair.first_surface->plane()) {
      surface_on_plane(*first_plane, *pair.second_surface, pair, pair.second_point, 1.0, index, q, constraints);
    } else {
      point_on_point(pair, index, q, constraints);
    }
  }
}

}  // namespace ictus::contact
