#pragma once

#include <ictus/mechanics/solid/material_blocks.hpp>
#include <optional>
#include <variant>

namespace ictus::mechanics {

/// How the flow stress of a metal grows, and how much of the plastic work becomes heat.
struct Plasticity {
  std::variant<LinearHardening, VoceHardening, TableHardening> hardening;
  std::optional<double> heat_share = std::nullopt;  ///< none: what ideal plasticity at the first flow stress would take
};

/// The hexahedra of a solid that yields [eq. plasticity-6].
class PlasticBlocks final : public MaterialBlocks {
 public:
  PlasticBlocks(const SolidBlocks& blocks, const Lame& lame, const Plasticity& plasticity)
      : blocks_(blocks), lame_(lame), plasticity_(plasticity) {}

  std::size_t history() const override;
  void begin(double* history) const override;
  bool kick(const exec::Executor& exec, const double* x, const double* history, double h, double* p) const override;
  bool advance(const exec::Executor& exec, const double* x, double* history, double h, double* p) const override;
  Held measure(const exec::Executor& exec, const double* x, const double* history, const double* inverse_mass,
               const double* p, double time) const override;
  Dissipated dissipated(const exec::Executor& exec, const double* history) const override;
  Fields show(const double* x, const double* history) const override;

 private:
  template <bool remembers, class History>
  bool push(const exec::Executor& exec, const double* x, History* history, double h, double* p) const;

  const SolidBlocks& blocks_;
  Lame lame_;
  Plasticity plasticity_;
};

}  // namespace ictus::mechanics
