#include <ictus/geometry/mesh/volume_mesh.hpp>

#include <cmath>
#include <ictus/geometry/mesh/volume_mesh_cells.hpp>
#include <numbers>

namespace ictus::geometry {

using math::Vec3;

namespace {

/// A grid of (n0 + 1)(n1 + 1)(n2 + 1) nodes, x fastest, and its cells as elements.
struct Grid {
  std::array<int, 3> cells;

  int node(int i, int j, int k) const { return i + (cells[0] + 1) * (j + (cells[1] + 1) * k); }
  std::array<int, 8> cell(int i, int j, int k) const {
    return {node(i, j, k),     node(i + 1, j, k),     node(i + 1, j + 1, k),     node(i, j + 1, k),
            node(i, j, k + 1), node(i + 1, j, k + 1), node(i + 1, j + 1, k + 1), node(i, j + 1, k + 1)};
  }
  template <class F>
  void for_each_node(F&& f) const {
    for (int k = 0; k <= cells[2]; ++k) {
      for (int j = 0; j <= cells[1]; ++j) {
        for (int i = 0; i <= cells[0]; ++i) f(i, j, k);
      }
    }
  }
};

void add_elements(const Grid& grid, VolumeElement element, VolumeMesh& mesh) {
  for (int k = 0; k < grid.cells[2]; ++k) {
    for (int j = 0; j < grid.cells[1]; ++j) {
      for (int i = 0; i < grid.cells[0]; ++i) add_cell(grid.cell(i, j, k), element, mesh);
    }
  }
}

}  // namespace

VolumeMesh box_mesh(const Vec3& size, const std::array<int, 3>& cells, VolumeElement element) {
  VolumeMesh mesh;
  const Grid grid{cells};
  const char* names[3][2] = {{"left", "right"}, {"front", "back"}, {"bottom", "top"}};
  grid.for_each_node([&](int i, int j, int k) {
    const int at[3] = {i, j, k};
    Vec3 x;
    for (int c = 0; c < 3; ++c) {
      x[c] = size[c] * at[c] / cells[static_cast<std::size_t>(c)];
      const int node = static_cast<int>(mesh.nodes.size());
      if (at[c] == 0) mesh.node_sets[names[c][0]].push_back(node);
      if (at[c] == cells[static_cast<std::size_t>(c)]) mesh.node_sets[names[c][1]].push_back(node);
    }
    mesh.nodes.push_back(x);
  });
  add_elements(grid, element, mesh);
  return mesh;
}

VolumeMesh block_mesh(const std::array<Vec3, 8>& corners, const std::array<int, 3>& cells, VolumeElement element) {
  VolumeMesh mesh = box_mesh({1, 1, 1}, cells, element);
  for (Vec3& node : mesh.nodes) {
    const Vec3 at = node;
    node = Vec3::Zero();
    for (int corner = 0; corner < 8; ++corner) {
      const bool far[3] = {corner % 4 == 1 || corner % 4 == 2, corner % 4 >= 2, corner >= 4};
      double weight = 1;
      for (int c = 0; c < 3; ++c) weight *= far[c] ? at[c] : 1 - at[c];
      node += weight * corners[static_cast<std::size_t>(corner)];
    }
  }
  return mesh;
}

VolumeMesh tube_mesh(double inner, double outer, double height, const std::array<int, 3>& around_through_along,
                     VolumeElement element) {
  const auto [around, through, along] = around_through_along;
  VolumeMesh mesh;
  // The grid is closed around: its last nodes are its first.
  const Grid grid{{through, around, along}};
  std::vector<int> number;
  grid.for_each_node([&](int i, int j, int k) {
    const int node = static_cast<int>(mesh.nodes.size());
    number.push_back(j < around ? node : number[static_cast<std::size_t>(grid.node(i, 0, k))]);
    if (j == around) return;
    const double angle = 2 * std::numbers::pi * j / around, r = inner + (outer - inner) * i / through;
    if (k == 0) mesh.node_sets["bottom"].push_back(node);
    if (k == along) mesh.node_sets["top"].push_back(node);
    if (i == 0) mesh.node_sets["inside"].push_back(node);
    if (i == through) mesh.node_sets["outside"].push_back(node);
    mesh.nodes.emplace_back(r * std::cos(angle), r * std::sin(angle), height * k / along);
  });
  add_elements(grid, element, mesh);
  for (auto& cell : mesh.hexahedra)
    for (int& node : cell) node = number[static_cast<std::size_t>(node)];
  for (auto& cell : mesh.tetrahedra)
    for (int& node : cell) node = number[static_cast<std::size_t>(node)];
  return mesh;
}

}  // namespace ictus::geometry
