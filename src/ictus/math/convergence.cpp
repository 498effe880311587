#include <ictus/math/convergence.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ictus::math {

namespace {

bool all_have_logarithms(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value > 0.0 && std::isfinite(value); });
}

double mean_logarithm(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += std::log(value);
  return sum / static_cast<double>(values.size());
}

}  // namespace

std::optional<PowerLaw> fit_power_law(std::span<const double> steps, std::span<const double> errors) {
  if (steps.size() != errors.size()) throw std::invalid_argument("as many errors as steps are needed");
  if (!all_have_logarithms(steps) || !all_have_logarithms(errors)) return std::nullopt;
  if (steps.empty() || std::all_of(steps.begin(), steps.end(), [&](double h) { return h == steps.front(); }))
    return std::nullopt;

  const double mean_step = mean_logarithm(steps);
  const double mean_error = mean_logarithm(errors);
  double covariance = 0.0;
  double variance = 0.0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double x = std::log(steps[i]) - mean_step;
    covariance += x * (std::log(errors[i]) - mean_error);
    variance += x * x;
  }
  const double order = covariance / variance;
  const double log_constant = mean_error - order * mean_step;
  double scatter = 0.0;
  for (std::size_t i = 0; i < steps.size(); ++i)
    scatter = std::max(scatter, std::abs(std::log(errors[i]) - order * std::log(steps[i]) - log_constant));
  return PowerLaw{order, std::exp(log_constant), scatter / std::log(10.0)};
}

std::vector<std::optional<double>> local_orders(std::span<const double> steps, std::span<const double> errors) {
  if (steps.size() != errors.size()) throw std::invalid_argument("as many errors as steps are needed");
  std::vector<std::optional<double>> orders;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    const std::optional<PowerLaw> law = fit_power_law(steps.subspan(i, 2), errors.subspan(i, 2));
    orders.push_back(law ? std::optional(law->order) : std::nullopt);
  }
  return orders;
}

}  // namespace ictus::math
