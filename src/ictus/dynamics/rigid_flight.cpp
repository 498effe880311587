#include <cmath>
#include <ictus/dynamics/rigid_flight.hpp>

namespace ictus::dynamics {

using Vec = math::Vector3<double>;

std::optional<Vec> interval_spin(const Vec& inertia, const Vec& m, double h) {
  Vec spin{m.x / inertia.x, m.y / inertia.y, m.z / inertia.z};
  // A body with equal moments turns about m itself.
  if (inertia.x == inertia.y && inertia.y == inertia.z) return spin;
  const double scale = std::sqrt(math::norm_sq(m));
  // Newton's method squares its error: from within a turn of about 90° it is at round-off after a handful of steps.
  constexpr int most = 30;
  double before = INFINITY;
  for (int i = 0; i < most; ++i) {
    const Vec momentum = math::scale(inertia, spin);
    const Vec residual = momentum + (0.5 * h) * math::cross(spin, momentum) - m;
    const double size = std::sqrt(math::norm_sq(residual));
    if (size <= 1e-15 * scale || (size <= 1e-12 * scale && size >= before)) return spin;
    before = size;
    // Column k of the derivative is J e_k + (h/2) (e_k × Jω + ω × J e_k).
    const auto column = [&](const Vec& axis) {
      const Vec moved = math::scale(inertia, axis);
      return moved + (0.5 * h) * (math::cross(axis, momentum) + math::cross(spin, moved));
    };
    spin -= math::solve(math::Matrix3<double>{column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1})}, residual);
    if (!std::isfinite(spin.x + spin.y + spin.z)) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace ictus::dynamics
