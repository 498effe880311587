#include <algorithm>
#include <ictus/contact/crossing_audit.hpp>
#include <ictus/geometry/triangle_intersection.hpp>

namespace ictus::contact {

using math::Vec3;

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
      // What is round has no triangles of its own to cross.
      if (pair == Skins::none || skins.laws()[static_cast<std::size_t>(pair)].radii > 0) continue;
      if (skins.one_body(triangles[t][0], triangles[s][0])) continue;
      if (share_vertex(t, s) || !geometry::triangles_cross(corners(t), corners(s))) continue;
      crossings.push_back({pair, a, static_cast<int>(t) - skins.skins()[static_cast<std::size_t>(a)].first_triangle, b,
                           other - skins.skins()[static_cast<std::size_t>(b)].first_triangle});
    }
  }
}

}  // namespace ictus::contact
