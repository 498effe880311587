#pragma once

#include <ictus/mechanics/body/body.hpp>
#include <ictus/mechanics/solid/solid_blocks.hpp>
#include <optional>
#include <vector>

namespace ictus::mechanics {

/// Up to 24 dofs of one element, row by row.
using ElementStiffness = std::array<std::array<double, 24>, 24>;

/// The elements of a solid whose material has more to say than an elastic law of the library, and may remember: forces,
/// energies, and what they remember, a list of numbers for the whole body that is given to each call.
class MaterialBlocks {
 public:
  virtual ~MaterialBlocks() = default;

  /// How many numbers.
  virtual std::size_t history() const = 0;
  /// Those of a body that has never flowed.
  virtual void begin(double* history) const = 0;

  /// p += h f(x), f = −∂/∂x of the potential of the step [eq. plasticity-2], at once: what flows by its rate does not.
  /// Answers whether every element has a stress.
  virtual bool kick(const exec::Executor& exec, const double* x, const double* history, double h, double* p) const = 0;
  /// The same with the history, which is `elapsed` old, taken to x.
  virtual bool advance(const exec::Executor& exec, const double* x, double elapsed, double* history, double h,
                       double* p) const = 0;

  /// The potential at x + t v, v = w p, a time t after the history, and −f·v there.
  struct Held {
    double potential = 0, power = 0;
  };
  virtual Held measure(const exec::Executor& exec, const double* x, const double* history, const double* inverse_mass,
                       const double* p, double time) const = 0;
  /// What flow, or fading, has taken so far, and by what names.
  virtual std::vector<model::Loss> losses() const { return {}; }
  virtual Dissipated dissipated(const exec::Executor& exec, const double* history) const = 0;

  /// Whether forces are linear in x.
  virtual bool linear() const { return false; }

  /// No frequency at x is above the root of this (1/s²) [eq. plasticity-12]; none where nobody knows a bound.
  virtual std::optional<double> frequency_sq_bound(const exec::Executor& /*exec*/, const double* /*x*/,
                                                   const double* /*history*/) const {
    return std::nullopt;
  }

  /// Of the element in each slot of SolidBlocks; those that the law does not know are empty.
  struct Fields {
    std::vector<math::Symmetric3<double>> deviator;  ///< of the mean Cauchy stress
    std::vector<double> pressure, energy_density, strain, rate, temperature, damage;
  };
  virtual Fields show(const double* x, const double* history) const = 0;
  /// ∂²Π/∂x² of an element with its nodes at x, of materials that remember nothing; answers whether it is one.
  virtual bool stiffness(const ElementShape& /*shape*/, const math::Vector3<double>* /*x*/,
                         ElementStiffness& /*k*/) const {
    return false;
  }
};

}  // namespace ictus::mechanics
