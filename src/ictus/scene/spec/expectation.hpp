#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ictus::scene {

/// A value of summary.json: null, true or false, a number, or text.
using Scalar = std::variant<std::monostate, bool, double, std::string>;

/// What a value must satisfy: min and/or max, or near and within, or equals.
struct Condition {
  std::optional<double> min;
  std::optional<double> max;
  std::optional<double> near;    ///< |value − near| ≤ within
  std::optional<double> within;  ///< ≥ 0
  std::optional<Scalar> equals;
  bool operator==(const Condition&) const = default;
};

/// A condition on the value at a dotted path of summary.json ("energy.error").
struct Expectation {
  std::string path;
  Condition condition;
  bool operator==(const Expectation&) const = default;
};

struct ExpectationResult {
  std::string path;
  bool met = false;
  std::string line;  ///< "met     contact.events = 1, wanted 1": path, value, condition
};

/// One result per expectation, in order. A path that the summary does not have, a value of another type and NaN are
/// misses; the line of a missing path names the nearest one.
std::vector<ExpectationResult> check_expectations(const std::vector<Expectation>& expectations,
                                                  const nlohmann::json& summary);

}  // namespace ictus::scene
