#include <ictus/geometry/mesh/mesh_defects.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ictus/base/index.hpp>
#include <ictus/geometry/mesh/edge_topology.hpp>
#include <numeric>

namespace ictus::geometry {

using base::index;

using math::Vec3;

namespace {

/// Defects of one kind that are reported one by one; more are counted.
constexpr std::size_t max_sentences = 5;

/// A triangle whose area is this share of its longest edge squared has none, seen in single precision.
constexpr double degenerate_share = 1e-7;

class Defects {
 public:
  void add(std::string sentence) {
    if (++count_ <= max_sentences) sentences_.push_back(std::move(sentence));
  }
  /// Ends a kind of defect: says how many more there are.
  void close(std::string_view of_what) {
    if (count_ > max_sentences) sentences_.push_back(fmt::format("and {} more {}", count_ - max_sentences, of_what));
    count_ = 0;
  }
  void append(const Defects& closed) {
    sentences_.insert(sentences_.end(), closed.sentences_.begin(), closed.sentences_.end());
  }
  std::vector<std::string> take() { return std::move(sentences_); }
  bool any() const { return !sentences_.empty(); }

 private:
  std::vector<std::string> sentences_;
  std::size_t count_ = 0;
};

void check_numbers(const TriangleMesh& mesh, Defects& defects) {
  const int vertices = static_cast<int>(mesh.positions.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (const int v : mesh.triangles[t]) {
      if (v < 0 || v >= vertices)
        defects.add(fmt::format("triangle {} names vertex {}, the mesh has {}", t, v, vertices));
    }
  }
  defects.close("numbers of vertices that do not exist");
}

void check_areas(const TriangleMesh& mesh, Defects& defects) {
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    double longest_sq = 0;
    for (std::size_t k = 0; k < 3; ++k)
      longest_sq = std::max(longest_sq, (mesh.corner(t, (k + 1) % 3) - mesh.corner(t, k)).squaredNorm());
    const double area = 0.5 * mesh.area_vector(t).norm();
    if (!(area > degenerate_share * longest_sq))
      defects.add(fmt::format("triangle {} (vertices {}) has no area", t, fmt::join(mesh.triangles[t], ", ")));
  }
  defects.close("triangles without area");
}

void check_repeats(const TriangleMesh& mesh, Defects& defects) {
  std::vector<std::pair<Triangle, std::size_t>> sorted;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    Triangle corners = mesh.triangles[t];
    std::sort(corners.begin(), corners.end());
    sorted.emplace_back(corners, t);
  }
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
    if (sorted[i].first == sorted[i + 1].first)
      defects.add(fmt::format("triangles {} and {} have the same corners", sorted[i].second, sorted[i + 1].second));
  }
  defects.close("triangles that repeat others");
}

/// Edges with more than two triangles, and neighbours that run along their edge the same way.
void check_edges(const TriangleMesh& mesh, Defects& defects) {
  struct Use {
    int low, high, triangle;
    bool upwards;
  };
  std::vector<Use> uses;
  for (int h = 0; h < static_cast<int>(3 * mesh.triangles.size()); ++h) {
    const int a = origin(mesh, h), b = origin(mesh, EdgeTopology::next(h));
    uses.push_back({std::min(a, b), std::max(a, b), h / 3, a < b});
  }
  std::stable_sort(uses.begin(), uses.end(),
                   [](const Use& a, const Use& b) { return a.low != b.low ? a.low < b.low : a.high < b.high; });
  Defects crowded, turned;
  for (std::size_t begin = 0, end = 0; begin < uses.size(); begin = end) {
    while (end < uses.size() && uses[end].low == uses[begin].low && uses[end].high == uses[begin].high) ++end;
    if (end - begin > 2) {
      std::vector<int> triangles;
      for (std::size_t i = begin; i < end; ++i) triangles.push_back(uses[i].triangle);
      crowded.add(fmt::format("triangles {} share the edge of vertices {} and {}; a surface has at most two on an edge",
                              fmt::join(triangles, ", "), uses[begin].low, uses[begin].high));
    } else if (end - begin == 2 && uses[begin].upwards == uses[begin + 1].upwards) {
      turned.add(fmt::format("triangles {} and {} are wound in opposite senses: turn one of them over",
                             uses[begin].triangle, uses[begin + 1].triangle));
    }
  }
  crowded.close("edges of more than two triangles");
  turned.close("neighbours wound in opposite senses");
  defects.append(crowded);
  defects.append(turned);
}

/// Needs edges in order: every vertex has triangles, and they form one fan.
void check_vertices(const TriangleMesh& mesh, Defects& defects) {
  const EdgeTopology topology(mesh);
  for (int v = 0; v < static_cast<int>(mesh.positions.size()); ++v) {
    if (topology.outgoing[index(v)] < 0) defects.add(fmt::format("vertex {} belongs to no triangle", v));
  }
  defects.close("vertices without triangles");
  for (int v = 0; v < static_cast<int>(mesh.positions.size()); ++v) {
    const auto triangles = topology.triangles_of(v);
    if (triangles.empty()) continue;
    const std::size_t neighbours = ring(mesh, topology, v).size();
    const std::size_t in_fan = topology.on_boundary(v) ? neighbours - 1 : neighbours;
    if (in_fan == triangles.size()) continue;
    defects.add(fmt::format("triangles {} meet in vertex {} alone: the surface touches itself in a point",
                            fmt::join(triangles, ", "), v));
  }
  defects.close("vertices in which the surface touches itself");
}

}  // namespace

std::vector<std::string> mesh_defects(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return {"the mesh has no triangles"};
  Defects defects;
  check_numbers(mesh, defects);
  if (defects.any()) return defects.take();
  check_areas(mesh, defects);
  check_repeats(mesh, defects);
  check_edges(mesh, defects);
  if (!defects.any()) check_vertices(mesh, defects);
  return defects.take();
}

TriangleMesh weld(const TriangleMesh& mesh, double tolerance) {
  const std::size_t count = mesh.positions.size();
  std::vector<std::size_t> by_x(count);
  std::iota(by_x.begin(), by_x.end(), 0);
  std::stable_sort(by_x.begin(), by_x.end(),
                   [&](std::size_t a, std::size_t b) { return mesh.positions[a].x() < mesh.positions[b].x(); });
  std::vector<std::size_t> leader(count);
  std::iota(leader.begin(), leader.end(), 0);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      const Vec3 apart = mesh.positions[by_x[j]] - mesh.positions[by_x[i]];
      if (apart.x() > tolerance) break;
      if (apart.squaredNorm() > tolerance * tolerance) continue;
      const std::size_t low = std::min(leader[by_x[i]], leader[by_x[j]]);
      leader[by_x[i]] = leader[by_x[j]] = low;
    }
  }
  TriangleMesh welded;
  std::vector<int> number(count, -1);
  for (const Triangle& triangle : mesh.triangles) {
    Triangle& corners = welded.triangles.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      std::size_t v = index(triangle[k]);
      while (leader[v] != v) v = leader[v];
      if (number[v] < 0) {
        number[v] = static_cast<int>(welded.positions.size());
        welded.positions.push_back(mesh.positions[v]);
      }
      corners[k] = number[v];
    }
  }
  return welded;
}

}  // namespace ictus::geometry
