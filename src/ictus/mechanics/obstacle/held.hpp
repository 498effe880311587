#pragma once

#include <ictus/mechanics/body/body.hpp>
#include <limits>

namespace ictus::mechanics {

/// A body without mass, all of whose dofs are held: where they are a motion says, as of supports that move. It keeps no
/// momentum and no energy.
class Held : public NodalBody {
 public:
  Held(std::string name, Range dofs) : NodalBody(std::move(name)), dofs_(dofs), mass_(dofs.size, 1.0) {
    for (std::size_t k = dofs.begin; k < dofs.end(); ++k) fixed_.push_back(static_cast<int>(k));
  }

  Range dofs() const override { return dofs_; }
  Momentum momentum(std::span<const double>, std::span<const double>) const override { return {}; }
  double momentum_scale(std::span<const double>) const override { return 0; }
  std::span<const double> mass() const override { return mass_; }
  std::span<const int> fixed() const override { return fixed_; }
  Momentum gravity_impulse(std::span<const double>, double) const override { return {}; }
  void kick(const exec::Executor&, std::span<const double>, double, std::span<double>) const override {}
  PotentialEnergy potential_energy(const exec::Executor&, std::span<const double>) const override { return {}; }
  PotentialEnergy interval_energy(const exec::Executor&, std::span<const double>, std::span<const double>,
                                  double) const override {
    return {};
  }
  PotentialEnergy trapezoid_energy(const exec::Executor&, std::span<const double>, std::span<const double>,
                                   double) const override {
    return {};
  }
  double chord_energy(const exec::Executor&, std::span<const double>, std::span<const double>, double) const override {
    return 0;
  }
  void stiffness(std::span<const double>, std::vector<StiffnessEntry>&) const override {}
  CriticalStep critical_step() const override { return {std::numeric_limits<double>::infinity(), 0}; }
  bool linear() const override { return true; }

 private:
  Range dofs_;
  std::vector<double> mass_;
  std::vector<int> fixed_;
};

}  // namespace ictus::mechanics
