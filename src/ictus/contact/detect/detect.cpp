#include <ictus/contact/detect/detect.hpp>

#include <ictus/contact/detect/surface_constraints.hpp>

namespace ictus::contact {

using math::Vec3;
using model::ConstraintSet;

namespace {

void point_on_plane(const model::Surface& obstacle, const model::Surface& surface, std::size_t point, double side,
                    int pair, std::span<const double> q, ConstraintSet& constraints) {
  const model::Plane plane = model::plane_at(obstacle, q);
  const Vec3 x = surface.furthest(point, -plane.normal, q);
  surface.pull_back(point, q, plane.normal, 1.0, constraints.open_row());
  model::push_plane(obstacle, q, x, -plane.normal, constraints.open_row());
  constraints.add(plane.normal.dot(x - plane.point), {pair, x, side * plane.normal}, surface.layer_compliance(point));
}

/// The point that the pair names, or every one.
void surface_on_plane(const model::Surface& obstacle, const model::Surface& surface, const ContactPair& pair,
                      std::size_t point, double side, int index, std::span<const double> q,
                      ConstraintSet& constraints) {
  if (!pair.every_point) return point_on_plane(obstacle, surface, point, side, index, q, constraints);
  for (std::size_t i = 0; i < surface.point_count(); ++i) {
    point_on_plane(obstacle, surface, i, side, index, q, constraints);
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

/// A contact of a body with its surroundings, once its gap has closed: with a name and slip rates, as those of surfaces
/// have them. What is around the body does not move, so that the slip is that of the body turned round.
void point_on_surroundings(const ContactPair& pair, int index, std::span<const double> q, ConstraintSet& constraints) {
  const model::Surface& body = *pair.first_surface;
  const Vec3 n = body.outward_normal(pair.first_point, q), x = body.position(pair.first_point, q);
  const double gap = n.dot(pair.second_surface->position(pair.second_point, q) - x);
  body.pull_back(pair.first_point, q, n, -1.0, constraints.open_row());
  constraints.add(gap, {index, x, n}, 0, ConstraintSet::Onset::ahead, {point_and_surroundings, index, 0});
  if (pair.friction == 0) return;
  for (std::size_t k = 0; k < 2; ++k) {
    body.slip(pair.first_point, q, k, constraints.open_row());
    constraints.add_tangent();
  }
}

}  // namespace

void detect(std::span<const ContactPair> pairs, std::span<const double> q, ConstraintSet& constraints, double time) {
  constraints.clear();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const ContactPair& pair = pairs[i];
    if (pair.first_surface->mesh() || pair.second_surface->mesh() || pair.is_gone(time)) continue;
    const int index = static_cast<int>(i);
    if (pair.second_surface->plane()) {
      surface_on_plane(*pair.second_surface, *pair.first_surface, pair, pair.first_point, -1.0, index, q, constraints);
    } else if (pair.first_surface->plane()) {
      surface_on_plane(*pair.first_surface, *pair.second_surface, pair, pair.second_point, 1.0, index, q, constraints);
    } else if (pair.first_surface->meets_surroundings()) {
      point_on_surroundings(pair, index, q, constraints);
    } else {
      point_on_point(pair, index, q, constraints);
    }
  }
}

}  // namespace ictus::contact
