#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <assimp/Importer.hpp>
#include <cctype>
#include <ictus/base/error.hpp>
#include <ictus/geometry/mesh_defects.hpp>
#include <ictus/geometry/mesh_file.hpp>
#include <ictus/geometry/volume_mesh.hpp>

namespace ictus::geometry {

namespace {

constexpr double weld_share = 1e-6;

std::string lower_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

void append(const aiMesh& part, TriangleMesh& mesh) {
  const int first = static_cast<int>(mesh.positions.size());
  for (unsigned v = 0; v < part.mNumVertices; ++v) {
    const aiVector3D& x = part.mVertices[v];
    mesh.positions.emplace_back(x.x, x.y, x.z);
  }
  for (unsigned f = 0; f < part.mNumFaces; ++f) {
    const aiFace& face = part.mFaces[f];
    if (face.mNumIndices != 3) continue;  // points and lines, which some files hold besides
    mesh.triangles.push_back({first + static_cast<int>(face.mIndices[0]), first + static_cast<int>(face.mIndices[1]),
                              first + static_cast<int>(face.mIndices[2])});
  }
}

double extent(const TriangleMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const math::Vec3& x : mesh.positions) box.extend(x);
  return box.isEmpty() ? 0 : box.diagonal().norm();
}

TriangleMesh from_surface_file(const std::filesystem::path& file) {
  Assimp::Importer importer;
  importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS,
                              aiComponent_NORMALS | aiComponent_TEXCOORDS | aiComponent_COLORS | aiComponent_MATERIALS);
  const aiScene* scene = importer.ReadFile(file.string(), aiProcess_Triangulate | aiProcess_RemoveComponent);
  if (!scene)
    throw base::InputError(
        {file.string(), 0, "", std::string("the mesh cannot be read: ") + importer.GetErrorString()});
  TriangleMesh mesh;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) append(*scene->mMeshes[m], mesh);
  return mesh;
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
  if (!std::filesystem::is_regular_file(file)) fail("there is no such file");
  TriangleMesh mesh = extension == ".msh" || extension == ".inp" ? from_volume_mesh(file) : from_surface_file(file);
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
