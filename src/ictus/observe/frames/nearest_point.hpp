#pragma once

#include <ictus/math/vector.hpp>
#include <span>
#include <vector>

namespace ictus::observe {

/// Finds the nearest of many points: they are sorted along the axis in which they spread most, and a search leaves the
/// coordinate of the target in both directions until that axis alone takes it too far.
class NearestPoint {
 public:
  explicit NearestPoint(std::span<const math::Vec3> points);

  /// The number of the nearest point, the smallest where several are; there must be one.
  std::size_t to(const math::Vec3& target) const;

 private:
  std::span<const math::Vec3> points_;
  int axis_ = 0;
  std::vector<std::size_t> order_;
};

}  // namespace ictus::observe
