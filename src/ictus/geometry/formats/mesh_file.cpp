#include <ictus/geometry/formats/mesh_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <ictus/base/error.hpp>
#include <ictus/base/text_file.hpp>
#include <ictus/geometry/formats/surface_formats.hpp>
#include <ictus/geometry/mesh/mesh_defects.hpp>
#include <ictus/geometry/mesh/volume_mesh.hpp>

namespace ictus::geometry {

namespace {

constexpr double weld_share = 1e-6;

std::string lower_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

double extent(const TriangleMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const math::Vec3& x : mesh.positions) box.extend(x);
  return box.isEmpty() ? 0 : box.diagonal().norm();
}

TriangleMesh from_surface_file(const std::filesystem::path& file, const std::string& extension) {
  const std::string text = base::read_whole_file(file);
  if (extension == ".obj") return read_obj(text, file.string());
  return extension == ".stl" ? read_stl(text, file.string()) : read_ply(text, file.string());
}

/// The triangles of a file that may hold solid elements besides.
TriangleMesh from_volume_mesh(const std::filesystem::path& file) {
  VolumeMesh mesh = read_volume_mesh(file);
  mesh.tetrahedra.clear();
  mesh.hexahedra.clear();
  remove_unused_nodes(mesh);
  return {std::move(mesh.nodes), std::move(mesh.triangles)};
}

}  // namespace

TriangleMesh read_mesh(const std::filesystem::path& file) {
  const auto fail = [&](std::string message) { throw base::InputError({file.string(), 0, "", std::move(message)}); };
  const std::string extension = lower_extension(file);
  constexpr std::array known{".obj", ".stl", ".ply", ".msh", ".inp"};
  if (std::find(known.begin(), known.end(), extension) == known.end())
    fail("meshes are read from .obj, .stl, .ply, .msh and .inp files");
  TriangleMesh mesh =
      extension == ".msh" || extension == ".inp" ? from_volume_mesh(file) : from_surface_file(file, extension);
  if (mesh.triangles.empty()) fail("the mesh has no triangles");
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (!mesh.corner(t, k).allFinite()) fail(fmt::format("triangle {} has a corner whose place is not a number", t));
    }
  }
  mesh = weld(mesh, weld_share * extent(mesh));
  std::vector<base::Mistake> mistakes;
  for (std::string& defect : mesh_defects(mesh)) mistakes.push_back({file.string(), 0, "", std::move(defect)});
  if (!mistakes.empty()) throw base::InputError(std::move(mistakes));
  return mesh;
}

}  // namespace ictus::geometry
