#pragma once

#include <ictus/mechanics/material/material.hpp>
#include <ictus/mechanics/solid/material_blocks.hpp>
#include <memory>

namespace ictus::mechanics {

/// The elements of a solid of a material of one's own: of each
///   Π = Σ_q V_q (w(F_q, z_q) + what flow took) + V U(v/V),   v = Σ_q V_q det F_q   [eq. solids-10].
class OwnBlocks final : public MaterialBlocks {
 public:
  OwnBlocks(const SolidBlocks& blocks, std::shared_ptr<const Material> material)
      : blocks_(blocks), material_(std::move(material)), memory_(material_->memory()) {}

  std::size_t history() const override { return memory_ * first_point(blocks_.count()); }
  void begin(double* history) const override;
  bool kick(const exec::Executor& exec, const double* x, const double* history, double h, double* p) const override;
  bool advance(const exec::Executor& exec, const double* x, double elapsed, double* history, double h,
               double* p) const override;
  Held measure(const exec::Executor& exec, const double* x, const double* history, const double* inverse_mass,
               const double* p, double time) const override;
  std::vector<model::Loss> losses() const override {
    if (memory_ == 0) return {};
    return {model::Loss::heat, model::Loss::hardening};
  }
  Dissipated dissipated(const exec::Executor& exec, const double* history) const override;
  Fields show(const double* x, const double* history) const override;
  bool stiffness(const ElementShape& shape, const math::Vector3<double>* x, ElementStiffness& k) const override;

 private:
  class Element;

  /// The number of the first point of the element in a slot: tetrahedra have one, hexahedra eight.
  std::size_t first_point(std::size_t slot) const {
    const std::size_t before = std::min(slot, blocks_.tetrahedra());
    return before + 8 * (slot - before);
  }
  template <bool remembers, class History>
  bool push(const exec::Executor& exec, const double* x, History* history, double h, double* p) const;

  const SolidBlocks& blocks_;
  std::shared_ptr<const Material> material_;
  std::size_t memory_;
};

}  // namespace ictus::mechanics
