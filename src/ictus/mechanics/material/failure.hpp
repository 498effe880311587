#pragma once

#include <ictus/math/pack_functions.hpp>

namespace ictus::mechanics {

/// When a metal that flows breaks: damage grows by Δα/ε_f and an element is removed at one, of Johnson and Cook
/// [eq. plasticity-18]:
///   ε_f = (d₁ + d₂ exp(d₃ η)) (1 + d₄ ln⁺(α̇/ε̇₀)) (1 + d₅ T*),   η mean over von Mises' stress, positive in tension.
/// With d₁ alone a limit of the plastic strain. Over any scalar T: double, or Pack.
struct Failure {
  double d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0;
  double reference_rate = 1;  ///< ε̇₀ (1/s)

  /// ε_f, at least 10⁻⁴: `way` is T*.
  template <class T>
  T strain(const T& triaxiality, const T& rate, const T& way) const {
    using math::exp;
    using math::is_greater;
    using math::log;
    using math::select;
    const T most(3.0), least(-3.0), one(1.0), floor(1e-4);
    const T high = select(is_greater(triaxiality, most), most, triaxiality);
    const T bounded = select(is_greater(least, high), least, high);
    const T fast = T(1 / reference_rate) * rate, surplus = log(select(is_greater(fast, one), fast, one));
    const T strain = (T(d1) + T(d2) * exp(T(d3) * bounded)) * (one + T(d4) * surplus) * (one + T(d5) * way);
    return select(is_greater(strain, floor), strain, floor);
  }
};

}  // namespace ictus::mechanics
