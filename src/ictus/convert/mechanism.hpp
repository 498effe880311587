#pragma once

#include <Eigen/Geometry>
#include <array>
#include <ictus/math/vector.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// What files of robots describe, in space at the start.

namespace ictus::convert {

using math::Vec3;

struct Pose {
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  Vec3 place = Vec3::Zero();

  Vec3 operator*(const Vec3& x) const { return place + turn * x; }
  Pose operator*(const Pose& other) const { return {(turn * other.turn).normalized(), *this * other.place}; }
  Pose inverse() const { return {turn.conjugate(), -(turn.conjugate() * place)}; }
};

enum class ShapeType { sphere, box, capsule, cylinder, mesh };

struct Shape {
  ShapeType type = ShapeType::sphere;
  Vec3 size = Vec3::Zero();       ///< edges of a box (m)
  double radius = 0, length = 0;  ///< m; of a capsule between the centres of its caps
  std::string file;               ///< of a mesh
  double scale = 1;               ///< of it
  Pose pose{};                    ///< in the axes of the link
  std::optional<double> mass;     ///< kg
  double density = 1000;          ///< kg/m³, where there is no mass
  int line = 0;
};

struct Inertia {
  double mass = 0;  ///< kg
  Vec3 centre = Vec3::Zero();
  Eigen::Matrix3d tensor = Eigen::Matrix3d::Zero();  ///< about the centre, along the axes of the link (kg m²)

  /// Seen from axes in which those of the link have this pose.
  Inertia seen_from(const Pose& pose) const;
};
/// Of both together.
Inertia operator+(const Inertia& a, const Inertia& b);
/// Of a shape in the axes of the link; nothing of meshes, whose volume is not known here.
std::optional<Inertia> inertia_of(const Shape& shape);

struct Link {
  std::string name;
  int line = 0;
  Pose pose{};
  std::optional<Inertia> inertia{};  ///< none: that of the shapes
  std::vector<Shape> shapes{};
  bool held = false;
  bool touches = true;
  double friction = 0;
};

enum class ConnectionType { fixed, spherical, revolute, prismatic, cylindrical, universal };

struct Connection {
  std::string name;
  int line = 0;
  ConnectionType type = ConnectionType::fixed;
  int first = -1, second = -1;  ///< links; −1: the world
  Vec3 place = Vec3::Zero(), axis = Vec3::UnitZ(), second_axis = Vec3::UnitX();
  std::optional<std::array<double, 2>> limits{};  ///< of the coordinate, which is 0 at the start
  double stiffness = 0, rest = 0, damping = 0, friction = 0;
  std::vector<std::string> remarks{};
};

struct PlaneObstacle {
  std::string name;
  Vec3 point, normal;
  double friction = 0;
};

/// What was read and has no place in a scene.
struct Note {
  int line;
  std::string text;
};

struct Mechanism {
  std::string title;
  Vec3 gravity{0, 0, -9.81};
  std::optional<double> step;  ///< s
  std::vector<Link> links;
  std::vector<Connection> connections;
  std::vector<PlaneObstacle> planes;
  bool touch = false;                      ///< links touch each other, but neighbours and those below
  std::vector<std::pair<int, int>> apart;  ///< links that do not
  std::vector<Note> notes;
};

}  // namespace ictus::convert
