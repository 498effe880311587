#include <ictus/scene/describe/describe.hpp>

#include <ictus/scene/schema/schema_export.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>

namespace ictus::scene {

namespace {

Object<TimeSpec> time_spec() {
  Object<TimeSpec> object("time", "How long the run lasts and how large its steps are.");
  object
      .required("end", &TimeSpec::end, quantity(dimension::time).positive(),
                "Time at which the run ends; it starts at 0.")
      .field("step", &TimeSpec::step, quantity(dimension::time).positive(),
             "Time step. Absent, and courant too: half of the largest stable one.")
      .field("courant", &TimeSpec::courant, number().above(0).at_most(10),
             "Time step as a fraction of the largest stable one; above 1 it needs allow_unstable.")
      .field(
          "follow", &TimeSpec::follow, number().above(0).at_most(1),
          "Lets steps follow the deformation of bodies that yield: each takes this share of a step that is stable at "
          "the present shape, and at most the step above. Absent: all steps are alike.")
      .field("allow_unstable", &TimeSpec::allow_unstable, boolean(),
             "Accept a step above the largest stable one, to see an integrator fail.")
      .either("step", "courant");
  return object;
}

Object<ContactSpec> contact() {
  Object<ContactSpec> object("contact", "Two bodies that may touch.");
  object
      .required(
          "between", &ContactSpec::between, pair(text("the name of a body")),
          "The two bodies. Each pair appears once. The word `all` stands for every body that can meet the other "
          "one, except in pairs with a contact of their own: rigid bodies, shells, solids, beams, frames and point "
          "masses meet each other, planes and the ends of bars, bars what they point at. With "
          "multisymplectic-beam, and among rigid bodies or point masses alone, bodies meet their own kind and "
          "planes.")
      .field("restitution", &ContactSpec::restitution, number().at_least(0).at_most(1),
             "Coefficient of restitution. Absent: what the integrator's own theory gives; an integrator that cannot "
             "honour "
             "a value refuses it.")
      .field("friction", &ContactSpec::friction, number().at_least(0), "Coefficient of Coulomb friction.")
      .field(
          "friction_across", &ContactSpec::friction_across, number().at_least(0),
          "Coefficient of Coulomb friction across friction_direction: the limits form an ellipse. Absent: the same as "
          "friction in all directions.")
      .field("friction_direction", &ContactSpec::friction_direction, direction(),
             "Direction along which friction holds and across which friction_across does; its part along the normal "
             "does not matter. On a plane it is fixed in space; between two rigid bodies it is told in the axes in "
             "which the first of them is described, and moves with it.")
      .together({"friction_across", "friction_direction"})
      .field("tangential_restitution", &ContactSpec::tangential_restitution, number().at_least(0).at_most(1),
             "Coefficient of restitution of the sliding velocity, within the bounds of friction.")
      .field("rolling_friction", &ContactSpec::rolling_friction, quantity(dimension::length).at_least(0),
             "A moment against rolling of up to this length times the normal impulse: of a wheel on its rail, how far "
             "the load moves ahead of the middle. For rigid bodies.")
      .field("spinning_friction", &ContactSpec::spinning_friction, quantity(dimension::length).at_least(0),
             "A moment against spinning about the normal of up to this length times the normal impulse: of a round "
             "spot of contact of radius a two thirds of friction times a. For rigid bodies.")
      .field("self_contact", &ContactSpec::self_contact, boolean(),
             "Whether surfaces of these bodies also touch themselves. Then `between` may name one body twice.")
      .field(
          "gap", &ContactSpec::gap, quantity(dimension::length).positive(),
          "Distance that triangulated surfaces keep from each other; no larger than that at the start. Absent: a "
          "twentieth of the mean edge of the finer mesh, or the distance at the start where that is smaller. Surfaces "
          "that touch at the start begin a quarter of the usual gap apart.")
      .field("continuous", &ContactSpec::continuous, boolean(),
             "Follow triangulated surfaces through every step, so that nothing passes through anything on the way. "
             "Otherwise this is done in steps in which they may approach by more than a fifth of the gap.")
      .field("nodes", &ContactSpec::nodes, list(pair(text("the name of a node"))),
             "For frames: pairs of named nodes that face each other, the first body's before the second's.")
      .field("direction", &ContactSpec::direction, direction(),
             "Along which nodes meet, from the first body to the second; needed where nodes are given.")
      .field("distance", &ContactSpec::distance, quantity(dimension::length), "Between two nodes when they touch.")
      .field("closed_below", &ContactSpec::closed_below, quantity(dimension::length).at_least(0),
             "Gaps up to this count as closed, so that rounding does not open a contact that bodies rest on.")
      .field(
          "overlap", &ContactSpec::overlap,
          one_of<OverlapAtStart>({{OverlapAtStart::refuse, "refuse", "the scene is refused, with what to move how far"},
                                  {OverlapAtStart::part, "part",
                                   "one of the bodies is moved until they touch: the one that is farther from what "
                                   "is held, the later one if both are as far"}}),
          "What becomes of bodies that overlap at the start.");
  return object;
}

Object<ProbeSpec> probe() {
  Object<ProbeSpec> object("probe", "A point of a body whose motion is recorded in history.csv and summary.json.");
  object.required("body", &ProbeSpec::body, text("the name of a body"), "The body.")
      .field("at", &ProbeSpec::at, number().at_least(0).at_most(1).word("start", 0).word("middle", 0.5).word("end", 1),
             "Where on a bar, as a fraction of its length.")
      .field("node", &ProbeSpec::node, text("the name of a node"), "Which named node of a frame.")
      .field("position", &ProbeSpec::position, vector(quantity(dimension::length)),
             "A point at the start. It moves with a rigid body or with the nearest section of a beam; of a solid it is "
             "the nearest node, of a shell the nearest vertex on its surface, of a frame the nearest section, with the "
             "forces and moments there.")
      .field("member", &ProbeSpec::member, pair(text("the name of a node")),
             "Ends of a member of a frame, on which the position is looked for. Absent: on all.")
      .exactly_one_of({{"at"}, {"node"}, {"position"}});
  return object;
}

Object<OutputSpec> output() {
  Object<OutputSpec> object("output", "What is written, and how often.");
  object
      .field("history_every", &OutputSpec::history_every, quantity(dimension::time).positive(),
             "Time between rows of history.csv. Absent: a thousandth of the end time, and at least 100 steps in "
             "systems of "
             "more than 1000 unknowns.")
      .field("frames_every", &OutputSpec::frames_every, quantity(dimension::time).at_least(0).word("none", 0),
             "Time between frames, from which the report, `ictus render` and ParaView draw the motion. Absent: a "
             "hundredth of the end time, more where the frames would fill 256 MB. `none`: no frames and no picture.")
      .field("checkpoint_every", &OutputSpec::checkpoint_every, quantity(dimension::time).at_least(0).word("none", 0),
             "Wall time between checkpoints, from which a run can be resumed.")
      .field("ledger_every", &OutputSpec::ledger_every, integer(1),
             "Steps between evaluations of the energy and momentum ledger. Absent: every step up to 1000 "
             "unknowns, else every hundred steps or more.")
      .field("audit_every", &OutputSpec::audit_every, integer(1),
             "Steps between audits that count triangles of surfaces in contact which pass through each other. Absent: "
             "a two-hundredth of the steps.")
      .field("contacts", &OutputSpec::contacts,
             one_of<ContactRows>({{ContactRows::merged, "merged",
                                   "every impulse; after every ten thousand rows those of one place share a row over "
                                   "twice the time, and nothing is left out of the sums"},
                                  {ContactRows::impulses, "impulses", "every impulse in a row of its own"},
                                  {ContactRows::impacts, "impacts", "the first impulse after a contact carried none"},
                                  {ContactRows::none, "none", "nothing"}}),
             "What contacts.csv lists.")
      .field("body_energies", &OutputSpec::body_energies, boolean(),
             "Add the kinetic, strain and potential energy of each body to history.csv; of bars, frames, shells, "
             "solids, beams among other bodies, and rigid bodies.")
      .field("filter", &OutputSpec::filter,
             one_of<int>({{60, "cfc-60", "flat to 60 Hz, half the power at 100 Hz"},
                          {180, "cfc-180", "flat to 180 Hz, half the power at 300 Hz"},
                          {600, "cfc-600", "flat to 600 Hz, half the power at 1000 Hz"},
                          {1000, "cfc-1000", "flat to 1000 Hz, half the power at 1667 Hz"}}),
             "Channel frequency class of SAE J211 by which forces, moments and accelerations of history.csv are "
             "filtered into filtered.csv at the end of the run; `history_every` is then a whole number of steps and at "
             "most a "
             "tenth of 1/class seconds. Absent: no such file.")
      .field("report", &OutputSpec::report, boolean(), "Write report.html at the end.");
  return object;
}

Object<LimitsSpec> limits() {
  Object<LimitsSpec> object("limits", "When a run stops early.");
  object
      .field(
          "energy_error", &LimitsSpec::energy_error, number().positive(),
          "Largest energy that the scheme may make or lose of itself, as energy.error of the summary tells it. A run "
          "that passes it ends with its last good state, as does one whose energy grows by more than this share of "
          "itself though nothing gave it, whatever the name it is booked under, and one whose kinetic and potential "
          "energy at one instant are twice what there can be (1 + 10 times this limit where it is above 0.1).")
      .field("energy_residual", &LimitsSpec::energy_residual, number().positive(),
             "Largest energy that the ledger may leave unexplained, energy.residual_max of the summary. Absent: no "
             "limit.")
      .field("wall_time", &LimitsSpec::wall_time, quantity(dimension::time).positive(),
             "Wall time after which the run stops. Absent: no limit.");
  return object;
}

void check_body(const Scene& scene, const std::string& name, const std::string& path, Reading& reading) {
  if (name.empty() || name == any_body || scene.bodies.empty() || scene.bodies.contains(name)) return;
  const std::vector<std::string> names = scene.bodies.names();
  std::string near = suggestion(name, names);
  if (near.empty()) near = fmt::format(", the bodies are {}", fmt::join(names, ", "));
  reading.mistake(path, fmt::format("no body is named '{}'{}", name, near));
}

/// Rigid bodies may be many under one name, which touch each other.
bool may_touch_itself(const Scene& scene, const std::string& name) {
  const Body* body = scene.bodies.find(name);
  return body != nullptr && std::holds_alternative<RigidSpec>(*body);
}

/// Joints have names of their own, and hold bodies of the scene.
void check_joint_names(const Scene& scene, Reading& reading) {
  std::map<std::string, std::size_t> names;
  for (std::size_t i = 0; i < scene.joints.size(); ++i) {
    const JointSpec& joint = common(scene.joints[i]);
    const auto [first, is_new] = names.emplace(joint.name, i);
    if (!is_new && !joint.name.empty())
      reading.mistake(fmt::format("joints.{}.name", i),
                      fmt::format("'{}' is already the name of joints.{}", joint.name, first->second));
    for (std::size_t side = 0; side < 2; ++side) {
      const std::string path = fmt::format("joints.{}.between.{}", i, side);
      if (joint.between[side] == any_body) {
        reading.mistake(path, "must be a body or world: a joint is between two that are named, not 'all'");
      } else if (joint.between[side] != world) {
        check_body(scene, joint.between[side], path, reading);
      }
    }
  }
}

/// Names in contacts and probes are bodies of the scene; a body touches itself only if asked to, or if it is many under
/// one name; a pair appears once.
void check_names(const Scene& scene, const std::string&, Reading& reading) {
  std::map<std::array<std::string, 2>, std::size_t> pairs;
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    std::array<std::string, 2> names = scene.contacts[i].between;
    const std::string path = fmt::format("contacts.{}.between", i);
    check_body(scene, names[0], path + ".0", reading);
    check_body(scene, names[1], path + ".1", reading);
    if (names[0].empty() || names[1].empty()) continue;
    if (names[0] == names[1] && names[0] != any_body && !scene.contacts[i].self_contact &&
        !may_touch_itself(scene, names[0]))
      reading.mistake(path, fmt::format("must be two different bodies, not '{}' twice", names[0]));
    std::sort(names.begin(), names.end());
    const auto [first, is_new] = pairs.emplace(names, i);
    if (!is_new)
      reading.mistake(path,
                      fmt::format("the pair {}, {} is already in contacts.{}", names[0], names[1], first->second));
  }
  for (std::size_t i = 0; i < scene.ties.size(); ++i) {
    const auto& names = scene.ties[i].between;
    const std::string path = fmt::format("ties.{}.between", i);
    for (std::size_t side = 0; side < 2; ++side) {
      check_body(scene, names[side], fmt::format("{}.{}", path, side), reading);
      if (names[side] == any_body)
        reading.mistake(fmt::format("{}.{}", path, side),
                        "must be a body: a tie is between two that are named, not 'all'");
    }
    if (!names[0].empty() && names[0] == names[1] && names[0] != any_body)
      reading.mistake(path, fmt::format("must be two different bodies, not '{}' twice", names[0]));
  }
  check_joint_names(scene, reading);
  for (const auto& [name, spec] : scene.probes) {
    const std::string path = fmt::format("probes.{}.body", name);
    check_body(scene, spec.body, path, reading);
    if (spec.body == any_body) reading.mistake(path, "a probe is of one body, not of all");
  }
  check_materials(scene, reading);
}

void check_refinements(const Scene& scene, const std::string&, Reading& reading) {
  for (std::size_t i = 0; i < scene.refinements.size(); ++i) {
    for (std::size_t k = 0; k < scene.refinements[i].size(); ++k) {
      const std::string& change = scene.refinements[i][k];
      if (!change.empty() && change.find('=') == std::string::npos)
        reading.mistake(fmt::format("refinements.{}.{}", i, k), "must be key=value, such as time.step=1e-6");
    }
  }
}

Object<Scene> describe() {
  Object<Scene> object("scene", "Bodies, how they may touch, how long to simulate them, and what to expect.");
  object
      .field("version", &Scene::version, integer(scene_version, scene_version),
             "The words in which the scene is written; `ictus upgrade` rewrites files of version 1.")
      .field("title", &Scene::title, text(), "What the scene is, in a line.")
      .field("source", &Scene::source, text(), "Where the scene or its numbers come from.")
      .field("about", &Scene::about, text(), "What to see in the results.")
      .required("time", &Scene::time, time_spec(), "How long the run lasts and how large its steps are.")
      .field("integrator", &Scene::integrator, describe_integrators(),
             "How the motion is integrated. Absent: chosen by the bodies of the scene.")
      .field("gravity", &Scene::gravity, vector(quantity(dimension::acceleration)), "Acceleration of free fall.")
      .field(
          "materials", &Scene::materials, named(Typed<MaterialSpec>(describe_material())),
          "Materials that bodies name, each with a name of your choice. Those of `ictus materials` need not be listed.")
      .required("bodies", &Scene::bodies, named(describe_bodies(), 1), "The bodies, each with a name of your choice.")
      .field("contacts", &Scene::contacts, list(Typed<ContactSpec>(contact())), "The pairs of bodies that may touch.")
      .field("joints", &Scene::joints, list(describe_joints()),
             "What holds bodies together and lets them turn or slide against each other.")
      .field("ties", &Scene::ties, list(Typed<TieSpec>(describe_tie())), "Bodies whose nodes move together.")
      .field("loads", &Scene::loads, list(describe_loads()), "Forces and motions that depend on time.")
      .field(
          "initial", &Scene::initial,
          one_of<Initial>(
              {{Initial::given, "given", "as the bodies say"},
               {Initial::at_rest, "at-rest",
                "bars, frames, shells and solids at rest under gravity and the loads of time 0, in static equilibrium, "
                "with the contacts that "
                "touch closed; surfaces may touch each other and planes there, with friction; no body may have a "
                "velocity"}}),
          "How the run begins.")
      .field("probes", &Scene::probes, named(Typed<ProbeSpec>(probe())),
             "Points to record, each with a name of your choice.")
      .field("output", &Scene::output, output(), "What is written, and how often.")
      .field("limits", &Scene::limits, limits(), "When a run stops early.")
      .field("reference", &Scene::reference,
             one_of<Reference>({{Reference::none, "none", "nothing"},
                                {Reference::exact, "exact", "the exact solution, where one is known"}}),
             "What the results are compared with.")
      .field("expect", &Scene::expect, expectations(describe_condition()),
             "What the summary of the run must satisfy, by dotted path, such as energy.error.")
      .field("published", &Scene::published, list(Typed<PublishedSpec>(describe_published())),
             "Numbers that others published for this problem, with which `ictus run` and `ictus validate` compare the "
             "results.")
      .field("refinements", &Scene::refinements, list(list(text("a change such as time.step=1e-6"))),
             "The same problem on other meshes and steps, the coarsest first: for each the changes as --set takes "
             "them. `ictus validate` runs them beside the scene as it is, which shows how its numbers converge.")
      .check(check_names)
      .check(check_refinements);
  return object;
}

/// The variant behind a key of the scene.
const VariantKind& variant_of(const Kind& kind) { return dynamic_cast<const VariantKind&>(kind); }
const VariantKind& body_kind() {
  return variant_of(dynamic_cast<const NamedKind&>(*scene_schema().find("bodies")->kind).item());
}
const VariantKind& integrator_kind() { return variant_of(*scene_schema().find("integrator")->kind); }

std::vector<TypeDescription> descriptions(const VariantKind& kind) {
  std::vector<TypeDescription> result;
  for (const auto& alternative : kind.alternatives()) {
    const bool needs_keys = std::any_of(alternative->fields().begin(), alternative->fields().end(),
                                        [](const Field& field) { return field.required; });
    result.push_back({alternative->name(), alternative->doc(), needs_keys});
  }
  return result;
}

}  // namespace

Typed<Condition> describe_condition() {
  Object<Condition> object("condition", "What a value of the summary must satisfy.");
  object.field("min", &Condition::min, number(), "The value is at least this.")
      .field("max", &Condition::max, number(), "The value is at most this.")
      .field("near", &Condition::near, number(), "The value is this, give or take `within`.")
      .field("within", &Condition::within, number().at_least(0), "Largest distance from `near`.")
      .field("equals", &Condition::equals, any_scalar(), "The value is exactly this.")
      .exactly_one_of({{"min", "max"}, {"near", "within"}, {"equals"}})
      .together({"near", "within"})
      .check([](const Condition& condition, const std::string& path, Reading& reading) {
        if (condition.min && condition.max && *condition.min > *condition.max)
          reading.mistake(path, "no value can satisfy it, min is above max");
      });
  return object;
}

const ObjectKind& scene_schema() {
  static const std::shared_ptr<const ObjectKind> schema = describe().kind();
  return *schema;
}

std::string_view type_name(const Body& body) {
  static const std::vector<std::string> rigid = [] {
    std::vector<std::string> names;
    for (const std::string& shape : variant_of(*describe_rigid().kind()->find("shape")->kind).type_names())
      names.push_back("rigid " + shape);
    return names;
  }();
  if (const auto* spec = std::get_if<RigidSpec>(&body)) return rigid[spec->shape.index()];
  return body_kind().alternatives()[body.index()]->name();
}
double until_of(const Body& body) {
  return std::visit(
      []<class Spec>(const Spec& spec) {
        if constexpr (requires { spec.until; }) return spec.until.value_or(std::numeric_limits<double>::infinity());
        return std::numeric_limits<double>::infinity();
      },
      body);
}
std::string_view type_name(const Integrator& integrator) {
  return integrator_kind().alternatives()[integrator.index()]->name();
}

std::vector<TypeDescription> integrator_types() { return descriptions(integrator_kind()); }
std::vector<TypeDescription> body_types() { return descriptions(body_kind()); }

}  // namespace ictus::scene
