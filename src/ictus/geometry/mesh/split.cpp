#include <ictus/geometry/mesh/split.hpp>

namespace ictus::geometry {

TriangleMesh split(const TriangleMesh& mesh, const EdgeTopology& topology) {
  const auto position = [&](int v) -> const math::Vec3& { return mesh.positions[static_cast<std::size_t>(v)]; };
  TriangleMesh result{mesh.positions, {}};
  for (const auto& [a, b] : topology.edges) result.positions.push_back(0.5 * (position(a) + position(b)));
  result.triangles.reserve(4 * mesh.triangles.size());
  const int first = static_cast<int>(mesh.positions.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto [a, b, c] = mesh.triangles[t];
    const int ab = first + topology.edge[3 * t], bc = first + topology.edge[3 * t + 1],
              ca = first + topology.edge[3 * t + 2];
    result.triangles.insert(result.triangles.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
  }
  return result;
}

}  // namespace ictus::geometry
