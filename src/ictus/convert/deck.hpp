#pragma once

#include <array>
#include <ictus/convert/mechanism.hpp>
#include <map>
#include <set>

// What decks of finite elements describe, in SI units, before a scene is made of it.

namespace ictus::convert {

struct DeckMaterial {
  int line = 0;
  std::optional<double> density, youngs_modulus, poissons_ratio;
  std::vector<std::array<double, 2>> curve{};  ///< plastic strain, flow stress (Pa); one point: ideal plasticity
  double slope = 0;                            ///< of the flow stress behind a single point (Pa)
  struct JohnsonCook {
    double yield = 0, modulus = 0, exponent = 1, rate_factor = 0, reference_rate = 1, softening = 0, melting = 0;
    double start = 293.15, heat_capacity = 0;
  };
  std::optional<JohnsonCook> johnson_cook{};
};

enum class DeckKind { solid, shell };

/// Elements of one section and material: a body.
struct DeckBody {
  std::string name;
  std::string material;
  int line = 0;
  DeckKind kind = DeckKind::solid;
  double thickness = 0;  ///< m, of a shell
  bool rigid = false;
  bool fixed = false;                           ///< of a rigid body
  std::optional<double> mass{};                 ///< kg, of a rigid body
  std::vector<std::vector<std::size_t>> cells;  ///< nodes: 3 or 4 of a shell, 4 or 8 of a solid
};

/// Directions in which nodes are held, and whether the shell's tangent plane is held too.
struct DeckSupport {
  std::vector<std::size_t> nodes;
  std::array<bool, 3> directions{};
  std::optional<int> mirror{};  ///< a plane of symmetry normal to this axis
  bool clamped = false;
  int line = 0;
};

struct DeckVelocity {
  std::vector<std::size_t> nodes;
  Vec3 velocity = Vec3::Zero();
  int line = 0;
};

struct Deck {
  std::string title;
  std::vector<Vec3> nodes;
  std::map<std::string, DeckMaterial> materials;
  std::vector<DeckBody> bodies;
  std::vector<DeckSupport> supports;
  std::vector<DeckVelocity> velocities;
  std::vector<PlaneObstacle> planes;
  Vec3 gravity = Vec3::Zero();
  std::optional<double> end;  ///< s
  bool touch = false;         ///< all bodies touch each other and themselves
  double friction = 0;
};

/// Units of a deck in SI: metres, kilograms and seconds of its lengths, masses and times.
struct DeckUnits {
  double length = 1, mass = 1, time = 1;

  double speed() const { return length / time; }
  double stress() const { return mass / (length * time * time); }
  double density() const { return mass / (length * length * length); }
};
/// By name: m-kg-s, mm-t-s, mm-kg-ms, mm-g-ms, cm-g-us, in-lbf-s; nothing of another.
std::optional<DeckUnits> deck_units(const std::string& name);
std::string deck_unit_names();

/// A scene and the mesh files that it names.
struct DeckScene {
  std::string scene;
  std::vector<std::pair<std::string, std::string>> files;  ///< name, text
};

/// `stem` begins the names of the mesh files.
DeckScene deck_scene(const Deck& deck, const std::string& file, const std::string& stem, std::vector<Note>& notes);

}  // namespace ictus::convert
