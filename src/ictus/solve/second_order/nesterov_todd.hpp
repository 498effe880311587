#pragma once

#include <cmath>
#include <ictus/solve/cone/friction_cone.hpp>

// Notation: L = { y : y_N ≥ |y_T| } Lorentz's cone, det y = y_N² − |y_T|², a∘b = (a·b, a_N b_T + b_N a_T).

namespace ictus::solve {

inline double lorentz_det(const Local& y) {
  const double t = std::sqrt(y.y * y.y + y.z * y.z);
  return (y.x - t) * (y.x + t);
}

/// a∘b.
inline Local jordan_product(const Local& a, const Local& b) {
  return {math::dot(a, b), a.x * b.y + b.x * a.y, a.x * b.z + b.x * a.z};
}

/// x with a∘x = b, for a inside of L.
inline Local jordan_quotient(const Local& a, const Local& b) {
  const double x = (a.x * b.x - a.y * b.y - a.z * b.z) / lorentz_det(a);
  return {x, (b.y - x * a.y) / a.x, (b.z - x * a.z) / a.x};
}

/// The largest α ≤ 1 for which y + α d lies in L, y inside of it.
inline double step_within_lorentz(const Local& y, const Local& d) {
  // det(y + α d) = a α² + 2 b α + c, whose smallest positive root is c/(−b + √(b² − a c)) where there is one.
  const double a = lorentz_det(d), b = y.x * d.x - y.y * d.y - y.z * d.z, c = lorentz_det(y);
  const double inside = b * b - a * c;
  double alpha = 1.0;
  if (inside >= 0.0) {
    const double below = -b + std::sqrt(inside);
    if (below > c) alpha = c / below;
  }
  // The other half of the double cone.
  if (y.x + alpha * d.x < 0.0) alpha = y.x / -d.x;
  return alpha;
}

/// The scaling N = Nᵀ of Nesterov and Todd that takes y and z inside of L to one point: N y = N⁻¹ z = λ.
class NesterovTodd {
 public:
  NesterovTodd() = default;
  NesterovTodd(const Local& y, const Local& z) {
    const double root_y = std::sqrt(lorentz_det(y)), root_z = std::sqrt(lorentz_det(z));
    size_ = std::sqrt(root_z / root_y);
    const Local unit_y = (1.0 / root_y) * y, unit_z = (1.0 / root_z) * z;
    const double scale = 1.0 / std::sqrt(2.0 * (1.0 + math::dot(unit_y, unit_z)));
    w_ = {scale * (unit_z.x + unit_y.x), scale * (unit_z.y - unit_y.y), scale * (unit_z.z - unit_y.z)};
    // det w = 1 holds to round-off only; it is restored.
    w_.x = std::sqrt(1.0 + w_.y * w_.y + w_.z * w_.z);
  }

  /// N x.
  Local operator()(const Local& x) const { return size_ * boosted(w_, x); }
  /// N⁻¹ x.
  Local inverse(const Local& x) const { return (1.0 / size_) * boosted({w_.x, -w_.y, -w_.z}, x); }

 private:
  static Local boosted(const Local& w, const Local& x) {
    const double along = w.y * x.y + w.z * x.z, share = x.x + along / (1.0 + w.x);
    return {w.x * x.x + along, x.y + share * w.y, x.z + share * w.z};
  }

  Local w_{1.0, 0.0, 0.0};
  double size_ = 1.0;
};

}  // namespace ictus::solve
