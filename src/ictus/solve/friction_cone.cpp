#include <ictus/solve/friction_cone.hpp>

namespace ictus::solve {

/// On the boundary y_N (1−λ) = x_N, y_Ti = μᵢ² x_Ti/(μᵢ²+λ): the multiplier λ > 0 is the root of the decreasing
/// function F(λ) = |(y_T1/μ₁, y_T2/μ₂)| (1−λ) − x_N, sought in s = λ/(1+λ) ∈ (0, 1).
Local project_elliptic(const FrictionCone& cone, const Local& from) {
  // Without friction in a direction the cone is flat there.
  const Local x{from.x, cone.mu1 > 0.0 ? from.y : 0.0, cone.mu2 > 0.0 ? from.z : 0.0};
  const auto over = [](double t, double mu) { return mu > 0.0 ? t / mu : 0.0; };
  if (std::hypot(over(x.y, cone.mu1), over(x.z, cone.mu2)) <= x.x) return x;
  if (std::hypot(cone.mu1 * x.y, cone.mu2 * x.z) <= -x.x) return {};
  const double m1 = cone.mu1 * cone.mu1;
  const double m2 = cone.mu2 * cone.mu2;
  double low = 0.0;
  double high = 1.0;
  double lambda = 1.0;
  double normal = 0.0;
  // Each turn halves an interval of length 1: 53 turns reach the spacing of doubles.
  for (int i = 0; i < 53; ++i) {
    const double s = 0.5 * (low + high);
    lambda = s / (1.0 - s);
    normal = std::hypot(cone.mu1 * x.y / (m1 + lambda), cone.mu2 * x.z / (m2 + lambda));
    (normal * (1.0 - lambda) > x.x ? low : high) = s;
  }
  return {normal, m1 * x.y / (m1 + lambda), m2 * x.z / (m2 + lambda)};
}

ProxStep::ProxStep(const FrictionCone& cone, const LocalMatrix& diagonal) {
  const double a = cone.mu1 * cone.mu1 * diagonal.b.y;
  const double b = cone.mu1 * cone.mu2 * 0.5 * (diagonal.b.z + diagonal.c.y);
  const double c = cone.mu2 * cone.mu2 * diagonal.c.z;
  const double largest = 0.5 * (a + c) + std::hypot(0.5 * (a - c), b);
  const double scale = largest > 0.0 ? 1.0 / largest : 0.0;
  step = {diagonal.a.x > 0.0 ? 1.0 / diagonal.a.x : 0.0, cone.mu1 * cone.mu1 * scale, cone.mu2 * cone.mu2 * scale};
  coupling1 = diagonal.a.y;
  coupling2 = diagonal.a.z;
  inverse_mu1 = cone.mu1 > 0.0 ? 1.0 / cone.mu1 : 0.0;
  inverse_mu2 = cone.mu2 > 0.0 ? 1.0 / cone.mu2 : 0.0;
}

}  // namespace ictus::solve
