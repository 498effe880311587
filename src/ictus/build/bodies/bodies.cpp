#include <ictus/build/bodies/bodies.hpp>

#include <fmt/format.h>

#include <cmath>
#include <ictus/build/bodies/families.hpp>
#include <ictus/build/bodies/frames.hpp>
#include <ictus/build/bodies/generalised.hpp>
#include <ictus/build/bodies/lie_beam.hpp>
#include <ictus/build/bodies/shell.hpp>
#include <ictus/build/bodies/solid.hpp>
#include <ictus/build/contacts/contact_names.hpp>
#include <ictus/build/contacts/surface_pairs.hpp>
#include <ictus/build/loads/motions.hpp>
#include <ictus/build/rigid/rigid.hpp>
#include <ictus/mechanics/bar/bar.hpp>
#include <ictus/mechanics/beam/section_beam.hpp>
#include <ictus/mechanics/frame/beam_frame.hpp>
#include <ictus/mechanics/obstacle/moved_plane.hpp>
#include <ictus/mechanics/obstacle/obstacle.hpp>

namespace ictus::build {

using dynamics::BodyPtr;
using math::Vec3;
using mechanics::Bar;
using mechanics::Obstacle;

namespace {

/// Directions that differ by less than this (rad) are taken as equal: far above round-off, far below what anyone means.
constexpr double angle_tolerance = 1e-9;

/// Makes one body; `dof` is the first free dof and grows by the body's share.
struct BodyMaker {
  const scene::Document& document;
  const BarEnds& massless;
  const SolidParts& parts;
  const Own& own;
  const std::string& name;
  std::size_t& dof;
  std::size_t& history;  ///< numbers that the bodies so far remember; grows likewise
  Mistakes& mistakes;

  BodyPtr operator()(const scene::BarSpec& spec) const {
    mechanics::BarProperties bar{};
    bar.length = spec.length;
    bar.elements = static_cast<std::size_t>(spec.cells);
    bar.mass_per_length = spec.density * spec.area;
    bar.stiffness = spec.youngs_modulus * spec.area;
    bar.area = spec.area;
    bar.material = spec.material == scene::BarMaterial::linear ? mechanics::BarMaterial::linear
                                                               : mechanics::BarMaterial::st_venant_kirchhoff;
    bar.start = to_vector(spec.position);
    bar.direction = to_vector(spec.direction).normalized();
    bar.velocity = axial_velocity(spec, bar.direction);
    bar.gravity = to_vector(document.scene.gravity);
    bar.fixed_start = holds(spec.supports, scene::End::start);
    bar.fixed_end = holds(spec.supports, scene::End::end);
    bar.damping = {spec.damping.mass, spec.damping.stiffness};
    bar.massless_start = massless.contains({name, 0});
    bar.massless_end = massless.contains({name, 1});
    auto body = std::make_unique<Bar>(name, bar, dof);
    dof = body->dofs().end();
    return body;
  }

  BodyPtr operator()(const scene::LieBeamSpec& spec) const {
    BodyPtr body;
    if (runs_in_space(document.scene)) {
      body = std::make_unique<mechanics::LieBeamSheet>(name, make_lie_beam_sheet(spec, name, document.scene, mistakes),
                                                       dof);
    } else {
      if (spec.boundary) {
        mistakes.add(fmt::format("bodies.{}.boundary", name), "has a meaning only with integrator.direction: space");
      }
      if (spec.slender && on_triangles(document.scene))
        mistakes.add(fmt::format("bodies.{}.slender", name), "goes with integrator.mesh: rectangle alone");
      mechanics::LieBeamProperties beam = make_lie_beam(spec, document.scene);
      if (all_families_meet(document.scene)) {
        refuse_moments(beam.model.loads, name, mistakes);
        body = std::make_unique<mechanics::SectionBeam>(name, std::move(beam), dof);
      } else {
        body = std::make_unique<mechanics::LieBeam>(name, std::move(beam), dof);
      }
    }
    dof = body->dofs().end();
    return body;
  }

  template <class Spec>
  requires std::invocable<GeneralisedMaker, const Spec&> BodyPtr operator()(const Spec& spec) const {
    BodyPtr body = GeneralisedMaker{document.scene, name, dof, own, mistakes}(spec);
    mistakes.throw_if_any();
    dof = body->dofs().end();
    return body;
  }

  BodyPtr operator()(const scene::SolidSpec& spec) const {
    const auto part = parts.find(name);
    auto body =
        make_solid(spec, name, part == parts.end() ? nullptr : &part->second, document, own, dof, history, mistakes);
    mistakes.throw_if_any();  // without its mesh there is no body to go on with
    dof = body->dofs().end();
    history += body->history();
    return body;
  }

  BodyPtr operator()(const scene::ShellSpec& spec) const {
    const std::string key = fmt::format("bodies.{}", name);
    auto body = std::make_unique<mechanics::Shell>(name, make_shell(spec, document, key, mistakes), dof, history);
    check_masses(*body, key, mistakes);
    check_thickness(*body, key, mistakes);
    dof = body->dofs().end();
    history += body->history();
    return body;
  }

  template <class Spec>
  requires std::invocable<RigidMaker, const Spec&> BodyPtr operator()(const Spec& spec) const {
    BodyPtr body = RigidMaker{document, name, dof, mistakes}(spec);
    dof = body->dofs().end();
    return body;
  }

  BodyPtr operator()(const scene::FrameSpec& spec) const {
    const mechanics::FrameProperties frame = frame_properties(name, spec, to_vector(document.scene.gravity), mistakes);
    mistakes.throw_if_any();  // there is no frame to go on with
    auto body = std::make_unique<mechanics::BeamFrame>(name, frame, dof);
    dof = body->dofs().end();
    return body;
  }

  BodyPtr operator()(const scene::OwnBodySpec&) const {
    BodyPtr body = make_own(own, name, "own-body", dof, mistakes);
    mistakes.throw_if_any();
    if (!body->nodal())
      mistakes.add(fmt::format("bodies.{}.type", name),
                   "is no body of nodes; if it has generalised coordinates it is "
                   "an own-system");
    mistakes.throw_if_any();
    dof = body->dofs().end();
    return body;
  }

  BodyPtr operator()(const scene::PlaneSpec& spec) const {
    const model::Plane plane{to_vector(spec.position), to_vector(spec.normal).normalized()};
    const std::vector<std::string> moved = moved_bodies(document.scene);
    if (std::find(moved.begin(), moved.end(), name) == moved.end()) return std::make_unique<Obstacle>(name, plane);
    BodyPtr body = std::make_unique<mechanics::MovedPlane>(name, plane, dof);
    dof = body->dofs().end();
    return body;
  }

 private:
  double axial_velocity(const scene::BarSpec& spec, const Vec3& direction) const {
    const Vec3 velocity = to_vector(spec.velocity);
    const double along = velocity.dot(direction);
    if ((velocity - along * direction).norm() > angle_tolerance * velocity.norm()) {
      mistakes.add(
          fmt::format("bodies.{}.velocity", name),
          fmt::format("a bar moves along its axis only, here ({:g}, {:g}, {:g}); give a velocity in that direction",
                      direction.x(), direction.y(), direction.z()));
    }
    return along;
  }
};

/// What is known of a contact while its pair is made.
struct PairMaker {
  const scene::ContactSpec& spec;
  std::string key;  ///< "contacts.0"
  const mechanics::Body& first;
  const mechanics::Body& second;
  std::span<const double> q;  ///< initial configuration
  std::size_t index;          ///< of the contact
  Overlaps& overlaps;
  Mistakes& mistakes;

  contact::ContactPair make() const {
    contact::ContactPair pair{
        first.name(), second.name(), &first.surface(), &second.surface(), spec.restitution, spec.friction, 0, 0};
    pair.tangential_restitution = spec.tangential_restitution;
    pair.thickness = spec.gap;
    pair.continuous = spec.continuous;
    const auto first_plane = first.surface().plane(), second_plane = second.surface().plane();
    if (meets_by_skin(first) || meets_by_skin(second)) {
      pair.first_surface = &first.skin();
      pair.second_surface = &second.skin();
      check_surface_pair(pair, key, mistakes);
    } else if (first_plane && second_plane) {
      mistakes.add(key + ".between",
                   fmt::format("{} and {} are both planes and cannot meet", first.name(), second.name()));
    } else if (has_every_point(first) || has_every_point(second)) {
      pair.every_point = true;
      points_on_plane(first_plane ? first_plane : second_plane, has_every_point(first) ? first : second);
    } else if (second_plane) {
      pair.first_point = point_towards(*second_plane, first, second);
    } else if (first_plane) {
      pair.second_point = point_towards(*first_plane, second, first);
    } else {
      face_each_other(pair);
    }
    return pair;
  }

  /// Whether bodies that `all` stands for can meet where they are: bars do if they point at each other.
  bool can_meet() const {
    const auto is_bar = [](const mechanics::Body& body) { return body.bar() != nullptr; };
    if ((!is_bar(first) && !is_bar(second)) || meets_by_skin(first) || meets_by_skin(second)) return true;
    if (const auto plane = first.surface().plane()) return end_towards(*plane, second.surface()).has_value();
    if (const auto plane = second.surface().plane()) return end_towards(*plane, first.surface()).has_value();
    return facing().has_value();
  }

 private:
  /// Whether others meet its skin: a frame has points, too, but only for nodes that are named, and a pendulum one that
  /// meets its wall.
  static bool meets_by_skin(const mechanics::Body& body) {
    return body.surface().mesh() || body.beam_frame() != nullptr ||
           (body.surface().meets_surroundings() && body.skin().mesh());
  }

  /// Lie-beams meet planes with every node.
  static bool has_every_point(const mechanics::Body& body) { return body.lie_beam() != nullptr; }

  void points_on_plane(const std::optional<model::Plane>& plane, const mechanics::Body& beam) const {
    if (!plane) {
      mistakes.add(key + ".between", fmt::format("{} meets planes only", beam.name()));
      return;
    }
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < beam.surface().point_count(); ++i) {
      smallest = std::min(smallest, plane->normal.dot(beam.surface().furthest(i, -plane->normal, q) - plane->point));
    }
    check_gap(smallest, beam, &beam == &first ? second : first, plane->normal);
  }

  /// The end of the bar that looks at the plane.
  std::optional<std::size_t> end_towards(const model::Plane& plane, const model::Surface& bar) const {
    for (std::size_t i = 0; i < bar.point_count(); ++i) {
      if (plane.normal.dot(bar.outward_normal(i, q)) <= -1 + angle_tolerance) return i;
    }
    return std::nullopt;
  }

  std::size_t point_towards(const model::Plane& plane, const mechanics::Body& bar,
                            const mechanics::Body& obstacle) const {
    if (const auto end = end_towards(plane, bar.surface())) {
      check_gap(plane.normal.dot(bar.surface().position(*end, q) - plane.point), bar, obstacle, plane.normal);
      return *end;
    }
    mistakes.add(
        key + ".between",
        fmt::format("{} does not point at {}: a bar meets a plane head-on, its direction along the plane's normal",
                    bar.name(), obstacle.name()));
    return 0;
  }

  struct Facing {
    std::size_t first_point, second_point;
    double gap;
  };
  /// The ends of two bars on one line that look at each other.
  std::optional<Facing> facing() const {
    const model::Surface &a = first.surface(), &b = second.surface();
    std::optional<Facing> best;
    for (std::size_t i = 0; i < a.point_count(); ++i) {
      for (std::size_t j = 0; j < b.point_count(); ++j) {
        const Vec3 n = a.outward_normal(i, q), between = b.position(j, q) - a.position(i, q);
        const double gap = n.dot(between);
        if (n.dot(b.outward_normal(j, q)) > -1 + angle_tolerance) continue;
        if ((between - gap * n).norm() > angle_tolerance * extent()) continue;
        if (!best || gap > best->gap) best = {i, j, gap};
      }
    }
    return best;
  }

  void face_each_other(contact::ContactPair& pair) const {
    if (const auto ends = facing()) {
      pair.first_point = ends->first_point;
      pair.second_point = ends->second_point;
      return check_gap(ends->gap, first, second, -first.surface().outward_normal(ends->first_point, q));
    }
    mistakes.add(key + ".between",
                 fmt::format("{} and {} do not lie on one line: bars meet end to end along their common axis",
                             first.name(), second.name()));
  }

  /// Length that positions are compared with.
  double extent() const { return extent(first); }
  double extent(const mechanics::Body& body) const {
    const model::Surface& surface = body.surface();
    const Vec3 start = surface.position(0, q), end = surface.position(surface.point_count() - 1, q);
    return (end - start).norm() + start.norm();
  }

  /// `away` leads from the other body to `body`. What rounding makes of bodies that touch is no overlap.
  void check_gap(double gap, const mechanics::Body& body, const mechanics::Body& other, const Vec3& away) const {
    if (gap >= -touching_share * extent(body)) return;
    overlaps.push_back({key + ".between", index, body.name(), other.name(), away, -gap, false,
                        fmt::format("{} and {} overlap at the start by {:g} m", body.name(), other.name(), -gap)});
  }
};

/// Pairs of named nodes of two frames.
std::vector<contact::ContactPair> node_pairs(const scene::Scene& scene, const scene::ContactSpec& spec,
                                             const std::string& key, const mechanics::Body& first,
                                             const mechanics::Body& second, std::span<const double> q,
                                             Mistakes& mistakes) {
  std::vector<contact::ContactPair> pairs;
  if (!spec.direction) {
    mistakes.add(key, "needs a direction, along which the nodes meet, from the first body to the second");
    return pairs;
  }
  const std::array bodies{&first, &second};
  for (std::size_t n = 0; n < spec.nodes.size(); ++n) {
    std::array<std::size_t, 2> points{};
    for (std::size_t side = 0; side < 2; ++side) {
      const auto* frame = std::get_if<scene::FrameSpec>(scene.bodies.find(spec.between[side]));
      if (!frame) {
        mistakes.add(key + ".nodes", fmt::format("{} is no frame and has no named nodes", spec.between[side]));
        return pairs;
      }
      const auto node = find_node(*frame, spec.nodes[n][side], fmt::format("{}.nodes.{}.{}", key, n, side), mistakes);
      if (!node) return pairs;
      points[side] = *node;
    }
    contact::ContactPair pair{first.name(),     second.name(), &first.surface(), &second.surface(),
                              spec.restitution, spec.friction, points[0],        points[1]};
    pair.direction = to_vector(*spec.direction).normalized();
    pair.distance = spec.distance;
    pair.slack = spec.closed_below;
    const Vec3 between = bodies[1]->surface().position(points[1], q) - bodies[0]->surface().position(points[0], q);
    const double gap = pair.direction->dot(between) - pair.distance;
    const double rounding = touching_share * (between.norm() + bodies[0]->surface().position(points[0], q).norm());
    if (gap < -std::max(pair.slack, rounding)) {
      mistakes.add(
          fmt::format("{}.nodes.{}", key, n),
          fmt::format("{} of {} and {} of {} overlap at the start by {:g} m along the direction; move {} by as "
                      "much along ({:.4g}, {:.4g}, {:.4g}), or lower the distance",
                      spec.nodes[n][0], first.name(), spec.nodes[n][1], second.name(), -gap, second.name(),
                      pair.direction->x(), pair.direction->y(), pair.direction->z()));
    }
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

/// The direction of friction must lie along a plane that takes part, at least in part.
void check_friction_direction(const scene::ContactSpec& spec, const std::string& key, const contact::ContactPair& pair,
                              Mistakes& mistakes) {
  if (!spec.friction_direction) return;
  const Vec3 direction = to_vector(*spec.friction_direction).normalized();
  for (const model::Surface* surface : {pair.first_surface, pair.second_surface}) {
    const auto plane = surface->plane();
    if (!plane || direction.cross(plane->normal).norm() > 1e-6) continue;
    mistakes.add(key + ".friction_direction", "is normal to the plane; give one that lies along it");
  }
}

void refuse_friction_direction(const scene::ContactSpec& spec, const std::string& key, Mistakes& mistakes) {
  if (!spec.friction_direction) return;
  mistakes.add(key + ".friction_across",
               "only point masses and rigid bodies have friction that depends on the direction; leave it and "
               "friction_direction out");
}

}  // namespace

std::vector<BodyPtr> make_bodies(const scene::Document& document, const BarEnds& massless, const SolidParts& parts,
                                 const Own& own, Mistakes& mistakes) {
  std::vector<BodyPtr> bodies;
  std::size_t dof = 0, history = 0;
  for (const auto& [name, spec] : document.scene.bodies) {
    bodies.push_back(std::visit(BodyMaker{document, massless, parts, own, name, dof, history, mistakes}, spec));
  }
  return bodies;
}

BarEnds ends_in_contact(const std::vector<contact::ContactPair>& pairs) {
  BarEnds ends;
  for (const contact::ContactPair& pair : pairs) {
    // Skins bring layers of their own.
    if (pair.first_surface->mesh() || pair.second_surface->mesh()) continue;
    if (!pair.first_surface->plane()) ends.insert({pair.first, pair.first_point});
    if (!pair.second_surface->plane()) ends.insert({pair.second, pair.second_point});
  }
  return ends;
}

namespace {

std::vector<double> initial_configuration(const std::vector<BodyPtr>& bodies) {
  std::size_t dofs = 0;
  for (const BodyPtr& body : bodies) dofs += body->dofs().size;
  std::vector<double> q(dofs), p(dofs);
  for (const BodyPtr& body : bodies) body->initialise(q, p);
  return q;
}

}  // namespace

std::vector<contact::ContactPair> possible_pairs(const scene::Document& document, const std::vector<BodyPtr>& bodies,
                                                 Overlaps& overlaps, Mistakes& mistakes) {
  const std::vector<double> q = initial_configuration(bodies);
  const auto body = [&](const std::string& name) -> const mechanics::Body& {
    return **std::find_if(bodies.begin(), bodies.end(), [&](const BodyPtr& b) { return b->name() == name; });
  };
  std::vector<contact::ContactPair> pairs;
  for (std::size_t i = 0; i < document.scene.contacts.size(); ++i) {
    const scene::ContactSpec& spec = document.scene.contacts[i];
    const std::string key = fmt::format("contacts.{}", i);
    if (!spec.nodes.empty() && is_for_all(spec)) {
      mistakes.add(key + ".nodes", "are those of two frames: name both in `between`");
      continue;
    }
    if (!spec.nodes.empty()) {
      refuse_friction_direction(spec, key, mistakes);
      if (spec.overlap == scene::OverlapAtStart::part)
        mistakes.add(key + ".overlap", "frames are not parted, which have nodes in many places; leave it out");
      for (contact::ContactPair& pair :
           node_pairs(document.scene, spec, key, body(spec.between[0]), body(spec.between[1]), q, mistakes))
        pairs.push_back(std::move(pair));
      continue;
    }
    const std::size_t before = pairs.size();
    for (const auto& [first, second] : bodies_between(document.scene, i)) {
      const scene::Body &a = *document.scene.bodies.find(first), &b = *document.scene.bodies.find(second);
      const bool of_one_family = !all_families_meet(document.scene),
                 rigid = of_one_family && (is_rigid(a) || is_rigid(b)),
                 generalised = of_one_family && (is_generalised(a) || is_generalised(b));
      if ((rigid || generalised) && pairs.size() == before) {
        refuse_surface_keys(spec, i, rigid ? "rigid bodies" : "point masses", mistakes);
      }
      if (rigid) {
        pairs.push_back(rigid_pair(document.scene, i, body(first), body(second), mistakes));
      } else if (generalised) {
        pairs.push_back(generalised_pair(document.scene, i, body(first), body(second), mistakes));
      } else {
        const PairMaker maker{spec, key, body(first), body(second), q, i, overlaps, mistakes};
        if (is_for_all(spec) && !maker.can_meet()) continue;
        refuse_friction_direction(spec, key, mistakes);
        pairs.push_back(maker.make());
        pairs.back().slack = spec.closed_below;
        const auto deforms = [](const scene::Body& spec_of) {
          return !is_rigid(spec_of) && !is_generalised(spec_of) && !scene::is_any_of<scene::PlaneSpec>(spec_of);
        };
        pairs.back().rigid = !deforms(a) && !deforms(b);
      }
      check_friction_direction(spec, key, pairs.back(), mistakes);
      pairs.back().group = static_cast<int>(i);
      pairs.back().until = std::min(scene::until_of(a), scene::until_of(b));
    }
    if (is_for_all(spec) && pairs.size() == before) {
      mistakes.add(key + ".between", "no two bodies of the scene can meet by this contact");
    }
  }
  add_own_pairs(document.scene, bodies, pairs);
  return pairs;
}

std::vector<contact::ContactPair> make_pairs(const scene::Document& document, const std::vector<BodyPtr>& bodies,
                                             Overlaps& overlaps, Mistakes& mistakes) {
  std::vector<contact::ContactPair> pairs = possible_pairs(document, bodies, overlaps, mistakes);
  if (mistakes.empty()) find_overlaps(pairs, initial_configuration(bodies), overlaps);
  return pairs;
}

std::array<bool, 3> to_directions(scene::Directions directions) {
  using scene::Directions;
  const auto is = [&](auto... one) { return ((directions == one) || ...); };
  return {is(Directions::all, Directions::x, Directions::xy, Directions::xz),
          is(Directions::all, Directions::y, Directions::xy, Directions::yz),
          is(Directions::all, Directions::z, Directions::yz, Directions::xz)};
}

}  // namespace ictus::build
