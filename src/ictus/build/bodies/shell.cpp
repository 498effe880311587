#include <ictus/build/bodies/shell.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <ictus/base/index.hpp>
#include <ictus/build/beside_scene.hpp>
#include <ictus/build/bodies/bodies.hpp>
#include <ictus/build/bodies/solid.hpp>
#include <ictus/build/size_limits.hpp>
#include <ictus/geometry/formats/mesh_file.hpp>
#include <ictus/geometry/mesh/curve_order.hpp>
#include <ictus/geometry/mesh/mesh_defects.hpp>
#include <ictus/geometry/mesh/mesh_generators.hpp>
#include <ictus/geometry/subdivision/loop_subdivision.hpp>
#include <numbers>
#include <set>

namespace ictus::build {

using base::index;

using geometry::EdgeTopology;
using geometry::TriangleMesh;
using math::Vec3;
using scene::ShellSupport;

namespace {

/// The sphere, of the radius whose limit surface has the sphere's area where that is asked for.
TriangleMesh make_sphere(const scene::ShellSphereSpec& spec) {
  const auto base =
      spec.base == scene::SphereBase::octahedron ? geometry::SphereBase::octahedron : geometry::SphereBase::icosahedron;
  TriangleMesh mesh = geometry::sphere(spec.radius, base, std::countr_zero(static_cast<unsigned>(spec.cells)));
  if (spec.fit == scene::SphereFit::vertices) return mesh;
  const mechanics::ShellTiles tiles(mechanics::with_ghosts(mesh, {}), {1, 1, 0});
  double area = 0;
  for (const double share : tiles.vertex_area()) area += share;
  const double factor = std::sqrt(4 * std::numbers::pi * spec.radius * spec.radius / area);
  for (Vec3& x : mesh.positions) x *= factor;
  return mesh;
}

/// A rectangle bent around z.
TriangleMesh make_arc(const scene::ShellTubeSpec& spec) {
  const double from = (*spec.arc)[0], to = (*spec.arc)[1];
  TriangleMesh mesh = geometry::plate(to - from, spec.length, spec.cells[0], spec.cells[1]);
  for (Vec3& x : mesh.positions) {
    const double angle = x.x() + 0.5 * (from + to);
    x = {spec.radius * std::cos(angle), spec.radius * std::sin(angle), x.y()};
  }
  return mesh;
}

/// Makes the control mesh of each shape.
struct SurfaceMaker {
  const scene::Document& document;

  TriangleMesh operator()(const scene::ShellSphereSpec& spec) const { return make_sphere(spec); }
  TriangleMesh operator()(const scene::ShellBoxSpec& spec) const {
    return geometry::box(to_vector(spec.size), spec.cells);
  }
  TriangleMesh operator()(const scene::ShellDiscSpec& spec) const { return geometry::disc(spec.radius, spec.cells); }
  TriangleMesh operator()(const scene::ShellPlateSpec& spec) const {
    return geometry::plate(spec.size[0], spec.size[1], spec.cells[0], spec.cells[1]);
  }
  TriangleMesh operator()(const scene::ShellTubeSpec& spec) const {
    if (spec.arc) return make_arc(spec);
    return geometry::tube(spec.radius, spec.length, spec.cells[0], spec.cells[1]);
  }
  TriangleMesh operator()(const scene::ShellCylinderSpec& spec) const {
    return geometry::cylinder(spec.radius, spec.length, spec.cells[0], spec.cells[1]);
  }
  TriangleMesh operator()(const scene::ShellMeshSpec& spec) const {
    TriangleMesh mesh = geometry::read_mesh(beside_scene(spec.file, document));
    for (Vec3& x : mesh.positions) x *= spec.scale;
    return mesh;
  }
};

TriangleMesh copied(const TriangleMesh& mesh, const scene::ShellGridSpec& grid) {
  TriangleMesh result;
  for (int k = 0; k < grid.count[2]; ++k) {
    for (int j = 0; j < grid.count[1]; ++j) {
      for (int i = 0; i < grid.count[0]; ++i) {
        const int first = static_cast<int>(result.positions.size());
        const Vec3 position(i - 0.5 * (grid.count[0] - 1), j - 0.5 * (grid.count[1] - 1),
                            k - 0.5 * (grid.count[2] - 1));
        for (const Vec3& x : mesh.positions)
          result.positions.push_back(x + position.cwiseProduct(to_vector(grid.spacing)));
        for (const geometry::Triangle& t : mesh.triangles)
          result.triangles.push_back({first + t[0], first + t[1], first + t[2]});
      }
    }
  }
  return result;
}

TriangleMesh make_mesh(const scene::ShellSpec& spec, const scene::Document& document, const std::string& key,
                       Mistakes& mistakes) {
  TriangleMesh mesh = std::visit(SurfaceMaker{document}, spec.shape);
  const auto* grid = spec.copies ? std::get_if<scene::ShellGridSpec>(&*spec.copies) : nullptr;
  double triangles = static_cast<double>(mesh.triangles.size()) * std::pow(4.0, spec.refine);
  if (grid != nullptr) triangles *= 1.0 * grid->count[0] * grid->count[1] * grid->count[2];
  if (!check_part_count({key, "triangles", triangles, shell_triangle_bytes, 1.5}, available_memory(), mistakes))
    mistakes.throw_if_any();  // without its mesh there is no shell to go on with
  for (int i = 0; i < spec.refine; ++i) mesh = loop_refine(mesh, EdgeTopology(mesh));
  if (grid != nullptr) mesh = copied(mesh, *grid);
  return renumbered(mesh);
}

/// Which vertices a shell's supports hold.
class Holds {
 public:
  Holds(const TriangleMesh& mesh, mechanics::ShellProperties& shell) : mesh_(mesh), topology_(mesh), shell_(shell) {}

  /// False where there are none of the vertices that the type needs.
  bool support(const scene::ShellSupportSpec& spec) {
    const auto inside = [&](int v) {
      if (!spec.box) return topology_.on_boundary(v);
      return Eigen::AlignedBox3d(to_vector(spec.box->from), to_vector(spec.box->to))
          .contains(mesh_.positions[index(v)]);
    };
    if (spec.type == ShellSupport::symmetric_x) return mirror(0, inside);
    if (spec.type == ShellSupport::symmetric_y) return mirror(1, inside);
    if (spec.type == ShellSupport::symmetric_z) return mirror(2, inside);
    bool any = false;
    for (int v = 0; v < static_cast<int>(mesh_.positions.size()); ++v) {
      if (!inside(v)) continue;
      if (spec.type == ShellSupport::clamped)
        clamp(v, inside);
      else if (spec.directions != scene::Directions::all)
        shell_.guided.emplace_back(v, to_directions(spec.directions));
      else
        held_.insert(v);
      any = true;
    }
    return any;
  }

  void finish() {
    shell_.held.assign(held_.begin(), held_.end());
    shell_.clamped.assign(clamped_.begin(), clamped_.end());
  }

 private:
  /// Along an edge of the boundary ghosts keep the tangent plane; elsewhere the neighbours do, held too.
  template <class Inside>
  void clamp(int v, Inside inside) {
    const std::vector<int> neighbours = ring(mesh_, topology_, v);
    const auto along_boundary = [&](int other) { return topology_.on_boundary(other) && inside(other); };
    if (topology_.on_boundary(v) && (along_boundary(neighbours.front()) || along_boundary(neighbours.back()))) {
      clamped_.insert(v);
      return;
    }
    held_.insert(v);
    held_.insert(neighbours.begin(), neighbours.end());
  }

  /// Boundary edges whose both ends are inside and lie in one plane.
  template <class Inside>
  bool mirror(int axis, Inside inside) {
    std::set<int> vertices;
    for (std::size_t e = 0; e < topology_.edges.size(); ++e) {
      const auto [a, b] = topology_.edges[e];
      if (topology_.edge_triangles[e][1] < 0 && inside(a) && inside(b)) vertices.insert({a, b});
    }
    if (vertices.empty()) return false;
    const double position = mesh_.positions[index(*vertices.begin())][axis];
    shell_.symmetries.push_back({axis, position, {vertices.begin(), vertices.end()}});
    return true;
  }

  const TriangleMesh& mesh_;
  EdgeTopology topology_;
  mechanics::ShellProperties& shell_;
  std::set<int> held_, clamped_;
};

/// The boundary edges of a mirror must lie in its plane.
bool lies_in_plane(const mechanics::SymmetryPlane& plane, const TriangleMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Vec3& x : mesh.positions) box.extend(x);
  return std::all_of(plane.vertices.begin(), plane.vertices.end(), [&](int v) {
    return std::abs(mesh.positions[index(v)][plane.axis] - plane.position) < 1e-9 * box.diagonal().norm();
  });
}

void add_supports(const scene::ShellSpec& spec, const std::string& key, mechanics::ShellProperties& shell,
                  Mistakes& mistakes) {
  Holds holds(shell.mesh, shell);
  for (std::size_t i = 0; i < spec.supports.size(); ++i) {
    const std::string at = fmt::format("{}.supports.{}", key, i);
    if (!holds.support(spec.supports[i])) {
      mistakes.add(at, spec.supports[i].box
                           ? "no vertex of the mesh, or for a mirror no edge of its boundary, lies in the box"
                           : "the mesh is closed and has no boundary to hold");
    } else if (!shell.symmetries.empty() && !lies_in_plane(shell.symmetries.back(), shell.mesh)) {
      mistakes.add(at, "the boundary edges in the box do not lie in a plane normal to that axis");
    }
  }
  holds.finish();
}

/// Of what the shell is made.
void fill(const scene::ShellSpec& spec, const scene::Scene& scene, mechanics::ShellProperties& shell) {
  const scene::MaterialSpec* material = scene::find_material(scene, spec.material);
  const scene::MaterialSpec given = material ? *material : scene::MaterialSpec{};
  const auto either = [](const std::optional<double>& own, const std::optional<double>& of_material, double usual) {
    return own ? *own : of_material.value_or(usual);
  };
  shell.youngs_modulus = either(spec.youngs_modulus, given.youngs_modulus, 0);
  shell.poissons_ratio = either(spec.poissons_ratio, given.poissons_ratio, scene::ShellSpec::usual_poissons_ratio);
  shell.density = either(spec.density, given.density, 0);
  const scene::SolidLaw law = material ? material->law : spec.material.law;
  if (law != scene::SolidLaw::hencky && law != scene::SolidLaw::j2) return;
  const scene::ShellLayersSpec wanted = spec.layers.value_or(scene::ShellLayersSpec{});
  mechanics::LayerProperties& layers = shell.layers.emplace();
  layers.points = wanted.points;
  layers.strain = wanted.strain == scene::LayerStrain::logarithmic ? mechanics::LayerStrain::logarithmic
                                                                   : mechanics::LayerStrain::green_lagrange;
  if (law == scene::SolidLaw::j2) layers.plasticity = plasticity_of(given, shell.density);
}

Vec3 centre_of_area(const TriangleMesh& mesh) {
  Vec3 sum = Vec3::Zero();
  double area = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const double share = mesh.area_vector(t).norm();
    sum += share / 3 * (mesh.corner(t, 0) + mesh.corner(t, 1) + mesh.corner(t, 2));
    area += share;
  }
  return sum / area;
}

}  // namespace

mechanics::ShellProperties make_shell(const scene::ShellSpec& spec, const scene::Document& document,
                                      const std::string& key, Mistakes& mistakes) {
  mechanics::ShellProperties shell;
  shell.damping = {spec.damping.mass, spec.damping.stiffness};
  try {
    shell.mesh = make_mesh(spec, document, key + ".shape", mistakes);
  } catch (const base::InputError& error) {
    for (const base::Mistake& mistake : error.mistakes()) mistakes.add(key + ".shape.file", base::to_string(mistake));
    mistakes.throw_if_any();
  }
  for (const std::string& defect : mesh_defects(shell.mesh)) mistakes.add(key + ".shape", defect);
  mistakes.throw_if_any();
  const Vec3 turn = to_vector(spec.rotation);
  const Eigen::AngleAxisd rotation(turn.norm(), turn.isZero() ? Vec3::UnitX() : Vec3(turn.normalized()));
  for (Vec3& x : shell.mesh.positions) x = (turn.isZero() ? x : Vec3(rotation * x)) + to_vector(spec.position);
  shell.thickness = spec.thickness;
  fill(spec, document.scene, shell);
  shell.velocity = to_vector(spec.velocity);
  shell.spin = to_vector(spec.angular_velocity);
  shell.spin_centre = centre_of_area(shell.mesh);
  shell.gravity = to_vector(document.scene.gravity);
  add_supports(spec, key, shell, mistakes);
  mistakes.throw_if_any();  // ghosts behind a mirror that is none would have no end
  return shell;
}

void check_thickness(const mechanics::Shell& shell, const std::string& key, Mistakes& mistakes) {
  const double thickness = shell.properties().thickness;
  double area = 0, folded = 0, largest = 0;
  std::size_t sharpest = 0;
  for (std::size_t e = 0; e < shell.elements().element_count(); ++e) {
    const mechanics::ShellRest<double> rest = shell.elements().rest_of(e);
    const double mean = 0.5 * (rest.b11 + rest.b22);
    const double curvature = std::abs(mean) + std::hypot(0.5 * (rest.b11 - rest.b22), rest.b12);
    area += rest.area();
    if (thickness * curvature > 2) folded += rest.area();
    if (curvature > largest) {
      largest = curvature;
      sharpest = e;
    }
  }
  if (folded <= 0.5 * area) return;
  mistakes.add(
      key + ".thickness",
      fmt::format("{:.4g} m is more than twice the radius of curvature on most of the surface, down to {:.4g} m "
                  "at triangle {}; a shell must be thin",
                  thickness, 1 / largest, sharpest));
}

void check_masses(const mechanics::Shell& shell, const std::string& key, Mistakes& mistakes) {
  for (std::size_t k = 0; k < shell.mass().size(); k += 3) {
    if (shell.mass()[k] > 0) continue;
    mistakes.add(key + ".shape",
                 fmt::format("vertex {} has no mass of its own: the mesh is too coarse at its boundary; set refine, or "
                             "use more cells",
                             k / 3));
    return;
  }
}

}  // namespace ictus::build
