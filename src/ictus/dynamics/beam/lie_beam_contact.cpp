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
    : inverse_mass_(1.0 / (model.weight(node) * model.section.mass)),
      turn_(Layout::pose(q, node).q),
      inverse_inertia_(
          1.0 / model.weight(node) *
          Vector3<double>{1.0 / model.section.inertia.x, 1.0 / model.section.inertia.y, 1.0 / model.section.inertia.z}),
      lever_(lever) {}

Vector3<double> TouchedSection::velocity(const Wrench<double>& momentum) const {
  const Vector3<double> spin = rotate(turn_, scale(inverse_inertia_, rotate(inverse(turn_), momentum.m)));
  return inverse_mass_ * momentum.n + cross(spin, lever_);
}

Wrench<double> TouchedSection::momentum(const Vector3<double>& impulse) const {
  return {cross(lever_, impulse), impulse};
}

Vector3<double> coulomb_impulse(const TouchedSection& section, const Wrench<double>& momentum,
                                const Vector3<double>& normal, double max_impulse) {
  if (!(max_impulse > 0.0)) return {};
  const Vector3<double> first = across(normal), second = cross(normal, first);
  const Vector3<double> sliding = section.velocity(momentum);
  const Vector3<double> by_first = section.velocity(section.momentum(first)),
                        by_second = section.velocity(section.momentum(second));
  const double a11 = dot(first, by_first), a12 = dot(first, by_second), a22 = dot(second, by_second);
  const double angle = 0.5 * std::atan2(2.0 * a12, a11 - a22), c = std::cos(angle), s = std::sin(angle);
  const Vector3<double> e1 = c * first + s * second, e2 = c * second - s * first;
  const double a1 = c * c * a11 + 2.0 * c * s * a12 + s * s * a22, a2 = s * s * a11 - 2.0 * c * s * a12 + c * c * a22;
  const double u1 = dot(e1, sliding), u2 = dot(e2, sliding);
  const Vector3<double> stick = -u1 / a1 * e1 - u2 / a2 * e2;
  if (norm_sq(stick) <= max_impulse * max_impulse) return stick;
  const double slip = slip_of(u1, a1, u2, a2, max_impulse);
  const Vector3<double> slide = -u1 / (a1 + slip) * e1 - u2 / (a2 + slip) * e2;
  return max_impulse / std::sqrt(norm_sq(slide)) * slide;
}

}  // namespace ictus::dynamics
