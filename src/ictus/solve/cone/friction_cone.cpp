#include <ictus/solve/cone/friction_cone.hpp>

#include <ictus/solve/bracketed_root.hpp>
#include <limits>

namespace ictus::solve {

/// On the boundary y_N (1−λ) = x_N, y_Ti = μᵢ² x_Ti/(μᵢ²+λ): the multiplier λ > 0 is the root of the decreasing
/// function F(λ) = |(y_T1/μ₁, y_T2/μ₂)| (1−λ) − x_N, sought in s = λ/(1+λ) ∈ (0, 1), at whose ends F is known.
Local project_elliptic(const FrictionCone& cone, const Local& x) {
  const double over1 = x.y / cone.mu1, over2 = x.z / cone.mu2;
  const double at_zero = tangential_norm(over1, over2);
  if (at_zero <= x.x) return x;
  const double at_infinity = tangential_norm(cone.mu1 * x.y, cone.mu2 * x.z);
  if (at_infinity <= -x.x) return {};
  const double m1 = cone.mu1 * cone.mu1, m2 = cone.mu2 * cone.mu2;
  Local y;
  const auto defect = [&](double s) {
    const double t = 1.0 - s;
    const double share1 = m1 * t / (m1 * t + s), share2 = m2 * t / (m2 * t + s);
    y = {tangential_norm(share1 * over1, share2 * over2), share1 * x.y, share2 * x.z};
    return y.x * (t - s) / t - x.x;
  };
  const double round_off = std::numeric_limits<double>::epsilon() * (std::abs(x.x) + at_infinity);
  bracketed_root(defect, 0.0, at_zero - x.x, 1.0, -at_infinity - x.x, round_off);
  return y;
}

}  // namespace ictus::solve
