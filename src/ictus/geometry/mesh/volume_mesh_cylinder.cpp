#include <ictus/geometry/mesh/volume_mesh.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/geometry/mesh/volume_mesh_cells.hpp>
#include <numbers>

namespace ictus::geometry {

namespace {

using Point = std::array<double, 2>;

/// Cells of the unit disc, or of a part of it, each counter-clockwise.
struct Disc {
  std::vector<Point> points;
  std::vector<bool> on_rim;  ///< of each point
  std::vector<std::array<int, 4>> cells;

  int add(const Point& point, bool rim) {
    points.push_back(point);
    on_rim.push_back(rim);
    return static_cast<int>(points.size()) - 1;
  }
};

/// A point of the square [−1, 1]² moved to the unit disc: squares around the centre become circles towards the rim,
/// and the middle stays nearly square.
Point bend(double s, double t) {
  const double ring = std::max(std::abs(s), std::abs(t));
  if (ring == 0) return {0, 0};
  // On the circle of the same ring, equal angles for equal steps along a side.
  const bool along_t = std::abs(s) >= std::abs(t);
  const double angle = (along_t ? t / s : s / t) * std::numbers::pi / 4;
  const double sign = (along_t ? s : t) > 0 ? 1 : -1;
  const double a = sign * ring * std::cos(angle), b = sign * ring * std::sin(angle);
  const double circle[2] = {along_t ? a : b, along_t ? b : a};
  const double square[2] = {s / std::numbers::sqrt2, t / std::numbers::sqrt2};  // its corners on the circle
  return {ring * circle[0] + (1 - ring) * square[0], ring * circle[1] + (1 - ring) * square[1]};
}

/// A point of the square [−1, 1]² moved to the core of a disc of rings, half as wide as the disc, its sides bulged.
Point bulge(double s, double t) {
  const double factor = 0.5 * (1 - 0.12 * s * s * t * t);
  return {factor * s, factor * t};
}

/// A square grid of n² cells over [−1, 1]², its points moved.
template <class Move>
Disc square_grid(int n, bool rim, Move&& move) {
  Disc disc;
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i) {
      const bool outside = i == 0 || j == 0 || i == n || j == n;
      disc.add(move(2.0 * i / n - 1, 2.0 * j / n - 1), rim && outside);
    }
  }
  const auto node = [n](int i, int j) { return i + (n + 1) * j; };
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) disc.cells.push_back({node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)});
  }
  return disc;
}

/// A square core of n² cells and rings of 4n cells around it.
Disc ringed_disc(int n, int rings) {
  Disc disc = square_grid(n, false, bulge);
  // Around the core, counter-clockwise from its first corner: node and place on the square.
  std::vector<int> inner;
  std::vector<Point> place;
  for (int k = 0; k < 4 * n; ++k) {
    const int side = k / n, step = k % n;
    const int i = side == 0 ? step : side == 1 ? n : side == 2 ? n - step : 0;
    const int j = side == 0 ? 0 : side == 1 ? step : side == 2 ? n : n - step;
    inner.push_back(i + (n + 1) * j);
    place.push_back({2.0 * i / n - 1, 2.0 * j / n - 1});
  }
  for (int ring = 1; ring <= rings; ++ring) {
    const double part = static_cast<double>(ring) / rings;
    std::vector<int> outer;
    for (const Point& at : place) {
      const Point from = bulge(at[0], at[1]), to = bend(at[0], at[1]);
      outer.push_back(
          disc.add({(1 - part) * from[0] + part * to[0], (1 - part) * from[1] + part * to[1]}, ring == rings));
    }
    for (std::size_t k = 0; k < inner.size(); ++k) {
      const std::size_t next = (k + 1) % inner.size();
      disc.cells.push_back({inner[k], outer[k], outer[next], inner[next]});
    }
    inner = std::move(outer);
  }
  return disc;
}

/// The part of a disc whose coordinates are not negative.
Disc quarter_of(const Disc& disc) {
  const auto is_inside = [&](int node) {
    const Point& at = disc.points[static_cast<std::size_t>(node)];
    return at[0] >= 0 && at[1] >= 0;
  };
  Disc quarter;
  std::vector<int> number(disc.points.size(), -1);
  for (std::size_t k = 0; k < disc.points.size(); ++k) {
    if (is_inside(static_cast<int>(k))) number[k] = quarter.add(disc.points[k], disc.on_rim[k]);
  }
  for (std::array<int, 4> cell : disc.cells) {
    if (!std::all_of(cell.begin(), cell.end(), is_inside)) continue;
    for (int& node : cell) node = number[static_cast<std::size_t>(node)];
    quarter.cells.push_back(cell);
  }
  return quarter;
}

/// Six tetrahedra of a cell of a disc between two layers: three of each half of the cell, along diagonals from nodes of
/// lower number below to nodes of higher number above, so that neighbours match however their cells are turned.
void add_halves(const std::array<int, 4>& cell, int low, int high, VolumeMesh& mesh) {
  for (std::array<int, 3> half : {std::array{cell[0], cell[1], cell[2]}, std::array{cell[0], cell[2], cell[3]}}) {
    std::sort(half.begin(), half.end());
    const auto [a, b, c] = half;
    for (std::array<int, 4> t :
         {std::array{low + a, low + b, low + c, high + c}, std::array{low + a, low + b, high + b, high + c},
          std::array{low + a, high + a, high + b, high + c}}) {
      const auto at = [&](std::size_t i) -> const math::Vec3& { return mesh.nodes[static_cast<std::size_t>(t[i])]; };
      if ((at(1) - at(0)).cross(at(2) - at(0)).dot(at(3) - at(0)) < 0) std::swap(t[2], t[3]);
      mesh.tetrahedra.push_back(t);
    }
  }
}

}  // namespace

VolumeMesh cylinder_mesh(double radius, double height, const CylinderCells& cells, VolumeElement element) {
  Disc disc = cells.rings == 0 ? square_grid(cells.across, true, bend) : ringed_disc(cells.across, cells.rings);
  if (cells.quarter) disc = quarter_of(disc);
  VolumeMesh mesh;
  const int count = static_cast<int>(disc.points.size());
  for (int layer = 0; layer <= cells.along; ++layer) {
    for (std::size_t k = 0; k < disc.points.size(); ++k) {
      const auto [x, y] = disc.points[k];
      const int node = static_cast<int>(mesh.nodes.size());
      if (layer == 0) mesh.node_sets["bottom"].push_back(node);
      if (layer == cells.along) mesh.node_sets["top"].push_back(node);
      if (disc.on_rim[k]) mesh.node_sets["side"].push_back(node);
      if (cells.quarter && x == 0) mesh.node_sets["left"].push_back(node);
      if (cells.quarter && y == 0) mesh.node_sets["front"].push_back(node);
      mesh.nodes.emplace_back(radius * x, radius * y, height * layer / cells.along);
    }
  }
  for (int layer = 0; layer < cells.along; ++layer) {
    const int low = layer * count, high = low + count;
    for (const auto& cell : disc.cells) {
      const auto& [a, b, c, d] = cell;
      if (cells.rings > 0 && element == VolumeElement::tetrahedron) {
        add_halves(cell, low, high, mesh);
        continue;
      }
      add_cell({low + a, low + b, low + c, low + d, high + a, high + b, high + c, high + d}, element, mesh);
    }
  }
  return mesh;
}

}  // namespace ictus::geometry
