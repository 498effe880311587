#include <ictus/geometry/shape/rigid_shape.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <map>

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

class HullMaker {
 public:
  explicit HullMaker(const std::vector<Vec>& points) : points_(points), tolerance_(1e-9 * extent_of(points)) {}

  Polytope make() {
    const int n = static_cast<int>(points_.size());
    for (int i = 0; i < n; ++i) {
      for (int j = i + 1; j < n; ++j) {
        for (int k = j + 1; k < n; ++k) try_plane(i, j, k);
      }
    }
    if (hull_.faces.size() < 4) refuse("the points have no volume: they lie in a plane, on a line or in one place");
    keep_corners();
    add_edges();
    return std::move(hull_);
  }

 private:
  /// Adds the face in the plane of three points where all others lie behind it and it is new.
  void try_plane(int i, int j, int k) {
    Vec normal = math::cross(points_[j] - points_[i], points_[k] - points_[i]);
    const double size = norm(normal);
    if (size <= tolerance_ * tolerance_) return;
    normal = (1 / size) * normal;
    double above = 0, below = 0;
    for (const Vec& p : points_) {
      const double d = math::dot(normal, p - points_[i]);
      above = std::max(above, d);
      below = std::max(below, -d);
      if (above > tolerance_ && below > tolerance_) return;
    }
    if (above > tolerance_) normal = -normal;
    if (above <= tolerance_ && below <= tolerance_) refuse("the points have no volume: they lie in a plane");
    for (const Polytope::Face& face : hull_.faces) {
      if (norm(face.normal - normal) < 1e-6 && std::abs(face.offset - math::dot(normal, points_[i])) < 1e3 * tolerance_)
        return;
    }
    std::vector<int> members;
    double offset = 0;
    for (int m = 0; m < static_cast<int>(points_.size()); ++m) {
      if (std::abs(math::dot(normal, points_[m] - points_[i])) > tolerance_) continue;
      members.push_back(m);
      offset += math::dot(normal, points_[m]);
    }
    offset /= static_cast<double>(members.size());
    std::vector<int> corners = corners_in_plane(points_, std::move(members), normal, tolerance_);
    if (corners.size() >= 3) hull_.faces.push_back({normal, offset, std::move(corners)});
  }

  void keep_corners() {
    std::map<int, int> kept;
    for (Polytope::Face& face : hull_.faces) {
      for (int& corner : face.corners) {
        const auto [place, is_new] = kept.emplace(corner, static_cast<int>(hull_.vertices.size()));
        if (is_new) hull_.vertices.push_back(points_[corner]);
        corner = place->second;
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

  const std::vector<Vec>& points_;
  double tolerance_;
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
