#pragma once

#include <ictus/mechanics/obstacle/held.hpp>

namespace ictus::mechanics {

/// A coordinate that follows a motion and is nothing in space: what a motor leads a joint by. It takes no momentum,
/// because what a motor gives to one body it takes from another.
class Lead final : public Held {
 public:
  Lead(std::string name, std::size_t dof) : Held(std::move(name), {dof, 1}) {}

  const model::Surface& surface() const override { return nothing_; }
  void initialise(std::span<double> q, std::span<double> p) const override { q[dofs().begin] = p[dofs().begin] = 0; }
  std::span<const std::string_view> probe_quantities() const override { return {}; }
  void probe(double, const Motion&, std::span<double>) const override {}
  Picture draw(std::span<const double>, std::span<const double>) const override { return {}; }
  std::string dof_name(std::size_t) const override { return "the motor"; }
  Momentum support_impulse(int, double, std::span<const double>) const override { return {}; }

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

  Nothing nothing_;
};

}  // namespace ictus::mechanics
