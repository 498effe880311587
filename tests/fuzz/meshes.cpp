#include <ictus/geometry/formats/surface_formats.hpp>
#include <ictus/geometry/mesh/mesh_defects.hpp>
#include <ictus/geometry/mesh/volume_mesh.hpp>

#include "fuzz/attempt.hpp"
#include "fuzz/targets.hpp"

namespace ictus::fuzz {

namespace {

void check_indices(const geometry::VolumeMesh& mesh) {
  const auto is_node = [&](int node) { return node >= 0 && static_cast<std::size_t>(node) < mesh.nodes.size(); };
  const auto check = [&](const auto& elements) {
    for (const auto& element : elements) {
      for (const int node : element) demand(is_node(node), "elements have nodes of the mesh");
    }
  };
  check(mesh.tetrahedra);
  check(mesh.hexahedra);
  check(mesh.triangles);
  for (const auto& [name, nodes] : mesh.node_sets) {
    for (const int node : nodes) demand(is_node(node), "sets have nodes of the mesh");
  }
}

/// What is read can be used: its indices lead to nodes, and looking for defects goes well.
template <class Read>
void read_volume(Read read, std::string_view bytes) {
  attempt([&] {
    geometry::VolumeMesh mesh = read(std::string(bytes), "mesh");
    check_indices(mesh);
    geometry::defects(mesh);
    geometry::outer_faces(mesh);
    geometry::remove_unused_nodes(mesh);
    check_indices(mesh);
  });
}

template <class Read>
void read_surface(Read read, std::string_view bytes) {
  attempt([&] {
    const geometry::TriangleMesh mesh = read(bytes, "surface");
    geometry::mesh_defects(mesh);
    for (const geometry::Triangle& triangle : mesh.triangles) {
      for (const int v : triangle)
        demand(v >= 0 && static_cast<std::size_t>(v) < mesh.positions.size(), "triangles have vertices of the mesh");
    }
  });
}

}  // namespace

void gmsh(std::string_view bytes) { read_volume(geometry::read_gmsh, bytes); }
void abaqus(std::string_view bytes) { read_volume(geometry::read_abaqus, bytes); }
void obj(std::string_view bytes) { read_surface(geometry::read_obj, bytes); }
void stl(std::string_view bytes) { read_surface(geometry::read_stl, bytes); }
void ply(std::string_view bytes) { read_surface(geometry::read_ply, bytes); }

}  // namespace ictus::fuzz
