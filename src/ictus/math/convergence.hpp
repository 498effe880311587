#pragma once

#include <optional>
#include <span>
#include <vector>

namespace ictus::math {

/// The law e ≈ C hᵖ through errors e at the steps h [eq. convergence-2].
struct PowerLaw {
  double order;     ///< p
  double constant;  ///< C, in units of e/hᵖ
  double scatter;   ///< largest |log₁₀(eᵢ/(C hᵢᵖ))|: 0.3 is a factor of 2 off the law
};

/// Least squares on log e over log h [eq. convergence-3]. None where a slope has no meaning: fewer than two different
/// steps, or a step or error that is not positive and finite (an exact result has no order).
/// `steps` and `errors` are of equal size, in any order; otherwise std::invalid_argument.
std::optional<PowerLaw> fit_power_law(std::span<const double> steps, std::span<const double> errors);

/// Orders log(eᵢ₊₁/eᵢ)/log(hᵢ₊₁/hᵢ) between neighbours, one fewer than there are steps; none where fit_power_law() of
/// the two has none.
std::vector<std::optional<double>> local_orders(std::span<const double> steps, std::span<const double> errors);

}  // namespace ictus::math
