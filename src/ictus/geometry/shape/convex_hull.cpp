#include <ictus/geometry/shape/rigid_shape.hpp>

#include <fmt/format.h>
#include <libqhull_r/libqhull_r.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ictus/base/error.hpp>
#include <map>
#include <memory>

namespace ictus::geometry {

namespace {

constexpr std::size_t max_points = 300;

[[noreturn]] void refuse(std::string message) { throw base::InputError(base::Mistake{"", 0, "", std::move(message)}); }

/// Largest distance between the first point and another.
double extent_of(const std::vector<Vec>& points) {
  double extent = 0;
  for (const Vec& p : points) extent = std::max(extent, norm(p - points.front()));
  return extent;
}

/// Each point once: faces that took different ones of two equal points would share no corner.
std::vector<Vec> without_repeats(const std::vector<Vec>& points, double tolerance) {
  std::vector<Vec> kept;
  for (const Vec& p : points) {
    if (std::none_of(kept.begin(), kept.end(), [&](const Vec& other) { return norm(p - other) <= tolerance; })) {
      kept.push_back(p);
    }
  }
  return kept;
}

/// The corners of points in a plane, anticlockwise about its normal: a hull in two dimensions (Andrew's chain).
std::vector<int> corners_in_plane(const std::vector<Vec>& points, std::vector<int> members, const Vec& normal,
                                  double tolerance) {
  const Vec along = [&] {
    const Vec other = std::abs(normal.x) < 0.6 ? Vec{1, 0, 0} : Vec{0, 1, 0};
    const Vec across = math::cross(normal, other);
    return (1 / norm(across)) * across;
  }();
  const Vec across = math::cross(normal, along);
  const auto x = [&](int i) { return math::dot(along, points[i]); };
  const auto y = [&](int i) { return math::dot(across, points[i]); };
  std::sort(members.begin(), members.end(), [&](int i, int j) { return x(i) != x(j) ? x(i) < x(j) : y(i) < y(j); });
  const auto turns_left = [&](int a, int b, int c) {
    const double ux = x(b) - x(a), uy = y(b) - y(a), vx = x(c) - x(b), vy = y(c) - y(b);
    return ux * vy - uy * vx > tolerance * (std::hypot(ux, uy) + std::hypot(vx, vy));
  };
  std::vector<int> chain;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t base = chain.size();
    for (const int i : members) {
      while (chain.size() >= base + 2 && !turns_left(chain[chain.size() - 2], chain.back(), i)) chain.pop_back();
      chain.push_back(i);
    }
    chain.pop_back();
    std::reverse(members.begin(), members.end());
  }
  return chain;
}

/// n·x = offset with n outward.
struct Plane {
  Vec normal;
  double offset;
};

/// Planes of the facets that Qhull finds: one for each face, and some that almost coincide where points of a face
/// are off its plane by more than round-off.
std::vector<Plane> facet_planes(const std::vector<Vec>& points) {
  std::vector<double> coordinates;
  for (const Vec& p : points) coordinates.insert(coordinates.end(), {p.x, p.y, p.z});
  // What Qhull says about a failure is for those who know its options.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> messages(std::fopen("/dev/null", "w"), std::fclose);
  if (!messages) refuse("/dev/null cannot be written, which finding a hull needs");
  const auto free_memory = [](qhT* qhull) {
    int blocks = 0, bytes = 0;  // of what it failed to free: none
    qh_freeqhull(qhull, !qh_ALL);
    qh_memfreeshort(qhull, &blocks, &bytes);
    delete qhull;
  };
  const std::unique_ptr<qhT, decltype(free_memory)> qhull(new qhT, free_memory);
  qh_zero(qhull.get(), messages.get());
  char options[] = "qhull Pp";
  if (qh_new_qhull(qhull.get(), 3, static_cast<int>(points.size()), coordinates.data(), False, options, nullptr,
                   messages.get()) != qh_ERRnone) {
    refuse("the points have no volume: they lie in a plane, on a line or in one place");
  }
  std::vector<Plane> planes;
  for (const facetT* facet = qhull->facet_list; facet != nullptr && facet->next != nullptr; facet = facet->next) {
    planes.push_back({{facet->normal[0], facet->normal[1], facet->normal[2]}, -facet->offset});
  }
  return planes;
}

class HullMaker {
 public:
  explicit HullMaker(const std::vector<Vec>& points)
      : tolerance_(1e-9 * extent_of(points)), points_(without_repeats(points, tolerance_)) {}

  Polytope make() {
    for (const Plane& plane : facet_planes(points_)) add_face(plane);
    if (hull_.faces.size() < 4) refuse("the points have no volume: they lie in a plane, on a line or in one place");
    keep_corners();
    add_edges();
    return std::move(hull_);
  }

 private:
  /// Adds the face in a plane, with all points that lie in it, where it is new.
  void add_face(const Plane& plane) {
    const Vec& normal = plane.normal;
    for (const Polytope::Face& face : hull_.faces) {
      if (norm(face.normal - normal) < 1e-6 && std::abs(face.offset - plane.offset) < 1e3 * tolerance_) return;
    }
    std::vector<int> members;
    double offset = 0;
    for (int m = 0; m < static_cast<int>(points_.size()); ++m) {
      const double reach = math::dot(normal, points_[m]);
      if (std::abs(reach - plane.offset) > tolerance_) continue;
      members.push_back(m);
      offset += reach;
    }
    if (members.size() == points_.size()) refuse("the points have no volume: they lie in a plane");
    offset /= static_cast<double>(members.size());
    std::vector<int> corners = corners_in_plane(points_, std::move(members), normal, tolerance_);
    if (corners.size() >= 3) hull_.faces.push_back({normal, offset, std::move(corners)});
  }

  void keep_corners() {
    std::map<int, int> kept;
    for (Polytope::Face& face : hull_.faces) {
      for (int& corner : face.corners) {
        const auto [entry, is_new] = kept.emplace(corner, static_cast<int>(hull_.vertices.size()));
        if (is_new) hull_.vertices.push_back(points_[corner]);
        corner = entry->second;
      }
    }
  }

  /// Each edge once: in the face where it runs from the lower to the higher corner.
  void add_edges() {
    for (const Polytope::Face& face : hull_.faces) {
      for (std::size_t i = 0; i < face.corners.size(); ++i) {
        const int from = face.corners[i], to = face.corners[(i + 1) % face.corners.size()];
        if (from > to) continue;
        Vec along = hull_.vertices[to] - hull_.vertices[from];
        along = (1 / norm(along)) * along;
        hull_.edges.push_back({from, to, direction_index(along)});
      }
    }
  }
  int direction_index(const Vec& along) {
    for (std::size_t i = 0; i < hull_.directions.size(); ++i) {
      if (norm(math::cross(along, hull_.directions[i])) < 1e-9) return static_cast<int>(i);
    }
    hull_.directions.push_back(along);
    return static_cast<int>(hull_.directions.size()) - 1;
  }

  double tolerance_;
  std::vector<Vec> points_;
  Polytope hull_;
};

}  // namespace

Polytope convex_hull(const std::vector<Vec>& points) {
  if (points.size() < 4) refuse(fmt::format("{} points make no body; at least 4 are needed", points.size()));
  if (points.size() > max_points) {
    refuse(fmt::format("{} points are too many for a convex body; at most {} are allowed", points.size(), max_points));
  }
  for (const Vec& p : points) {
    if (!std::isfinite(p.x + p.y + p.z)) refuse("a point is not finite");
  }
  return HullMaker(points).make();
}

}  // namespace ictus::geometry
