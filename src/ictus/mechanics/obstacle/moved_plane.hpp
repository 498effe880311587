#pragma once

#include <ictus/mechanics/obstacle/held.hpp>
#include <ictus/model/rigid_frame.hpp>
#include <memory>

namespace ictus::mechanics {

/// A rigid half-space that follows a motion: a wall that comes, a floor that tilts. Its dofs are those of a rigid body
/// at the plane's point, with the axes of space at the start, see model::RigidFrame.
class MovedPlane final : public Held {
 public:
  MovedPlane(std::string name, const model::Plane& plane, std::size_t first_dof);
  ~MovedPlane() override;

  const model::Surface& surface() const override { return *surface_; }
  bool turns() const override { return true; }
  void initialise(std::span<double> q, std::span<double> p) const override;
  /// Displacement of the plane's point and its velocity, wherever along the body.
  std::span<const std::string_view> probe_quantities() const override;
  void probe(double fraction, const Motion& motion, std::span<double> values) const override;
  Picture draw(std::span<const double> q, std::span<const double> v) const override;
  std::string dof_name(std::size_t) const override { return "the plane"; }
  Momentum support_impulse(int dof, double p, std::span<const double> q) const override;

 private:
  model::Plane plane_;
  std::unique_ptr<const model::Surface> surface_;
};

}  // namespace ictus::mechanics
