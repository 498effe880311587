#include <ictus/mechanics/rigid/rigid_flight.hpp>

#include <cmath>

namespace ictus::mechanics {

using Vec = math::Vector3<double>;

std::optional<Vec> interval_spin(const Vec& inertia, const Vec& m, double h) {
  Vec spin{m.x / inertia.x, m.y / inertia.y, m.z / inertia.z};
  // A body with equal moments turns about m itself.
  if (inertia.x == inertia.y && inertia.y == inertia.z) return spin;
  const double scale = std::sqrt(math::norm_sq(m));
  // Newton's method squares its error: from within a turn of about 90° it is at round-off after a handful of steps.
  constexpr int max_iterations = 30;
  double before = INFINITY;
  for (int i = 0; i < max_iterations; ++i) {
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

bool fly(double mass, const Vec& inertia, double h, double* q, double* p) {
  for (int c = 0; c < 3; ++c) q[c] += h / mass * p[c];
  const Vec m{p[3], p[4], p[5]};
  if (m == Vec{}) return true;
  const std::optional<Vec> spin = interval_spin(inertia, m, h);
  if (!spin) return false;
  const math::Rotation<double> turn = math::cayley(h * *spin);
  const math::Rotation<double> next = normalized(math::Rotation<double>{q[3], {q[4], q[5], q[6]}} * turn);
  q[3] = next.s;
  q[4] = next.v.x;
  q[5] = next.v.y;
  q[6] = next.v.z;
  // A body with equal moments turns about m, which stays.
  const Vec after = inertia.x == inertia.y && inertia.y == inertia.z ? m : coadjoint(turn, m);
  p[3] = after.x;
  p[4] = after.y;
  p[5] = after.z;
  return true;
}

}  // namespace ictus::mechanics
