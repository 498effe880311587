#include <ictus/geometry/mesh/volume_mesh.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace ictus::geometry {

using math::Vec3;

namespace {

using Triangle = std::array<int, 3>;

/// Faces that look outwards.
constexpr int tetrahedron_faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
constexpr int hexahedron_faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                        {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

/// A face of three or four nodes (the fourth −1), known by its nodes whatever their order.
struct AnyFace {
  std::array<int, 4> nodes;
  std::array<int, 4> sorted;
};

AnyFace face(std::array<int, 4> nodes) {
  AnyFace result{nodes, nodes};
  std::sort(result.sorted.begin(), result.sorted.end());
  return result;
}

double signed_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return (b - a).cross(c - a).dot(d - a) / 6;
}

/// The smallest Jacobian of a hexahedron over its corners, as the volume of the box that the edges there span.
double smallest_corner(const VolumeMesh& mesh, const std::array<int, 8>& hexahedron) {
  constexpr int corners[8][4] = {{0, 1, 3, 4}, {1, 2, 0, 5}, {2, 3, 1, 6}, {3, 0, 2, 7},
                                 {4, 7, 5, 0}, {5, 4, 6, 1}, {6, 5, 7, 2}, {7, 6, 4, 3}};
  double smallest = std::numeric_limits<double>::infinity();
  const auto node = [&](int i) -> const Vec3& {
    return mesh.nodes[static_cast<std::size_t>(hexahedron[static_cast<std::size_t>(i)])];
  };
  for (const auto& c : corners)
    smallest = std::min(smallest, 6 * signed_volume(node(c[0]), node(c[1]), node(c[2]), node(c[3])));
  return smallest;
}

template <std::size_t n>
double longest_edge(const VolumeMesh& mesh, const std::array<int, n>& element) {
  double longest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      longest = std::max(
          longest,
          (mesh.nodes[static_cast<std::size_t>(element[i])] - mesh.nodes[static_cast<std::size_t>(element[j])]).norm());
    }
  }
  return longest;
}

}  // namespace

std::string VolumeMesh::element_name(std::size_t element) const {
  return "element " + (element < element_names.size() ? element_names[element] : std::to_string(element));
}

std::vector<OuterFace> outer_faces(const VolumeMesh& mesh) {
  std::vector<AnyFace> faces;
  faces.reserve(4 * mesh.tetrahedra.size() + 6 * mesh.hexahedra.size());
  for (const auto& e : mesh.tetrahedra) {
    for (const auto& f : tetrahedron_faces) faces.push_back(face({e[f[0]], e[f[1]], e[f[2]], -1}));
  }
  for (const auto& e : mesh.hexahedra) {
    for (const auto& f : hexahedron_faces) faces.push_back(face({e[f[0]], e[f[1]], e[f[2]], e[f[3]]}));
  }
  std::stable_sort(faces.begin(), faces.end(), [](const AnyFace& a, const AnyFace& b) { return a.sorted < b.sorted; });
  std::vector<OuterFace> outer;
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t end = i + 1;
    while (end < faces.size() && faces[end].sorted == faces[i].sorted) ++end;
    if (end == i + 1) outer.push_back(faces[i].nodes);
    i = end;
  }
  return outer;
}

std::vector<Triangle> boundary(const VolumeMesh& mesh) {
  std::vector<Triangle> triangles;
  const auto distance = [&](int a, int b) {
    return (mesh.nodes[static_cast<std::size_t>(a)] - mesh.nodes[static_cast<std::size_t>(b)]).squaredNorm();
  };
  for (const auto& [a, b, c, d] : outer_faces(mesh)) {
    if (d < 0) {
      triangles.push_back({a, b, c});
    } else if (distance(a, c) <= distance(b, d)) {
      triangles.push_back({a, b, c});
      triangles.push_back({a, c, d});
    } else {
      triangles.push_back({a, b, d});
      triangles.push_back({b, c, d});
    }
  }
  return triangles;
}

std::vector<MeshDefect> defects(const VolumeMesh& mesh, std::size_t max_count) {
  std::vector<MeshDefect> found;
  const auto judge = [&](std::size_t element, double volume, double length, std::string_view what) {
    if (found.size() >= max_count) return;
    const std::string name = mesh.element_name(element);
    if (!(volume > -1e-9 * length * length * length)) {
      found.push_back(
          {element, fmt::format("{} is inverted: {} {:g} m³; check the order of its nodes", name, what, volume)});
    } else if (volume < 1e-9 * length * length * length) {
      found.push_back(
          {element, fmt::format("{} is degenerate: {} {:g} m³ with edges of {:g} m", name, what, volume, length)});
    }
  };
  const auto node = [&](int i) -> const Vec3& { return mesh.nodes[static_cast<std::size_t>(i)]; };
  for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) {
    const auto& e = mesh.tetrahedra[i];
    judge(i, signed_volume(node(e[0]), node(e[1]), node(e[2]), node(e[3])), longest_edge(mesh, e), "its volume is");
  }
  for (std::size_t i = 0; i < mesh.hexahedra.size(); ++i) {
    const auto& e = mesh.hexahedra[i];
    judge(mesh.tetrahedra.size() + i, smallest_corner(mesh, e), longest_edge(mesh, e), "a corner spans");
  }
  return found;
}

void remove_unused_nodes(VolumeMesh& mesh) {
  std::vector<int> renumbered(mesh.nodes.size(), -1);
  const auto mark = [&](const auto& elements) {
    for (const auto& element : elements) {
      for (const int node : element) renumbered[static_cast<std::size_t>(node)] = 0;
    }
  };
  mark(mesh.tetrahedra);
  mark(mesh.hexahedra);
  mark(mesh.triangles);
  int count = 0;
  for (std::size_t i = 0; i < renumbered.size(); ++i) {
    if (renumbered[i] < 0) continue;
    mesh.nodes[static_cast<std::size_t>(count)] = mesh.nodes[i];
    renumbered[i] = count++;
  }
  mesh.nodes.resize(static_cast<std::size_t>(count));
  const auto follow = [&](auto& elements) {
    for (auto& element : elements) {
      for (int& node : element) node = renumbered[static_cast<std::size_t>(node)];
    }
  };
  follow(mesh.tetrahedra);
  follow(mesh.hexahedra);
  follow(mesh.triangles);
  for (auto& [name, nodes] : mesh.node_sets) {
    for (int& node : nodes) node = renumbered[static_cast<std::size_t>(node)];
    std::erase(nodes, -1);
  }
}

}  // namespace ictus::geometry
