#pragma once

#include <array>
#include <ictus/mechanics/body/sensor.hpp>
#include <ictus/model/rigid_frame.hpp>
#include <utility>
#include <vector>

namespace ictus::mechanics {

/// A point that moves with a body: displacement from the start (m) and velocity (m/s), in space.
class MaterialPoint final : public Sensor {
 public:
  /// One component of its position: Σ weight · q[dof], up to a constant.
  using Weights = std::vector<std::pair<std::size_t, double>>;

  /// Of nodes; `q` is the configuration at the start.
  MaterialPoint(std::array<Weights, 3> weights, std::span<const double> q);
  /// Of a rigid body or a section of a beam whose dofs begin at `first`; `point` is where it is at the start.
  MaterialPoint(std::size_t first, const math::Vec3& point, std::span<const double> q);

  std::span<const std::string_view> quantities() const override;
  void read(const Motion& motion, std::span<double> values) const override;

 private:
  math::Vec3 sum(std::span<const double> values) const;

  std::array<Weights, 3> weights_;  // empty: in a frame
  std::size_t first_ = 0;           // dof of the frame
  math::Vec3 lever_ = math::Vec3::Zero();
  math::Vec3 start_;
};

}  // namespace ictus::mechanics
