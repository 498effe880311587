#pragma once

#include <array>
#include <ictus/mechanics/body/body.hpp>
#include <ictus/mechanics/load/signal.hpp>
#include <ictus/model/rigid_frame.hpp>
#include <memory>
#include <span>
#include <vector>

namespace ictus::mechanics {

class BeamFrame;
class Shell;
class Solid;

/// A force and a moment on a rigid body or a section of a beam, at a point of it.
struct FrameForce {
  std::size_t first;  ///< dof of the System, see model::RigidFrame
  math::Vec3 lever;   ///< of the point, along the axes of the body (m)
  math::Vec3 force;   ///< per unit of the signal, in space, or along the axes of a body with which it turns
  math::Vec3 moment;  ///< likewise
  bool turns_along = false;

  /// The force in space and the moment about the centre of mass along the axes of the body, as its dofs have them.
  std::array<math::Vec3, 2> at(const model::RigidFrame& frame) const {
    if (turns_along) return {frame.axes * force, moment + lever.cross(force)};
    return {force, frame.axes.transpose() * moment + lever.cross(frame.axes.transpose() * force)};
  }
};

/// Forces of signal(t) times a pattern, which is fixed, and times what acts on rigid bodies and sections.
struct Load {
  std::shared_ptr<const Signal> signal;
  std::size_t first;          ///< dof of the System that the pattern begins with
  std::vector<double> force;  ///< force on each dof from there on per unit of the signal; 0 where a support holds it
  Momentum total = {};        ///< force and moment about the origin of the whole pattern at the start
  bool on_nodes = false;      ///< the pattern acts on positions of nodes, three dofs each
  std::vector<FrameForce> on_frames = {};

  /// Force and moment about the origin at q, per unit of the signal.
  Momentum momentum(std::span<const double> q) const;
};

/// How a rigid body, a section of a beam or a plane that is held follows a signal: it goes a way for each unit of it,
/// or turns by it (rad).
struct FrameMotion {
  std::size_t first;                       ///< dof of the System, see model::RigidFrame
  math::Vec3 way = math::Vec3::Zero();     ///< in space
  math::Vec3 axis = math::Vec3::Zero();    ///< unit vector about which it turns; zero: it does not
  math::Vec3 centre = math::Vec3::Zero();  ///< any point of the axis (m)
};

/// Supports that move: held dofs follow signal(t) times a weight from where they begin.
struct SupportMotion {
  struct Entry {
    int dof;  ///< of the System, held by its body
    double weight;
  };
  std::shared_ptr<const Signal> signal;  ///< m, or rad
  std::vector<Entry> entries;
  std::vector<FrameMotion> frames = {};
};

/// −m a(t) on every mass of a body: what it feels of a base that accelerates along `direction` by a(t). With factor 1
/// instead of −1 a body force m a(t).
Load inertial_load(const NodalBody& body, std::shared_ptr<const Signal> signal, const math::Vec3& direction,
                   double factor);

/// A force and a moment on one rigid body of a group, or on one section of a beam; `point` is where the force acts at
/// the start.
Load frame_load(const NodalBody& body, std::size_t number, std::shared_ptr<const Signal> signal,
                const math::Vec3& point, const math::Vec3& force, const math::Vec3& moment, bool turns_along);

/// A force along `direction` on one point of a body's surface.
Load point_load(const NodalBody& body, std::size_t point, std::shared_ptr<const Signal> signal,
                const math::Vec3& direction);

/// A moment about `direction` on a node of a frame.
Load node_moment(const BeamFrame& body, std::size_t node, std::shared_ptr<const Signal> signal,
                 const math::Vec3& direction);

/// A force along `direction` on the limit surface of a shell, at the vertex that is nearest to a point at the start.
Load shell_load(const Shell& body, const math::Vec3& point, std::shared_ptr<const Signal> signal,
                const math::Vec3& direction);

/// A force along `direction`, shared evenly by nodes of a solid.
Load shared_load(const Solid& body, std::span<const int> nodes, std::shared_ptr<const Signal> signal,
                 const math::Vec3& direction);

/// A pressure on the outer faces of a solid whose nodes are all among these; it keeps its direction.
Load pressure_load(const Solid& body, std::span<const int> nodes, std::shared_ptr<const Signal> signal);

/// A force per area along `direction` on the same faces.
Load traction_load(const Solid& body, std::span<const int> nodes, std::shared_ptr<const Signal> signal,
                   const math::Vec3& direction);

}  // namespace ictus::mechanics
