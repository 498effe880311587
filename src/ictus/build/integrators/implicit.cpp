#include <ictus/build/integrators/implicit.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace ictus::build {

namespace {

bool wants_implicit(const scene::Body& body) {
  return std::visit(
      [](const auto& spec) {
        if constexpr (requires { spec.implicit; }) return spec.implicit;
        return false;
      },
      body);
}

/// Why a body cannot have implicit steps; empty: it can.
std::string why_not(const scene::Scene& scene, const dynamics::Integrator& integrator, const dynamics::System& system,
                    const mechanics::NodalBody& body) {
  if (!integrator.capabilities().implicit)
    return fmt::format(
        "{} has no bodies with steps of their own kind; choose capture-return, cd-lagrange, reflection, "
        "moreau-variational, discrete-gradient or central-difference, or leave it out",
        integrator.name());
  if (!body.linear())
    return "is for linear materials: their matrix is factored once for all steps, and strain would change it; use "
           "material: linear, or leave it out";
  if (body.damping().any()) return "does not go with damping, whose part of the stiffness is explicit; leave one out";
  if (std::any_of(scene.joints.begin(), scene.joints.end(), [&](const scene::AnyJoint& joint) {
        const auto& between = scene::common(joint).between;
        return std::find(between.begin(), between.end(), body.name()) != between.end();
      }))
    return "does not go with joints, which move what they hold by itself; leave it out";
  if (std::any_of(scene.ties.begin(), scene.ties.end(), [&](const scene::TieSpec& tie) {
        return std::find(tie.between.begin(), tie.between.end(), body.name()) != tie.between.end();
      }))
    return "does not go with ties, which move what they hold by themselves; leave it out";
  if (scene.time.follow)
    return "does not go with time.follow: its matrix is factored once, for one step; leave one of them out";
  const mechanics::Range dofs = body.dofs();
  if (std::any_of(system.driven().begin(), system.driven().end(), [&](int dof) {
        return static_cast<std::size_t>(dof) >= dofs.begin && static_cast<std::size_t>(dof) < dofs.end();
      }))
    return "does not go with supports that move; give the motion as base-acceleration, or leave it out";
  return "";
}

}  // namespace

void make_implicit(const scene::Scene& scene, const dynamics::Integrator& integrator, dynamics::System& system,
                   Mistakes& mistakes) {
  for (const auto& [name, spec] : scene.bodies) {
    if (!wants_implicit(spec)) continue;
    const mechanics::Body* body = system.find_body(name);
    if (!body || !body->nodal()) continue;
    const std::string why = why_not(scene, integrator, system, *body->nodal());
    if (why.empty()) {
      system.make_implicit(*body->nodal());
    } else {
      mistakes.add(fmt::format("bodies.{}.implicit", name), why);
    }
  }
}

}  // namespace ictus::build
