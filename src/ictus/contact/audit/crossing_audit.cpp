#include <ictus/contact/audit/crossing_audit.hpp>

#include <algorithm>
#include <ictus/geometry/proximity/nearest_points.hpp>

namespace ictus::contact {

using math::Vec3;

namespace {

/// Of the radii of what is round: bodies that are nearer than this to what is within it have passed into each other.
constexpr double deep_share = 0.5;

}  // namespace

void CrossingAudit::find(const Skins& skins, std::span<const double> q, std::vector<Crossing>& crossings) {
  const auto triangles = skins.triangles();
  const auto corners = [&](std::size_t t) {
    geometry::TriangleCorners x;
    for (std::size_t k = 0; k < 3; ++k) {
      x[k] = skins.position(triangles[t][k], q);
    }
    return x;
  };
  boxes_.assign(triangles.size(), Box::nothing());
  double size = 0;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (const Vec3& x : corners(t)) boxes_[t].include(x);
    const auto& skin = skins.skins()[static_cast<std::size_t>(skins.triangle_skin()[t])];
    boxes_[t] = boxes_[t].grown(deep_share * skin.mesh->radius());
    size += (boxes_[t].high - boxes_[t].low).maxCoeff() / static_cast<double>(triangles.size());
  }
  grid_.fill(boxes_, skins.triangle_skin(), skins.meeting_themselves(), 1.5 * size);
  const auto share_vertex = [&](std::size_t s, std::size_t t) {
    return std::any_of(triangles[s].begin(), triangles[s].end(), [&](int v) {
      return std::find(triangles[t].begin(), triangles[t].end(), v) != triangles[t].end();
    });
  };
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const int a = skins.triangle_skin()[t];
    grid_.find(boxes_[t], a, static_cast<int>(t), hits_, found_);
    for (const int other : found_) {
      const auto s = static_cast<std::size_t>(other);
      const int b = skins.triangle_skin()[s], pair = skins.pair_of(a, b);
      if (pair == Skins::none || skins.one_body(triangles[t][0], triangles[s][0]) || share_vertex(t, s)) continue;
      const auto a_corners = corners(t), b_corners = corners(s);
      const double deep = deep_share * (skins.radius(triangles[t][0]) + skins.radius(triangles[s][0]));
      const bool inside = deep > 0 && geometry::nearest_points(a_corners, b_corners).distance < deep;
      if (!inside && !geometry::triangles_cross(a_corners, b_corners)) continue;
      crossings.push_back({pair, a, static_cast<int>(t) - skins.skins()[static_cast<std::size_t>(a)].first_triangle, b,
                           other - skins.skins()[static_cast<std::size_t>(b)].first_triangle});
    }
  }
}

}  // namespace ictus::contact
