// Notation: u sliding velocity in two directions across the normal, A = ∂u/∂impulse, a its eigenvalues.
#include <ictus/dynamics/beam/lie_beam_contact.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/mechanics/beam/lie_beam_state.hpp>
#include <limits>

namespace ictus::dynamics {

using Layout = mechanics::LieBeamLayout;
using math::Vector3;
using math::Wrench;

namespace {

/// s ≥ 0 with |(A + s)⁻¹ u| = max_impulse, from the parts of u along the eigenvectors of A. Newton's method on 1/|…|,
/// which is concave and nearly straight, climbs to it from below.
double slip_of(double u1, double a1, double u2, double a2, double max_impulse) {
  double s = std::max(0.0, std::hypot(u1, u2) / max_impulse - std::max(a1, a2));
  for (int i = 0; i < 50; ++i) {
    const double x1 = u1 / (a1 + s), x2 = u2 / (a2 + s), size_sq = x1 * x1 + x2 * x2, size = std::sqrt(size_sq);
    const double slope = (x1 * x1 / (a1 + s) + x2 * x2 / (a2 + s)) / (size_sq * size);
    const double step = (1.0 / max_impulse - 1.0 / size) / slope;
    if (!(step > std::numeric_limits<double>::epsilon() * s)) break;
    s += step;
  }
  return s;
}

}  // namespace

double BeamObstacle::gap(const mechanics::LieBeamModel& model, std::size_t node, std::span<const double> q) const {
  const math::Pose<double> g = Layout::pose(q, node);
  return dot(normal, g.r) - offset - mechanics::reach(model.outline, rotate(inverse(g.q), normal));
}

TouchedSection::TouchedSection(const mechanics::LieBeamModel& model, std::size_t node, std::span<const double> q,
                               const Vector3<double>& lever)
    : inverse_mass_(1.0 / (model.weight(node) * model.section.mass)), lever_(lever) {
  const math::Matrix3<double> axes = matrix(Layout::pose(q, node).q);
  const Vector3<double> j = model.weight(node) * model.section.inertia;
  inverse_inertia_ = times_transposed({1.0 / j.x * axes.a, 1.0 / j.y * axes.b, 1.0 / j.z * axes.c}, axes);
}

Vector3<double> TouchedSection::velocity(const Wrench<double>& momentum) const {
  return inverse_mass_ * momentum.n + cross(inverse_inertia_ * momentum.m, lever_);
}

Wrench<double> TouchedSection::momentum(const Vector3<double>& impulse) const {
  return {cross(lever_, impulse), impulse};
}

SlidingPoint::SlidingPoint(const TouchedSection& section, const Vector3<double>& normal) {
  const Vector3<double> first = across(normal), second = cross(normal, first);
  const Vector3<double> by_first = section.velocity(section.momentum(first)),
                        by_second = section.velocity(section.momentum(second));
  const double a11 = dot(first, by_first), a12 = dot(first, by_second), a22 = dot(second, by_second);
  const double angle = 0.5 * std::atan2(2.0 * a12, a11 - a22), c = std::cos(angle), s = std::sin(angle);
  e1_ = c * first + s * second;
  e2_ = c * second - s * first;
  a1_ = c * c * a11 + 2.0 * c * s * a12 + s * s * a22;
  a2_ = s * s * a11 - 2.0 * c * s * a12 + c * c * a22;
}

Vector3<double> SlidingPoint::coulomb_impulse(const Vector3<double>& velocity, double max_impulse) const {
  if (!(max_impulse > 0.0)) return {};
  const double u1 = dot(e1_, velocity), u2 = dot(e2_, velocity);
  const Vector3<double> stick = -u1 / a1_ * e1_ - u2 / a2_ * e2_;
  if (norm_sq(stick) <= max_impulse * max_impulse) return stick;
  const double slip = slip_of(u1, a1_, u2, a2_, max_impulse);
  const Vector3<double> slide = -u1 / (a1_ + slip) * e1_ - u2 / (a2_ + slip) * e2_;
  return max_impulse / std::sqrt(norm_sq(slide)) * slide;
}

}  // namespace ictus::dynamics
