#pragma once

#include <ictus/mechanics/body/body.hpp>
#include <memory>
#include <span>

namespace ictus::mechanics {

/// A force of one's own: any function of time, configuration and velocity. Asked once per step, hence virtual.
class Force {
 public:
  virtual ~Force() = default;

  /// The motion of the dofs on which it acts.
  struct Motion {
    double time;                ///< s
    std::span<const double> q;  ///< configuration at that time
    std::span<const double> v;  ///< M⁻¹p with which the step arrives there
  };
  /// Adds its force on each of these dofs: N where they are positions, N m about the axes of a body that turns. What it
  /// adds to dofs that a support holds is left out.
  virtual void add(const Motion& motion, std::span<double> force) const = 0;
};

/// A force and the dofs of the System on which it acts.
struct ForceOn {
  std::shared_ptr<const Force> force;
  Range dofs;
};

}  // namespace ictus::mechanics
