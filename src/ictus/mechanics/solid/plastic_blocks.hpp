#pragma once

#include <ictus/mechanics/body/body.hpp>
#include <ictus/mechanics/solid/solid_blocks.hpp>
#include <optional>
#include <variant>

namespace ictus::mechanics {

/// How the flow stress of a metal grows, and how much of the plastic work becomes heat.
struct Plasticity {
  std::variant<LinearHardening, VoceHardening, TableHardening> hardening;
  std::optional<double> heat_share = std::nullopt;  ///< none: what ideal plasticity at the first flow stress would take
};

/// The hexahedra of a solid that yields: forces, energies and what they remember, a list of numbers for the whole body
/// that is given to each call [eq. plasticity-6].
class PlasticBlocks {
 public:
  PlasticBlocks(const SolidBlocks& blocks, const Lame& lame, const Plasticity& plasticity)
      : blocks_(blocks), lame_(lame), plasticity_(plasticity) {}

  std::size_t history() const;
  /// The numbers of a body that has never flowed.
  void begin(double* history) const;

  /// p += h f(x), f = −∂/∂x of the potential of the step [eq. plasticity-2]. Answers whether every element has a
  /// stress.
  bool kick(const exec::Executor& exec, const double* x, const double* history, double h, double* p) const;
  /// The same, with the history taken to x.
  bool advance(const exec::Executor& exec, const double* x, double* history, double h, double* p) const;

  /// The potential at x + t v, v = w p, and −f·v there.
  struct Held {
    double potential = 0, power = 0;
  };
  Held measure(const exec::Executor& exec, const double* x, const double* history, const double* inverse_mass,
               const double* p, double time) const;
  /// What plastic flow has taken so far.
  Dissipated dissipated(const exec::Executor& exec, const double* history) const;

  /// Of the element in each slot of SolidBlocks.
  struct Fields {
    std::vector<double> von_mises, pressure, strain, energy_density;
  };
  Fields show(const double* x, const double* history) const;

 private:
  template <bool remembers, class History>
  bool push(const exec::Executor& exec, const double* x, History* history, double h, double* p) const;

  const SolidBlocks& blocks_;
  Lame lame_;
  Plasticity plasticity_;
};

}  // namespace ictus::mechanics
