#pragma once

#include <ictus/mechanics/material/plastic_law.hpp>

namespace ictus::mechanics {

/// A spring and a dashpot in series beside an elastic law, as in a Prony series [eq. plasticity-17]: stress of shape
/// 2μ e, e the logarithmic strain that is left, which fades with τ. In a step of length t half of the fading, by
/// θ = e^{−t/2τ}, comes before the force is read and half after. Over any scalar T: double, or Pack.
struct MaxwellArm {
  double mu = 0;    ///< Pa
  double time = 1;  ///< τ (s)

  /// What a point remembers: its own rest shape as IsotropicJ2 has it, what the dashpot took so far, and θ of the last
  /// step.
  template <class T>
  struct Point {
    static constexpr std::size_t numbers = 8;
    math::Symmetric3<T> shape;
    T taken{0.0};  ///< J/m³
    T left{1.0};   ///< θ

    template <class F>
    void each(F&& f) {
      f(shape.xx), f(shape.yy), f(shape.zz), f(shape.xy), f(shape.yz), f(shape.zx);
      f(taken), f(left);
    }
  };

  template <class T>
  static Point<T> begin(const math::Matrix3<T>& inverse) {
    const auto& [a, b, c] = inverse;
    return {{norm_sq(a), norm_sq(b), norm_sq(c), dot(a, b), dot(b, c), dot(c, a)}};
  }

  /// Stored and taken together are μ|e|² of the trial, whatever fades.
  template <bool remembers, class T>
  [[gnu::always_inline]] PlasticResponse<T> respond(const PointEdges<T>& edges, const math::Matrix3<T>& /*inverse*/,
                                                    double elapsed, Point<T>& point, bool& good) const {
    const math::Symmetric3<T> b = congruence(edges.m, point.shape);
    PlasticResponse<T> response{{}, T(2 * mu), edges.determinant};
    if (!hencky::deviator(b, response.strain, response.inverse_determinant)) good = false;
    const double half = std::exp(-elapsed / (2 * time)), whole = half * half;
    const T trial = T(mu) * contract(response.strain, response.strain);
    if (elapsed > 0) {
      response.modulus = T(2 * mu * half);
      response.stored = T(whole * whole) * trial;
      response.taken = T(1 - whole * whole) * trial;
    } else {  // where the last step ended, what it faded by afterwards is not in its force
      response.modulus = T(2 * mu) / point.left;
      response.stored = trial;
    }
    if constexpr (remembers) {
      const math::Symmetric3<T> change =
          commuting_product(b, hencky::exponential_less_one(T(-2 * (1 - whole)) * response.strain));
      point.shape = point.shape +
                    (response.inverse_determinant * response.inverse_determinant) * pulled_back(edges.cofactor, change);
      point.taken = point.taken + response.taken;
      point.left = T(half);
    }
    return response;
  }
};

}  // namespace ictus::mechanics
