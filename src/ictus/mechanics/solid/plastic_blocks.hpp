#pragma once

#include <ictus/mechanics/material/failure.hpp>
#include <ictus/mechanics/material/maxwell_arm.hpp>
#include <ictus/mechanics/solid/material_blocks.hpp>
#include <ictus/mechanics/solid/plastic_kernel.hpp>
#include <optional>
#include <variant>

namespace ictus::mechanics {

/// How the flow stress of a metal grows, and how much of the plastic work becomes heat.
struct Plasticity {
  std::variant<LinearHardening, VoceHardening, TableHardening, JohnsonCook> hardening;
  std::optional<double> heat_share = std::nullopt;  ///< none: what ideal plasticity at the first flow stress would take
  double back_modulus = 0;  ///< of kinematic hardening (Pa), beside LinearHardening or VoceHardening
  std::optional<Failure> failure = std::nullopt;
};

/// The elements of a solid that yields, or of what relaxes in it: hexahedra keep their own volume, tetrahedra that
/// around their nodes [eq. plasticity-6]. Those that fail are removed: what they stored is lost, their mass stays at
/// the nodes.
class PlasticBlocks final : public MaterialBlocks {
 public:
  PlasticBlocks(const SolidBlocks& blocks, const Lame& lame, double density, const Plasticity& plasticity);
  /// Stress of shape alone, which fades.
  PlasticBlocks(const SolidBlocks& blocks, double density, const MaxwellArm& arm);

  std::size_t history() const override;
  void begin(double* history) const override;
  bool kick(const exec::Executor& exec, const double* x, const double* history, double h, double* p) const override;
  bool advance(const exec::Executor& exec, const double* x, double elapsed, double* history, double h,
               double* p) const override;
  Held measure(const exec::Executor& exec, const double* x, const double* history, const double* inverse_mass,
               const double* p, double time) const override;
  std::vector<model::Loss> losses() const override;
  Dissipated dissipated(const exec::Executor& exec, const double* history) const override;
  std::optional<double> frequency_sq_bound(const exec::Executor& exec, const double* x,
                                           const double* history) const override;
  Fields show(const double* x, const double* history) const override;

 private:
  using Law =
      std::variant<IsotropicJ2<FlowByStrain<LinearHardening>>, IsotropicJ2<FlowByStrain<VoceHardening>>,
                   IsotropicJ2<FlowByStrain<TableHardening>>, IsotropicJ2<JohnsonCook>,
                   KinematicJ2<FlowByStrain<LinearHardening>>, KinematicJ2<FlowByStrain<VoceHardening>>, MaxwellArm>;

  PlasticBlocks(const SolidBlocks& blocks, const Law& law, double bulk, double density);
  /// What keeps the volumes of elements.
  struct Volumes {
    plastic_kernel::OwnVolume own;
    plastic_kernel::NodalVolume nodal;

    template <class Kind>
    const auto& of() const {
      if constexpr (std::is_same_v<Kind, Hexahedra>) {
        return own;
      } else {
        return nodal;
      }
    }
  };
  static Law law_of(double mu, const Plasticity& plasticity);
  template <bool remembers, class History>
  bool push(const exec::Executor& exec, const double* x, double elapsed, History* history, double h, double* p) const;
  /// Calls f(kind, block, its number among its kind, where its history begins) for all blocks of all kinds.
  template <class One, class F>
  void for_each_block(F&& f) const;
  template <class Kind, class One>
  std::size_t first_history() const;
  /// Numbers of a block: those of its points, and where elements may fail their damage and which elements there are.
  template <class Kind, class One>
  std::size_t block_size() const;
  template <class Kind, class One>
  plastic_kernel::Presence presence(const typename Kind::Block& block, const double* history) const;
  /// Damage grows by the flow since `before`, and elements that have reached one are marked. Answers whether some did.
  template <class Kind, class One>
  bool damage(const typename Kind::Block& block, const One& law, const double* x, const Volumes& volumes,
              double elapsed, const math::Pack* before, double* history) const;
  /// Takes marked elements away, and books what they held. The forces of this instant are with them for one half of the
  /// step, which has come, and without them for the other.
  void remove_marked(const exec::Executor& exec, const double* x, double* history, double h, double* p) const;
  /// Σ of f(kind, block number, history at).
  template <class One, class F>
  double sum_blocks(const exec::Executor& exec, F&& f) const;
  /// Finds what tetrahedra share at their nodes, if there are any: pressures, or all.
  Volumes find_volumes(const exec::Executor& exec, const plastic_kernel::Place& place, const double* history,
                       bool all) const;

  const SolidBlocks& blocks_;
  Law law_;
  double bulk_;
  std::vector<double> least_mass_;  ///< of the nodes of the element in each slot (kg)
  std::vector<double> node_mass_;   ///< kg
  std::optional<double> heat_share_;
  std::optional<Failure> failure_;
};

}  // namespace ictus::mechanics
