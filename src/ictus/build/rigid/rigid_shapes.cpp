#include <ictus/build/rigid/rigid_shapes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/base/text_file.hpp>
#include <ictus/build/beside_scene.hpp>
#include <ictus/build/bodies/bodies.hpp>
#include <ictus/geometry/formats/mesh_file.hpp>
#include <ictus/geometry/mesh/edge_topology.hpp>
#include <ictus/geometry/mesh/mesh_defects.hpp>
#include <ictus/geometry/mesh/mesh_generators.hpp>
#include <sstream>

namespace ictus::build {

using geometry::RigidShape;
using geometry::TriangleMesh;
using geometry::VolumeProperties;
using math::Vec3;

namespace {

[[noreturn]] void refuse_shape(std::string what) { throw base::InputError(base::Mistake{{}, 0, {}, std::move(what)}); }

geometry::Pose pose_of(const scene::CompoundPartSpec& part) {
  const Vec3 turn = to_vector(part.rotation);
  const Eigen::Matrix3d axes =
      turn.isZero() ? Eigen::Matrix3d::Identity()
                    : Eigen::Matrix3d(Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix());
  const auto column = [&](int c) { return geometry::Vec{axes(0, c), axes(1, c), axes(2, c)}; };
  return {to_triple(part.position), {column(0), column(1), column(2)}};
}

/// A part in its own axes.
struct ShapePart {
  RigidShape shape;
  VolumeProperties properties;
};

ShapePart whole(RigidShape shape) {
  const VolumeProperties properties = volume_properties(shape);
  return {std::move(shape), properties};
}

struct PartMaker {
  ShapePart operator()(const scene::BallSpec& spec) const { return whole(RigidShape::sphere(spec.radius)); }
  ShapePart operator()(const scene::CapsuleSpec& spec) const {
    return whole(RigidShape::capsule(spec.radius, spec.length));
  }
  ShapePart operator()(const scene::BoxSpec& spec) const {
    return whole(RigidShape::convex(geometry::box_polytope(to_triple(spec.size))));
  }
  ShapePart operator()(const scene::CylinderSpec& spec) const {
    return {RigidShape::convex(geometry::prism_polytope(spec.radius, spec.length, spec.cells)),
            geometry::cylinder_properties(spec.radius, spec.length)};
  }
  ShapePart operator()(const scene::ConeSpec& spec) const {
    return {RigidShape::convex(geometry::pyramid_polytope(spec.radius, spec.length, spec.cells)),
            geometry::cone_properties(spec.radius, spec.length)};
  }
};

void append(const TriangleMesh& part, const geometry::Pose& pose, TriangleMesh& mesh) {
  const int first = static_cast<int>(mesh.positions.size());
  for (const Vec3& x : part.positions) {
    const geometry::Vec moved = pose.position_of({x.x(), x.y(), x.z()});
    mesh.positions.emplace_back(moved.x, moved.y, moved.z);
  }
  for (const geometry::Triangle& t : part.triangles)
    mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

/// What touches with a radius around it: the centre of a sphere, the axis of a capsule.
TriangleMesh core_of(const RigidShape& shape) {
  if (shape.half_length == 0) return {{Vec3::Zero()}, {{0, 0, 0}}};
  return {{Vec3(0, 0, -shape.half_length), Vec3(0, 0, shape.half_length)}, {{0, 1, 1}}};
}

std::vector<std::vector<double>> read_heights(const std::filesystem::path& file) {
  std::istringstream text(base::read_whole_file(file));
  std::vector<std::vector<double>> rows;
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    std::vector<double> row;
    std::string word;
    while (words >> word) {
      std::size_t used = 0;
      double value = 0;
      try {
        value = std::stod(word, &used);
      } catch (const std::exception&) {
        used = 0;
      }
      if (used != word.size() || !std::isfinite(value))
        refuse_shape(fmt::format("{}:{}: '{}' is no number", file.string(), number, word));
      row.push_back(value);
    }
    if (!row.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

TriangleMesh rigid_mesh(const scene::RigidMeshSpec& spec, const scene::Document& document) {
  TriangleMesh mesh;
  if (spec.file) {
    mesh = geometry::read_mesh(beside_scene(*spec.file, document));
  } else {
    for (const scene::Vec3& x : *spec.vertices) mesh.positions.push_back(to_vector(x));
    mesh.triangles.assign(spec.triangles->begin(), spec.triangles->end());
  }
  for (Vec3& x : mesh.positions) x *= spec.scale;
  if (const std::vector<std::string> defects = mesh_defects(mesh); !defects.empty()) {
    std::vector<base::Mistake> mistakes;
    for (const std::string& defect : defects) mistakes.push_back({{}, 0, {}, defect});
    throw base::InputError(std::move(mistakes));
  }
  const geometry::EdgeTopology topology(mesh);
  const auto open = std::count_if(topology.edge_triangles.begin(), topology.edge_triangles.end(),
                                  [](const auto& triangles) { return triangles[1] < 0; });
  if (open > 0)
    refuse_shape(
        fmt::format("the surface is not closed: {} of its edges have one triangle only, and it has no inside", open));
  if (volume_properties(mesh).volume < 0) {
    for (geometry::Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  }
  return mesh;
}

std::pair<RigidShape, VolumeProperties> compound(const scene::CompoundSpec& spec, double usual) {
  std::vector<ShapePart> parts;
  std::vector<VolumeProperties> properties;
  std::vector<double> densities;
  for (const scene::CompoundPartSpec& part : spec.parts) {
    parts.push_back(std::visit(PartMaker{}, part.shape));
    properties.push_back(moved(parts.back().properties, pose_of(part)));
    densities.push_back(part.density.value_or(usual) / usual);
  }
  const double radius = parts.front().shape.radius;
  const bool round = radius > 0 && std::all_of(parts.begin(), parts.end(),
                                               [&](const ShapePart& p) { return p.shape.radius == radius; });
  constexpr int fine = 3;
  TriangleMesh mesh, picture;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const geometry::Pose pose = pose_of(spec.parts[i]);
    append(surface_of(parts[i].shape, fine), pose, picture);
    if (round) append(core_of(parts[i].shape), pose, mesh);
  }
  if (!round) mesh = picture;
  return {RigidShape::triangles(std::move(mesh), std::move(picture), round ? radius : 0.0),
          combined(properties, densities)};
}

TriangleMesh heightfield(const scene::HeightfieldSpec& spec, const scene::Document& document) {
  const auto heights = spec.file ? read_heights(beside_scene(*spec.file, document)) : spec.heights;
  if (heights.size() < 2 || heights.front().size() < 2) refuse_shape("must have two rows of two heights or more");
  const std::size_t columns = heights.front().size();
  for (std::size_t j = 0; j < heights.size(); ++j) {
    if (heights[j].size() != columns)
      refuse_shape(fmt::format("row {} has {} heights and the first has {}", j, heights[j].size(), columns));
  }
  TriangleMesh mesh = geometry::plate(static_cast<double>(columns - 1) * spec.spacing_x,
                                      static_cast<double>(heights.size() - 1) * spec.spacing_y,
                                      static_cast<int>(columns) - 1, static_cast<int>(heights.size()) - 1);
  for (Vec3& x : mesh.positions) {
    const auto number = [](double at, double spacing, std::size_t count) {
      return static_cast<std::size_t>(std::lround(at / spacing + 0.5 * static_cast<double>(count - 1)));
    };
    x.z() = spec.scale * heights[number(x.y(), spec.spacing_y, heights.size())][number(x.x(), spec.spacing_x, columns)];
  }
  return mesh;
}

}  // namespace ictus::build
