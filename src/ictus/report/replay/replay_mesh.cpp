#include <ictus/report/replay/replay_mesh.hpp>

#include <algorithm>
#include <array>
#include <ictus/files/vtu/vtk_cell.hpp>
#include <numeric>

namespace ictus::report {

namespace {

using Cell = files::VtkCell;
using Corners = std::span<const std::int64_t>;

/// Faces of a solid cell by its corners, in VTK's order, each turning left around the way out.
constexpr std::array<std::array<int, 3>, 4> faces_of_tetrahedron{{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
constexpr std::array<std::array<int, 4>, 6> faces_of_hexahedron{
    {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};

/// A face of a solid, with what makes it the same as that of a neighbour. Triangles have −1 as fourth corner.
struct Face {
  std::array<std::int64_t, 4> corners;
  std::array<std::int64_t, 4> sorted;
};

template <std::size_t N>
void add_face(Corners cell, const std::array<int, N>& corners, std::vector<Face>& faces) {
  Face face;
  face.corners.fill(-1);
  for (std::size_t k = 0; k < N; ++k) face.corners[k] = cell[static_cast<std::size_t>(corners[k])];
  face.sorted = face.corners;
  std::sort(face.sorted.begin(), face.sorted.end());
  faces.push_back(face);
}

/// The faces that no other solid shares, in a fixed order.
std::vector<Face> outer(std::vector<Face> faces) {
  const auto less = [](const Face& a, const Face& b) { return a.sorted < b.sorted; };
  std::stable_sort(faces.begin(), faces.end(), less);
  std::vector<Face> result;
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t next = i + 1;
    while (next < faces.size() && faces[next].sorted == faces[i].sorted) ++next;
    if (next == i + 1) result.push_back(faces[i]);
    i = next;
  }
  return result;
}

/// Gathers what is drawn of one body in numbers of the frame.
struct Gatherer {
  std::vector<std::int64_t> triangles, lines, vertices;
  std::vector<Face> faces;

  void add(Cell kind, Corners cell) {
    switch (kind) {
      case Cell::vertex:
        vertices.push_back(cell[0]);
        break;
      case Cell::line:
        lines.insert(lines.end(), cell.begin(), cell.end());
        break;
      case Cell::triangle:
      case Cell::quad:
        add_polygon(cell);
        break;
      case Cell::tetrahedron:
        for (const auto& face : faces_of_tetrahedron) add_face(cell, face, faces);
        break;
      case Cell::hexahedron:
        for (const auto& face : faces_of_hexahedron) add_face(cell, face, faces);
        break;
    }
  }

  void add_polygon(Corners corners) {
    for (std::size_t k = 2; k < corners.size(); ++k)
      triangles.insert(triangles.end(), {corners[0], corners[k - 1], corners[k]});
  }

  void add_outside() {
    for (const Face& face : outer(std::move(faces)))
      add_polygon(Corners(face.corners).first(face.corners[3] < 0 ? 3 : 4));
  }
};

std::vector<std::uint32_t> indices(const std::vector<std::int64_t>& numbers, const std::vector<std::uint32_t>& points) {
  std::vector<std::uint32_t> result;
  result.reserve(numbers.size());
  for (const std::int64_t number : numbers) {
    const auto found = std::lower_bound(points.begin(), points.end(), number);
    result.push_back(static_cast<std::uint32_t>(found - points.begin()));
  }
  return result;
}

ReplayMesh mesh_of(const Gatherer& drawn) {
  ReplayMesh mesh;
  for (const auto* list : {&drawn.triangles, &drawn.lines, &drawn.vertices})
    for (const std::int64_t point : *list) mesh.points.push_back(static_cast<std::uint32_t>(point));
  std::sort(mesh.points.begin(), mesh.points.end());
  mesh.points.erase(std::unique(mesh.points.begin(), mesh.points.end()), mesh.points.end());
  mesh.triangles = indices(drawn.triangles, mesh.points);
  mesh.lines = indices(drawn.lines, mesh.points);
  mesh.vertices = indices(drawn.vertices, mesh.points);
  return mesh;
}

/// Lists the cells around each point drawn.
void find_cells(const FrameCells& frame, std::int64_t body, ReplayMesh& mesh) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> around;  // index of the point, cell
  for (std::size_t cell = 0; cell < frame.types.size(); ++cell) {
    if (frame.body[cell] != body) continue;
    for (const std::int64_t point : frame.of(cell)) {
      const auto found = std::lower_bound(mesh.points.begin(), mesh.points.end(), point);
      if (found == mesh.points.end() || *found != point) continue;
      around.emplace_back(static_cast<std::uint32_t>(found - mesh.points.begin()), static_cast<std::uint32_t>(cell));
    }
  }
  std::sort(around.begin(), around.end());
  mesh.first_cell.assign(mesh.points.size() + 1, 0);
  for (const auto& [index, cell] : around) {
    ++mesh.first_cell[index + 1];
    mesh.cells.push_back(cell);
  }
  std::partial_sum(mesh.first_cell.begin(), mesh.first_cell.end(), mesh.first_cell.begin());
}

}  // namespace

Corners FrameCells::of(std::size_t cell) const {
  const auto begin = static_cast<std::size_t>(cell == 0 ? 0 : offsets[cell - 1]);
  return Corners(connectivity).subspan(begin, static_cast<std::size_t>(offsets[cell]) - begin);
}

bool FrameCells::sound(std::size_t points) const {
  if (offsets.size() != types.size() || body.size() != types.size()) return false;
  std::int64_t end = 0;
  for (std::size_t cell = 0; cell < types.size(); ++cell) {
    const int corners = corners_of(static_cast<Cell>(types[cell]));
    end += corners;
    if (corners == 0 || offsets[cell] != end) return false;
  }
  const auto exists = [&](std::int64_t point) { return point >= 0 && point < static_cast<std::int64_t>(points); };
  return end == static_cast<std::int64_t>(connectivity.size()) &&
         std::all_of(connectivity.begin(), connectivity.end(), exists) &&
         std::all_of(body.begin(), body.end(), [](std::int64_t number) { return number >= 0; });
}

std::vector<ReplayMesh> replay_meshes(const FrameCells& frame, std::size_t bodies) {
  std::vector<Gatherer> drawn(bodies);
  for (std::size_t cell = 0; cell < frame.types.size(); ++cell)
    drawn[static_cast<std::size_t>(frame.body[cell])].add(static_cast<Cell>(frame.types[cell]), frame.of(cell));
  std::vector<ReplayMesh> meshes;
  for (std::size_t body = 0; body < bodies; ++body) {
    drawn[body].add_outside();
    meshes.push_back(mesh_of(drawn[body]));
    find_cells(frame, static_cast<std::int64_t>(body), meshes.back());
  }
  return meshes;
}

}  // namespace ictus::report
