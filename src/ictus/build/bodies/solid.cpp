#include <ictus/build/bodies/solid.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <filesystem>
#include <ictus/base/nearest.hpp>
#include <ictus/build/beside_scene.hpp>
#include <ictus/build/bodies/bodies.hpp>
#include <set>

namespace ictus::build {

namespace fs = std::filesystem;
using geometry::VolumeElement;
using geometry::VolumeMesh;
using math::Vec3;

namespace {

VolumeElement to_element(scene::SolidElement element) {
  return element == scene::SolidElement::hexahedron ? VolumeElement::hexahedron : VolumeElement::tetrahedron;
}

struct SolidShapeMaker {
  const scene::Document& document;

  VolumeMesh operator()(const scene::BoxShapeSpec& spec) const {
    return geometry::box_mesh(to_vector(spec.size), spec.cells, to_element(spec.element));
  }
  VolumeMesh operator()(const scene::BlockShapeSpec& spec) const {
    std::array<Vec3, 8> corners;
    std::transform(spec.corners.begin(), spec.corners.end(), corners.begin(), to_vector);
    return geometry::block_mesh(corners, spec.cells, to_element(spec.element));
  }
  VolumeMesh operator()(const scene::BallShapeSpec& spec) const {
    return geometry::ball_mesh(spec.radius, spec.cells, spec.finer);
  }
  VolumeMesh operator()(const scene::TubeShapeSpec& spec) const {
    return geometry::tube_mesh(spec.inner_radius, spec.outer_radius, spec.length, spec.cells, to_element(spec.element));
  }
  VolumeMesh operator()(const scene::CylinderShapeSpec& spec) const {
    return geometry::cylinder_mesh(spec.radius, spec.length, {spec.cells[0], spec.rings, spec.cells[1], spec.quarter},
                                   to_element(spec.element));
  }
  VolumeMesh operator()(const scene::MeshFileSpec& spec) const {
    VolumeMesh mesh = geometry::read_volume_mesh(beside_scene(spec.file, document));
    mesh.triangles.clear();  // faces of a solid are its own
    geometry::remove_unused_nodes(mesh);
    for (Vec3& x : mesh.nodes) x *= spec.scale;
    return mesh;
  }
};

/// Which nodes a selection of the scene means.
class Selector {
 public:
  Selector(const VolumeMesh& mesh, std::string key, Mistakes& mistakes)
      : mesh_(mesh), key_(std::move(key)), faces_(geometry::outer_faces(mesh)), mistakes_(mistakes) {}

  const std::vector<geometry::OuterFace>& faces() const { return faces_; }

  template <class Spec>
  std::vector<bool> nodes(const Spec& spec, const std::string& part) const {
    std::vector<bool> chosen(mesh_.nodes.size(), false);
    if (spec.set) {
      const auto found = mesh_.node_sets.find(*spec.set);
      if (found == mesh_.node_sets.end()) {
        mistakes_.add(fmt::format("{}.{}.set", key_, part), unknown_set(mesh_.node_sets, *spec.set));
      } else {
        for (const int node : found->second) chosen[static_cast<std::size_t>(node)] = true;
      }
    } else if (spec.box) {
      choose_box(to_vector(spec.box->from), to_vector(spec.box->to), chosen);
    } else {
      for (const auto& face : faces_) {
        for (const int node : face) {
          if (node >= 0) chosen[static_cast<std::size_t>(node)] = true;
        }
      }
    }
    if (!spec.set && std::find(chosen.begin(), chosen.end(), true) == chosen.end())
      mistakes_.add(fmt::format("{}.{}", key_, part), "there is no node in this box");
    return chosen;
  }

 private:
  /// Nodes on the sides of the box belong to it, whatever rounding made of them.
  void choose_box(const Vec3& from, const Vec3& to, std::vector<bool>& chosen) const {
    const double slack = 1e-9 * (mesh_.nodes.front() - mesh_.nodes.back()).norm();
    for (std::size_t i = 0; i < mesh_.nodes.size(); ++i) {
      const Vec3& x = mesh_.nodes[i];
      chosen[i] = ((x - from).array() >= -slack).all() && ((to - x).array() >= -slack).all();
    }
  }
  const VolumeMesh& mesh_;
  std::string key_;
  std::vector<geometry::OuterFace> faces_;
  Mistakes& mistakes_;
};

void move_into_position(const scene::SolidSpec& spec, VolumeMesh& mesh) {
  const Vec3 turn = to_vector(spec.rotation), shift = to_vector(spec.position);
  const double angle = turn.norm();
  const Eigen::Matrix3d rotation = angle == 0 ? Eigen::Matrix3d(Eigen::Matrix3d::Identity())
                                              : Eigen::AngleAxisd(angle, Vec3(turn / angle)).toRotationMatrix();
  for (Vec3& x : mesh.nodes) x = rotation * x + shift;
}

double poissons_ratio(const scene::SolidSpec& spec, const scene::Scene& scene) {
  const scene::MaterialSpec* material = scene::find_material(scene, spec.material);
  if (spec.poissons_ratio) return *spec.poissons_ratio;
  return material && material->poissons_ratio ? *material->poissons_ratio : scene::SolidSpec::usual_poissons_ratio;
}

mechanics::SolidMaterial to_material(scene::SolidLaw law) {
  switch (law) {
    case scene::SolidLaw::linear:
      return mechanics::SolidMaterial::linear;
    case scene::SolidLaw::st_venant_kirchhoff:
      return mechanics::SolidMaterial::st_venant_kirchhoff;
    case scene::SolidLaw::neo_hookean:
      return mechanics::SolidMaterial::neo_hookean;
    case scene::SolidLaw::hencky:
    case scene::SolidLaw::j2:
    case scene::SolidLaw::own:
      break;
  }
  return mechanics::SolidMaterial::hencky;
}

/// What a metal flows like; its share of heat is that of the scene, or usual.
struct HardeningMaker {
  double yield_stress, density;
  std::optional<double> heat_share;

  using Result = mechanics::Plasticity;
  Result operator()(const scene::LinearHardeningSpec& spec) const {
    return {mechanics::LinearHardening{yield_stress, spec.modulus}, heat_share, spec.kinematic_modulus};
  }
  Result operator()(const scene::VoceHardeningSpec& spec) const {
    return {mechanics::VoceHardening{yield_stress, spec.modulus, spec.saturation, spec.rate}, heat_share,
            spec.kinematic_modulus};
  }
  Result operator()(const scene::TableHardeningSpec& spec) const {
    mechanics::TableHardening table;
    for (const auto& [strain, stress] : spec.points) {
      table.strain[table.points] = strain;
      table.value[table.points++] = stress;
    }
    return {table, heat_share};
  }
  Result operator()(const scene::JohnsonCookHardeningSpec& spec) const {
    constexpr double usual_share = 0.9;
    const double share = heat_share.value_or(usual_share);
    mechanics::JohnsonCook law{yield_stress, spec.modulus, spec.exponent, spec.rate_factor, spec.reference_rate};
    if (spec.softening) {
      law.softening = spec.softening->exponent;
      law.start = spec.softening->start;
      law.melting = spec.softening->melting;
      law.heating = share / (density * spec.softening->heat_capacity * (law.melting - law.start));
    }
    return {law, share};
  }
};

/// What a program brings as the material of a solid; a mistake where it brings none, or one that is of no use.
std::shared_ptr<const mechanics::Material> own_material(const std::string& material, const std::string& body,
                                                        const Own& own, Mistakes& mistakes) {
  const std::string key = fmt::format("bodies.{}.material", body);
  const auto found = own.materials.find(material);
  if (found == own.materials.end() || !found->second) {
    mistakes.add(key, fmt::format("a program must bring a material named '{}', and this one does not", material));
    return nullptr;
  }
  if (found->second->memory() > mechanics::Material::max_memory) {
    mistakes.add(key, fmt::format("the material '{}' remembers {} numbers at each point; the most are {}", material,
                                  found->second->memory(), mechanics::Material::max_memory));
    return nullptr;
  }
  constexpr double rounding = 1e-8;
  const mechanics::MaterialAtRest rest = mechanics::at_rest(*found->second);
  const double stiffness = rest.lame.lambda + 2 * rest.lame.mu;
  if (!(rest.smallest > rounding * stiffness)) {
    mistakes.add(key, fmt::format("the material '{}' does not resist every small strain: of its six stiffnesses the "
                                  "least is {:g} Pa",
                                  material, rest.smallest));
  } else if (!(rest.stress <= rounding * stiffness)) {
    mistakes.add(key,
                 fmt::format("the material '{}' has a stress of {:g} Pa before it is strained", material, rest.stress));
  }
  return found->second;
}

mechanics::Failure to_failure(const scene::FailureSpec& spec) {
  if (const auto* strain = std::get_if<scene::StrainFailureSpec>(&spec)) return {.d1 = strain->strain};
  const auto& law = std::get<scene::JohnsonCookFailureSpec>(spec);
  return {law.d1, law.d2, law.d3, law.d4, law.d5, law.reference_rate};
}

mechanics::SolidProperties properties(const scene::SolidSpec& spec, const scene::Scene& scene) {
  mechanics::SolidProperties solid;
  const scene::MaterialSpec* material = scene::find_material(scene, spec.material);
  const scene::MaterialSpec given = material ? *material : scene::MaterialSpec{};
  solid.material = to_material(material ? material->law : spec.material.law);
  solid.lame = mechanics::lame(spec.youngs_modulus ? *spec.youngs_modulus : given.youngs_modulus.value_or(0),
                               poissons_ratio(spec, scene));
  solid.density = spec.density ? *spec.density : given.density.value_or(0);
  if (given.law == scene::SolidLaw::j2) solid.plasticity = plasticity_of(given, solid.density);
  if (solid.plasticity && given.failure) solid.plasticity->failure = to_failure(*given.failure);
  for (const scene::RelaxationSpec& one : given.relaxation) solid.arms.push_back({one.shear_modulus, one.time});
  solid.velocity = to_vector(spec.velocity);
  solid.spin = to_vector(spec.angular_velocity);
  solid.gravity = to_vector(scene.gravity);
  solid.damping = {spec.damping.mass, spec.damping.stiffness};
  return solid;
}

void hold(const scene::SolidSpec& spec, const Selector& selector, mechanics::SolidProperties& solid) {
  for (std::size_t i = 0; i < spec.supports.size(); ++i) {
    const std::vector<bool> chosen = selector.nodes(spec.supports[i], fmt::format("supports.{}", i));
    for (std::size_t node = 0; node < chosen.size(); ++node) {
      if (chosen[node]) solid.held.push_back({static_cast<int>(node), to_directions(spec.supports[i].directions)});
    }
  }
}

void press(const scene::SolidSpec& spec, const Selector& selector, mechanics::SolidProperties& solid) {
  for (std::size_t i = 0; i < spec.pressures.size(); ++i) {
    const std::vector<bool> chosen = selector.nodes(spec.pressures[i], fmt::format("pressures.{}", i));
    mechanics::SolidPressure pressure{{}, spec.pressures[i].pressure};
    for (const auto& face : selector.faces()) {
      if (std::all_of(face.begin(), face.end(),
                      [&](int node) { return node < 0 || chosen[static_cast<std::size_t>(node)]; }))
        pressure.faces.push_back(face);
    }
    solid.pressures.push_back(std::move(pressure));
  }
}

Vec3 centre_of_mass(const VolumeMesh& mesh, const mechanics::SolidProperties& properties) {
  mechanics::SolidProperties plain;
  plain.lame = properties.lame;
  plain.density = properties.density;
  const mechanics::Solid solid("", mesh, plain, 0);
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) sum += solid.mass()[3 * i] * mesh.nodes[i];
  return sum / solid.total_mass();
}

/// Makes what is true of a solid true of a part of it, whose mesh is `piece`.
void cut(const VolumeMesh& mesh, const SolidPart& part, const VolumeMesh& piece, mechanics::SolidProperties& solid) {
  std::vector<int> number(mesh.nodes.size(), -1);
  for (std::size_t i = 0; i < part.nodes.size(); ++i)
    number[static_cast<std::size_t>(part.nodes[i])] = static_cast<int>(i);
  for (mechanics::HeldNode& held : solid.held) held.node = number[static_cast<std::size_t>(held.node)];
  std::erase_if(solid.held, [](const mechanics::HeldNode& held) { return held.node < 0; });
  // A face of the whole belongs to the part with its element, which has it on its own surface.
  const auto sorted = [](geometry::OuterFace face) {
    std::sort(face.begin(), face.end());
    return face;
  };
  std::set<geometry::OuterFace> own;
  for (const geometry::OuterFace& face : geometry::outer_faces(piece)) own.insert(sorted(face));
  for (mechanics::SolidPressure& pressure : solid.pressures) {
    for (geometry::OuterFace& face : pressure.faces) {
      for (int& node : face) node = node < 0 ? -1 : number[static_cast<std::size_t>(node)];
    }
    std::erase_if(pressure.faces, [&](const geometry::OuterFace& face) { return !own.contains(sorted(face)); });
  }
  solid.extent = extent_of(mesh);
  if (solid.spin.norm() > 0)
    solid.velocity += solid.spin.cross(centre_of_mass(piece, solid) - centre_of_mass(mesh, solid));
}

}  // namespace

mechanics::Plasticity plasticity_of(const scene::MaterialSpec& material, double density) {
  return std::visit(HardeningMaker{material.yield_stress.value_or(0), density, material.heat_share},
                    material.hardening.value_or(scene::LinearHardeningSpec{}));
}

std::string unknown_set(const std::map<std::string, std::vector<int>>& sets, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [known, nodes] : sets) names.push_back(known);
  if (names.empty()) return fmt::format("the mesh has no set named '{}', nor any other", name);
  const auto near = base::nearest(name, names);
  return fmt::format(
      "the mesh has no set named '{}'; {}", name,
      near ? fmt::format("did you mean '{}'?", *near) : fmt::format("its sets are {}", fmt::join(names, ", ")));
}

std::optional<VolumeMesh> solid_mesh(const scene::SolidSpec& spec, const std::string& name,
                                     const scene::Document& document, Mistakes& mistakes) {
  const std::string key = "bodies." + name;
  VolumeMesh mesh = std::visit(SolidShapeMaker{document}, spec.shape);
  if (mesh.tetrahedra.empty() && mesh.hexahedra.empty()) {
    mistakes.add(key + ".shape", "the mesh has no tetrahedra and no hexahedra");
    return std::nullopt;
  }
  const auto defects = geometry::defects(mesh);
  for (const geometry::MeshDefect& defect : defects) mistakes.add(key + ".shape", defect.what);
  if (!defects.empty()) return std::nullopt;
  move_into_position(spec, mesh);
  return mesh;
}

std::array<Vec3, 2> extent_of(const VolumeMesh& mesh) {
  std::array<Vec3, 2> box{mesh.nodes.front(), mesh.nodes.front()};
  for (const Vec3& x : mesh.nodes) {
    box[0] = box[0].cwiseMin(x);
    box[1] = box[1].cwiseMax(x);
  }
  return box;
}

std::unique_ptr<mechanics::Solid> make_solid(const scene::SolidSpec& spec, const std::string& name,
                                             const SolidPart* part, const scene::Document& document, const Own& own,
                                             std::size_t first_dof, std::size_t history_before, Mistakes& mistakes) {
  const std::string& whole = part ? part->whole : name;
  std::optional<VolumeMesh> mesh = solid_mesh(spec, whole, document, mistakes);
  if (!mesh) return nullptr;
  mechanics::SolidProperties solid = properties(spec, document.scene);
  const scene::MaterialSpec* material = scene::find_material(document.scene, spec.material);
  if (material && material->law == scene::SolidLaw::own) {
    solid.own = own_material(spec.material.name, whole, own, mistakes);
    mistakes.throw_if_any();
  }
  if (!spec.supports.empty() || !spec.pressures.empty()) {
    const Selector selector(*mesh, "bodies." + whole, mistakes);
    hold(spec, selector, solid);
    press(spec, selector, solid);
  }
  if (part) {
    VolumeMesh piece = part_of(*mesh, *part);
    cut(*mesh, *part, piece, solid);
    mesh = std::move(piece);
  }
  return std::make_unique<mechanics::Solid>(name, *mesh, solid, first_dof, history_before);
}

void make_paths_absolute(const scene::Document& document, scene::Scene& scene) {
  const auto fix = [&](std::string& path) {
    path = fs::absolute(beside_scene(path, document)).lexically_normal().string();
  };
  const auto fix_body = [&]<class Spec>(Spec& body) {
    if constexpr (std::is_same_v<Spec, scene::RigidSpec>) {
      if (body.copies) {
        if (auto* file = std::get_if<scene::RigidFileSpec>(&*body.copies)) fix(file->file);
      }
      std::visit(
          [&](auto& shape) {
            if constexpr (requires { shape.file; }) {
              if (shape.file) fix(*shape.file);
            }
          },
          body.shape);
    } else if constexpr (std::is_same_v<Spec, scene::ShellSpec>) {
      if (auto* mesh = std::get_if<scene::ShellMeshSpec>(&body.shape)) fix(mesh->file);
    } else if constexpr (std::is_same_v<Spec, scene::SolidSpec>) {
      if (auto* file = std::get_if<scene::MeshFileSpec>(&body.shape)) fix(file->file);
    }
  };
  for (auto& [name, body] : scene.bodies) std::visit(fix_body, body);
}

}  // namespace ictus::build
