#pragma once

/// The scene as plain data, in SI units. A member's initialiser is the one place where its default is written; the
/// keys, units, ranges and documentation of the same members are in the describe functions (schema of the module).

#include <ictus/scene/spec/coupled_spec.hpp>
#include <ictus/scene/spec/expectation.hpp>
#include <ictus/scene/spec/frame_spec.hpp>
#include <ictus/scene/spec/generalised_spec.hpp>
#include <ictus/scene/spec/joint_spec.hpp>
#include <ictus/scene/spec/lie_beam_spec.hpp>
#include <ictus/scene/spec/loads_spec.hpp>
#include <ictus/scene/spec/newmark_spec.hpp>
#include <ictus/scene/spec/ordered_map.hpp>
#include <ictus/scene/spec/published.hpp>
#include <ictus/scene/spec/rayleigh_spec.hpp>
#include <ictus/scene/spec/rigid_spec.hpp>
#include <ictus/scene/spec/shell_spec.hpp>
#include <ictus/scene/spec/solid_spec.hpp>
#include <ictus/scene/spec/values.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ictus::scene {

struct TimeSpec {
  double end = 0;                   ///< s, > 0
  std::optional<double> step{};     ///< s, > 0; with courant also absent: half of the critical step
  std::optional<double> courant{};  ///< step over the critical step, in (0, 10]
  std::optional<double> follow{};   ///< share of the step that is stable at the present shape, in (0, 1]
  bool allow_unstable = false;      ///< accept a step above the critical one
  bool operator==(const TimeSpec&) const = default;
};

// Integrators ---------------------------------------------------------------------------------------------------

struct CentralDifferenceSpec {
  bool operator==(const CentralDifferenceSpec&) const = default;
};

struct CdLagrangeSpec {
  bool operator==(const CdLagrangeSpec&) const = default;
};

struct MultisymplecticSpec {
  bool operator==(const MultisymplecticSpec&) const = default;
};

struct MultisymplecticProlongedSpec {
  bool operator==(const MultisymplecticProlongedSpec&) const = default;
};

struct MoreauJeanSpec {
  double theta = 1;  ///< in [0.5, 1]
  bool operator==(const MoreauJeanSpec&) const = default;
};

struct DcrSpec {
  bool energy_correction = false;
  bool operator==(const DcrSpec&) const = default;
};

struct ReflectionSpec {
  bool operator==(const ReflectionSpec&) const = default;
};

struct DiscreteGradientSpec {
  double stiffness = 64;  ///< of the layers of surfaces, > 0
  bool operator==(const DiscreteGradientSpec&) const = default;
};

struct CaptureReturnSpec {
  bool control = true;
  bool operator==(const CaptureReturnSpec&) const = default;
};

using Integrator =
    std::variant<CentralDifferenceSpec, CdLagrangeSpec, MultisymplecticSpec, MultisymplecticProlongedSpec,
                 MoreauJeanSpec, DcrSpec, ReflectionSpec, DiscreteGradientSpec, CaptureReturnSpec,
                 MultisymplecticBeamSpec, NewmarkSpec, MoreauVariationalSpec, MoreauSpec, CoupledSpec>;

/// The name by which `type:` chooses this integrator.
std::string_view type_name(const Integrator& integrator);

// Bodies --------------------------------------------------------------------------------------------------------

enum class BarMaterial { linear, st_venant_kirchhoff };

struct BarSpec {
  double length = 0;          ///< m, > 0
  int cells = 0;              ///< elements, ≥ 1
  double density = 0;         ///< kg/m³, > 0
  double youngs_modulus = 0;  ///< Pa, > 0
  double area = 1;            ///< m², > 0
  Vec3 position{0, 0, 0};     ///< m, of the start
  Vec3 direction{1, 0, 0};    ///< from start to end; any length but zero
  Vec3 velocity{0, 0, 0};     ///< m/s
  std::vector<EndSupportSpec> supports{};
  BarMaterial material = BarMaterial::linear;
  RayleighSpec damping{};
  bool implicit = false;
  bool operator==(const BarSpec&) const = default;
};

struct PlaneSpec {
  Vec3 position{0, 0, 0};         ///< m, of any point of the plane
  Vec3 normal{0, 0, 1};           ///< towards the free side; any length but zero
  std::optional<double> until{};  ///< s, > 0: when it vanishes
  bool operator==(const PlaneSpec&) const = default;
};

/// A body of nodes that a program brings, by the body's name.
struct OwnBodySpec {
  bool operator==(const OwnBodySpec&) const = default;
};

using Body = std::variant<BarSpec, PlaneSpec, LieBeamSpec, SpringPendulumSpec, PointMassSpec, SliderSpec,
                          WoodpeckerSpec, RigidSpec, SolidSpec, ShellSpec, FrameSpec, OwnSystemSpec, OwnBodySpec>;

template <class... Spec>
bool is_any_of(const Body& body) {
  return (std::holds_alternative<Spec>(body) || ...);
}

/// The name by which `type:` chooses this body.
std::string_view type_name(const Body& body);

/// When it vanishes (s); infinity: it stays.
double until_of(const Body& body);

// Contacts, probes, output --------------------------------------------------------------------------------------

/// The word in `between` that stands for every body.
inline constexpr std::string_view any_body = "all";

enum class OverlapAtStart { refuse, part };

struct ContactSpec {
  std::array<std::string, 2> between;  ///< two different bodies of the scene, or `all`; a pair appears once
  std::optional<double> restitution;   ///< in [0, 1]
  double friction = 0;                 ///< ≥ 0
  std::optional<double> friction_across = std::nullopt;   ///< ≥ 0; across friction_direction; none: the same
  std::optional<Vec3> friction_direction = std::nullopt;  ///< that friction is for; with friction_across
  double tangential_restitution = 0;                      ///< in [0, 1]
  double rolling_friction = 0;                            ///< m, ≥ 0
  double spinning_friction = 0;                           ///< m, ≥ 0
  bool self_contact = false;                 ///< these bodies also touch themselves; then `between` may name one twice
  std::optional<double> gap = std::nullopt;  ///< m, > 0; that triangulated surfaces keep
  bool continuous = false;                   ///< triangulated surfaces are followed through every step
  std::vector<std::array<std::string, 2>> nodes = {};  ///< named nodes of frames that face each other
  std::optional<Vec3> direction = std::nullopt;        ///< from the first to the second body, where nodes meet
  double distance = 0;                                 ///< m, between two nodes when they touch
  double closed_below = 0;                             ///< m, ≥ 0
  OverlapAtStart overlap = OverlapAtStart::refuse;     ///< what becomes of bodies that overlap at the start
  bool operator==(const ContactSpec&) const = default;
};

struct ProbeSpec {
  std::string body;                 ///< a body of the scene
  std::optional<double> at;         ///< fraction of the length, in [0, 1]: 0 start, 0.5 middle, 1 end
  std::optional<std::string> node;  ///< a named node of a frame
  std::optional<Vec3> position{};   ///< m, at the start; exactly one of at, node and position is given
  std::optional<std::array<std::string, 2>> member{};  ///< of a frame, by its nodes; with position
  bool operator==(const ProbeSpec&) const = default;
};

enum class ContactRows { merged, impulses, impacts, none };

struct OutputSpec {
  std::optional<double> history_every;  ///< s between rows of the history, > 0
  std::optional<double> frames_every;   ///< s between frames; 0 writes none
  double checkpoint_every = 30;         ///< s of wall time between checkpoints; 0 writes none
  std::optional<int> ledger_every;      ///< steps between evaluations of the ledger, ≥ 1
  std::optional<int> audit_every;       ///< steps between audits of intersecting triangles, ≥ 1; absent: none
  ContactRows contacts = ContactRows::merged;
  bool report = true;
  bool body_energies = false;
  std::optional<int> filter{};  ///< channel frequency class of filtered.csv: 60, 180, 600 or 1000
  bool operator==(const OutputSpec&) const = default;
};

struct LimitsSpec {
  double energy_error = 0.1;              ///< fraction of the energy in motion, > 0
  std::optional<double> energy_residual;  ///< likewise
  std::optional<double> wall_time;        ///< s, > 0
  bool operator==(const LimitsSpec&) const = default;
};

enum class Reference { none, exact };
enum class Initial { given, at_rest };

/// The words of scenes, which change from one version to the next.
inline constexpr int scene_version = 2;

// The scene -----------------------------------------------------------------------------------------------------

struct Scene {
  int version = scene_version;
  std::string title;
  std::string source;
  std::string about;
  TimeSpec time;
  std::optional<Integrator> integrator;  ///< absent: build chooses by the bodies
  Vec3 gravity{0, 0, 0};                 ///< m/s²
  OrderedMap<MaterialSpec> materials;
  OrderedMap<Body> bodies;
  std::vector<ContactSpec> contacts;
  std::vector<AnyJoint> joints;
  std::vector<TieSpec> ties;
  std::vector<Load> loads;
  Initial initial = Initial::given;
  OrderedMap<ProbeSpec> probes;
  OutputSpec output;
  LimitsSpec limits;
  Reference reference = Reference::none;
  std::vector<Expectation> expect;
  std::vector<PublishedSpec> published;
  std::vector<std::vector<std::string>> refinements;  ///< changes "key=value" that give other meshes and steps
  bool operator==(const Scene&) const = default;
};

/// The material that a body names or brings; none where it names a law.
const MaterialSpec* find_material(const Scene& scene, const MaterialUse& use);

}  // namespace ictus::scene
