#pragma once

namespace ictus::mechanics {

/// One element of a bar as a spring, e its elongation u_{i+1} − u_i. `stiffness` is K/l, `length` is l. Each law gives
/// energy V(e), force N(e) = V′(e) and tangent V″(e). Laws are template arguments of the element loops: they are called
/// per element.
struct LinearElement {
  double stiffness;
  double length;

  double energy(double e) const { return 0.5 * stiffness * e * e; }
  double force(double e) const { return stiffness * e; }
  double tangent(double) const { return stiffness; }
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
  double tangent(double e) const {
    const double epsilon = e / length;
    return stiffness * (1 + 3 * epsilon + 1.5 * epsilon * epsilon);
  }
};

/// Energy of an interval of the leapfrog in which the elongation goes from e0 to e1: V(e0) + ½ N(e0)(e1 − e0)
/// [eq. bars-4].
template <class Element>
double interval_energy(const Element& element, double e0, double e1) {
  return element.energy(e0) + 0.5 * element.force(e0) * (e1 - e0);
}
/// The same for the linear law, where it is symmetric: ½ k e0 e1.
inline double interval_energy(const LinearElement& element, double e0, double e1) {
  return 0.5 * element.stiffness * e0 * e1;
}

}  // namespace ictus::mechanics
