#include <ictus/observe/frames/nearest_point.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace ictus::observe {

using math::Vec3;

NearestPoint::NearestPoint(std::span<const Vec3> points) : points_(points), order_(points.size()) {
  Vec3 least = Vec3::Constant(std::numeric_limits<double>::infinity()), limit = -least;
  for (const Vec3& point : points) {
    least = least.cwiseMin(point);
    limit = limit.cwiseMax(point);
  }
  Vec3(limit - least).maxCoeff(&axis_);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return points[a][axis_] < points[b][axis_]; });
}

std::size_t NearestPoint::to(const Vec3& target) const {
  const auto before = [&](std::size_t point, double coordinate) { return points_[point][axis_] < coordinate; };
  const auto start = std::lower_bound(order_.begin(), order_.end(), target[axis_], before);
  double best_sq = std::numeric_limits<double>::infinity();
  std::size_t best = order_.size();
  const auto closer = [&](std::size_t point) {
    const double away = points_[point][axis_] - target[axis_];
    if (away * away > best_sq) return false;
    const double distance_sq = (points_[point] - target).squaredNorm();
    if (distance_sq < best_sq || (distance_sq == best_sq && point < best)) {
      best_sq = distance_sq;
      best = point;
    }
    return true;
  };
  for (auto up = start; up != order_.end() && closer(*up);) ++up;
  for (auto down = start; down != order_.begin() && closer(*std::prev(down));) --down;
  return best;
}

}  // namespace ictus::observe
