#include <ictus/build/bodies/generalised.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <ictus/build/bodies/bodies.hpp>
#include <ictus/build/bodies/families.hpp>
#include <ictus/build/contacts/contact_names.hpp>
#include <ictus/build/integrators/integrators.hpp>
#include <ictus/mechanics/generalised/coordinate_body.hpp>
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
  return {{to_vector(plane.position), normal}, along, normal.cross(along)};
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
  const std::string& name;
  const model::Surface &surface, &surroundings;
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
    for (std::size_t i = 0; i < surface.point_count(); ++i)
      add(i, fmt::format("contact {} of {}", i, name), spec.restitution, spec.friction, spec.tangential_restitution);
  }
  template <class Other>
  void operator()(const Other&) const {}

 private:
  void add(std::size_t point, std::string_view second, double restitution, double friction,
           double tangential_restitution) const {
    contact::ContactPair pair{name, std::string(second), &surface, &surroundings, restitution, friction, point, point};
    pair.tangential_restitution = tangential_restitution;
    pair.rigid = true;
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
  p.pivot = to_vector(spec.position);
  p.damping = spec.drag;
  p.coordinates = {spec.length.value_or(spec.rest_length), spec.angle};
  p.rates = {spec.length_rate, spec.angular_velocity};
  p.wall = spec.wall;
  p.radius = spec.radius;
  auto body = std::make_unique<mechanics::SpringPendulum>(name, p, own_first_dof());
  check_start(*body, "angle", wall_names, round_off, mistakes);
  return among_others(std::move(body));
}

BodyPtr GeneralisedMaker::operator()(const scene::PointMassSpec& spec) const {
  mechanics::PointMassProperties p;
  p.mass = spec.mass;
  p.position = to_vector(spec.position);
  p.velocity = to_vector(spec.velocity);
  p.gravity = to_vector(scene.gravity);
  p.damping = spec.drag;
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
  if (spec.size) p.size = to_vector(*spec.size);
  auto body = std::make_unique<mechanics::Slider>(name, p, own_first_dof());
  check_start(*body, "position", incline_names, round_off, mistakes);
  return among_others(std::move(body));
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
  auto body = std::make_unique<mechanics::Woodpecker>(name, p, own_first_dof());
  // A sleeve that rests on the pole has an angle that people write with four digits.
  check_start(*body, "sleeve_angle", pole_names, 0.01 * (spec.sleeve_radius - spec.pole_radius), mistakes);
  return among_others(std::move(body));
}

std::size_t GeneralisedMaker::own_first_dof() const { return all_families_meet(scene) ? 0 : dof; }

BodyPtr GeneralisedMaker::among_others(std::unique_ptr<const GeneralisedBody> body) const {
  if (!all_families_meet(scene)) return body;
  return std::make_unique<mechanics::CoordinateBody>(std::move(body), dof);
}

BodyPtr GeneralisedMaker::operator()(const scene::OwnSystemSpec&) const {
  BodyPtr body = make_own(own, name, "own-system", own_first_dof(), mistakes);
  const GeneralisedBody* generalised = body ? body->generalised() : nullptr;
  if (body && !generalised)
    mistakes.add(body_key(name, "type"), "has no generalised coordinates; if it is a body of nodes it is an own-body");
  if (!generalised) return body;
  std::vector<std::string> contacts;
  for (std::size_t i = 0; i < generalised->contacts(); ++i)
    contacts.push_back(fmt::format("what contact {} is with", i));
  const std::vector<std::string_view> names(contacts.begin(), contacts.end());
  check_start(*generalised, "type", names, round_off, mistakes);
  body.release();
  return among_others(std::unique_ptr<const GeneralisedBody>(generalised));
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

bool has_own_coordinates(const scene::Body& body) {
  return is_generalised(body) && !scene::is_any_of<scene::PointMassSpec>(body);
}

bool others_meet_coordinates(const scene::Scene& scene) {
  const auto count = [&](auto&& is) {
    return std::count_if(scene.bodies.begin(), scene.bodies.end(), [&](const auto& entry) { return is(entry.value); });
  };
  const auto is_met = [&](const scene::ContactSpec& contact) {
    int coordinates = 0, masses = 0, all = 0;
    for (const std::string& name : contact.between) {
      const scene::Body* body = scene.bodies.find(name);
      coordinates += body && has_own_coordinates(*body) ? 1 : 0;
      masses += body && scene::is_any_of<scene::PointMassSpec>(*body) ? 1 : 0;
      all += name == scene::any_body ? 1 : 0;
    }
    if (coordinates > 0 || masses == 2) return true;
    return all > 0 && scene.bodies.size() > 1 && count(has_own_coordinates) > 0;
  };
  return std::any_of(scene.contacts.begin(), scene.contacts.end(), is_met);
}

namespace {

/// Of one body with contacts of its own.
struct OwnContactCheck {
  const std::string& name;
  const std::vector<contact::ContactPair>& pairs;
  const dynamics::Integrator& integrator;
  Mistakes& mistakes;

  void operator()(const scene::OwnSystemSpec& spec) const {
    const auto is_own = [&](const contact::ContactPair& pair) {
      return pair.first == name && pair.first_surface->meets_surroundings();
    };
    if (std::any_of(pairs.begin(), pairs.end(), is_own))
      check(std::array{spec.restitution}, spec.friction, spec.tangential_restitution);
  }
  void operator()(const scene::SpringPendulumSpec& spec) const {
    if (spec.wall) check(std::array{spec.restitution}, spec.friction, spec.tangential_restitution);
    if (spec.drag > 0 && !integrator.capabilities().damping)
      add("drag", fmt::format("{} knows no damping; choose another integrator, such as cd-lagrange, or leave it out",
                              integrator.name()));
  }
  void operator()(const scene::SliderSpec& spec) const {
    check(std::array{spec.restitution}, spec.friction, spec.tangential_restitution);
    if (spec.friction_across && *spec.friction_across != spec.friction)
      add("friction_across", "among bodies of several families friction is the same in all directions; leave it out");
  }
  void operator()(const scene::WoodpeckerSpec& spec) const {
    check(spec.restitution, spec.friction, spec.tangential_restitution);
  }
  template <class Other>
  void operator()(const Other&) const {}

 private:
  void add(std::string_view key, const std::string& what) const { mistakes.add(body_key(name, key), what); }

  template <class Restitutions>
  void check(const Restitutions& restitutions, double friction, double tangential) const {
    const dynamics::Capabilities can = integrator.capabilities();
    if (!can.contact)
      return mistakes.add("integrator.type",
                          fmt::format("{} has no contact, and {} has surroundings that it meets; choose another "
                                      "integrator, such as capture-return",
                                      integrator.name(), name));
    for (const double e : restitutions) {
      if (e >= can.restitution_min && e <= can.restitution_max) continue;
      add("restitution", fmt::format("{} cannot honour a restitution of {:g}; it allows {}", integrator.name(), e,
                                     allowed_restitutions(can)));
    }
    if (friction > 0 && !can.friction)
      add("friction", fmt::format("{} has no friction; it allows only 0", integrator.name()));
    if (tangential > 0 && integrator.name() != "moreau-variational")
      add("tangential_restitution",
          "only moreau-variational knows it among bodies of several families; it allows only 0");
  }
};

}  // namespace

void check_own_contacts(const scene::Scene& scene, const std::vector<contact::ContactPair>& pairs,
                        const dynamics::Integrator& integrator, Mistakes& mistakes) {
  if (!all_families_meet(scene)) return;
  for (const auto& [name, body] : scene.bodies) std::visit(OwnContactCheck{name, pairs, integrator, mistakes}, body);
}

bool has_generalised(const scene::Scene& scene) {
  return std::any_of(scene.bodies.begin(), scene.bodies.end(),
                     [](const auto& entry) { return is_generalised(entry.value); });
}

contact::ContactPair generalised_pair(const scene::Scene& scene, std::size_t index, const mechanics::Body& first,
                                      const mechanics::Body& second, Mistakes& mistakes) {
  const scene::ContactSpec& spec = scene.contacts[index];
  const bool mass_first = first.generalised() != nullptr;
  const mechanics::Body &mass = mass_first ? first : second, &obstacle = mass_first ? second : first;
  const std::string where = fmt::format("contacts.{}.between", index);
  if (spec.overlap == scene::OverlapAtStart::part)
    mistakes.add(fmt::format("contacts.{}.overlap", index), "point masses are not parted; leave it out");
  if (!std::holds_alternative<scene::PointMassSpec>(*scene.bodies.find(mass.name()))) {
    mistakes.add(where, fmt::format("{}, a {}, meets its surroundings alone with this integrator; choose another, such "
                                    "as capture-return",
                                    mass.name(), scene::type_name(*scene.bodies.find(mass.name()))));
  } else if (!obstacle.surface().plane()) {
    mistakes.add(where, fmt::format("{} is a point-mass, which meets planes only with this integrator; choose another, "
                                    "such as capture-return",
                                    mass.name()));
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
    const scene::Body* spec = scene.bodies.find(body->name());
    if (const auto* alone = body->generalised()) {
      std::visit(OwnPairs{body->name(), alone->surface(), alone->surroundings(), pairs}, *spec);
    } else if (const auto* among = body->coordinate_body()) {
      std::visit(OwnPairs{body->name(), among->surface(), among->surroundings(), pairs}, *spec);
    }
  }
}

}  // namespace ictus::build
