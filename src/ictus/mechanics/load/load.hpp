#pragma once

#include <ictus/mechanics/body/body.hpp>
#include <ictus/mechanics/load/signal.hpp>
#include <memory>
#include <span>
#include <vector>

namespace ictus::mechanics {

class Solid;

/// Forces that depend on time alone: signal(t) times a fixed pattern.
struct Load {
  std::shared_ptr<const Signal> signal;
  std::size_t first;          ///< dof of the System that the pattern begins with
  std::vector<double> force;  ///< force on each dof from there on per unit of the signal; 0 where a support holds it
  Momentum total;             ///< force and moment about the origin of the whole pattern
};

/// Supports that move: held dofs follow signal(t) times a weight from where they begin.
struct SupportMotion {
  struct Entry {
    int dof;  ///< of the System, held by its body
    double weight;
  };
  std::shared_ptr<const Signal> signal;  ///< m
  std::vector<Entry> entries;
};

/// −m a(t) on every mass of a body: what it feels of a base that accelerates along `direction` by a(t). With factor 1
/// instead of −1 a body force m a(t).
Load inertial_load(const NodalBody& body, std::shared_ptr<const Signal> signal, const math::Vec3& direction,
                   double factor);

/// A force along `direction` on one point of a body's surface.
Load point_load(const NodalBody& body, std::size_t point, std::shared_ptr<const Signal> signal,
                const math::Vec3& direction);

/// A force along `direction`, shared evenly by nodes of a solid.
Load shared_load(const Solid& body, std::span<const int> nodes, std::shared_ptr<const Signal> signal,
                 const math::Vec3& direction);

/// A pressure on the outer faces of a solid whose nodes are all among these; it keeps its direction.
Load pressure_load(const Solid& body, std::span<const int> nodes, std::shared_ptr<const Signal> signal);

}  // namespace ictus::mechanics
