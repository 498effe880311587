#pragma once

#include <ictus/mechanics/body/body.hpp>
#include <ictus/mechanics/solid/solid_blocks.hpp>
#include <optional>
#include <variant>

namespace ictus::mechanics {

/// How the flow stress of a metal grows, and how much of the plastic work becomes heat.
struct Plasticity {
  std::variant<LinearHardening, VoceHardening, TableHardening, JohnsonCook> hardening;
  std::optional<double> heat_share = std::nullopt;  ///< none: what ideal plasticity at the first flow stress would take
  double back_modulus = 0;  ///< of kinematic hardening (Pa), beside LinearHardening or VoceHardening
};

/// The hexahedra of a solid that yields: forces, energies and what they remember, a list of numbers for the whole body
/// that is given to each call [eq. plasticity-6].
class PlasticBlocks {
 public:
  PlasticBlocks(const SolidBlocks& blocks, const Lame& lame, double density, const Plasticity& plasticity);

  std::size_t history() const;
  /// The numbers of a body that has never flowed.
  void begin(double* history) const;

  /// p += h f(x), f = −∂/∂x of the potential of the step [eq. plasticity-2], at once: what flows by its rate does not.
  /// Answers whether every element has a stress.
  bool kick(const exec::Executor& exec, const double* x, const double* history, double h, double* p) const;
  /// The same with the history, which is `elapsed` old, taken to x.
  bool advance(const exec::Executor& exec, const double* x, double elapsed, double* history, double h, double* p) const;

  /// The potential at x + t v, v = w p, a time t after the history, and −f·v there.
  struct Held {
    double potential = 0, power = 0;
  };
  Held measure(const exec::Executor& exec, const double* x, const double* history, const double* inverse_mass,
               const double* p, double time) const;
  /// What plastic flow has taken so far.
  Dissipated dissipated(const exec::Executor& exec, const double* history) const;

  /// No frequency at x is above the root of this (1/s²) [eq. plasticity-12].
  double frequency_sq_bound(const exec::Executor& exec, const double* x, const double* history) const;

  /// Of the element in each slot of SolidBlocks; those that the law does not know are empty.
  struct Fields {
    std::vector<double> von_mises, pressure, energy_density, strain, rate, temperature;
  };
  Fields show(const double* x, const double* history) const;

 private:
  using Law = std::variant<IsotropicJ2<FlowByStrain<LinearHardening>>, IsotropicJ2<FlowByStrain<VoceHardening>>,
                           IsotropicJ2<FlowByStrain<TableHardening>>, IsotropicJ2<JohnsonCook>,
                           KinematicJ2<FlowByStrain<LinearHardening>>, KinematicJ2<FlowByStrain<VoceHardening>>>;

  static Law law_of(double mu, const Plasticity& plasticity);
  template <bool remembers, class History>
  bool push(const exec::Executor& exec, const double* x, double elapsed, History* history, double h, double* p) const;

  const SolidBlocks& blocks_;
  Law law_;
  double bulk_;
  std::vector<double> least_mass_;  ///< of the nodes of the element in each slot, with lanes that repeat (kg)
  std::optional<double> heat_share_;
};

}  // namespace ictus::mechanics
