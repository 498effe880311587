#pragma once

#include <cstddef>
#include <ictus/math/so3.hpp>
#include <ictus/mechanics/load/load.hpp>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// Where held dofs that follow motions are at a time. Nodes move along their dofs; rigid bodies, sections and planes
/// turn about axes that stand in space, in the order of their motions, and then go their ways, with the axes
/// [eq. newmark-15].
class Motions {
 public:
  Motions() = default;
  /// `q` is the configuration while all signals are zero.
  Motions(std::vector<mechanics::SupportMotion> motions, std::span<const double> q);

  /// The dofs that follow, each once: coordinates of nodes, and of what turns its place and the turning about its own
  /// axes.
  std::span<const int> driven() const { return driven_; }

  /// Puts them where they are at a time. `way`, where given, takes by how far each went from where it was: of turning
  /// the vector of the rotation, along the body's own axes.
  void place(double time, std::span<double> q, std::span<double> way = {}) const;
  /// Writes their velocities into `v`, by dof: the mean between two times.
  void velocity(double from, double to, std::span<double> v) const;

 private:
  /// A rigid body, section or plane that is moved.
  struct Frame {
    std::size_t first, slot;  ///< its first dof, and that one's number among those that are driven
    math::Vector3<double> x;
    math::Rotation<double> turn;  ///< at the start
  };
  struct Pose {
    math::Vector3<double> x;
    math::Rotation<double> turn;
  };
  Pose pose(const Frame& frame, double time) const;

  std::vector<mechanics::SupportMotion> motions_;
  std::vector<int> driven_;
  std::vector<double> from_;  // of those that are coordinates
  std::vector<Frame> frames_;
};

}  // namespace ictus::dynamics
