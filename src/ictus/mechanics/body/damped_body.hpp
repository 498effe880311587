#pragma once

#include <cmath>
#include <ictus/mechanics/body/body.hpp>

namespace ictus::mechanics {

/// A body of lumped masses whose motion may be damped by a part of its masses and of its stiffness.
class DampedBody : public NodalBody {
 public:
  DampedBody(std::string name, const Rayleigh& damping) : NodalBody(std::move(name)), damping_(damping) {}

  Rayleigh damping() const override { return damping_; }

 protected:
  /// The step at which a leapfrog that takes βKv from the velocity half a step ago is at its limit, 2/ω without it:
  /// √(β² + 4/ω²) − β [eq. newmark-9]. The part of the masses does not change it.
  CriticalStep damped(const CriticalStep& free) const {
    const double beta = damping_.stiffness;
    return {free.step * free.step / (std::hypot(beta, free.step) + beta), free.element};
  }

 private:
  Rayleigh damping_;
};

}  // namespace ictus::mechanics
