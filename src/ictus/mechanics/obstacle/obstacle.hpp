#pragma once

#include <ictus/mechanics/body/body.hpp>

namespace ictus::mechanics {

/// A rigid half-space that does not move: floor, wall. No dofs.
class Obstacle final : public Body {
 public:
  Obstacle(std::string name, const model::Plane& plane);
  ~Obstacle() override;

  Range dofs() const override { return {}; }
  const model::Surface& surface() const override { return *surface_; }
  void initialise(std::span<double>, std::span<double>) const override {}
  Momentum momentum(std::span<const double>, std::span<const double>) const override { return {}; }
  double momentum_scale(std::span<const double>) const override { return 0; }
  std::span<const std::string_view> probe_quantities() const override { return {}; }
  void probe(double, const Motion&, std::span<double>) const override {}
  /// A square around the plane's point, 1 m wide.
  Picture draw(std::span<const double> q, std::span<const double> v) const override;

 private:
  model::Plane plane_;
  std::unique_ptr<const model::Surface> surface_;
};

}  // namespace ictus::mechanics
