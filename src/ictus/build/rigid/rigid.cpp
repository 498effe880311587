#include <ictus/build/rigid/rigid.hpp>

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <ictus/build/beside_scene.hpp>
#include <ictus/build/bodies/bodies.hpp>
#include <ictus/build/bodies/families.hpp>
#include <ictus/build/integrators/integrators.hpp>
#include <ictus/build/rigid/radii.hpp>
#include <ictus/build/rigid/rigid_poses.hpp>
#include <ictus/build/rigid/rigid_shapes.hpp>
#include <ictus/dynamics/rigid/rigid_system.hpp>
#include <ictus/geometry/formats/mesh_file.hpp>
#include <limits>

namespace ictus::build {

using dynamics::BodyPtr;
using geometry::RigidShape;
using math::Rotation;
using mechanics::RigidBodies;
using Vec = math::Vector3<double>;

namespace {

/// Where the centre of mass and the principal axes of a shape lie in the axes it was given in.
struct Principal {
  Vec centre{};
  Rotation<double> axes;
  Vec moments;  ///< of density 1 (m⁵)
  double volume = 0;
};

Rotation<double> rotation_from(const Eigen::Matrix3d& m) {
  const Eigen::Quaterniond q(m);
  return math::normalized(Rotation<double>{q.w(), {q.x(), q.y(), q.z()}});
}

Principal principal_of(const geometry::VolumeProperties& p) {
  const auto& [a, b, c] = p.inertia;
  Principal result{p.centroid, {}, {a.x, b.y, c.z}, p.volume};
  const double off = std::max({std::abs(a.y), std::abs(a.z), std::abs(b.z)});
  // Axes that are principal up to round-off stay as they are.
  if (off <= 1e-12 * (a.x + b.y + c.z)) return result;
  Eigen::Matrix3d inertia;
  inertia << a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(inertia);
  Eigen::Matrix3d axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(0) *= -1;
  result.axes = rotation_from(axes);
  result.moments = {solver.eigenvalues()[0], solver.eigenvalues()[1], solver.eigenvalues()[2]};
  return result;
}

/// What a scene gives of mass, centre and inertia in place of those of the shape, as of density 1.
geometry::VolumeProperties given_properties(const RigidMaker& maker, const scene::RigidSpec& spec,
                                            const RigidShape& shape, const geometry::VolumeProperties& own) {
  if (!spec.inertia) return own;
  const auto& [xx, yy, zz, xy, xz, yz] = *spec.inertia;
  geometry::VolumeProperties given{*spec.mass, own.centroid, {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
  if (spec.centre_of_mass) given.centroid = to_triple(*spec.centre_of_mass);
  const Vec moments = principal_of(given).moments;
  const double largest = std::max({moments.x, moments.y, moments.z});
  if (!(std::min({moments.x, moments.y, moments.z}) > 0) ||
      2 * largest > (1 + 1e-6) * (moments.x + moments.y + moments.z))
    maker.mistakes.add(fmt::format("bodies.{}.inertia", maker.name),
                       fmt::format("is that of no body: its principal moments are {:g}, {:g} and {:g} kg m^2, and each "
                                   "must be above 0 and at most the sum of the others",
                                   moments.x, moments.y, moments.z));
  const bool is_round = shape.kind != RigidShape::Kind::polytope && shape.kind != RigidShape::Kind::mesh;
  if (is_round && spec.centre_of_mass && *spec.centre_of_mass != scene::Vec3{})
    maker.mistakes.add(fmt::format("bodies.{}.centre_of_mass", maker.name),
                       "spheres and capsules turn about their middle; make it a compound of one part");
  if (shape.kind == RigidShape::Kind::capsule && (xy != 0 || xz != 0 || yz != 0))
    maker.mistakes.add(fmt::format("bodies.{}.inertia", maker.name),
                       "of a capsule has its own axes as principal ones; make it a compound of one part");
  return given;
}

/// Of a body with these properties, whatever facets stand for its shape. With `radii` the shape is a ball of 1 m, of
/// which each body is so many times as large.
BodyPtr make(const RigidMaker& maker, const scene::RigidSpec& spec, RigidShape shape,
             const geometry::VolumeProperties& properties, const scene::RadiiSpec* radii = nullptr) {
  const std::string key = fmt::format("bodies.{}.shape.radii", maker.name);
  const auto drawn = [&](std::size_t bodies) { return draw_radii(*radii, bodies, key, maker.mistakes); };
  const auto outside =
      all_families_meet(maker.document.scene) ? RigidBodies::Outside::skin : RigidBodies::Outside::centres;
  const Principal principal = principal_of(given_properties(maker, spec, shape, properties));
  if (shape.kind == RigidShape::Kind::polytope) {
    shape = RigidShape::convex(relocated(*shape.polytope, principal.centre, matrix(principal.axes)));
  } else if (shape.kind == RigidShape::Kind::mesh) {
    if (!all_families_meet(maker.document.scene))
      maker.mistakes.add(fmt::format("bodies.{}.shape.type", maker.name),
                         "meets others by its skin, which this integrator does not see; choose capture-return, "
                         "moreau-variational, discrete-gradient, reflection or cd-lagrange");
    shape = relocated(shape, principal.centre, matrix(principal.axes));
  }
  mechanics::RigidProperties p;
  p.mass = spec.mass.value_or(spec.density.value_or(scene::RigidSpec::usual_density) * principal.volume);
  p.inertia = (p.mass / principal.volume) * principal.moments;
  p.gravity = to_triple(maker.document.scene.gravity);
  p.fixed = spec.fixed;
  p.drag = spec.drag;
  p.axes = principal.axes;
  std::vector<mechanics::RigidStart> starts;
  std::vector<double> reach{shape.reach()};
  const auto* random = spec.copies ? std::get_if<scene::RigidRandomSpec>(&*spec.copies) : nullptr;
  if (radii != nullptr && random != nullptr) reach = drawn(static_cast<std::size_t>(random->count));
  for (const RigidPose& pose : rigid_poses(spec, maker.name, maker.document, reach, maker.mistakes)) {
    starts.push_back({pose.position + rotate(pose.turn, principal.centre), pose.turn * principal.axes,
                      to_triple(spec.velocity), to_triple(spec.angular_velocity)});
  }
  p.shape = std::move(shape);
  if (starts.empty()) starts.emplace_back();
  if (radii != nullptr) p.scales = drawn(starts.size());
  return std::make_unique<RigidBodies>(maker.name, std::move(p), std::move(starts), maker.dof, outside);
}

BodyPtr make(const RigidMaker& maker, const scene::RigidSpec& spec, RigidShape shape,
             const scene::RadiiSpec* radii = nullptr) {
  const geometry::VolumeProperties properties = geometry::volume_properties(shape);
  return make(maker, spec, std::move(shape), properties, radii);
}

/// Makes the body of each shape.
struct RigidShapeMaker {
  const RigidMaker& maker;
  const scene::RigidSpec& body;

  BodyPtr operator()(const scene::SphereSpec& spec) const {
    if (spec.radii) return make(maker, body, RigidShape::sphere(1), &*spec.radii);
    return make(maker, body, RigidShape::sphere(*spec.radius));
  }
  BodyPtr operator()(const scene::BoxSpec& spec) const {
    return make(maker, body, RigidShape::convex(geometry::box_polytope(to_triple(spec.size))));
  }
  BodyPtr operator()(const scene::CapsuleSpec& spec) const {
    return make(maker, body, RigidShape::capsule(spec.radius, spec.length));
  }
  BodyPtr operator()(const scene::ConvexSpec& spec) const {
    std::vector<Vec> points;
    try {
      if (spec.file) {
        for (const math::Vec3& p : geometry::read_mesh(beside_scene(*spec.file, maker.document)).positions)
          points.push_back({p.x(), p.y(), p.z()});
      } else {
        for (const scene::Vec3& p : *spec.vertices) points.push_back(to_triple(p));
      }
      for (Vec& p : points) p = spec.scale * p;
      return make(maker, body, RigidShape::convex(geometry::convex_hull(points)));
    } catch (const base::InputError& error) {
      maker.mistakes.add(key(spec.file ? "file" : "vertices"), error.mistakes().front().message);
      return make(maker, body, RigidShape::sphere(1));
    }
  }
  BodyPtr operator()(const scene::CylinderSpec& spec) const {
    return make(maker, body, RigidShape::convex(geometry::prism_polytope(spec.radius, spec.length, spec.cells)),
                geometry::cylinder_properties(spec.radius, spec.length));
  }
  BodyPtr operator()(const scene::ConeSpec& spec) const {
    return make(maker, body, RigidShape::convex(geometry::pyramid_polytope(spec.radius, spec.length, spec.cells)),
                geometry::cone_properties(spec.radius, spec.length));
  }
  BodyPtr operator()(const scene::RigidMeshSpec& spec) const {
    try {
      const geometry::TriangleMesh mesh = rigid_mesh(spec, maker.document);
      return make(maker, body, RigidShape::triangles(mesh, mesh, 0.0), geometry::volume_properties(mesh));
    } catch (const base::InputError& error) {
      return refused(error, spec.file ? "file" : "triangles");
    }
  }
  BodyPtr operator()(const scene::CompoundSpec& spec) const {
    if (spec.parts.empty()) {
      maker.mistakes.add(key("parts"), "must have a part or more");
      return make(maker, body, RigidShape::sphere(1));
    }
    auto [shape, properties] = compound(spec, body.density.value_or(scene::RigidSpec::usual_density));
    return make(maker, body, std::move(shape), properties);
  }
  BodyPtr operator()(const scene::HeightfieldSpec& spec) const {
    const geometry::VolumeProperties nothing{1, {}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  // it never moves
    try {
      const geometry::TriangleMesh mesh = heightfield(spec, maker.document);
      return make(maker, body, RigidShape::triangles(mesh, mesh, 0.0), nothing);
    } catch (const base::InputError& error) {
      return refused(error, spec.file ? "file" : "heights");
    }
  }

 private:
  std::string key(const char* last) const { return fmt::format("bodies.{}.shape.{}", maker.name, last); }
  /// A body to go on with, where the shape has mistakes.
  BodyPtr refused(const base::InputError& error, const char* last) const {
    for (const base::Mistake& mistake : error.mistakes()) maker.mistakes.add(key(last), mistake.message);
    return make(maker, body, RigidShape::sphere(1));
  }
};

/// The direction of friction in the axes that carry it: space where a plane takes part, else the first body.
math::Vec3 friction_direction(const Vec& given, std::size_t index, const mechanics::Body& first,
                              const mechanics::Body& second, Mistakes& mistakes) {
  Vec direction = (1 / std::sqrt(math::norm_sq(given))) * given;
  const auto* carrier = first.rigid_bodies();
  if (!first.surface().plane() && !second.surface().plane() && carrier != nullptr) {
    direction = rotate(inverse(carrier->properties().axes), direction);
    if (&first == &second) {
      mistakes.add(fmt::format("contacts.{}.friction_direction", index),
                   fmt::format("moves with the first body of a pair; where two of {} touch there is no first, and "
                               "friction must be the same in all directions",
                               first.name()));
    }
  }
  return dynamics::to_eigen(direction);
}

/// Name of a member of a group for people: "balls", or "balls number 17" where there are several.
std::string member_name(const dynamics::System& system, const dynamics::RigidSystem& rigid, int unit) {
  const dynamics::RigidUnit& member = rigid.units[static_cast<std::size_t>(unit)];
  const mechanics::Body& body = *system.bodies()[static_cast<std::size_t>(member.group)];
  const mechanics::Range range = body.dofs();
  if (range.size == RigidBodies::stride) return body.name();
  return fmt::format("{} number {}", body.name(), (member.first_dof - range.begin) / RigidBodies::stride);
}

}  // namespace

BodyPtr RigidMaker::operator()(const scene::RigidSpec& spec) const {
  return std::visit(RigidShapeMaker{*this, spec}, spec.shape);
}

bool is_rigid(const scene::Body& body) { return std::holds_alternative<scene::RigidSpec>(body); }

double copies_count(const scene::RigidCopies& copies) {
  if (const auto* grid = std::get_if<scene::RigidGridSpec>(&copies))
    return 1.0 * grid->count[0] * grid->count[1] * grid->count[2];
  if (const auto* random = std::get_if<scene::RigidRandomSpec>(&copies)) return random->count;
  return std::numeric_limits<double>::infinity();  // a file is counted once it is read
}

bool has_rigid(const scene::Scene& scene) {
  return std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const auto& entry) { return is_rigid(entry.value); });
}

bool has_heap(const scene::Scene& scene) {
  constexpr int some = 10;
  int single = 0;
  bool any = false;
  for (const auto& [name, body] : scene.bodies) {
    const auto* spec = std::get_if<scene::RigidSpec>(&body);
    if (spec == nullptr || spec->fixed) continue;
    single += 1;
    any = any || (spec->copies && copies_count(*spec->copies) >= some);
  }
  return any || single >= some;
}

contact::ContactPair rigid_pair(const scene::Scene& scene, std::size_t index, const mechanics::Body& first,
                                const mechanics::Body& second, Mistakes& mistakes) {
  const scene::ContactSpec& spec = scene.contacts[index];
  for (const mechanics::Body* body : {&first, &second}) {
    if (body->rigid_bodies() != nullptr || body->surface().plane()) continue;
    const scene::Body& spec_of = *scene.bodies.find(body->name());
    mistakes.add(fmt::format("contacts.{}.between", index),
                 fmt::format("{} is a {}; with this integrator rigid bodies meet rigid bodies and planes; choose "
                             "capture-return, moreau-variational, reflection or cd-lagrange",
                             body->name(), scene::type_name(spec_of)));
  }
  contact::ContactPair pair{
      first.name(), second.name(), &first.surface(), &second.surface(), spec.restitution, spec.friction, 0, 0};
  pair.friction_across = spec.friction_across;
  if (spec.friction_direction) {
    pair.friction_direction = friction_direction(to_triple(*spec.friction_direction), index, first, second, mistakes);
  }
  pair.tangential_restitution = spec.tangential_restitution;
  pair.rolling_friction = spec.rolling_friction;
  pair.spinning_friction = spec.spinning_friction;
  return pair;
}

void find_rigid_overlaps(const scene::Scene& scene, const dynamics::System& system, Overlaps& overlaps) {
  if (!has_rigid(scene) || all_families_meet(scene)) return;
  dynamics::RigidSystem rigid(system);
  const model::State state = system.initial_state();
  std::vector<geometry::Pose> poses;
  for (const dynamics::RigidUnit& unit : rigid.units) {
    const double* q = &state.q[unit.first_dof];
    poses.push_back({mechanics::rigid_position(q), matrix(mechanics::rigid_orientation(q))});
  }
  constexpr std::size_t max_reported = 10;  // a wrong spacing makes thousands
  std::size_t found = 0;
  int owner = -1, other = -1;
  const std::vector<double> margins(poses.size(), 0.0);
  for (const contact::RigidTouch& touch : rigid.detector.detect(poses, margins)) {
    // Round-off of bodies that touch is not a mistake.
    const double allowed = 1e-6 * rigid.units[static_cast<std::size_t>(touch.owner)].reach;
    if (touch.at.gap >= -allowed || (touch.owner == owner && touch.other == other)) continue;
    owner = touch.owner;
    other = touch.other;
    if (++found > max_reported) break;
    const auto plane_name = [&] {
      const int group = rigid.detector.planes()[static_cast<std::size_t>(-1 - touch.other)].group;
      return system.bodies()[static_cast<std::size_t>(group)]->name();
    };
    const std::string partner = touch.on_plane() ? plane_name() : member_name(system, rigid, touch.other);
    const auto group_of = [&](int unit) {
      const int group = rigid.units[static_cast<std::size_t>(unit)].group;
      return system.bodies()[static_cast<std::size_t>(group)]->name();
    };
    const math::Vec3 normal = dynamics::to_eigen(touch.at.normal);
    overlaps.push_back({fmt::format("bodies.{}.position", group_of(owner)),
                        static_cast<std::size_t>(system.pairs()[static_cast<std::size_t>(touch.pair)].group),
                        group_of(owner), touch.on_plane() ? partner : group_of(touch.other),
                        touch.on_plane() ? normal : math::Vec3(-normal), -touch.at.gap, false,
                        fmt::format("{} and {} overlap at the start by {:g} m", member_name(system, rigid, owner),
                                    partner, -touch.at.gap)});
  }
}

}  // namespace ictus::build
