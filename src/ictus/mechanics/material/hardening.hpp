#pragma once

#include <algorithm>
#include <array>
#include <ictus/math/pack_functions.hpp>

// Flow stress σ_y(α) of metals that harden with their equivalent plastic strain α, over any scalar T: double, or Pack.
// All laws rise or stay level, so that the return q − 3μ x = σ_y(α + x) has one solution.

namespace ictus::mechanics {

/// σ_y = σ₀ + H α.
struct LinearHardening {
  double yield_stress = 0;  ///< σ₀ (Pa)
  double modulus = 0;       ///< H (Pa)

  template <class T>
  T stress(const T& alpha) const {
    return T(yield_stress) + T(modulus) * alpha;
  }
  /// σ_y(α) and its slope.
  template <class T>
  void find(const T& alpha, T& at, T& slope) const {
    at = stress(alpha);
    slope = T(modulus);
  }
  /// x of the return mapping, from an excess q − σ_y(α) > 0 and 3μ [eq. plasticity-5].
  template <class T>
  T increment(const T&, const T& excess, double three_mu) const {
    return T(1 / (three_mu + modulus)) * excess;
  }
  /// ∫₀^α σ_y.
  template <class T>
  T work(const T& alpha) const {
    return (T(yield_stress) + T(0.5 * modulus) * alpha) * alpha;
  }
  /// What of it heats the material where no share is given: the flow of ideal plasticity.
  template <class T>
  T heat(const T& alpha) const {
    return T(yield_stress) * alpha;
  }
};

/// Voce's law σ_y = σ₀ + H α + Q (1 − e^{−bα}), which saturates.
struct VoceHardening {
  double yield_stress = 0;  ///< σ₀ (Pa)
  double modulus = 0;       ///< H (Pa)
  double saturation = 0;    ///< Q (Pa)
  double rate = 0;          ///< b

  template <class T>
  T stress(const T& alpha) const {
    using math::exp;
    return T(yield_stress + saturation) + T(modulus) * alpha - T(saturation) * exp(T(-rate) * alpha);
  }
  template <class T>
  void find(const T& alpha, T& at, T& slope) const {
    using math::exp;
    const T fade = T(saturation) * exp(T(-rate) * alpha);
    at = T(yield_stress + saturation) + T(modulus) * alpha - fade;
    slope = T(modulus) + T(rate) * fade;
  }
  /// Newton's method from below: the residual falls and is convex, so that no step goes too far.
  template <class T>
  T increment(const T& alpha, const T& excess, double three_mu) const {
    using math::exp;
    using math::is_any;
    using math::is_greater;
    using math::select;
    const T fade = T(saturation) * exp(T(-rate) * alpha);
    const T zero(0.0);
    T x = excess / (T(three_mu + modulus) + T(rate) * fade);
    x = select(is_greater(x, zero), x, zero);
    for (int iteration = 0; iteration < 50; ++iteration) {
      const T now = fade * exp(T(-rate) * x);
      const T residual = excess - T(three_mu + modulus) * x - (fade - now);
      const T step = residual / (T(three_mu + modulus) + T(rate) * now);
      const T size = select(is_greater(zero, step), -step, step);
      x = x + select(is_greater(excess, zero), step, zero);
      if (!is_any(is_greater(select(is_greater(excess, zero), size, zero), T(1e-15) * (x + T(1e-3))))) break;
    }
    return x;
  }
  template <class T>
  T work(const T& alpha) const {
    using math::exp;
    return (T(yield_stress + saturation) + T(0.5 * modulus) * alpha) * alpha +
           T(saturation / rate) * (exp(T(-rate) * alpha) - T(1.0));
  }
  template <class T>
  T heat(const T& alpha) const {
    return T(yield_stress) * alpha;
  }
};

/// Straight lines through points (α, σ_y), level behind the last.
struct TableHardening {
  static constexpr std::size_t max_points = 32;

  std::size_t points = 0;
  std::array<double, max_points> strain{};  ///< rising from 0
  std::array<double, max_points> value{};   ///< Pa, never falling

  template <class T>
  T stress(const T& alpha) const {
    T at, slope;
    find(alpha, at, slope);
    return at;
  }
  /// Newton's method, which ends exactly once it is on the right line; the table may be convex and concave, so that it
  /// is held between the bounds known so far.
  template <class T>
  T increment(const T& alpha, const T& excess, double three_mu) const {
    using math::is_any;
    using math::is_greater;
    using math::select;
    const T zero(0.0), start = stress(alpha), stiff(three_mu);
    T low(0.0), high = T(1 / three_mu) * select(is_greater(excess, zero), excess, zero), x = high;
    for (std::size_t iteration = 0; iteration < 4 * max_points; ++iteration) {
      T now, slope;
      find(alpha + x, now, slope);
      const T residual = excess - stiff * x - (now - start);
      low = select(is_greater(residual, zero), x, low);
      high = select(is_greater(residual, zero), high, x);
      const T next = x + residual / (stiff + slope);
      const auto out = is_greater(next, high), below = is_greater(low, next);
      const T middle = T(0.5) * (low + high);
      const T guarded = select(out, middle, select(below, middle, next));
      const T step = guarded - x, size = select(is_greater(zero, step), -step, step);
      const auto flows = is_greater(excess, zero);
      x = select(flows, guarded, zero);
      if (!is_any(is_greater(select(flows, size, zero), T(1e-15) * (x + T(1e-3))))) break;
    }
    return x;
  }
  template <class T>
  T work(const T& alpha) const {
    using math::is_greater;
    using math::select;
    T sum(0.0);
    for (std::size_t i = 0; i < points; ++i) {
      const bool is_last = i + 1 == points;
      const double slope = is_last ? 0 : (value[i + 1] - value[i]) / (strain[i + 1] - strain[i]);
      T along = alpha - T(strain[i]);
      along = select(is_greater(along, T(0.0)), along, T(0.0));
      if (!is_last) {
        const T length(strain[i + 1] - strain[i]);
        along = select(is_greater(along, length), length, along);
      }
      sum = sum + along * (T(value[i]) + T(0.5 * slope) * along);
    }
    return sum;
  }
  template <class T>
  T heat(const T& alpha) const {
    return T(value[0]) * alpha;
  }
  template <class T>
  void find(const T& alpha, T& at, T& slope) const {
    using math::is_greater;
    using math::select;
    at = T(value[0]);
    slope = T(0.0);
    for (std::size_t i = 0; i < points; ++i) {
      const bool is_last = i + 1 == points;
      const double rise = is_last ? 0 : (value[i + 1] - value[i]) / (strain[i + 1] - strain[i]);
      const T along = alpha - T(strain[i]);
      const auto beyond = is_greater(along, T(0.0));
      at = select(beyond, T(value[i]) + T(rise) * along, at);
      slope = select(beyond, T(rise), slope);
    }
    const auto at_start = is_greater(T(strain[points > 1 ? 1 : 0]), alpha);
    if (points > 1) slope = select(at_start, T((value[1] - value[0]) / (strain[1] - strain[0])), slope);
  }
};

/// How a point flows under a law of α alone: the form in which every law of flow is given to the return mapping. Time
/// plays no part.
template <class Hardening>
struct FlowByStrain {
  Hardening hardening;

  /// What a point remembers besides its shape.
  template <class T>
  struct Memory {
    static constexpr std::size_t numbers = 1;
    T alpha{0.0};  ///< equivalent plastic strain

    template <class F>
    void each(F&& f) {
      f(alpha);
    }
  };

  /// Von Mises' stress above which a point flows.
  template <class T>
  T limit(const Memory<T>& memory) const {
    return hardening.stress(memory.alpha);
  }
  /// By how much α grows within a time, of a trial that exceeds the limit; `stiff`: what each unit of it takes from the
  /// trial's von Mises stress.
  template <class T>
  T increment(const Memory<T>& memory, const T& /*limit*/, const T& excess, double stiff, double /*time*/) const {
    return hardening.increment(memory.alpha, excess, stiff);
  }
  /// Whether the flow stress has a bounded slope over the increment.
  static constexpr bool is_smooth = true;
  /// Whether it flows in no time at all.
  static bool flows_within(double /*time*/) { return true; }
  /// The flow stress, and its slope, once α has grown by an increment within a time.
  template <class T>
  void resist(const Memory<T>& memory, const T& increment, double /*time*/, T& stress, T& slope) const {
    hardening.find(memory.alpha + increment, stress, slope);
  }
  template <class T>
  void flow(Memory<T>& memory, const T& increment, double /*time*/) const {
    memory.alpha = memory.alpha + increment;
  }
  template <class T>
  void rest(Memory<T>&) const {}
  /// Plastic work per rest volume so far.
  template <class T>
  T work(const Memory<T>& memory) const {
    return hardening.work(memory.alpha);
  }
  /// What of it is heat where no share is given.
  template <class T>
  T heat(const Memory<T>& memory) const {
    return hardening.heat(memory.alpha);
  }
};

}  // namespace ictus::mechanics
