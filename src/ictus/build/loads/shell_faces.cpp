#include <ictus/build/loads/shell_faces.hpp>

#include <algorithm>

namespace ictus::build {

using math::Vec3;

namespace {

/// The force of a force per area, one for each vertex.
mechanics::Load face_load(const mechanics::Shell& shell, const std::vector<Vec3>& per_area,
                          std::shared_ptr<const mechanics::Signal> signal) {
  const mechanics::Range range = shell.dofs();
  mechanics::Load load{std::move(signal), range.begin, std::vector<double>(range.size)};
  load.on_nodes = true;
  const auto area = shell.elements().vertex_area();
  for (std::size_t v = 0; v < per_area.size(); ++v) {
    const Vec3 force = area[v] * per_area[v], &x = shell.properties().mesh.positions[v];
    Vec3::Map(&load.force[3 * v]) = force;
    load.total += {force, x.cross(force)};
  }
  for (const int k : shell.fixed()) load.force[static_cast<std::size_t>(k) - range.begin] = 0;
  return load;
}

}  // namespace

mechanics::Load shell_traction(const mechanics::Shell& shell, const Vec3& direction,
                               std::shared_ptr<const mechanics::Signal> signal) {
  return face_load(shell, std::vector<Vec3>(shell.properties().mesh.positions.size(), direction), std::move(signal));
}

mechanics::Load shell_pressure(const mechanics::Shell& shell, std::shared_ptr<const mechanics::Signal> signal) {
  const geometry::TriangleMesh& mesh = shell.properties().mesh;
  std::vector<double> x(3 * mesh.positions.size());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) Vec3::Map(&x[3 * v]) = mesh.positions[v];
  const std::vector<Vec3> limit = shell.limit(x, true);
  std::vector<Vec3> normal(limit.size(), Vec3::Zero());
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto at = [&](int v) -> const Vec3& { return limit[static_cast<std::size_t>(v)]; };
    const Vec3 area = (at(b) - at(a)).cross(at(c) - at(a));
    for (const int v : {a, b, c}) normal[static_cast<std::size_t>(v)] += area;
  }
  for (Vec3& n : normal) n = -n.normalized();
  return face_load(shell, normal, std::move(signal));
}

}  // namespace ictus::build
