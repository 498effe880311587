#pragma once

#include <ictus/dynamics/joint/joint.hpp>
#include <ictus/model/surface.hpp>

namespace ictus::dynamics {

/// Stops of a joint as contact sees them: points on a line, of which one is the joint's coordinate and the others are
/// its least and its largest value. Then a stop is a contact of points like any other, with restitution and a place in
/// the same problem [eq. joints-9].
class JointStop final : public model::Surface {
 public:
  enum Point : std::size_t { coordinate, lower, upper };

  /// Of a revolute or prismatic joint between frames, or a frame and the world.
  JointStop(Joint joint, double least, double largest) : joint_(std::move(joint)), lower_(least), upper_(largest) {}

  std::size_t point_count() const override { return 3; }
  math::Vec3 position(std::size_t point, std::span<const double> q) const override;
  math::Vec3 outward_normal(std::size_t, std::span<const double>) const override { return math::Vec3::UnitX(); }
  void pull_back(std::size_t point, std::span<const double> q, const math::Vec3& n, double factor,
                 std::vector<model::RowEntry>& row) const override;
  double layer_compliance(std::size_t) const override { return 0; }
  std::optional<model::Plane> plane() const override { return std::nullopt; }

 private:
  double turned(double angle) const;

  Joint joint_;
  double lower_, upper_;
};

}  // namespace ictus::dynamics
