#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace ictus::model {

/// Where energy can be kept.
enum class Store : std::size_t { kinetic, strain, potential, bank, layer };
/// By what energy can leave or enter. A mechanism names its cause; there is no entry for what nobody can explain, which
/// is the residual of the ledger.
enum class Loss : std::size_t {
  impact,
  restitution,
  friction,
  damping,
  projection,
  interface,
  sub_step,    ///< intervals of unequal length
  quadrature,  ///< what the trapezoid rule sees of the potential and the motion does not; given back later
  fallback,
  control,     ///< what a scheme that steers its energy gives (negative) or takes
  solver,      ///< of impulses that do not obey their law to the last: what they take besides what the law means
  parting,     ///< of bodies that overlap and are pushed apart (negative: given)
  gyroscopic,  ///< explicit gyroscopic terms of a mass matrix that changes with the configuration
  rolling,     ///< rolling and spinning friction
  joint,       ///< of joints that turn: second order in the step, given back later
  joint_damping,
  motor,      ///< of motors in joints (negative: given): work from outside
  heat,       ///< of plastic flow
  hardening,  ///< plastic work that the material keeps: it is not recovered
  viscous,    ///< of stress that fades
  failure     ///< what elements held that were removed
};

inline constexpr std::array<std::string_view, 5> store_names{"kinetic", "strain", "potential", "bank", "layer"};
inline constexpr std::array<std::string_view, 21> loss_names{
    "impact",     "restitution",   "friction", "damping", "projection", "interface",  "sub-step",
    "quadrature", "fallback",      "control",  "solver",  "parting",    "gyroscopic", "rolling",
    "joint",      "joint-damping", "motor",    "heat",    "hardening",  "viscous",    "failure"};

/// Energies (J) indexed by an enumeration, all zero at first.
template <class Index, std::size_t n>
class EnergyTable {
 public:
  static constexpr std::size_t size = n;

  double& operator[](Index index) { return values_[static_cast<std::size_t>(index)]; }
  double operator[](Index index) const { return values_[static_cast<std::size_t>(index)]; }

  double total() const {
    double sum = 0;
    for (const double value : values_) sum += value;
    return sum;
  }
  EnergyTable& operator+=(const EnergyTable& other) {
    for (std::size_t i = 0; i < n; ++i) values_[i] += other.values_[i];
    return *this;
  }
  bool operator==(const EnergyTable&) const = default;

 private:
  std::array<double, n> values_{};
};

using Stored = EnergyTable<Store, store_names.size()>;
using Lost = EnergyTable<Loss, loss_names.size()>;

}  // namespace ictus::model
