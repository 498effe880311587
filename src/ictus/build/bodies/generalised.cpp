#include <ictus/build/bodies/generalised.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <ictus/build/bodies/bodies.hpp>
#include <ictus/build/bodies/families.hpp>
#include <ictus/build/contacts/contact_names.hpp>
#include <ictus/mechanics/generalised/particle.hpp>
#include <ictus/mechanics/generalised/slider.hpp>
#include <ictus/mechanics/generalised/spring_pendulum.hpp>
#include <ictus/mechanics/generalised/woodpecker.hpp>

namespace ictus::build {

using dynamics::BodyPtr;
using math::Vec3;
using mechanics::GeneralisedBody;

namespace {

std::string body_key(const std::string& body, std::string_view last) { return fmt::format("bodies.{}.{}", body, last); }

/// The planes that a point mass meets, with the contact of the scene by which it does, in the order of these.
std::vector<std::pair<std::size_t, std::string>> planes_met(const scene::Scene& scene, const std::string& mass) {
  std::vector<std::pair<std::size_t, std::string>> planes;
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    for (const auto& [first, second] : bodies_between(scene, i)) {
      if (first != mass && second != mass) continue;
      const std::string& other = first == mass ? second : first;
      const scene::Body* body = scene.bodies.find(other);
      if (body && std::holds_alternative<scene::PlaneSpec>(*body)) planes.emplace_back(i, other);
    }
  }
  return planes;
}

mechanics::MassObstacle make_obstacle(const scene::PlaneSpec& plane, const scene::ContactSpec& contact) {
  const Vec3 normal = to_vector(plane.normal).normalized();
  Vec3 along = normal.unitOrthogonal();
  if (contact.friction_direction) {
    const Vec3 wanted = to_vector(*contact.friction_direction);
    const Vec3 tangential = wanted - wanted.dot(normal) * normal;
    if (tangential.norm() > 1e-9 * wanted.norm()) along = tangential.normalized();
  }
  return {{to_vector(plane.point), normal}, along, normal.cross(along)};
}

/// A gap that is negative at the start by more than `tolerance` is a mistake in the key that sets it.
void check_start(const GeneralisedBody& body, std::string_view last, std::span<const std::string_view> contacts,
                 double tolerance, Mistakes& mistakes) {
  std::vector<double> q(body.coordinates()), v(body.coordinates()), gaps(body.contacts());
  body.start(q, v);
  body.gaps(q, gaps);
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    if (gaps[i] >= -tolerance) continue;
    mistakes.add(body_key(body.name(), last), fmt::format("{} and {} overlap at the start by {:g}; move them apart",
                                                          body.name(), contacts[i], -gaps[i]));
  }
}

/// Of a position on the surface (m, or rad for the pendulum).
constexpr double round_off = 1e-12;

constexpr std::string_view wall_names[] = {"wall"};
constexpr std::string_view incline_names[] = {"incline"};
constexpr std::string_view pole_names[] = {"pole (beak)", "pole (lower edge of the sleeve)",
                                           "pole (upper edge of the sleeve)"};

/// The laws of the contacts that are part of a body.
struct OwnPairs {
  const GeneralisedBody& body;
  std::vector<contact::ContactPair>& pairs;

  void operator()(const scene::SpringPendulumSpec& spec) const {
    if (spec.wall) add(0, wall_names[0], spec.restitution, spec.friction, spec.tangential_restitution);
  }
  void operator()(const scene::SliderSpec& spec) const {
    add(0, incline_names[0], spec.restitution, spec.friction, spec.tangential_restitution);
    pairs.back().friction_across = spec.friction_across;
  }
  void operator()(const scene::WoodpeckerSpec& spec) const {
    for (std::size_t i = 0; i < 3; ++i) {
      add(i, pole_names[i], spec.restitution[i], spec.friction, spec.tangential_restitution);
    }
  }
  void operator()(const scene::OwnSystemSpec& spec) const {
    for (std::size_t i = 0; i < body.contacts(); ++i)
      add(i, fmt::format("contact {} of {}", i, body.name()), spec.restitution, spec.friction,
          spec.tangential_restitution);
  }
  template <class Other>
  void operator()(const Other&) const {}

 private:
  void add(std::size_t point, std::string_view second, double restitution, double friction,
           double tangential_restitution) const {
    contact::ContactPair pair{
        body.name(), std::string(second), &body.surface(), &body.surroundings(), restitution, friction, point, point};
    pair.tangential_restitution = tangential_restitution;
    pairs.push_back(std::move(pair));
  }
};

}  // namespace

BodyPtr GeneralisedMaker::operator()(const scene::SpringPendulumSpec& spec) const {
  if (scene.gravity[1] != 0) {
    mistakes.add("gravity", fmt::format("must lie in the plane y = 0, in which {}, a spring-pendulum, swings", name));
  }
  mechanics::SpringPendulumProperties p;
  p.formula = {spec.mass, spec.stiffness, spec.rest_length, to_vector(scene.gravity)};
  p.pivot = to_vector(spec.pivot);
  p.damping = spec.damping;
  p.coordinates = {spec.length.value_or(spec.rest_length), spec.angle};
  p.rates = {spec.length_rate, spec.angular_velocity};
  p.wall = spec.wall;
  auto body = std::make_unique<mechanics::SpringPendulum>(name, p, dof);
  check_start(*body, "angle", wall_names, round_off, mistakes);
  return body;
}

BodyPtr GeneralisedMaker::operator()(const scene::PointMassSpec& spec) const {
  mechanics::PointMassProperties p;
  p.mass = spec.mass;
  p.position = to_vector(spec.position);
  p.velocity = to_vector(spec.velocity);
  p.gravity = to_vector(scene.gravity);
  p.damping = spec.damping;
  if (all_families_meet(scene)) return std::make_unique<mechanics::Particle>(name, p, dof);
  std::vector<std::string_view> names;
  const auto planes = planes_met(scene, name);
  for (const auto& [contact, plane] : planes) {
    p.obstacles.push_back(
        make_obstacle(std::get<scene::PlaneSpec>(*scene.bodies.find(plane)), scene.contacts[contact]));
    names.push_back(plane);
  }
  auto body = std::make_unique<mechanics::PointMass>(name, p, dof);
  check_start(*body, "position", names, round_off, mistakes);
  return body;
}

BodyPtr GeneralisedMaker::operator()(const scene::SliderSpec& spec) const {
  mechanics::SliderProperties p;
  p.mass = spec.mass;
  p.slope = spec.slope;
  p.origin = to_vector(spec.origin);
  p.gravity = to_vector(scene.gravity);
  p.position = to_vector(spec.position);
  p.velocity = to_vector(spec.velocity);
  auto body = std::make_unique<mechanics::Slider>(name, p, dof);
  check_start(*body, "position", incline_names, round_off, mistakes);
  return body;
}

BodyPtr GeneralisedMaker::operator()(const scene::WoodpeckerSpec& spec) const {
  if (scene.gravity[0] != 0 || scene.gravity[1] != 0) {
    mistakes.add("gravity", fmt::format("must be along z, the pole of {}, a woodpecker", name));
  }
  if (spec.sleeve_radius <= spec.pole_radius) {
    mistakes.add(body_key(name, "sleeve_radius"),
                 fmt::format("must be above pole_radius ({:g} m): the sleeve has play", spec.pole_radius));
  }
  mechanics::WoodpeckerProperties p;
  p.formula = {.sleeve_mass = spec.sleeve_mass,
               .sleeve_inertia = spec.sleeve_inertia,
               .bird_mass = spec.bird_mass,
               .bird_inertia = spec.bird_inertia,
               .spring = spec.spring,
               .pole_radius = spec.pole_radius,
               .sleeve_radius = spec.sleeve_radius,
               .sleeve_height = spec.sleeve_height,
               .sleeve_to_spring = spec.sleeve_to_spring,
               .spring_to_bird = spec.spring_to_bird,
               .beak_height = spec.beak_height,
               .beak_reach = spec.beak_reach,
               .gravity_field = -scene.gravity[2]};
  p.coordinates = {spec.height, spec.sleeve_angle, spec.bird_angle};
  p.rates = {spec.height_rate, spec.sleeve_angular_velocity, spec.bird_angular_velocity};
  auto body = std::make_unique<mechanics::Woodpecker>(name, p, dof);
  // A sleeve that rests on the pole has an angle that people write with four digits.
  check_start(*body, "sleeve_angle", pole_names, 0.01 * (spec.sleeve_radius - spec.pole_radius), mistakes);
  return body;
}

BodyPtr GeneralisedMaker::operator()(const scene::OwnSystemSpec&) const {
  BodyPtr body = make_own(own, name, "own-system", dof, mistakes);
  const GeneralisedBody* generalised = body ? body->generalised() : nullptr;
  if (body && !generalised)
    mistakes.add(body_key(name, "type"), "has no generalised coordinates; if it is a body of nodes it is an own-body");
  if (!generalised) return body;
  std::vector<std::string> contacts;
  for (std::size_t i = 0; i < generalised->contacts(); ++i)
    contacts.push_back(fmt::format("what contact {} is with", i));
  const std::vector<std::string_view> names(contacts.begin(), contacts.end());
  check_start(*generalised, "type", names, round_off, mistakes);
  return body;
}

BodyPtr make_own(const Own& own, const std::string& name, std::string_view type, std::size_t dof, Mistakes& mistakes) {
  const auto maker = own.bodies.find(name);
  BodyPtr body = maker == own.bodies.end() ? nullptr : maker->second(name, dof);
  if (!body) {
    mistakes.add(body_key(name, "type"),
                 fmt::format("a program must bring an {} of this name, and this one does not", type));
  } else if (body->name() != name || body->dofs().begin != dof) {
    mistakes.add(
        body_key(name, "type"),
        fmt::format("the body that the program brings must take the name and the first unknown that it is given, "
                    "'{}' and {}",
                    name, dof));
  }
  return body;
}

bool is_generalised(const scene::Body& body) {
  return std::visit([]<class Spec>(const Spec&) { return std::is_invocable_v<GeneralisedMaker, const Spec&>; }, body);
}

bool has_generalised(const scene::Scene& scene) {
  return std::any_of(scene.bodies.begin(), scene.bodies.end(),
                     [](const auto& entry) { return is_generalised(entry.value); });
}

contact::ContactPair generalised_pair(const scene::Scene& scene, std::size_t index, const mechanics::Body& first,
                                      const mechanics::Body& second, Mistakes& mistakes) {
  const scene::ContactSpec& spec = scene.contacts[index];
  const bool mass_first = dynamic_cast<const GeneralisedBody*>(&first) != nullptr;
  const mechanics::Body &mass = mass_first ? first : second, &obstacle = mass_first ? second : first;
  const std::string where = fmt::format("contacts.{}.between", index);
  if (spec.overlap == scene::OverlapAtStart::part)
    mistakes.add(fmt::format("contacts.{}.overlap", index), "point masses are not parted; leave it out");
  if (dynamic_cast<const mechanics::PointMass*>(&mass) == nullptr) {
    mistakes.add(where, fmt::format("the contacts of {}, a {}, are part of it; leave this one out", mass.name(),
                                    scene::type_name(*scene.bodies.find(mass.name()))));
  } else if (!obstacle.surface().plane()) {
    mistakes.add(where, fmt::format("{} is a point-mass, which meets planes only", mass.name()));
  }
  // The point of the mass's surface for this contact: how many of its contacts with planes come before.
  const auto planes = planes_met(scene, mass.name());
  const auto point = static_cast<std::size_t>(
      std::find(planes.begin(), planes.end(), std::pair(index, obstacle.name())) - planes.begin());
  contact::ContactPair pair{mass.name(),      obstacle.name(), &mass.surface(), &obstacle.surface(),
                            spec.restitution, spec.friction,   point,           0};
  pair.friction_across = spec.friction_across;
  pair.tangential_restitution = spec.tangential_restitution;
  return pair;
}

void add_own_pairs(const scene::Scene& scene, const std::vector<BodyPtr>& bodies,
                   std::vector<contact::ContactPair>& pairs) {
  for (const BodyPtr& body : bodies) {
    if (const auto* generalised = dynamic_cast<const GeneralisedBody*>(body.get())) {
      std::visit(OwnPairs{*generalised, pairs}, *scene.bodies.find(body->name()));
    }
  }
}

}  // namespace ictus::build
