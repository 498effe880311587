// Notation: a = g_{n−1}, g* the gap to come without the impulse, G with it, x = G − g* = h W λ, κ = ½ h² W k. With a
// thickness the distances s = a + δ, u* = g* + δ, u = G + δ.
#include <ictus/contact/law/elastic_layer.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/math/roots.hpp>
#include <limits>

namespace ictus::contact {

namespace {

/// Share of the thickness below which a barrier's energy does not grow any more. Distances are far above it; the gaps
/// that unfinished sweeps foresee need not be.
constexpr double least_distance = 1e-6;

/// x = −κ (min(g* + x, 0)² − min(a, 0)²)/(g* + x − a)   [eq. exact-contact-6].
double push_of_spring(double a, double g_free, double kappa) {
  if (a <= 0) {
    // Compressed at both ends: x = −κ (g* + x + a).
    const double x = -kappa * (g_free + a) / (1 + kappa);
    if (g_free + x <= 0) return x;
    // Leaves: x (g* − a + x) = κ a², the root > 0.
    return math::certain_roots(1, g_free - a, -kappa * a * a).second;
  }
  if (g_free >= 0) return 0;
  // Arrives: x (a − g* − x) = κ (g* + x)²; the root between 0 and −g*, by (1 + κ) G² − (a + g*) G + a g* = 0.
  const double g_next = math::certain_roots(1 + kappa, -(a + g_free), a * g_free).first;
  return kappa * g_next * g_next / (a - g_next);
}

/// x of a barrier that is met from a distance s > δ: the root of x(u) = u − u*, x(u) = κδ (δ − u)²/(u (s − u)), in
/// (0, δ). x is convex and falls, so that Newton's steps from the left of the root stay there and climb to it.
double push_on_arrival(double s, double u_free, double kappa, double delta) {
  const double strength = kappa * delta;
  const auto x = [&](double u) { return strength * (delta - u) * (delta - u) / (u * (s - u)); };
  // With s for s − u the push is smaller, and so is the root.
  double u = math::smallest_positive_root(s - strength, 2 * strength * delta - s * u_free, -strength * delta * delta)
                 .value_or(std::numeric_limits<double>::quiet_NaN());
  for (int i = 0; i < 50; ++i) {
    const double left = delta - u, slope = -strength * left / (u * (s - u)) * (2 + left / u - left / (s - u));
    const double step = (u_free + x(u) - u) / (1 - slope);
    u += step;
    if (!(step > 4 * std::numeric_limits<double>::epsilon() * u)) break;
  }
  return x(u);
}

/// The same with φ of the barrier, whose slope between two compressed distances is ½ kδ (1 − δ²/(su)).
double push_of_barrier(double a, double g_free, double kappa, double delta) {
  const double s = std::max(a + delta, least_distance * delta), u_free = g_free + delta;
  if (a > 0) return g_free >= 0 ? 0 : push_on_arrival(s, u_free, kappa, delta);
  // Compressed at both ends: u² − (u* − κδ) u = κδ³/s.
  const double u = math::certain_roots(1, kappa * delta - u_free, -kappa * delta * delta * delta / s).second;
  if (u <= delta) return kappa * delta * (delta * delta / (s * u) - 1);
  // Leaves: x (u* − s + x) = κδ (δ − s)²/s.
  return math::certain_roots(1, u_free - s, -kappa * delta * a * a / s).second;
}

}  // namespace

double ElasticLayer::energy(double gap) const {
  if (gap >= 0) return 0;
  if (thickness == 0) return 0.5 * stiffness * gap * gap;
  const double left = std::max(gap + thickness, least_distance * thickness);
  return 0.5 * stiffness * thickness * (thickness - left) * (thickness - left) / left;
}

double ElasticLayer::impulse(double before, double free, double h, double inertia) const {
  const auto push = [&](double kappa) {
    return thickness > 0 ? push_of_barrier(before, free, kappa, thickness) : push_of_spring(before, free, kappa);
  };
  const double kappa = 0.5 * h * h * inertia * stiffness;
  double x = push(kappa);
  if (returned < 1 && before < 0 && free + x > before) {
    // It opens, or is stopped at the gap that it had.
    x = returned > 0 ? push(returned * kappa) : 0;
    if (free + x < before) x = before - free;
  }
  return x / (h * inertia);
}

double ElasticLayer::lost(double before, double after) const {
  return returned == 1 ? 0 : 0.5 * (1 - returned) * std::max(0.0, energy(before) - energy(after));
}

double ElasticLayer::unpaid(double before, double after, double h, double impulse) const {
  return 0.5 * (impulse * (after - before) / h + energy(after) - energy(before)) + lost(before, after);
}

}  // namespace ictus::contact
