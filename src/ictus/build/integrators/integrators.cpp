#include <ictus/build/integrators/integrators.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/build/bodies/families.hpp>
#include <ictus/build/bodies/generalised.hpp>
#include <ictus/build/bodies/lie_beam.hpp>
#include <ictus/build/rigid/rigid.hpp>
#include <ictus/dynamics/beam/beam_in_space.hpp>
#include <ictus/dynamics/beam/multisymplectic_beam.hpp>
#include <ictus/dynamics/collision/multisymplectic.hpp>
#include <ictus/dynamics/collision/multisymplectic_prolonged.hpp>
#include <ictus/dynamics/coupled/coupled.hpp>
#include <ictus/dynamics/dcr/dcr.hpp>
#include <ictus/dynamics/explicit/central_difference.hpp>
#include <ictus/dynamics/generalised/midpoint.hpp>
#include <ictus/dynamics/generalised/variational_trapezoid.hpp>
#include <ictus/dynamics/implicit/newmark.hpp>
#include <ictus/dynamics/implicit/theta_method.hpp>
#include <ictus/dynamics/rigid/rigid_time_stepping.hpp>
#include <ictus/dynamics/scheme/capture_return.hpp>
#include <ictus/dynamics/scheme/cd_lagrange.hpp>
#include <ictus/dynamics/scheme/discrete_gradient.hpp>
#include <ictus/dynamics/scheme/newton_cone.hpp>
#include <ictus/dynamics/scheme/reflection.hpp>
#include <ictus/mechanics/solid/solid.hpp>

namespace ictus::build {

namespace {

using IntegratorPtr = std::unique_ptr<dynamics::Integrator>;

struct IntegratorMaker {
  bool rigid;  ///< rigid bodies have schemes of their own under the names of those for generalised coordinates
  bool all;    ///< and so have bodies of all families together
  bool rolls;  ///< some contact has rolling or spinning friction
  bool heap;   ///< there are many rigid bodies

  IntegratorPtr operator()(const scene::CentralDifferenceSpec&) const {
    return std::make_unique<dynamics::CentralDifference>();
  }
  IntegratorPtr operator()(const scene::CdLagrangeSpec&) const { return std::make_unique<dynamics::CdLagrange>(); }
  IntegratorPtr operator()(const scene::MultisymplecticSpec&) const {
    return std::make_unique<dynamics::Multisymplectic>();
  }
  IntegratorPtr operator()(const scene::MultisymplecticProlongedSpec&) const {
    return std::make_unique<dynamics::MultisymplecticProlonged>();
  }
  IntegratorPtr operator()(const scene::MoreauJeanSpec& spec) const {
    return std::make_unique<dynamics::ThetaMethod>(spec.theta);
  }
  IntegratorPtr operator()(const scene::DcrSpec& spec) const {
    return std::make_unique<dynamics::Dcr>(spec.energy_correction);
  }
  IntegratorPtr operator()(const scene::ReflectionSpec&) const { return std::make_unique<dynamics::Reflection>(); }
  IntegratorPtr operator()(const scene::DiscreteGradientSpec& spec) const {
    return std::make_unique<dynamics::DiscreteGradient>(dynamics::DiscreteGradientOptions{spec.stiffness});
  }
  IntegratorPtr operator()(const scene::CaptureReturnSpec& spec) const {
    return std::make_unique<dynamics::CaptureReturn>(dynamics::CaptureReturnOptions{.control = spec.control});
  }
  IntegratorPtr operator()(const scene::MultisymplecticBeamSpec& spec) const {
    if (spec.direction == scene::BeamDirection::space) {
      return std::make_unique<dynamics::BeamInSpace>(static_cast<std::size_t>(spec.noether));
    }
    return std::make_unique<dynamics::MultisymplecticBeam>(dynamics::MultisymplecticBeamOptions{
        .start =
            spec.initial == scene::BeamInitial::interval ? dynamics::BeamStart::interval : dynamics::BeamStart::instant,
        .noether_rectangles = static_cast<std::size_t>(spec.noether)});
  }
  IntegratorPtr operator()(const scene::NewmarkSpec& spec) const {
    return std::make_unique<dynamics::Newmark>(dynamics::NewmarkOptions{spec.gamma, spec.beta});
  }
  IntegratorPtr operator()(const scene::MoreauVariationalSpec& spec) const {
    if (all) return std::make_unique<dynamics::NewtonCone>();
    if (rigid) {
      dynamics::RigidResponseOptions options = rigid_options(spec.contact_solver);
      if (spec.impact_law == scene::ImpactLaw::paper) options.law = dynamics::RigidImpactLaw::interval;
      return std::make_unique<dynamics::RigidTimeStepping>(dynamics::RigidTimeStepping::Scheme::variational, options);
    }
    return std::make_unique<dynamics::VariationalTrapezoid>(
        spec.impact_law == scene::ImpactLaw::paper ? dynamics::ImpactLaw::paper : dynamics::ImpactLaw::momentum);
  }
  IntegratorPtr operator()(const scene::MoreauSpec& spec) const {
    if (!rigid) return std::make_unique<dynamics::Midpoint>();
    return std::make_unique<dynamics::RigidTimeStepping>(dynamics::RigidTimeStepping::Scheme::midpoint,
                                                         rigid_options(spec.contact_solver));
  }
  IntegratorPtr operator()(const scene::CoupledSpec& spec) const {
    std::vector<dynamics::ImplicitBodies> domains;
    for (const scene::ImplicitDomainSpec& domain : spec.implicit)
      domains.push_back({domain.bodies, domain.ratio.value_or(spec.ratio)});
    return std::make_unique<dynamics::Coupled>(std::move(domains));
  }

 private:
  static solve::ConeMethod method(scene::ContactMethod name) {
    switch (name) {
      case scene::ContactMethod::sorp:
        return solve::ConeMethod::sorp;
      case scene::ContactMethod::anderson:
        return solve::ConeMethod::anderson;
      case scene::ContactMethod::conjugate:
        return solve::ConeMethod::conjugate;
      case scene::ContactMethod::interior_point:
        return solve::ConeMethod::interior_point;
      case scene::ContactMethod::apgd:
        return solve::ConeMethod::apgd;
      case scene::ContactMethod::newton:
        return solve::ConeMethod::newton;
      case scene::ContactMethod::automatic:
        break;
    }
    return solve::ConeMethod::automatic;
  }
  /// A step whose search has stalled is worth no thousands of sweeps at errors up to this.
  static constexpr double good_enough = 1e-3;

  dynamics::RigidResponseOptions rigid_options(const scene::ContactSolverSpec& spec) const {
    return {.solver = cone_options(spec), .rolls = rolls, .heap = heap};
  }
  static solve::ConeOptions cone_options(const scene::ContactSolverSpec& spec) {
    solve::ConeOptions options;
    options.method = method(spec.type);
    options.tolerance = spec.tolerance;
    options.max_iterations = spec.max_iterations;
    options.min_iterations = 1;
    options.good_enough = good_enough;
    return options;
  }
};

}  // namespace

namespace {

/// Whether the scheme of beams can step the scene: there are beams, and nothing that they could meet but planes.
bool beams_meet_planes_alone(const scene::Scene& scene) {
  const auto is_beam = [&](const scene::Body* body) { return body && scene::is_any_of<scene::LieBeamSpec>(*body); };
  int beams = 0;
  for (const auto& [name, body] : scene.bodies) {
    if (!scene::is_any_of<scene::LieBeamSpec, scene::PlaneSpec>(body)) return false;
    const auto* beam = std::get_if<scene::LieBeamSpec>(&body);
    if (beam && (beam->curve || beam->damping != scene::RayleighSpec{})) return false;
    if (std::isfinite(scene::until_of(body))) return false;
    beams += is_beam(&body) ? 1 : 0;
  }
  return beams > 0 && std::none_of(scene.contacts.begin(), scene.contacts.end(), [&](const auto& contact) {
           const auto can_be_beam = [&](const std::string& name) {
             return name == scene::any_body ? beams > 1 : is_beam(scene.bodies.find(name));
           };
           return can_be_beam(contact.between[0]) && can_be_beam(contact.between[1]);
         });
}

}  // namespace

scene::Integrator default_integrator(const scene::Scene& scene) {
  const bool at_rest = scene.initial == scene::Initial::at_rest;
  if (scene.loads.empty() && scene.joints.empty() && !at_rest && beams_meet_planes_alone(scene))
    return scene::MultisymplecticBeamSpec{};
  const bool one_family = !has_several_families(scene) && (has_rigid(scene) || has_generalised(scene));
  if (one_family) return scene::MoreauVariationalSpec{};
  const bool has_surroundings = std::any_of(scene.bodies.begin(), scene.bodies.end(),
                                            [](const auto& entry) { return has_own_coordinates(entry.value); });
  if (scene.contacts.empty() && !has_surroundings) return scene::CentralDifferenceSpec{};
  return scene::CaptureReturnSpec{};
}

IntegratorPtr make_integrator(const scene::Scene& scene) {
  const bool rolls = std::any_of(scene.contacts.begin(), scene.contacts.end(), [](const scene::ContactSpec& contact) {
    return contact.rolling_friction > 0 || contact.spinning_friction > 0;
  });
  return std::visit(IntegratorMaker{has_rigid(scene), all_families_meet(scene), rolls, has_heap(scene)},
                    *scene.integrator);
}

bool honours_restitution(const dynamics::Capabilities& can, double restitution) {
  return restitution >= can.restitution_min && restitution <= can.restitution_max;
}

std::string allowed_restitutions(const dynamics::Capabilities& can) {
  if (can.restitution_min == can.restitution_max) return fmt::format("only {:g}", can.restitution_min);
  return fmt::format("{:g} to {:g}", can.restitution_min, can.restitution_max);
}

void check_bodies(const scene::Scene& scene, const std::vector<dynamics::BodyPtr>& bodies,
                  const dynamics::Integrator& integrator, Mistakes& mistakes) {
  for (const dynamics::BodyPtr& body : bodies) {
    if (integrator.steps(*body)) continue;
    mistakes.add("integrator.type",
                 fmt::format("{} does not know how to move {}, a {}; choose another integrator", integrator.name(),
                             body->name(), scene::type_name(*scene.bodies.find(body->name()))));
  }
  // Of a material of one's own only the program knows whether it remembers.
  for (const dynamics::BodyPtr& body : bodies) {
    const auto* solid = body->solid();
    if (!solid || !solid->is_own() || solid->history() == 0 || integrator.capabilities().history) continue;
    mistakes.add(fmt::format("bodies.{}.material", body->name()),
                 fmt::format("{} does not know materials that remember; use an explicit integrator such as cd-lagrange",
                             integrator.name()));
  }
  if (runs_in_space(scene) && bodies.size() > 1) {
    mistakes.add("integrator.direction", "space integrates one beam alone; leave the other bodies out");
  }
}

/// Of solids and shells; null of others.
const scene::MaterialUse* material_of(const scene::Body& body) {
  if (const auto* solid = std::get_if<scene::SolidSpec>(&body)) return &solid->material;
  const auto* shell = std::get_if<scene::ShellSpec>(&body);
  return shell ? &shell->material : nullptr;
}

void check_capabilities(const scene::Scene& scene, const dynamics::Integrator& integrator, Mistakes& mistakes) {
  const dynamics::Capabilities can = integrator.capabilities();
  for (const auto& [name, body] : scene.bodies) {
    const auto* bar = std::get_if<scene::BarSpec>(&body);
    const scene::MaterialUse* use = material_of(body);
    const scene::MaterialSpec* material = use ? scene::find_material(scene, *use) : nullptr;
    const scene::SolidLaw law = material ? material->law : use ? use->law : scene::SolidLaw::linear;
    const bool nonlinear = (bar && bar->material != scene::BarMaterial::linear) ||
                           (std::holds_alternative<scene::SolidSpec>(body) && law != scene::SolidLaw::linear);
    const bool relaxes = material && !material->relaxation.empty();
    if (!can.history && (law == scene::SolidLaw::hencky || law == scene::SolidLaw::j2 || relaxes)) {
      mistakes.add(
          fmt::format("bodies.{}.material", name),
          fmt::format("{} does not know materials that yield or relax; use an explicit integrator such as cd-lagrange",
                      integrator.name()));
      continue;
    }
    if (can.linear_only && nonlinear) {
      mistakes.add(
          fmt::format("bodies.{}.material", name),
          fmt::format("{} is for linear bodies only; use material: linear or another integrator", integrator.name()));
    }
  }
  for (const auto& [name, body] : scene.bodies) {
    const auto damping_of = []<class Spec>(const Spec& spec) -> std::string_view {
      if constexpr (requires { spec.damping == scene::RayleighSpec{}; })
        return spec.damping == scene::RayleighSpec{} ? "" : "damping";
      if constexpr (std::is_base_of_v<scene::RigidSpec, Spec>) return spec.drag == 0 ? "" : "drag";
      return "";
    };
    const std::string_view key = std::visit(damping_of, body);
    if (can.damping || key.empty()) continue;
    mistakes.add(fmt::format("bodies.{}.{}", name, key),
                 fmt::format("{} knows no damping; choose another integrator, such as cd-lagrange or newmark, or leave "
                             "it out",
                             integrator.name()));
  }
  if (!can.follows && scene.time.follow)
    mistakes.add("time.follow",
                 fmt::format("{} has steps of one length; choose another integrator, such as cd-lagrange "
                             "or moreau-variational, or leave it out",
                             integrator.name()));
  if (!can.ties && !scene.ties.empty())
    mistakes.add("ties",
                 fmt::format("{} cannot tie bodies together; choose another integrator, such as capture-return, "
                             "cd-lagrange or coupled",
                             integrator.name()));
  if (!can.joints && !scene.joints.empty())
    mistakes.add("joints", fmt::format("{} knows no joints; choose another integrator, such as capture-return, "
                                       "cd-lagrange or moreau-variational",
                                       integrator.name()));
  for (const auto& [name, body] : scene.bodies) {
    const auto* beam = std::get_if<scene::LieBeamSpec>(&body);
    if (beam && beam->curve && std::holds_alternative<scene::MultisymplecticBeamSpec>(*scene.integrator))
      mistakes.add(fmt::format("bodies.{}.curve", name),
                   "multisymplectic-beam knows beams that are straight at rest; choose another integrator, such as "
                   "central-difference or capture-return");
    if (can.vanishing || !std::isfinite(scene::until_of(body))) continue;
    mistakes.add(fmt::format("bodies.{}.until", name),
                 fmt::format("{} knows no bodies that vanish; choose another integrator, such as capture-return, "
                             "moreau-variational or cd-lagrange",
                             integrator.name()));
  }
  const auto is_motion = [](const scene::Load& load) {
    return std::holds_alternative<scene::SupportMotionSpec>(load) ||
           std::holds_alternative<scene::SupportRotationSpec>(load);
  };
  if (can.loads && !can.moving_supports && std::any_of(scene.loads.begin(), scene.loads.end(), is_motion)) {
    mistakes.add("loads", fmt::format("{} has no supports that move; choose another integrator, such as cd-lagrange or "
                                      "newmark, or give the motion as base-acceleration",
                                      integrator.name()));
  }
  const auto is_own = [](const scene::Load& load) { return std::holds_alternative<scene::OwnForceSpec>(load); };
  if (can.loads && !can.forces && std::any_of(scene.loads.begin(), scene.loads.end(), is_own)) {
    mistakes.add("loads", fmt::format("{} has no forces that depend on the motion; choose another integrator, such as "
                                      "capture-return or cd-lagrange",
                                      integrator.name()));
  }
  if (!can.loads && !scene.loads.empty()) {
    mistakes.add("loads",
                 fmt::format("{} has no loads in time; choose another integrator, such as cd-lagrange, or leave "
                             "them out",
                             integrator.name()));
  }
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    const scene::ContactSpec& contact = scene.contacts[i];
    const std::string key = fmt::format("contacts.{}", i);
    if (!can.contact) {
      mistakes.add(
          key, fmt::format("{} has no contact; choose another integrator or leave the contact out", integrator.name()));
      continue;
    }
    if (contact.restitution && !honours_restitution(can, *contact.restitution)) {
      mistakes.add(key + ".restitution",
                   fmt::format("{} cannot honour a restitution of {:g}; it allows {}", integrator.name(),
                               *contact.restitution, allowed_restitutions(can)));
    }
    const auto is_one_of_bars = [&](const std::string& name) {
      const scene::Body* body = scene.bodies.find(name);
      return body && scene::is_any_of<scene::BarSpec>(*body);
    };
    const auto is_bar_or_plane = [&](const std::string& name) {
      const scene::Body* body = scene.bodies.find(name);
      return !body || scene::is_any_of<scene::BarSpec, scene::PlaneSpec>(*body);
    };
    const bool of_bars = std::any_of(contact.between.begin(), contact.between.end(), is_one_of_bars) &&
                         std::all_of(contact.between.begin(), contact.between.end(), is_bar_or_plane);
    if (contact.friction > 0 && of_bars) {
      mistakes.add(key + ".friction", "bars meet head-on and cannot slide; it allows only 0");
    } else if (contact.friction > 0 && !contact.nodes.empty()) {
      mistakes.add(key + ".friction", "nodes of frames meet along their direction and slide freely; it allows only 0");
    } else if (contact.friction > 0 && !can.friction) {
      mistakes.add(key + ".friction", fmt::format("{} has no friction; it allows only 0", integrator.name()));
    }
    if (contact.friction_across && !can.friction) {
      mistakes.add(key + ".friction_across", fmt::format("{} has no friction; leave it out", integrator.name()));
    }
    if (contact.tangential_restitution > 0 && !can.friction) {
      mistakes.add(key + ".tangential_restitution",
                   fmt::format("{} has no friction; it allows only 0", integrator.name()));
    }
  }
}

void check_surfaces(const std::vector<contact::ContactPair>& pairs, const dynamics::Integrator& integrator,
                    Mistakes& mistakes) {
  using dynamics::SurfaceContact;
  const dynamics::Capabilities can = integrator.capabilities();
  const bool follows = can.surfaces == SurfaceContact::followed;
  for (const contact::ContactPair& pair : pairs) {
    if (!pair.continuous || follows) continue;
    mistakes.add(fmt::format("contacts.{}.continuous", pair.group),
                 fmt::format("{} does not follow surfaces through a step; choose capture-return, cd-lagrange or "
                             "reflection",
                             integrator.name()));
  }
  for (const contact::ContactPair& pair : pairs) {
    if (follows || !can.contact) continue;
    for (const auto& [surface, name] :
         {std::pair(pair.first_surface, &pair.first), {pair.second_surface, &pair.second}}) {
      const model::SurfaceMesh* mesh = surface->mesh();
      // A point has no triangles that could be seen to pass through others.
      if (!mesh || !(mesh->is_guided() || mesh->mean_edge() == 0)) continue;
      mistakes.add(fmt::format("contacts.{}.between", pair.group),
                   fmt::format("{} does not let surfaces meet bars, frames, point masses and pendulums, such as {}; "
                               "choose capture-return, cd-lagrange, reflection or moreau-variational",
                               integrator.name(), *name));
    }
  }
  if (!can.contact || can.surfaces != SurfaceContact::none) return;
  for (const contact::ContactPair& pair : pairs) {
    const model::SurfaceMesh *first = pair.first_surface->mesh(), *second = pair.second_surface->mesh();
    if (!first && !second) continue;
    mistakes.add(fmt::format("contacts.{}.between", pair.group),
                 fmt::format("{} does not know contact of surfaces, which {} has; choose capture-return, "
                             "discrete-gradient, reflection, cd-lagrange, dcr or coupled",
                             integrator.name(), first ? pair.first : pair.second));
  }
}

}  // namespace ictus::build
