#include <ictus/observe/frames/outer_areas.hpp>

#include <algorithm>
#include <map>
#include <span>

namespace ictus::observe {

using math::Vec3;
using Cell = mechanics::Picture::Cell;

namespace {

/// Corners of the faces of a cell, in the order of VTK; −1 ends a triangle.
std::span<const std::array<int, 4>> faces_of(Cell cell) {
  static constexpr std::array<std::array<int, 4>, 4> tetrahedron{
      {{0, 1, 2, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {0, 2, 3, -1}}};
  static constexpr std::array<std::array<int, 4>, 6> hexahedron{
      {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};
  static constexpr std::array<std::array<int, 4>, 1> triangle{{{0, 1, 2, -1}}}, quad{{{0, 1, 2, 3}}};
  switch (cell) {
    case Cell::triangle:
      return triangle;
    case Cell::quad:
      return quad;
    case Cell::tetrahedron:
      return tetrahedron;
    case Cell::hexahedron:
      return hexahedron;
    default:
      return {};
  }
}

int corners_of(Cell cell) {
  switch (cell) {
    case Cell::vertex:
      return 1;
    case Cell::line:
      return 2;
    case Cell::triangle:
      return 3;
    case Cell::quad:
    case Cell::tetrahedron:
      return 4;
    case Cell::hexahedron:
      return 8;
  }
  return 0;
}

}  // namespace

OuterAreas::OuterAreas(const mechanics::Picture& picture) {
  std::map<Face, std::pair<Face, int>> of_solids;  // by sorted corners: the face, and of how many cells it is
  std::size_t first = 0;
  for (const Cell cell : picture.cells) {
    const bool is_solid = cell == Cell::tetrahedron || cell == Cell::hexahedron;
    for (const std::array<int, 4>& corners : faces_of(cell)) {
      Face face{-1, -1, -1, -1};
      for (std::size_t k = 0; k < 4 && corners[k] >= 0; ++k)
        face[k] = picture.connectivity[first + static_cast<std::size_t>(corners[k])];
      if (!is_solid) {
        faces_.push_back(face);
        continue;
      }
      Face sorted = face;
      std::sort(sorted.begin(), sorted.end());
      ++of_solids.try_emplace(sorted, face, 0).first->second.second;
    }
    first += static_cast<std::size_t>(corners_of(cell));
  }
  for (const auto& [sorted, face] : of_solids) {
    if (face.second == 1) faces_.push_back(face.first);
  }
}

std::vector<double> OuterAreas::of(const std::vector<Vec3>& points) const {
  std::vector<double> areas(points.size());
  const auto at = [&](int i) { return points[static_cast<std::size_t>(i)]; };
  for (const Face& face : faces_) {
    const bool is_triangle = face[3] < 0;
    const Vec3 a = is_triangle ? Vec3(at(face[1]) - at(face[0])) : Vec3(at(face[2]) - at(face[0])),
               b = is_triangle ? Vec3(at(face[2]) - at(face[0])) : Vec3(at(face[3]) - at(face[1]));
    const double share = a.cross(b).norm() / (is_triangle ? 6 : 8);
    for (const int corner : face) {
      if (corner >= 0) areas[static_cast<std::size_t>(corner)] += share;
    }
  }
  return areas;
}

}  // namespace ictus::observe
