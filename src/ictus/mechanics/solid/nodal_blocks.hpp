#pragma once

#include <ictus/mechanics/solid/material_blocks.hpp>

namespace ictus::mechanics {

/// The elements of an elastic solid whose tetrahedra keep the volume around their nodes [eq. solids-11]:
///   Π = Σ_e V_e μ w(F_e) + Σ_a ½ λ V_a θ̄_a²,   V_a = ¼ Σ V_e,   θ̄_a = ¼ Σ V_e θ(F_e)/V_a,
/// hexahedra as always.
template <class Law>
class NodalBlocks final : public MaterialBlocks {
 public:
  NodalBlocks(const SolidBlocks& blocks, const Lame& lame) : blocks_(blocks), lame_(lame) {}

  std::size_t history() const override { return 0; }
  void begin(double*) const override {}
  bool kick(const exec::Executor& exec, const double* x, const double* history, double h, double* p) const override;
  bool advance(const exec::Executor& exec, const double* x, double elapsed, double* history, double h,
               double* p) const override;
  Held measure(const exec::Executor& exec, const double* x, const double* history, const double* inverse_mass,
               const double* p, double time) const override;
  Dissipated dissipated(const exec::Executor&, const double*) const override { return {}; }
  Fields show(const double* x, const double* history) const override;
  bool linear() const override { return Law::linear; }

 private:
  const SolidBlocks& blocks_;
  Lame lame_;
};

}  // namespace ictus::mechanics
