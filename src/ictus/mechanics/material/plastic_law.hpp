#pragma once

#include <ictus/mechanics/material/hardening.hpp>
#include <ictus/mechanics/material/hencky.hpp>

// J2 plasticity at finite strain as a minimum over each step [eq. plasticity-2], over any scalar T.

namespace ictus::mechanics {

/// What a point remembers. `shape` is C_p⁻¹ by its components along the edges of the element, (∂X/∂ξ)⁻¹ C_p⁻¹
/// (∂X/∂ξ)⁻ᵀ: it lives in the rest configuration, so that nothing has to be turned, and with M = ∂x/∂ξ the elastic b is
/// M shape Mᵀ [eq. plasticity-1]: neither F nor gradients at rest are needed.
template <class T>
struct PlasticPoint {
  static constexpr std::size_t numbers = 7;

  math::Symmetric3<T> shape;
  T alpha;  ///< equivalent plastic strain
};

/// What a law says of a point that has come to M.
template <class T>
struct PlasticResponse {
  math::Symmetric3<T> strain;  ///< dev e after the return: τ = 2μ dev e + pressure
  T alpha;
};

/// The return mapping [eq. plasticity-4]. Takes `point` to M where `remembers`; else it stays as it is. `determinant`
/// is that of M, and becomes its inverse.
template <bool remembers, class T, class Hardening>
[[gnu::always_inline]] inline PlasticResponse<T> respond(const math::Matrix3<T>& m, const math::Matrix3<T>& cofactor,
                                                         T& determinant, double mu, const Hardening& hardening,
                                                         PlasticPoint<T>& point, bool& good) {
  using math::is_any;
  using math::is_greater;
  using math::select;
  using math::sqrt;
  const math::Symmetric3<T> b = congruence(m, point.shape);
  PlasticResponse<T> response{{}, point.alpha};
  if (!hencky::deviator(b, response.strain, determinant)) good = false;
  const T zero(0.0), limit = hardening.stress(point.alpha);
  const T size_sq = T(6 * mu * mu) * contract(response.strain, response.strain);  // q²
  const auto flows = is_greater(size_sq, limit * limit);
  if (!is_any(flows)) return response;
  const T size = select(flows, sqrt(size_sq), T(1.0));
  const T increment = select(flows, hardening.increment(point.alpha, size - limit, 3 * mu), zero);
  const T share = T(3 * mu) * increment / size;
  if constexpr (remembers) {
    const math::Symmetric3<T> change =
        commuting_product(b, hencky::exponential_less_one(T(-2.0) * share * response.strain));
    point.shape = point.shape + (determinant * determinant) * pulled_back(cofactor, change);
    point.alpha = point.alpha + increment;
  }
  response.strain = (T(1.0) - share) * response.strain;
  response.alpha = response.alpha + increment;
  return response;
}

}  // namespace ictus::mechanics
