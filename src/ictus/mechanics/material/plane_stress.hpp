#pragma once

#include <algorithm>
#include <ictus/mechanics/material/hardening.hpp>
#include <ictus/mechanics/material/johnson_cook.hpp>

// Laws of a layer of a shell, in plane stress and in its own plane, over any scalar T: double, or Pack.

namespace ictus::mechanics {

/// A symmetric tensor of the plane: t11 + t22, t11 − t22 and t12, in which isotropic laws fall apart.
template <class T>
struct PlaneTensor {
  T sum{0.0}, difference{0.0}, shear{0.0};
};

/// a : b.
template <class T>
T contract(const PlaneTensor<T>& a, const PlaneTensor<T>& b) {
  return T(0.5) * (a.sum * b.sum + a.difference * b.difference) + T(2.0) * a.shear * b.shear;
}

/// H = ½ ln C, C = I + 2E, without eigenvectors, and what takes stresses from it to E [eq. layers-2].
/// C = m I + D, D of the components d and s, ln C = ½ ln det C I + b D, b = artanh(r/m)/r, r² = d² + s².
template <class T>
struct LogarithmicStrain {
  T mean, d, s, determinant, inverse_determinant, b, slope;  ///< slope: ∂b/∂(r²)
  PlaneTensor<T> value;

  [[gnu::always_inline]] explicit LogarithmicStrain(const PlaneTensor<T>& green)
      : mean(T(1.0) + green.sum), d(green.difference), s(T(2.0) * green.shear) {
    using math::is_greater;
    using math::largest_lane;
    using math::select;
    const T one(1.0), square = d * d + s * s;
    // det C − 1 without the difference of large numbers.
    const T growth = (green.sum + green.sum) + (green.sum * green.sum - square), above = T(2.0) + growth;
    determinant = one + growth;
    // Three quotients by one division.
    const T both = mean * determinant, all = one / (both * above);
    inverse_determinant = all * mean * above;
    const T inverse = all * determinant * above, z = growth * (all * both), ratio = inverse * inverse * square;
    const T z_sq = z * z;
    const double largest = largest_lane(select(is_greater(ratio, z_sq), ratio, z_sq));
    if (largest < 1e-4) {
      series<5>(inverse, ratio);
      value.sum = half_log<4>(z, z_sq);
    } else if (largest < 4e-3) {
      series<7>(inverse, ratio);
      value.sum = half_log<6>(z, z_sq);
    } else {
      const Far wide = far(square, inverse, ratio, determinant);
      const auto is_wide = is_greater(ratio, T(0.01));
      series<10>(inverse, ratio);
      b = select(is_wide, wide.b, b);
      slope = select(is_wide, wide.slope, slope);
      value.sum = wide.half_log;
    }
    value.difference = b * d;
    value.shear = T(0.5) * (b * s);
  }

  /// S with S : δE = t : δH.
  [[gnu::always_inline]] PlaneTensor<T> to_green(const PlaneTensor<T>& t) const {
    const T mean_stress = T(0.5) * t.sum, shape = T(0.5) * (t.difference * d) + t.shear * s;
    const T across = (mean_stress * mean - shape) * inverse_determinant;
    const T along = (shape + shape) * slope - mean_stress * inverse_determinant;
    const T half = T(0.5) * (b * t.difference) + along * d;
    return {across + across, half + half, b * t.shear + along * s};
  }
  /// Not positive where a layer is turned inside out.
  const T& sign() const { return determinant; }

 private:
  /// b and its slope from Σ u^k/(2k + 1), u = ratio: what is left out is below a rounding error.
  template <int terms>
  [[gnu::always_inline]] void series(const T& inverse, const T& ratio) {
    T sum(1.0 / (2 * terms + 1)), rise(static_cast<double>(terms) / (2 * terms + 1));
#pragma GCC unroll 16
    for (int k = terms - 1; k >= 1; --k) {
      sum = sum * ratio + T(1.0 / (2 * k + 1));
      rise = rise * ratio + T(static_cast<double>(k) / (2 * k + 1));
    }
    b = inverse * (sum * ratio + T(1.0));
    slope = inverse * inverse * inverse * rise;
  }
  /// ½ ln det C = artanh z.
  template <int terms>
  [[gnu::always_inline]] static T half_log(const T& z, const T& z_sq) {
    T sum(1.0 / (2 * terms + 1));
#pragma GCC unroll 16
    for (int k = terms - 1; k >= 1; --k) sum = sum * z_sq + T(1.0 / (2 * k + 1));
    return z + z * z_sq * sum;
  }
  struct Far {
    T b, slope, half_log;
  };
  /// Large strains, by logarithms, in lanes that are not near r = 0.
  [[gnu::noinline]] static Far far(const T& square, const T& inverse, const T& ratio, const T& determinant) {
    using math::is_greater;
    using math::log;
    using math::select;
    using math::sqrt;
    const auto is_wide = is_greater(ratio, T(0.01));
    const T one(1.0), wide = select(is_wide, ratio, T(0.5)), root = sqrt(wide), r = select(is_wide, sqrt(square), one);
    const T value = T(0.5) * log((one + root) / (one - root)) / r;
    return {value, T(0.5) * (inverse / (one - wide) - value) / (r * r), T(0.5) * log(determinant)};
  }
};

/// E as it is.
template <class T>
struct GreenStrain {
  PlaneTensor<T> value;

  [[gnu::always_inline]] explicit GreenStrain(const PlaneTensor<T>& green) : value(green) {}
  const PlaneTensor<T>& to_green(const PlaneTensor<T>& stress) const { return stress; }
  static T sign() { return T(1.0); }
};

/// What a law says of a point of a layer.
template <class T>
struct PlaneResponse {
  PlaneTensor<T> stress;  ///< Pa
  T stored{0.0};          ///< energy per rest volume
  T taken{0.0};           ///< plastic work per rest volume since what the point remembers
};

/// Hooke's law in plane stress.
struct PlaneElasticity {
  double sum_modulus;    ///< E/(1 − ν): of t11 + t22 over e11 + e22
  double shear_modulus;  ///< 2μ: of the other two
  double lateral;        ///< ν/(1 − ν)

  PlaneElasticity(double youngs_modulus, double poissons_ratio)
      : sum_modulus(youngs_modulus / (1 - poissons_ratio)),
        shear_modulus(youngs_modulus / (1 + poissons_ratio)),
        lateral(poissons_ratio / (1 - poissons_ratio)) {}

  template <class T>
  PlaneTensor<T> stress(const PlaneTensor<T>& strain) const {
    const T k(sum_modulus), g(shear_modulus);
    return {k * strain.sum, g * strain.difference, g * strain.shear};
  }
  template <class T>
  PlaneTensor<T> strain(const PlaneTensor<T>& stress) const {
    const T k(1 / sum_modulus), g(1 / shear_modulus);
    return {k * stress.sum, g * stress.difference, g * stress.shear};
  }
};

/// Never yields.
struct ElasticLayer {
  PlaneElasticity elasticity;

  template <class T>
  struct Point {
    static constexpr std::size_t numbers = 0;
    template <class F>
    void each(F&&) {}
    /// E_p11 + E_p22.
    T plastic_sum() const { return T(0.0); }
  };

  template <bool remembers, class T>
  [[gnu::always_inline]] PlaneResponse<T> respond(const PlaneTensor<T>& strain, double /*time*/, Point<T>&) const {
    const PlaneTensor<T> stress = elasticity.stress(strain);
    return {stress, T(0.5) * contract(stress, strain), T(0.0)};
  }
};

/// J2 plasticity in plane stress: Simo and Taylor's return, which is the minimum of the step's potential
/// [eq. layers-4].
template <class Flow>
struct PlasticLayer {
  PlaneElasticity elasticity;
  Flow flow;

  template <class T>
  struct Point {
    static constexpr std::size_t numbers = 3 + Flow::template Memory<T>::numbers;
    PlaneTensor<T> strain;  ///< E_p
    typename Flow::template Memory<T> memory{};

    template <class F>
    void each(F&& f) {
      f(strain.sum), f(strain.difference), f(strain.shear);
      memory.each(f);
    }
    T plastic_sum() const { return strain.sum; }
  };

  /// Takes `point` there where it `remembers`; else it stays.
  template <bool remembers, class T>
  [[gnu::always_inline]] PlaneResponse<T> respond(const PlaneTensor<T>& strain, double time, Point<T>& point) const {
    using math::is_any;
    using math::is_greater;
    const PlaneTensor<T> elastic{strain.sum - point.strain.sum, strain.difference - point.strain.difference,
                                 strain.shear - point.strain.shear};
    PlaneResponse<T> response{elasticity.stress(elastic), T(0.0), T(0.0)};
    const PlaneTensor<T>& trial = response.stress;
    // Squares of von Mises' stress, ⅔ ξ²: a of the sum, b of the rest.
    const T a = T(0.25) * trial.sum * trial.sum;
    const T b = T(0.75) * trial.difference * trial.difference + T(3.0) * trial.shear * trial.shear;
    const T limit = flow.limit(point.memory), size_sq = a + b;
    const auto flows = is_greater(size_sq, limit * limit);
    if (!is_any(flows) || !flow.flows_within(time)) {
      response.stored = T(0.5) * contract(response.stress, elastic);
      if constexpr (remembers) flow.rest(point.memory);
      return response;
    }
    flow_back<remembers>(strain, a, b, flows, time, point, response);
    return response;
  }

 private:
  template <bool remembers, class T, class Mask>
  [[gnu::always_inline]] void flow_back(const PlaneTensor<T>& strain, const T& a, const T& b, const Mask& flows,
                                        double time, Point<T>& point, PlaneResponse<T>& response) const {
    using math::select;
    const T zero(0.0), one(1.0);
    const Return<T> back = find(a, b, flows, time, point.memory);
    const T left = select(flows, back.left_of_sum, one), rest = select(flows, back.left_of_rest, one);
    response.stress = {left * response.stress.sum, rest * response.stress.difference, rest * response.stress.shear};
    const PlaneTensor<T> elastic = elasticity.strain(response.stress);
    response.stored = T(0.5) * contract(response.stress, elastic);
    auto memory = point.memory;
    flow.flow(memory, select(flows, back.increment, zero), time);
    if constexpr (remembers) {
      const auto taken = [&](const T& whole, const T& part, const T& before) {
        return select(flows, whole - part, before);
      };
      point.strain = {taken(strain.sum, elastic.sum, point.strain.sum),
                      taken(strain.difference, elastic.difference, point.strain.difference),
                      taken(strain.shear, elastic.shear, point.strain.shear)};
      point.memory = memory;
    } else {
      response.taken = flow.work(memory) - flow.work(point.memory);
    }
  }

  template <class T>
  struct Return {
    T left_of_sum, left_of_rest;  ///< of the trial stress
    T increment;                  ///< Δα
  };

  /// The γ at which von Mises' stress q(γ), q² = a/(1 + c γ)² + b/(1 + g γ)², c = E/3(1 − ν), g = 2μ, is the flow
  /// stress at α + x, x = ⅔ γ q. Newton's method with 1/q − 1/σ, of which γ makes nearly a straight line. q falls and
  /// x and σ rise with γ, so that every γ bounds the root from one side: what leaves these bounds is taken to their
  /// geometric mean, since roots under a rate span decades. A last step so short that its square is a rounding error
  /// is taken by Taylor's series.
  template <class T, class Mask>
  [[gnu::always_inline]] Return<T> find(const T& a, const T& b, const Mask& flows, double time,
                                        const typename Flow::template Memory<T>& memory) const {
    using math::is_any;
    using math::is_greater;
    using math::select;
    using math::sqrt;
    const T zero(0.0), one(1.0), c(elasticity.sum_modulus / 3), g(elasticity.shear_modulus);
    const double slower = std::min(elasticity.sum_modulus / 3, elasticity.shear_modulus);
    // Metal without strength keeps a millionth of the trial, and no root is further than 10⁶ brackets.
    T q_sq = select(flows, a + b, one), q = sqrt(q_sq);
    const T least = T(1e-6) * q;
    T low(0.0), high(1e6 / slower), gamma(0.0), of_sum = one, of_rest = one;
    auto open = flows;
    for (int iteration = 0;; ++iteration) {
      const T p = a * of_sum * of_sum, s = b * of_rest * of_rest;
      const T fall = c * p * of_sum + g * s * of_rest;  // −q dq/dγ
      T stress, slope;
      flow.resist(memory, T(2.0 / 3) * gamma * q, time, stress, slope);
      stress = select(is_greater(stress, least), stress, least);
      const T rise = T(2.0 / 3) * slope * (q_sq - gamma * fall);  // q dσ/dγ
      const T bottom = fall * stress * stress + rise * q_sq, both = one / (bottom * q), over_q = bottom * both;
      const T step = (q - stress) * stress * q_sq * q * both;
      const T size = select(is_greater(zero, step), -step, step);
      const T short_step = Flow::is_smooth ? T(3e-6 / slower) : T(1e-5) * (gamma + T(1e-9 / slower));
      open = open & is_greater(size, short_step);
      if (!is_any(open) || iteration == max_iterations) {
        const T last = select(flows, step, zero), by_sum = c * last * of_sum, by_rest = g * last * of_rest;
        const T increment = T(2.0 / 3) * (gamma + last) * (q - last * fall * over_q);
        return {of_sum * (one - by_sum * (one - by_sum)), of_rest * (one - by_rest * (one - by_rest)),
                select(is_greater(increment, zero), increment, zero)};
      }
      const auto above = is_greater(q, stress);
      low = select(above, gamma, low);
      high = select(above, high, gamma);
      T next = gamma + step;
      const auto is_out = is_greater(low, next) | is_greater(next, high);
      if (is_any(open & is_out)) next = select(is_out, between(low, high, slower), next);
      gamma = select(flows, next, zero);
      const T by_sum = one + c * gamma, by_rest = one + g * gamma, inverse = one / (by_sum * by_rest);
      of_sum = by_rest * inverse;
      of_rest = by_sum * inverse;
      q_sq = select(flows, a * of_sum * of_sum + b * of_rest * of_rest, one);
      q = sqrt(q_sq);
    }
  }

  template <class T>
  static T between(const T& low, const T& high, double slower) {
    using math::is_greater;
    using math::select;
    using math::sqrt;
    const T zero(0.0), known = select(is_greater(T(0.5e6 / slower), high), high, T(1 / slower));
    return select(is_greater(low, zero), sqrt(low * high), T(0.05) * known);
  }

  static constexpr int max_iterations = 100;
};

}  // namespace ictus::mechanics
