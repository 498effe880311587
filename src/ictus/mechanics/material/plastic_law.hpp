#pragma once

#include <ictus/math/eigen3.hpp>
#include <ictus/mechanics/material/hardening.hpp>
#include <ictus/mechanics/material/hencky.hpp>
#include <ictus/mechanics/material/johnson_cook.hpp>

// J2 plasticity at finite strain as a minimum over each step [eq. plasticity-2], over any scalar T. A law says what a
// point remembers and how it responds where it has come to; the flow that it is made with (FlowByStrain, JohnsonCook)
// says how its flow stress grows.

namespace ictus::mechanics {

/// Where a point of an element has come to: M = ∂x/∂ξ, its cofactors and determinant.
template <class T>
struct PointEdges {
  math::Matrix3<T> m, cofactor;
  T determinant;

  explicit PointEdges(const math::Matrix3<T>& edges)
      : m(edges), cofactor{cross(m.b, m.c), cross(m.c, m.a), cross(m.a, m.b)}, determinant(dot(m.a, cofactor.a)) {}
};

/// What a law says of a point. τ' is the deviator of Kirchhoff's stress.
template <class T>
struct PlasticResponse {
  math::Symmetric3<T> strain;  ///< τ' = modulus · strain
  T modulus;
  T inverse_determinant;  ///< of M
  T stored{0.0};          ///< energy of the shape per rest volume
  T taken{0.0};           ///< plastic work per rest volume since what the point remembers
};

/// Isotropic hardening in the multiplicative frame [eq. plasticity-1]. `shape` is C_p⁻¹ by its components along the
/// edges of the element, (∂X/∂ξ)⁻¹ C_p⁻¹ (∂X/∂ξ)⁻ᵀ: it lives in the rest configuration, so that nothing has to be
/// turned, and the elastic b is M shape Mᵀ: neither F nor gradients at rest are needed.
template <class Flow>
struct IsotropicJ2 {
  double mu;
  Flow flow;

  template <class T>
  struct Point {
    static constexpr std::size_t numbers = 6 + Flow::template Memory<T>::numbers;
    math::Symmetric3<T> shape;
    typename Flow::template Memory<T> memory{};

    template <class F>
    void each(F&& f) {
      f(shape.xx), f(shape.yy), f(shape.zz), f(shape.xy), f(shape.yz), f(shape.zx);
      memory.each(f);
    }
  };

  /// A point that has never flowed; `inverse` is (∂X/∂ξ)⁻ᵀ.
  template <class T>
  static Point<T> begin(const math::Matrix3<T>& inverse) {
    const auto& [a, b, c] = inverse;
    return {{norm_sq(a), norm_sq(b), norm_sq(c), dot(a, b), dot(b, c), dot(c, a)}, {}};
  }

  /// The return mapping [eq. plasticity-4], within a time. Takes `point` there where it `remembers`; else it stays.
  template <bool remembers, class T>
  [[gnu::always_inline]] PlasticResponse<T> respond(const PointEdges<T>& edges, const math::Matrix3<T>& /*inverse*/,
                                                    double time, Point<T>& point, bool& good) const {
    using math::is_any;
    using math::is_greater;
    using math::select;
    using math::sqrt;
    const math::Symmetric3<T> b = congruence(edges.m, point.shape);
    PlasticResponse<T> response{{}, T(2 * mu), edges.determinant};
    if (!hencky::deviator(b, response.strain, response.inverse_determinant)) good = false;
    const T zero(0.0), one(1.0), limit = flow.limit(point.memory), square = contract(response.strain, response.strain);
    response.stored = T(mu) * square;
    const T size_sq = T(6 * mu * mu) * square;  // q²
    const auto flows = is_greater(size_sq, limit * limit);
    if (!is_any(flows)) {
      if constexpr (remembers) flow.rest(point.memory);
      return response;
    }
    const T size = select(flows, sqrt(size_sq), one);
    const T increment =
        select(flows, flow.increment(point.memory, limit, select(flows, size - limit, zero), 3 * mu, time), zero);
    const T share = T(3 * mu) * increment / size, left = one - share;
    auto memory = point.memory;
    flow.flow(memory, increment, time);
    if constexpr (remembers) {
      const math::Symmetric3<T> change =
          commuting_product(b, hencky::exponential_less_one(T(-2.0) * share * response.strain));
      point.shape = point.shape +
                    (response.inverse_determinant * response.inverse_determinant) * pulled_back(edges.cofactor, change);
      point.memory = memory;
    } else {
      response.taken = flow.work(memory) - flow.work(point.memory);
    }
    response.modulus = response.modulus * left;
    response.stored = response.stored * left * left;
    return response;
  }
};

/// Hardening that is kinematic too, in the additive frame [eq. plasticity-10]: plastic strain E_p and back stress
/// ⅔ H_k E_p beside E = ½ ln FᵀF, in the axes of the scene.
template <class Flow>
struct KinematicJ2 {
  double mu;
  double back_modulus;  ///< H_k (Pa)
  Flow flow;

  template <class T>
  struct Point {
    static constexpr std::size_t numbers = 6 + Flow::template Memory<T>::numbers;
    math::Symmetric3<T> strain;  ///< E_p
    typename Flow::template Memory<T> memory{};

    template <class F>
    void each(F&& f) {
      f(strain.xx), f(strain.yy), f(strain.zz), f(strain.xy), f(strain.yz), f(strain.zx);
      memory.each(f);
    }
  };

  template <class T>
  static Point<T> begin(const math::Matrix3<T>&) {
    const T zero(0.0);
    return {{zero, zero, zero, zero, zero, zero}, {}};
  }

  /// The return mapping [eq. plasticity-11].
  template <bool remembers, class T>
  [[gnu::always_inline]] PlasticResponse<T> respond(const PointEdges<T>& edges, const math::Matrix3<T>& inverse,
                                                    double time, Point<T>& point, bool& /*good*/) const {
    using math::is_greater;
    using math::select;
    using math::sqrt;
    using math::Symmetric3;
    const T zero(0.0), one(1.0);
    const math::Matrix3<T> f = times_transposed(edges.m, inverse);
    const math::Eigen3<T> c = math::eigen(
        Symmetric3<T>{norm_sq(f.a), norm_sq(f.b), norm_sq(f.c), dot(f.a, f.b), dot(f.b, f.c), dot(f.c, f.a)});
    const Symmetric3<T> e = deviator(T(0.5) * math::log_of(c));
    const Symmetric3<T> trial = T(2 * mu) * (e + T(-1.0) * point.strain);
    const Symmetric3<T> xi = trial + T(-2.0 / 3 * back_modulus) * point.strain;
    const T limit = flow.limit(point.memory), size_sq = T(1.5) * contract(xi, xi);
    const auto flows = is_greater(size_sq, limit * limit);
    const T size = select(flows, sqrt(size_sq), one);
    const T increment = select(
        flows, flow.increment(point.memory, limit, select(flows, size - limit, zero), 3 * mu + back_modulus, time),
        zero);
    const Symmetric3<T> plastic = point.strain + (T(1.5) * increment / size) * xi;
    const Symmetric3<T> stress = T(2 * mu) * (e + T(-1.0) * plastic), elastic = e + T(-1.0) * plastic;
    auto memory = point.memory;
    flow.flow(memory, increment, time);
    PlasticResponse<T> response{{}, one, one / edges.determinant};
    response.stored = T(mu) * contract(elastic, elastic) + T(back_modulus / 3) * contract(plastic, plastic);
    if constexpr (remembers) {
      point.strain = plastic;
      point.memory = memory;
    } else {
      response.taken = flow.work(memory) - flow.work(point.memory);
    }
    // τ' = F S Fᵀ.
    response.strain = congruence(f, math::conjugate_to_square(c, stress));
    return response;
  }
};

}  // namespace ictus::mechanics
