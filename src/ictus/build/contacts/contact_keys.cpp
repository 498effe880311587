#include <ictus/build/contacts/contact_keys.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/build/bodies/families.hpp>
#include <ictus/build/bodies/generalised.hpp>
#include <ictus/build/rigid/rigid.hpp>

namespace ictus::build {

namespace {

/// What meets in a contact of the scene, which through `all` may be several pairs.
struct Meeting {
  bool any = false;
  bool surfaces = false;      ///< a triangulated surface takes part
  bool two_surfaces = false;  ///< two of them meet, or one meets itself
  bool moreau = false;        ///< rigid bodies and those with generalised coordinates
  bool rigid = false;         ///< rigid bodies alone
};

Meeting meeting_of(const scene::Scene& scene, std::size_t contact, const std::vector<contact::ContactPair>& pairs) {
  Meeting meeting;
  for (const contact::ContactPair& pair : pairs) {
    if (pair.group != static_cast<int>(contact)) continue;
    const bool first = pair.first_surface->mesh() != nullptr, second = pair.second_surface->mesh() != nullptr;
    meeting.any = true;
    meeting.surfaces = meeting.surfaces || first || second;
    meeting.two_surfaces = meeting.two_surfaces || (first && second);
    for (const std::string& name : {pair.first, pair.second}) {
      const scene::Body* body = scene.bodies.find(name);
      const bool of_moreau = body && !all_families_meet(scene) && (is_rigid(*body) || is_generalised(*body));
      meeting.moreau = meeting.moreau || of_moreau;
      meeting.rigid = meeting.rigid || (of_moreau && is_rigid(*body));
    }
  }
  return meeting;
}

/// Whether gaps up to closed_below count as closed, in the steps or when bodies begin at rest.
bool honours_slack(const scene::Scene& scene) {
  return std::holds_alternative<scene::CdLagrangeSpec>(*scene.integrator) ||
         std::holds_alternative<scene::ReflectionSpec>(*scene.integrator) ||
         std::holds_alternative<scene::CoupledSpec>(*scene.integrator) || scene.initial == scene::Initial::at_rest;
}

/// Options of integrators that only some contacts know.
void check_integrator_keys(const scene::Scene& scene, bool surfaces, Mistakes& mistakes) {
  if (const auto* dcr = std::get_if<scene::DcrSpec>(&*scene.integrator); dcr && dcr->energy_correction && surfaces)
    mistakes.add("integrator.energy_correction", "is for bars only: surfaces are parted without it; leave it out");
  if (const auto* gradient = std::get_if<scene::DiscreteGradientSpec>(&*scene.integrator);
      gradient && *gradient != scene::DiscreteGradientSpec{} && !surfaces)
    mistakes.add("integrator.stiffness",
                 "is that of the layers of surfaces; bars that meet have their own: leave it out");
  const scene::ContactSolverSpec* solver = nullptr;
  if (const auto* spec = std::get_if<scene::MoreauVariationalSpec>(&*scene.integrator)) solver = &spec->contact_solver;
  if (const auto* spec = std::get_if<scene::MoreauSpec>(&*scene.integrator)) solver = &spec->contact_solver;
  const bool nodes = solver && all_families_meet(scene);
  if (nodes && *solver != scene::ContactSolverSpec{})
    mistakes.add("integrator.contact_solver",
                 "is for rigid bodies alone: among bodies of several families contacts are swept over; leave it out");
  if (nodes && std::get<scene::MoreauVariationalSpec>(*scene.integrator).impact_law != scene::ImpactLaw::momentum)
    mistakes.add(
        "integrator.impact_law",
        "is for rigid bodies alone and generalised coordinates: among bodies of several families it allows only "
        "momentum");
  if (solver && *solver != scene::ContactSolverSpec{} && !has_rigid(scene) && !nodes)
    mistakes.add("integrator.contact_solver",
                 "is for contacts of rigid bodies, and the scene has none: the few contacts of other bodies are solved "
                 "exactly; leave it out");
}

}  // namespace

void check_contact_keys(const scene::Scene& scene, const std::vector<contact::ContactPair>& pairs,
                        const dynamics::Integrator& integrator, Mistakes& mistakes) {
  const bool surfaces = std::any_of(pairs.begin(), pairs.end(), [](const contact::ContactPair& pair) {
    return pair.first_surface->mesh() || pair.second_surface->mesh();
  });
  check_integrator_keys(scene, surfaces, mistakes);
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    const scene::ContactSpec& spec = scene.contacts[i];
    const bool nodes = !spec.nodes.empty();
    const Meeting meeting = meeting_of(scene, i, pairs);
    if (!meeting.any && !nodes) continue;
    const auto refuse = [&](bool when, std::string_view key, std::string message) {
      if (when) mistakes.add(fmt::format("contacts.{}.{}", i, key), std::move(message));
    };
    const bool on_surfaces = meeting.surfaces && all_families_meet(scene) &&
                             std::holds_alternative<scene::MoreauVariationalSpec>(*scene.integrator);
    refuse(spec.tangential_restitution > 0 && !meeting.moreau && !on_surfaces, "tangential_restitution",
           "only moreau-variational and moreau know it, of rigid bodies, point masses and surfaces; it allows only 0");
    for (const auto& [length, key] : {std::pair(spec.rolling_friction, "rolling_friction"),
                                      std::pair(spec.spinning_friction, "spinning_friction")}) {
      refuse(length > 0 && !meeting.rigid, key,
             "only scenes of rigid bodies alone know it, with moreau-variational or moreau; it allows only 0");
    }
    refuse(spec.gap && !meeting.two_surfaces, "gap",
           "triangulated surfaces keep it from each other, and no two of them meet here; leave it out");
    refuse(spec.continuous && !meeting.surfaces, "continuous",
           "only triangulated surfaces are followed through a step, and none takes part here; leave it out");
    refuse(spec.self_contact && !meeting.surfaces, "self_contact",
           "only triangulated surfaces touch themselves, and none takes part here; leave it out");
    refuse(spec.direction && !nodes, "direction", "is for `nodes` of frames, which are not given; leave it out");
    refuse(spec.distance != 0 && !nodes, "distance", "is for `nodes` of frames, which are not given; leave it out");
    refuse(
        spec.closed_below > 0 && (meeting.moreau || meeting.surfaces || !honours_slack(scene)), "closed_below",
        fmt::format("{} knows no gaps that count as closed between these bodies; it allows only 0", integrator.name()));
  }
}

}  // namespace ictus::build
