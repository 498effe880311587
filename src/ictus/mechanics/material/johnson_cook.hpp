#pragma once

#include <ictus/math/pack_functions.hpp>

// Flow stress of metals that harden with plastic strain, more so with its rate, and soften with their temperature, over
// any scalar T: double, or Pack.

namespace ictus::mechanics {

/// Johnson and Cook's law, adiabatic [eq. plasticity-9]:
///   σ = (A + B αⁿ)(1 + C ln⁺(α̇/ε̇₀))(1 − T*ᵐ),   T* = η w, at most 1,
/// w the plastic work per rest volume, which heats. T* is that of the beginning of a step.
struct JohnsonCook {
  double yield_stress = 0;    ///< A (Pa)
  double modulus = 0;         ///< B (Pa)
  double exponent = 1;        ///< n
  double rate_factor = 0;     ///< C
  double reference_rate = 1;  ///< ε̇₀ (1/s)
  double softening = 1;       ///< m
  double heating = 0;         ///< η = β/(ρ c (T_m − T_0)) (m³/J)
  double start = 0;           ///< T_0 (K)
  double melting = 1;         ///< T_m (K)

  template <class T>
  struct Memory {
    static constexpr std::size_t numbers = 3;
    T alpha{0.0};  ///< equivalent plastic strain
    T work{0.0};   ///< w (J/m³)
    T rate{0.0};   ///< α̇ in the last step (1/s)

    template <class F>
    void each(F&& f) {
      f(alpha), f(work), f(rate);
    }
  };

  template <class T>
  T temperature(const Memory<T>& memory) const {
    return T(start) + T(melting - start) * (T(heating) * memory.work);
  }
  /// T*.
  template <class T>
  T way(const Memory<T>& memory) const {
    using math::is_greater;
    using math::select;
    const T way = T(heating) * memory.work, one(1.0);
    return select(is_greater(one, way), way, one);
  }
  template <class T>
  T limit(const Memory<T>& memory) const {
    return softened(memory) * (T(yield_stress) + T(modulus) * power(memory.alpha, exponent));
  }

  /// x of q − s x = σ(α + x, x/t, T) in (0, (q − σ(α, ≤ ε̇₀, T))/s), where the left falls and the right rises. Newton's
  /// method from the rate of the last step; where it leaves what is known to hold the root, the geometric mean of its
  /// ends, since roots span ten decades. In no time nothing flows.
  template <class T>
  T increment(const Memory<T>& memory, const T& limit, const T& excess, double stiff, double time) const {
    using math::is_any;
    using math::is_greater;
    using math::log;
    using math::select;
    const T zero(0.0), one(1.0), s(stiff), soft = softened(memory), q = limit + excess;
    if (!(time > 0)) return zero;
    auto open = is_greater(excess, zero);
    const T end = select(open, excess, one) / s;
    const T by_rate = T(time) * memory.rate, most = T(0.9) * end;
    T low(0.0), high = end;
    T x = select(is_greater(by_rate, zero), select(is_greater(most, by_rate), by_rate, most), T(0.5) * end);
    for (int iteration = 0; iteration < max_iterations && is_any(open); ++iteration) {
      const T alpha = memory.alpha + x, hard = T(modulus) * power(alpha, exponent);
      const T surplus = log(x * T(1 / (time * reference_rate)));
      const auto fast = is_greater(surplus, zero);
      const T rate = one + select(fast, T(rate_factor) * surplus, zero), stress = T(yield_stress) + hard;
      const T residual = q - s * x - soft * stress * rate;
      const T slope = s + soft * (T(exponent) * hard * rate / alpha + select(fast, T(rate_factor) * stress / x, zero));
      const auto below = is_greater(residual, zero);
      low = select(below, x, low);
      high = select(below, high, x);
      const T step = residual / slope, newton = x + step, size = select(is_greater(zero, step), -step, step);
      const T middle = select(is_greater(low, zero), math::sqrt(low * high), T(0.05) * high);
      const T inside = select(is_greater(low, newton), middle, newton);
      const T next = select(is_greater(inside, high), middle, inside);
      const auto is_far = is_greater(size, T(1e-9) * x);  // what is left behind is its square
      x = select(open, select(is_far, next, newton), x);
      open = open & is_far;
    }
    return x;
  }
  static constexpr bool is_smooth = false;
  /// In no time nothing flows.
  static bool flows_within(double time) { return time > 0; }
  /// The flow stress, and its slope, once α has grown by an increment within a time.
  template <class T>
  void resist(const Memory<T>& memory, const T& increment, double time, T& stress, T& slope) const {
    using math::is_greater;
    using math::log;
    using math::select;
    const T zero(0.0), one(1.0), alpha = memory.alpha + increment, soft = softened(memory);
    const T hard = T(modulus) * power(alpha, exponent), cold = T(yield_stress) + hard;
    const T ratio = increment * T(1 / (time * reference_rate));
    const auto fast = is_greater(ratio, one);
    const T rate = one + T(rate_factor) * log(select(fast, ratio, one));
    stress = soft * cold * rate;
    slope = soft * (T(exponent) * hard * rate / select(is_greater(alpha, zero), alpha, one) +
                    select(fast, T(rate_factor) * cold / select(fast, increment, one), zero));
  }
  template <class T>
  void flow(Memory<T>& memory, const T& increment, double time) const {
    using math::is_greater;
    using math::log;
    using math::select;
    const T zero(0.0), rate = time > 0 ? T(1 / time) * increment : zero;
    const auto fast = is_greater(rate, T(reference_rate));
    const T surplus = log(select(fast, T(1 / reference_rate) * rate, T(1.0)));
    const T alpha = memory.alpha + increment;
    const T hardened = (alpha * power(alpha, exponent) - memory.alpha * power(memory.alpha, exponent));
    memory.work = memory.work + softened(memory) * (T(1.0) + T(rate_factor) * surplus) *
                                    (T(yield_stress) * increment + T(modulus / (exponent + 1)) * hardened);
    memory.alpha = alpha;
    memory.rate = rate;
  }
  template <class T>
  void rest(Memory<T>& memory) const {
    memory.rate = T(0.0);
  }
  template <class T>
  T work(const Memory<T>& memory) const {
    return memory.work;
  }
  /// A share is always given: it is in η.
  template <class T>
  T heat(const Memory<T>& memory) const {
    return memory.work;
  }

  static constexpr int max_iterations = 100;

 private:
  /// 1 − T*ᵐ.
  template <class T>
  T softened(const Memory<T>& memory) const {
    using math::is_greater;
    using math::select;
    const T way = T(heating) * memory.work, one(1.0);
    return select(is_greater(one, way), one - power(way, softening), T(0.0));
  }
  /// aᵇ of a ≥ 0, b > 0.
  template <class T>
  static T power(const T& a, double b) {
    using math::exp;
    using math::is_greater;
    using math::log;
    using math::select;
    const T least(1e-300);
    return select(is_greater(a, least), exp(T(b) * log(select(is_greater(a, least), a, least))), T(0.0));
  }
};

}  // namespace ictus::mechanics
