#include <ictus/mechanics/beam/lie_beam_stability.hpp>

#include <algorithm>
#include <cmath>

namespace ictus::mechanics {

namespace {

/// Largest ω² of bending with shear in one principal plane, over the wave lengths that the mesh carries.
double bending_frequency_sq(double shear, double bend, double inertia, double mass, double spacing) {
  constexpr int samples = 256;  // ω²(x) is smooth: its maximum is flat, or at an end
  double largest = 0.0;
  for (int i = 0; i <= samples; ++i) {
    const double x = static_cast<double>(i) / samples, per_length = 4.0 / (spacing * spacing);
    const double a = per_length * shear * x / mass;
    const double b = (shear * (1.0 - x) + per_length * bend * x) / inertia;
    const double d_sq = per_length * shear * shear * x * (1.0 - x) / (mass * inertia);
    largest = std::max(largest, 0.5 * (a + b) + std::sqrt(0.25 * (a - b) * (a - b) + d_sq));
  }
  return largest;
}

}  // namespace

double lie_beam_critical_step(const LieBeamModel& model) {
  const LieBeamSection& s = model.section;
  const double per_length = 4.0 / (model.spacing * model.spacing);
  // Bending about d₁ shears along d₂, and the other way round.
  const double fastest_sq = std::max({per_length * s.stretch.z / s.mass, per_length * s.bend.z / s.inertia.z,
                                      bending_frequency_sq(s.stretch.y, s.bend.x, s.inertia.x, s.mass, model.spacing),
                                      bending_frequency_sq(s.stretch.x, s.bend.y, s.inertia.y, s.mass, model.spacing)});
  return 2.0 / std::sqrt(fastest_sq);
}

}  // namespace ictus::mechanics
