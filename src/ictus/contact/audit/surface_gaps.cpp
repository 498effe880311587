#include <ictus/contact/audit/surface_gaps.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/geometry/proximity/closest_points.hpp>
#include <limits>
#include <numeric>

namespace ictus::contact {

using math::Vec3;

namespace {

constexpr double far = std::numeric_limits<double>::infinity();
constexpr int triangles_in_leaf = 4;

/// Of a triangle.
using Corners = std::array<Vec3, 3>;

double from_corners(const Corners& a, const Corners& b) {
  double least = far;
  for (const Vec3& p : a) {
    const auto [l0, l1, l2] = geometry::closest_on_triangle(p, b[0], b[1], b[2]).weights;
    least = std::min(least, (p - l0 * b[0] - l1 * b[1] - l2 * b[2]).norm());
  }
  return least;
}

double between_sides(const Corners& a, const Corners& b) {
  double least = far;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &a0 = a[i], &a1 = a[(i + 1) % 3];
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 &b0 = b[k], &b1 = b[(k + 1) % 3];
      if (a0 == a1 || b0 == b1) continue;  // a corner, which triangles see
      const auto [s, t, inside] = geometry::closest_on_segments(a0, a1, b0, b1, 0.0);
      if (inside) least = std::min(least, ((1 - s) * a0 + s * a1 - (1 - t) * b0 - t * b1).norm());
    }
  }
  return least;
}

}  // namespace

SurfaceGaps::SurfaceGaps(std::span<const ContactPair> pairs)
    : pairs_(pairs.begin(), pairs.end()), skins_(pairs), trees_(skins_.skins().size()) {}

void SurfaceGaps::move(std::span<const double> q) {
  q_ = q;
  for (Tree& tree : trees_) tree.moved = false;
}

double SurfaceGaps::smallest(std::size_t pair) {
  const Skins::Law& law = skins_.laws()[pair];
  if (law.first == law.second) return far;
  if (law.second < 0) {
    const model::Surface& other = *pairs_[pair].second_surface;
    return other.plane() ? over_plane(model::plane_at(other, q_), law.first) : far;
  }
  if (law.first < 0) {
    const model::Surface& other = *pairs_[pair].first_surface;
    return other.plane() ? over_plane(model::plane_at(other, q_), law.second) : far;
  }
  double least = far;
  const Tree &first = tree(law.first), &second = tree(law.second);
  descend(law.first, law.second, first, second, 0, 0, least);
  return least - law.thickness;
}

SurfaceGaps::Tree& SurfaceGaps::tree(int skin) {
  Tree& tree = trees_[static_cast<std::size_t>(skin)];
  if (tree.moved) return tree;
  const model::SurfaceMesh& mesh = *skins_.skins()[static_cast<std::size_t>(skin)].mesh;
  tree.x.resize(mesh.vertex_count());
  for (std::size_t v = 0; v < tree.x.size(); ++v) tree.x[v] = mesh.position(v, q_);
  if (tree.nodes.empty()) build(skin, tree);
  refit(skin, tree);
  tree.moved = true;
  return tree;
}

/// Halves the triangles at the median along the longest side of their middles' box, again and again.
void SurfaceGaps::build(int skin, Tree& tree) const {
  const auto count = static_cast<int>(skins_.skins()[static_cast<std::size_t>(skin)].mesh->triangles().size());
  tree.triangles.resize(static_cast<std::size_t>(count));
  std::iota(tree.triangles.begin(), tree.triangles.end(), 0);
  const auto middle = [&](int t) {
    const Corners x = corners(skin, tree, t);
    return Vec3(x[0] + x[1] + x[2]);
  };
  tree.nodes.push_back({0, count});
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const auto [begin, end, halves, box] = tree.nodes[n];
    if (end - begin <= triangles_in_leaf) continue;
    Box middles = Box::nothing();
    const auto from = tree.triangles.begin() + begin, to = tree.triangles.begin() + end;
    for (auto t = from; t != to; ++t) middles.include(middle(*t));
    Vec3::Index axis = 0;
    (middles.high - middles.low).maxCoeff(&axis);
    const int half = begin + (end - begin) / 2;
    std::nth_element(from, tree.triangles.begin() + half, to, [&](int a, int b) {
      const double at_a = middle(a)[axis], at_b = middle(b)[axis];
      return at_a < at_b || (at_a == at_b && a < b);
    });
    tree.nodes[n].halves = static_cast<int>(tree.nodes.size());
    tree.nodes.push_back({begin, half});
    tree.nodes.push_back({half, end});
  }
}

void SurfaceGaps::refit(int skin, Tree& tree) const {
  for (std::size_t n = tree.nodes.size(); n-- > 0;) {
    Node& node = tree.nodes[n];
    node.box = Box::nothing();
    if (node.halves >= 0) {
      for (int k = 0; k < 2; ++k) node.box.include(tree.nodes[static_cast<std::size_t>(node.halves + k)].box);
      continue;
    }
    for (int i = node.begin; i < node.end; ++i) {
      for (const Vec3& x : corners(skin, tree, tree.triangles[static_cast<std::size_t>(i)])) node.box.include(x);
    }
  }
}

std::array<Vec3, 3> SurfaceGaps::corners(int skin, const Tree& tree, int triangle) const {
  const auto [a, b, c] =
      skins_.skins()[static_cast<std::size_t>(skin)].mesh->triangles()[static_cast<std::size_t>(triangle)];
  return {tree.x[static_cast<std::size_t>(a)], tree.x[static_cast<std::size_t>(b)],
          tree.x[static_cast<std::size_t>(c)]};
}

double SurfaceGaps::over_plane(const model::Plane& plane, int skin) {
  const model::SurfaceMesh& mesh = *skins_.skins()[static_cast<std::size_t>(skin)].mesh;
  double least = far;
  const std::vector<Vec3>& x = tree(skin).x;
  for (std::size_t v = 0; v < x.size(); ++v)
    least = std::min(least, plane.normal.dot(x[v] - plane.point) - mesh.radius(v));
  return least;
}

/// By how much the radius of a triangle is less than the largest of its skin.
double SurfaceGaps::shortfall(int skin, int triangle) const {
  const Skins::Skin& own = skins_.skins()[static_cast<std::size_t>(skin)];
  return skins_.shortfall(own.first_vertex + own.mesh->triangles()[static_cast<std::size_t>(triangle)][0]);
}

/// Lowers `least` to the distance of two nodes' triangles, as it were if all were as thick as the thickest of their
/// skins, the nearer halves first; boxes that are farther apart are left out.
void SurfaceGaps::descend(int first, int second, const Tree& a, const Tree& b, std::size_t node_a, std::size_t node_b,
                          double& least) const {
  const Node &one = a.nodes[node_a], &other = b.nodes[node_b];
  if (!(distance(one.box, other.box) < least)) return;
  if (one.halves < 0 && other.halves < 0) {
    for (int i = one.begin; i < one.end; ++i) {
      const int own = a.triangles[static_cast<std::size_t>(i)];
      const Corners x = corners(first, a, own);
      for (int k = other.begin; k < other.end; ++k) {
        const int next = b.triangles[static_cast<std::size_t>(k)];
        const Corners y = corners(second, b, next);
        const double apart = std::min({from_corners(x, y), from_corners(y, x), between_sides(x, y)});
        least = std::min(least, apart + shortfall(first, own) + shortfall(second, next));
      }
    }
    return;
  }
  const bool halve_first = other.halves < 0 || (one.halves >= 0 && one.end - one.begin >= other.end - other.begin);
  std::array<std::size_t, 2> halves{};
  for (std::size_t k = 0; k < 2; ++k) halves[k] = static_cast<std::size_t>(halve_first ? one.halves : other.halves) + k;
  const auto apart = [&](std::size_t half) {
    return halve_first ? distance(a.nodes[half].box, other.box) : distance(one.box, b.nodes[half].box);
  };
  if (apart(halves[1]) < apart(halves[0])) std::swap(halves[0], halves[1]);
  for (const std::size_t half : halves) {
    halve_first ? descend(first, second, a, b, half, node_b, least) : descend(first, second, a, b, node_a, half, least);
  }
}

}  // namespace ictus::contact
