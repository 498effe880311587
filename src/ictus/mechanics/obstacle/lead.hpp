#pragma once

#include <ictus/mechanics/body/body.hpp>
#include <limits>

namespace ictus::mechanics {

/// A coordinate that follows a motion and is nothing in space: what a motor leads a joint by. Its one dof is held, as
/// those of supports that move are. It has no momentum and takes none, because what a motor gives to one body it takes
/// from another.
class Lead final : public NodalBody {
 public:
  Lead(std::string name, std::size_t dof) : NodalBody(std::move(name)), dof_(dof), fixed_(static_cast<int>(dof)) {}

  Range dofs() const override { return {dof_, 1}; }
  const model::Surface& surface() const override { return nothing_; }
  void initialise(std::span<double> q, std::span<double> p) const override { q[dof_] = p[dof_] = 0; }
  Momentum momentum(std::span<const double>, std::span<const double>) const override { return {}; }
  double momentum_scale(std::span<const double>) const override { return 0; }
  std::span<const std::string_view> probe_quantities() const override { return {}; }
  void probe(double, const Motion&, std::span<double>) const override {}
  Picture draw(std::span<const double>, std::span<const double>) const override { return {}; }

  std::span<const double> mass() const override { return {&mass_, 1}; }
  std::span<const int> fixed() const override { return {&fixed_, 1}; }
  std::string dof_name(std::size_t) const override { return "the motor"; }
  Momentum support_impulse(int, double, std::span<const double>) const override { return {}; }
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
  /// A surface without points.
  class Nothing final : public model::Surface {
   public:
    std::size_t point_count() const override { return 0; }
    math::Vec3 position(std::size_t, std::span<const double>) const override { return math::Vec3::Zero(); }
    math::Vec3 outward_normal(std::size_t, std::span<const double>) const override { return math::Vec3::UnitX(); }
    void pull_back(std::size_t, std::span<const double>, const math::Vec3&, double,
                   std::vector<model::RowEntry>&) const override {}
    double layer_compliance(std::size_t) const override { return 0; }
    std::optional<model::Plane> plane() const override { return std::nullopt; }
  };

  std::size_t dof_;
  int fixed_;
  double mass_ = 1;
  Nothing nothing_;
};

}  // namespace ictus::mechanics
