// Notation: N shape functions of a face, ψ its dual ones, ξ η coordinates of a quadrilateral in [−1, 1]².
#include <ictus/geometry/mesh/mortar.hpp>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>

namespace ictus::geometry {

using math::Vec3;

namespace {

using Vec2 = Eigen::Vector2d;
using Values = std::array<double, 4>;

/// Faces whose planes are steeper to each other do not lie on each other.
constexpr double least_cosine = 0.1;
/// Common areas below this share of a face are rounding.
constexpr double least_share = 1e-10;

/// Points and weights of a triangle, exact to the fourth degree.
struct QuadraturePoint {
  double weight;
  std::array<double, 3> at;
};
constexpr double inner = 0.44594849091596488632, inner_weight = 0.22338158967801146570;
constexpr double outer = 0.09157621350977074346, outer_weight = 0.10995174365532186764;
constexpr std::array<QuadraturePoint, 6> quadrature{{{inner_weight, {inner, inner, 1 - 2 * inner}},
                                                     {inner_weight, {inner, 1 - 2 * inner, inner}},
                                                     {inner_weight, {1 - 2 * inner, inner, inner}},
                                                     {outer_weight, {outer, outer, 1 - 2 * outer}},
                                                     {outer_weight, {outer, 1 - 2 * outer, outer}},
                                                     {outer_weight, {1 - 2 * outer, outer, outer}}}};

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// A face of a surface with its plane and its box.
struct Face {
  Face(const FacedSurface& surface, int number) : index(number) {
    const auto& nodes = surface.faces[static_cast<std::size_t>(number)];
    count = nodes[3] < 0 ? 3 : 4;
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < count; ++i) {
      corner[i] = surface.nodes[static_cast<std::size_t>(nodes[i])];
      sum += corner[i];
      low = i == 0 ? corner[i] : Vec3(low.cwiseMin(corner[i]));
      high = i == 0 ? corner[i] : Vec3(high.cwiseMax(corner[i]));
    }
    middle = sum / static_cast<double>(count);
    const Vec3 twice = count == 3 ? (corner[1] - corner[0]).cross(corner[2] - corner[0])
                                  : (corner[2] - corner[0]).cross(corner[3] - corner[1]);
    area = 0.5 * twice.norm();
    normal = twice.normalized();
  }

  int index;
  std::size_t count;
  std::array<Vec3, 4> corner;
  Vec3 middle, normal, low, high;
  double area;
};

/// A plane with axes of its own.
struct Chart {
  explicit Chart(const Face& face) : origin(face.middle), normal(face.normal) {
    x = (face.corner[1] - face.corner[0]).normalized();
    x = (x - normal.dot(x) * normal).normalized();
    y = normal.cross(x);
  }
  Vec2 at(const Vec3& point) const { return {x.dot(point - origin), y.dot(point - origin)}; }

  Vec3 origin, normal, x, y;
};

/// A face seen in a chart, its corners counter-clockwise there.
struct FlatFace {
  FlatFace(const Face& face, const Chart& chart) : count(face.count) {
    for (std::size_t i = 0; i < count; ++i) corner[i] = chart.at(face.corner[i]);
  }
  std::span<const Vec2> corners() const { return std::span(corner).first(count); }

  Values shapes(const Vec2& point) const {
    if (count == 3) {
      const Vec2 a = corner[1] - corner[0], b = corner[2] - corner[0], c = point - corner[0];
      const double whole = cross(a, b), second = cross(c, b) / whole, third = cross(a, c) / whole;
      return {1 - second - third, second, third, 0};
    }
    const Vec2 m = 0.25 * (corner[0] + corner[1] + corner[2] + corner[3]),
               u = 0.25 * (corner[1] + corner[2] - corner[0] - corner[3]),
               v = 0.25 * (corner[2] + corner[3] - corner[0] - corner[1]),
               w = 0.25 * (corner[0] + corner[2] - corner[1] - corner[3]);
    double xi = 0, eta = 0;
    for (int pass = 0; pass < 20; ++pass) {  // one suffices for a parallelogram
      const Vec2 left = point - m - xi * u - eta * v - xi * eta * w, du = u + eta * w, dv = v + xi * w;
      const double whole = cross(du, dv), dxi = cross(left, dv) / whole, deta = cross(du, left) / whole;
      xi += dxi;
      eta += deta;
      if (std::abs(dxi) + std::abs(deta) < 1e-15) break;
    }
    return {0.25 * (1 - xi) * (1 - eta), 0.25 * (1 + xi) * (1 - eta), 0.25 * (1 + xi) * (1 + eta),
            0.25 * (1 - xi) * (1 + eta)};
  }

  std::size_t count;
  std::array<Vec2, 4> corner;
};

/// What two convex polygons have in common.
std::vector<Vec2> common_polygon(const FlatFace& first, const FlatFace& second) {
  std::vector<Vec2> polygon(first.corners().begin(), first.corners().end()), next;
  const auto corners = second.corners();
  double turn = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) turn += cross(corners[i], corners[(i + 1) % corners.size()]);
  for (std::size_t i = 0; i < corners.size() && !polygon.empty(); ++i) {
    const Vec2& from = corners[i];
    const Vec2 along = corners[(i + 1) % corners.size()] - from;
    const auto inside = [&](const Vec2& point) { return (turn > 0 ? 1 : -1) * cross(along, point - from); };
    next.clear();
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Vec2 &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
      const double da = inside(a), db = inside(b);
      if (da >= 0) next.push_back(a);
      if ((da < 0) != (db < 0)) next.push_back(a + da / (da - db) * (b - a));
    }
    std::swap(polygon, next);
  }
  return polygon;
}

double area_of(std::span<const Vec2> polygon) {
  double twice = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i) twice += cross(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]);
  return 0.5 * std::abs(twice);
}

/// Integrals over the part of one face of the first surface that the second covers.
class FaceMortar {
 public:
  FaceMortar(const FacedSurface& second, const Face& face, double tolerance)
      : second_(second), face_(face), chart_(face), flat_(face, chart_), tolerance_(tolerance) {}

  void add(const Face& other) {
    const double cosine = chart_.normal.dot(other.normal);
    if (std::abs(cosine) < least_cosine) return;
    const FlatFace flat(other, chart_);
    const std::vector<Vec2> polygon = common_polygon(flat_, flat);
    const double area = area_of(polygon);
    if (polygon.size() < 3 || area <= least_share * std::min(face_.area, other.area)) return;
    for (const Vec2& corner : polygon) {
      const Vec3 position = chart_.origin + corner.x() * chart_.x + corner.y() * chart_.y;
      if (std::abs(other.normal.dot(other.middle - position) / cosine) > tolerance_) return;
    }
    covered_ += area;
    const auto& nodes = second_.faces[static_cast<std::size_t>(other.index)];
    for (std::size_t i = 2; i < polygon.size(); ++i) {
      const double size = 0.5 * std::abs(cross(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]));
      for (const auto& [weight, at] : quadrature) {
        const Vec2 point = at[0] * polygon[0] + at[1] * polygon[i - 1] + at[2] * polygon[i];
        integrate(weight * size, flat_.shapes(point), flat.shapes(point), nodes, flat.count);
      }
    }
  }

  double covered() const { return covered_; }

  /// Calls give(corner, ∫ψ dA, by node of the second surface ∫ψ N dA) for each corner.
  template <class F>
  void finish(F&& visit) const {
    const auto n = static_cast<Eigen::Index>(face_.count);
    const Eigen::MatrixXd inverse = mass_.topLeftCorner(n, n).inverse();
    for (Eigen::Index a = 0; a < n; ++a) {
      std::map<int, double> products;
      for (const auto& [node, moments] : with_) {
        double sum = 0;
        for (Eigen::Index b = 0; b < n; ++b) sum += inverse(a, b) * moments[static_cast<std::size_t>(b)];
        products[node] = weight_[static_cast<std::size_t>(a)] * sum;
      }
      visit(static_cast<std::size_t>(a), weight_[static_cast<std::size_t>(a)], products);
    }
  }

 private:
  void integrate(double weight, const Values& own, const Values& other, const std::array<int, 4>& nodes,
                 std::size_t count) {
    for (std::size_t a = 0; a < face_.count; ++a) {
      weight_[a] += weight * own[a];
      for (std::size_t b = 0; b < face_.count; ++b)
        mass_(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) += weight * own[a] * own[b];
    }
    for (std::size_t j = 0; j < count; ++j) {
      Values& moments = with_[nodes[j]];
      for (std::size_t a = 0; a < face_.count; ++a) moments[a] += weight * own[a] * other[j];
    }
  }

  const FacedSurface& second_;
  const Face& face_;
  Chart chart_;
  FlatFace flat_;
  double tolerance_;
  double covered_ = 0;
  Values weight_{};                                 // ∫N_a
  Eigen::Matrix4d mass_ = Eigen::Matrix4d::Zero();  // ∫N_a N_b
  std::map<int, Values> with_;                      // ∫N_a N_j by node j of the second surface
};

/// Faces of a surface within a box, those with the least x first.
std::vector<Face> faces_within(const FacedSurface& surface, const Vec3& low, const Vec3& high) {
  std::vector<Face> faces;
  for (std::size_t f = 0; f < surface.faces.size(); ++f) {
    Face face(surface, static_cast<int>(f));
    if ((face.low.array() <= high.array()).all() && (face.high.array() >= low.array()).all()) faces.push_back(face);
  }
  std::stable_sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.low.x() < b.low.x(); });
  return faces;
}

std::array<Vec3, 2> box_of(const FacedSurface& surface, double margin) {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Vec3& x : surface.nodes) low = low.cwiseMin(x), high = high.cwiseMax(x);
  return {low - Vec3::Constant(margin), high + Vec3::Constant(margin)};
}

}  // namespace

Mortar mortar(const FacedSurface& first, const FacedSurface& second, double tolerance) {
  const auto [low, high] = box_of(second, tolerance);
  const auto [first_low, first_high] = box_of(first, tolerance);
  const std::vector<Face> faces = faces_within(first, low, high), others = faces_within(second, first_low, first_high);
  double widest = 0;
  for (const Face& other : others) widest = std::max(widest, other.high.x() - other.low.x());
  Mortar result;
  std::map<int, double> weight;                  // ∫ψ_i
  std::map<int, std::map<int, double>> product;  // ∫ψ_i N_j
  for (const Face& face : faces) {
    FaceMortar part(second, face, tolerance);
    auto other = std::lower_bound(others.begin(), others.end(), face.low.x() - tolerance - widest,
                                  [](const Face& a, double x) { return a.low.x() < x; });
    for (; other != others.end() && other->low.x() <= face.high.x() + tolerance; ++other) {
      const bool near = (other->low.array() <= face.high.array() + tolerance).all() &&
                        (other->high.array() >= face.low.array() - tolerance).all();
      if (near) part.add(*other);
    }
    if (part.covered() <= least_share * face.area) continue;
    result.faces.push_back(face.index);
    result.common += part.covered();
    result.area += face.area;
    part.finish([&](std::size_t corner, double own, const std::map<int, double>& products) {
      const int node = first.faces[static_cast<std::size_t>(face.index)][corner];
      weight[node] += own;
      for (const auto& [j, value] : products) product[node][j] += value;
    });
  }
  for (const auto& [node, own] : weight) {
    MortarRow row{node, {}};
    for (const auto& [j, value] : product[node]) {
      if (std::abs(value) > 1e-14 * own) row.shares.emplace_back(j, value / own);
    }
    result.rows.push_back(std::move(row));
  }
  return result;
}

}  // namespace ictus::geometry
