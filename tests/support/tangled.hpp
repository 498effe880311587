#pragma once

#include <ictus/geometry/mesh/edge_topology.hpp>
#include <ictus/geometry/mesh/mesh_generators.hpp>
#include <random>
#include <vector>

namespace ictus::testing {

/// Turns edges at random until few vertices have six neighbours.
inline geometry::TriangleMesh tangled(geometry::TriangleMesh mesh) {
  std::mt19937 random(3);
  std::vector<int> valence(mesh.positions.size());
  for (const geometry::Triangle& t : mesh.triangles)
    for (const int v : t) ++valence[static_cast<std::size_t>(v)];
  const geometry::EdgeTopology topology(mesh);
  std::vector<char> touched(mesh.triangles.size());
  for (std::size_t h = 0; h < topology.opposite.size(); ++h) {
    const int other = topology.opposite[h];
    if (other < static_cast<int>(h) || random() % 2 == 0) continue;
    const std::size_t one = h / 3, two = static_cast<std::size_t>(other) / 3;
    if (touched[one] != 0 || touched[two] != 0) continue;
    geometry::Triangle &a = mesh.triangles[one], &b = mesh.triangles[two];
    const std::size_t i = h % 3, j = static_cast<std::size_t>(other) % 3;
    const int from = a[i], to = a[(i + 1) % 3], left = a[(i + 2) % 3], right = b[(j + 2) % 3];
    if (valence[static_cast<std::size_t>(from)] < 6 || valence[static_cast<std::size_t>(to)] < 6) continue;
    a = {left, from, right};
    b = {right, to, left};
    touched[one] = touched[two] = 1;
    --valence[static_cast<std::size_t>(from)];
    --valence[static_cast<std::size_t>(to)];
    ++valence[static_cast<std::size_t>(left)];
    ++valence[static_cast<std::size_t>(right)];
  }
  return mesh;
}

}  // namespace ictus::testing
