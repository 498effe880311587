#pragma once

#include <cmath>
#include <ictus/mechanics/body/body.hpp>

namespace ictus::mechanics {

/// Rayleigh's damping, forces −(α M + β K) v.
struct Rayleigh {
  double mass = 0;       ///< α (1/s)
  double stiffness = 0;  ///< β (s)

  bool any() const { return mass > 0 || stiffness > 0; }
};

/// A body of lumped masses whose motion may be damped by a part of its masses and of its stiffness.
class DampedBody : public NodalBody {
 public:
  DampedBody(std::string name, const Rayleigh& damping) : NodalBody(std::move(name)), damping_(damping) {}

  const Rayleigh& damping() const { return damping_; }
  /// p −= h K v for the body's own unknowns, K the stiffness at q as far as it resists strain rates: never gives
  /// energy, and nothing resists a rigid motion.
  virtual void brake(const exec::Executor& exec, std::span<const double> q, std::span<const double> v, double h,
                     std::span<double> p) const = 0;

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
