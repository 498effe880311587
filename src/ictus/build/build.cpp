#include <ictus/build/build.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/build/bodies/bodies.hpp>
#include <ictus/build/bodies/frames.hpp>
#include <ictus/build/bodies/generalised.hpp>
#include <ictus/build/bodies/lie_beam.hpp>
#include <ictus/build/bodies/solid.hpp>
#include <ictus/build/contacts/contact_keys.hpp>
#include <ictus/build/contacts/contact_notes.hpp>
#include <ictus/build/contacts/surface_pairs.hpp>
#include <ictus/build/contacts/ties.hpp>
#include <ictus/build/device.hpp>
#include <ictus/build/exact_reference.hpp>
#include <ictus/build/integrators/domains.hpp>
#include <ictus/build/integrators/implicit.hpp>
#include <ictus/build/integrators/integrators.hpp>
#include <ictus/build/joints/joints.hpp>
#include <ictus/build/loads/loads.hpp>
#include <ictus/build/probes/probes.hpp>
#include <ictus/build/rigid/rigid.hpp>
#include <ictus/build/size_limits.hpp>
#include <ictus/dynamics/equilibrium/static_equilibrium.hpp>
#include <ictus/dynamics/scheme/require_layers.hpp>
#include <ictus/dynamics/system/step_limit.hpp>
#include <ictus/math/cfc_filter.hpp>
#include <ictus/mechanics/beam/section_beam.hpp>
#include <ictus/observe/ledger/ledger.hpp>
#include <limits>

namespace ictus::build {

namespace {

/// The step of Courant number 1: the largest stable one, or for an integrator without such a limit that of an explicit
/// one.
double courant_one(const dynamics::System& system, const dynamics::StepLimit& limit) {
  return std::isfinite(limit.step) ? limit.step : dynamics::explicit_step_limit(system).step;
}

/// Where the scene asks for no step, this share of the largest stable one.
constexpr double usual_courant = 0.5;

/// The fraction of the critical step where the scene gives none: steps that follow need no more room.
double usual_fraction(const scene::TimeSpec& time, const dynamics::StepLimit& limit) {
  return time.follow ? std::min(*time.follow, limit.safe) : usual_courant;
}

/// The step that the scene asks for, checked against the largest stable one.
double choose_step(const scene::TimeSpec& time, const dynamics::System& system, const dynamics::StepLimit& limit,
                   const dynamics::Integrator& integrator, Mistakes& mistakes) {
  const double courant =
      time.step ? 0 : time.courant.value_or(usual_fraction(time, limit)) * courant_one(system, limit);
  if (!std::isfinite(courant)) {
    mistakes.add(time.courant ? "time.courant" : "time",
                 "these bodies have no largest stable step to take a fraction of; give time.step");
    return time.end;
  }
  const double step = time.step ? *time.step : std::min(courant, time.end / integrator.stride());
  // Rounding of courant · limit must not refuse a Courant number of exactly 1.
  if (step > limit.step * (1 + 1e-12) && !time.allow_unstable) {
    mistakes.add(time.step ? "time.step" : "time.courant",
                 fmt::format("a step of {:g} s is above {:g} s, the largest stable one of {} here, set by {}; "
                             "use a smaller step, or time.allow_unstable: true",
                             step, limit.step, integrator.name(), limit.reason));
  } else if (step > limit.safe * limit.step * (1 + 1e-12) && !time.allow_unstable) {
    mistakes.add(time.step ? "time.step" : "time.courant",
                 fmt::format("a step of {:g} s is above {:g} s, {:g} of the largest stable one of {} here, set by {}: "
                             "{}; use a smaller step, or time.allow_unstable: true",
                             step, limit.safe * limit.step, limit.safe, integrator.name(), limit.reason, limit.safety));
  }
  return step;
}

/// Whether all bodies can be at rest: those of nodes, rigid ones and beams, that are not given a motion.
bool can_rest(const dynamics::System& system, Mistakes& mistakes) {
  if (!system.joints().empty()) {
    mistakes.add("initial", "at-rest does not go with joints; use initial: given");
    return false;
  }
  const model::State state = system.initial_state();
  bool can = true;
  for (const dynamics::BodyPtr& body : system.bodies()) {
    const mechanics::Range range = body->dofs();
    if (range.size == 0) continue;
    std::string why;
    const auto* nodal = body->nodal();
    const bool has_frames =
        nodal && (nodal->rigid_bodies() || nodal->surface().plane_frame() >= 0 || nodal->section_beam() != nullptr);
    if (!nodal || (nodal->turns() && !has_frames)) {
      why = "whose static equilibrium is not known; bars, beams, frames, shells, solids and rigid bodies have one";
    } else if (nodal->history() > 0) {
      why = "whose material yields; give it an elastic law";
    } else if (std::any_of(state.p.begin() + static_cast<std::ptrdiff_t>(range.begin),
                           state.p.begin() + static_cast<std::ptrdiff_t>(range.end()),
                           [](double p) { return p != 0; })) {
      why = "which has a velocity at the start; leave the velocity out";
    } else {
      continue;
    }
    can = false;
    mistakes.add("initial", fmt::format("at-rest does not go with {}, {}, or use initial: given", body->name(), why));
  }
  return can;
}

/// Lets the system begin where it rests under gravity and the loads of time 0.
void begin_at_rest(dynamics::System& system, Mistakes& mistakes) {
  if (!can_rest(system, mistakes)) return;
  try {
    dynamics::RestState rest = dynamics::static_equilibrium(system);
    for (std::size_t k = 0; k < rest.contact_force.size(); ++k) {
      if (rest.contact_force[k] >= 0) continue;
      const contact::ContactPair& pair = system.pairs()[k];
      mistakes.add("initial", fmt::format("at rest the contact {} between {} and {} would have to pull with {:g} N", k,
                                          pair.first, pair.second, -rest.contact_force[k]));
    }
    system.begin_at(std::move(rest));
  } catch (const base::NumericalFailure& failure) {
    mistakes.add("initial", fmt::format("there is no static equilibrium: {}", failure.what()));
  }
}

/// Whole steps that reach the end of the run; an end that is a whole number of steps up to rounding takes that number.
std::int64_t steps_to_end(const scene::TimeSpec& time, double step, Mistakes& mistakes) {
  constexpr double max_steps = 9007199254740992.0;  // beyond, numbers of steps are no longer exact as instants
  const double exact = time.end / step, whole = std::round(exact);
  const double steps = std::abs(exact - whole) <= 1e-12 * exact ? whole : std::ceil(exact);
  if (!(steps < max_steps)) {
    mistakes.add("time.end", fmt::format("{:g} s would be {:g} steps of {:g} s, more than can be counted; the most are "
                                         "{:g}",
                                         time.end, steps, step, max_steps));
    return 1;
  }
  if (step > time.end * (1 + 1e-12)) {
    mistakes.add(time.step ? "time.step" : "time.end",
                 fmt::format("a step of {:g} s goes past the end of the run at {:g} s", step, time.end));
  }
  return static_cast<std::int64_t>(steps);
}

/// How long the steps of a run are, and how many.
struct Stride {
  double step;
  std::int64_t steps;
};

Stride stride_in_time(const scene::Scene& scene, const dynamics::System& system, const dynamics::StepLimit& limit,
                      const dynamics::Integrator& integrator, Mistakes& mistakes) {
  const double step = choose_step(scene.time, system, limit, integrator, mistakes) * integrator.stride();
  return {step, steps_to_end(scene.time, step, mistakes)};
}

/// From the first section of a beam to the one before its end, element by element.
Stride stride_along_beam(const scene::Scene& scene, const dynamics::System& system, const dynamics::StepLimit& limit,
                         Mistakes& mistakes) {
  const mechanics::LieBeamSheet& sheet = *system.bodies().front()->lie_beam_sheet();
  const mechanics::LieBeamHistory& history = sheet.history();
  if (history.spacing > limit.step && !scene.time.allow_unstable) {
    mistakes.add(
        "time.step",
        fmt::format("an element of {:g} m is longer than {:g} m, what {} travels in a time step of {:g} s: marching "
                    "along a beam turns the Courant condition round; use a step of {:g} s or more, or "
                    "time.allow_unstable: true",
                    history.spacing, limit.step, limit.reason, history.period,
                    history.period * history.spacing / limit.step));
  }
  return {history.spacing, static_cast<std::int64_t>(sheet.elements()) - 1};
}

/// Time between rows of the history where the scene does not say: a thousandth of the run, but no more often than the
/// ledger of a system of this size is read, so that output stays cheap beside the steps.
double default_output_interval(double end, double step, std::size_t dofs) {
  return std::max(end / 1000, static_cast<double>(observe::Ledger::default_interval(dofs)) * step);
}

/// A filter takes samples that are evenly spaced, in whole steps, and near enough.
void choose_output_interval(scene::OutputSpec& output, double end, double step, std::size_t dofs, Mistakes& mistakes) {
  const bool is_given = output.history_every.has_value();
  if (!is_given) output.history_every = default_output_interval(end, step, dofs);
  if (!output.filter) return;
  const double longest = 1 / (math::CfcFilter::min_samples * *output.filter);
  constexpr double rounding = 1e-9;
  if (is_given && *output.history_every > longest * (1 + rounding)) {
    mistakes.add("output.history_every",
                 fmt::format("rows {:g} s apart are too few for cfc-{}, which takes {:g} s at most",
                             *output.history_every, *output.filter, longest));
  } else if (step > longest * (1 + rounding)) {
    mistakes.add("output.filter", fmt::format("a step of {:g} s is longer than {:g} s, which cfc-{} takes at most",
                                              step, longest, *output.filter));
  }
  output.history_every =
      std::max(1.0, std::floor(std::min(*output.history_every, longest) / step * (1 + rounding))) * step;
}

/// Bytes of a frame of these bodies, about.
double frame_bytes(const dynamics::System& system) {
  const model::State state = system.initial_state();
  const std::vector<double> at_rest(state.q.size());
  std::size_t numbers = 0;
  for (const dynamics::BodyPtr& body : system.bodies()) {
    const mechanics::Picture picture = body->draw(state.q, at_rest);
    numbers += 4 * picture.points.size() + picture.connectivity.size() + 2 * picture.cells.size();
    for (const mechanics::Picture::Field& field : picture.fields) numbers += field.values.size();
  }
  return static_cast<double>(sizeof(double) * numbers);
}

/// Time between frames where the scene does not say: a hundredth of the run, more where they would fill 256 MB.
double default_frame_interval(double end, double step, const dynamics::System& system) {
  constexpr double max_frames = 100, max_bytes = 256e6;
  const double frames = std::clamp(max_bytes / frame_bytes(system), 1.0, max_frames);
  return std::max(end / frames, step);
}

bool has_surfaces(const dynamics::System& system) {
  return std::any_of(system.pairs().begin(), system.pairs().end(), [](const contact::ContactPair& pair) {
    return pair.first_surface->mesh() && pair.second_surface->mesh();
  });
}

/// Steps between audits of surfaces where the scene does not say: some two hundred in a run.
int default_audit_interval(std::int64_t steps) {
  constexpr std::int64_t audits = 200;
  return static_cast<int>(std::clamp<std::int64_t>(steps / audits, 1, std::numeric_limits<int>::max()));
}

}  // namespace

std::string_view Simulation::unit() const { return runs_in_space(scene) ? "m" : "s"; }

namespace {

/// Of parts of solids the whole, which is what a scene moves.
void name_wholes(const SolidParts& parts, Overlaps& overlaps) {
  for (Overlap& overlap : overlaps) {
    for (std::string* name : {&overlap.first, &overlap.second}) {
      if (const auto part = parts.find(*name); part != parts.end()) *name = part->second.whole;
    }
  }
}

/// Builds the scene as it is; nothing where bodies were moved apart in it first, so that it must be built again.
std::optional<Simulation> build_once(scene::Document& document, const exec::Resources& resources, const Own& own) {
  Mistakes mistakes(document);
  Overlaps overlaps;
  scene::Scene scene = document.scene;
  load_signal_files(document, scene, mistakes);
  if (!scene.integrator) scene.integrator = default_integrator(scene);
  check_sizes(scene, available_memory(), mistakes);
  mistakes.throw_if_any();  // before any of it takes memory
  scene::Document parts{scene, document.where, document.file};
  const SolidParts solid_parts = divide_bodies(parts, mistakes);
  std::vector<dynamics::BodyPtr> bodies = make_bodies(parts, {}, solid_parts, own, mistakes);
  std::vector<contact::ContactPair> pairs = make_pairs(parts, bodies, overlaps, mistakes);
  name_wholes(solid_parts, overlaps);
  if (part(overlaps, document.scene, mistakes)) return std::nullopt;
  std::unique_ptr<dynamics::Integrator> integrator = make_integrator(parts.scene);
  check_bodies(parts.scene, bodies, *integrator, mistakes);
  check_capabilities(parts.scene, *integrator, mistakes);
  if (scene.time.follow) integrator->follow(*scene.time.follow);
  check_surfaces(pairs, *integrator, mistakes);
  check_contact_keys(parts.scene, pairs, *integrator, mistakes);
  check_own_contacts(parts.scene, pairs, *integrator, mistakes);
  mistakes.throw_if_any();
  if (integrator->capabilities().massless_tips) {  // which ends touch, the pairs have said
    bodies = make_bodies(parts, ends_in_contact(pairs), solid_parts, own, mistakes);
    pairs = make_pairs(parts, bodies, overlaps, mistakes);
  }

  std::vector<std::string> notes = contactless_notes(parts, bodies, pairs);
  Driving driving = make_loads(parts.scene, bodies, solid_parts, own, mistakes);
  model::ConstraintSet ties = make_ties(parts.scene, bodies, mistakes);
  Jointed jointed = make_joints(parts.scene, bodies, own, mistakes);
  std::move(jointed.leads.begin(), jointed.leads.end(), std::back_inserter(bodies));
  std::move(jointed.limits.begin(), jointed.limits.end(), std::back_inserter(pairs));
  std::move(jointed.motions.begin(), jointed.motions.end(), std::back_inserter(driving.motions));
  dynamics::System system(std::move(bodies), std::move(pairs), exec::Executor(resources.threads),
                          std::move(driving.loads), std::move(ties), std::move(driving.motions),
                          std::move(driving.forces));
  system.join(std::move(jointed.joints), std::move(jointed.stops));
  make_implicit(parts.scene, *integrator, system, mistakes);
  check_domains(parts.scene, system, mistakes);
  overlaps.clear();
  find_rigid_overlaps(parts.scene, system, overlaps);
  if (part(overlaps, document.scene, mistakes)) return std::nullopt;
  mistakes.throw_if_any();
  if (integrator->capabilities().massless_tips) dynamics::require_layers(system, integrator->name());
  if (scene.initial == scene::Initial::at_rest) begin_at_rest(system, mistakes);
  const std::size_t dofs = system.dofs();
  if (integrator->follows() && (!system.joints().empty() || !system.driven().empty()))
    mistakes.add("time.follow", "does not go with joints and with supports that move; leave it out, or them");
  if (integrator->follows() && system.history() == 0)
    mistakes.add("time.follow",
                 "no body of this scene tells what step is stable while it deforms, solids of law hencky or j2 do and "
                 "shells of law j2; leave it out");
  place_on_device(resources.device, *integrator, system, notes);
  const dynamics::StepLimit limit = integrator->step_limit(system);
  const bool in_space = runs_in_space(scene);
  const Stride stride = in_space ? stride_along_beam(scene, system, limit, mistakes)
                                 : stride_in_time(scene, system, limit, *integrator, mistakes);
  check_approach(system, *integrator, stride.step / integrator->stride(), mistakes);
  std::vector<observe::Probe> probes = make_probes(parts.scene, system, mistakes);
  mistakes.throw_if_any();
  const auto& [step, steps] = stride;
  auto reference = exact_reference(parts, system, probes, static_cast<double>(steps) * step, mistakes);
  mistakes.throw_if_any();
  // Along a beam time.step is the time between instants, and stays.
  if (!in_space) scene.time.step = step / integrator->stride();
  scene.time.courant.reset();
  make_paths_absolute(document, scene);
  const double end = in_space ? static_cast<double>(steps) * step : scene.time.end;
  if (scene.output.body_energies && system.nodal_bodies().empty())
    mistakes.add("output.body_energies",
                 "no body of this scene tells its own; bars, frames, shells, solids, rigid bodies and beams among them "
                 "do");
  choose_output_interval(scene.output, end, step, dofs, mistakes);
  mistakes.throw_if_any();
  if (!scene.output.frames_every) scene.output.frames_every = default_frame_interval(end, step, system);
  if (!scene.output.audit_every && has_surfaces(system)) scene.output.audit_every = default_audit_interval(steps);
  return Simulation{std::move(system),    std::move(integrator), limit,           step, steps, std::move(probes),
                    std::move(reference), std::move(scene),      std::move(notes)};
}

}  // namespace

Simulation build(const scene::Document& document, const exec::Resources& resources, const Own& own) {
  constexpr int max_partings = 100;
  scene::Document moved = document;
  for (int round = 0; round < max_partings; ++round) {
    std::optional<Simulation> simulation = build_once(moved, resources, own);
    if (!simulation) continue;
    for (std::string& note : parting_notes(document.scene, moved.scene)) simulation->notes.push_back(std::move(note));
    return std::move(*simulation);
  }
  throw base::InputError(document.mistake("contacts",
                                          "bodies that overlap or touch at the start cannot be parted by "
                                          "moving each as a whole; move them apart"));
}

}  // namespace ictus::build
