#pragma once

namespace ictus::mechanics {

/// One element of a bar as a spring, e its elongation u_{i+1} − u_i. `stiffness` is K/l, `length` is l. Each law gives
/// energy V(e), force N(e) = V′(e), and the energy of an interval in which the elongation goes from e0 to e1.
/// Laws are template arguments of the element loops: they are called per element.
struct LinearElement {
  double stiffness;
  double length;

  double energy(double e) const { return 0.5 * stiffness * e * e; }
  double force(double e) const { return stiffness * e; }
  /// ½ k e0 e1, which makes the leapfrog's energy exact [eq. bars-4].
  double interval_energy(double e0, double e1) const { return 0.5 * stiffness * e0 * e1; }
};

/// V = ½ (K/l) l² E², E = ε + ε²/2, ε = e/l.
struct StVenantKirchhoffElement {
  double stiffness;
  double length;

  double energy(double e) const {
    const double strain = e / length * (1 + 0.5 * e / length);
    return 0.5 * stiffness * length * length * strain * strain;
  }
  double force(double e) const {
    const double epsilon = e / length;
    return stiffness * length * epsilon * (1 + 0.5 * epsilon) * (1 + epsilon);
  }
  double interval_energy(double e0, double e1) const { return 0.5 * (energy(e0) + energy(e1)); }
};

}  // namespace ictus::mechanics
