#include <ictus/scene/spec/expectation.hpp>

#include <ictus/scene/schema/kind.hpp>
#include <ictus/scene/text/number.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace ictus::scene {

namespace {

using Json = nlohmann::json;

/// The value at a dotted path; nullptr if the summary has none.
const Json* find(const Json& summary, std::string_view path) {
  const Json* value = &summary;
  while (true) {
    const std::size_t dot = path.find('.');
    const std::string key(path.substr(0, dot));
    if (!value->is_object() || !value->contains(key)) return nullptr;
    value = &(*value)[key];
    if (dot == std::string_view::npos) return value;
    path.remove_prefix(dot + 1);
  }
}

void collect_paths(const Json& value, const std::string& path, std::vector<std::string>& paths) {
  if (!value.is_object()) return paths.push_back(path);
  for (const auto& [key, child] : value.items()) collect_paths(child, join(path, key), paths);
}

std::string text_of(const Json& value) {
  if (value.is_number_float()) return format_number(value.get<double>());
  return value.is_structured() ? (value.is_array() ? "a list" : "a map") : value.dump();
}

std::string text_of(const Scalar& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const auto* number = std::get_if<double>(&value)) return format_number(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return fmt::format("\"{}\"", *text);
  return "null";
}

bool equals(const Json& value, const Scalar& wanted) {
  if (const auto* truth = std::get_if<bool>(&wanted)) return value.is_boolean() && value.get<bool>() == *truth;
  if (const auto* number = std::get_if<double>(&wanted)) return value.is_number() && value.get<double>() == *number;
  if (const auto* text = std::get_if<std::string>(&wanted))
    return value.is_string() && value.get<std::string>() == *text;
  return value.is_null();
}

bool is_met(const Condition& condition, const Json& value) {
  if (condition.equals) return equals(value, *condition.equals);
  if (!value.is_number()) return false;
  const double number = value.get<double>();
  if (std::isnan(number)) return false;
  if (condition.near) return std::abs(number - *condition.near) <= condition.within.value_or(0);
  return !(condition.min && number < *condition.min) && !(condition.max && number > *condition.max);
}

std::string text_of(const Condition& condition) {
  if (condition.equals) return text_of(*condition.equals);
  if (condition.near)
    return fmt::format("{} ± {}", format_number(*condition.near), format_number(condition.within.value_or(0)));
  std::string text;
  if (condition.min) text = "≥ " + format_number(*condition.min);
  if (condition.max) text += fmt::format("{}≤ {}", text.empty() ? "" : " and ", format_number(*condition.max));
  return text;
}

}  // namespace

std::vector<ExpectationResult> check_expectations(const std::vector<Expectation>& expectations, const Json& summary) {
  std::vector<ExpectationResult> results;
  for (const auto& [path, condition] : expectations) {
    const Json* value = find(summary, path);
    if (value == nullptr) {
      std::vector<std::string> known;
      collect_paths(summary, "", known);
      results.push_back(
          {path, false, fmt::format("missed  {} is not in the summary{}", path, suggestion(path, known))});
      continue;
    }
    const bool met = is_met(condition, *value);
    results.push_back(
        {path, met,
         fmt::format("{}  {} = {}, wanted {}", met ? "met   " : "missed", path, text_of(*value), text_of(condition))});
  }
  return results;
}

}  // namespace ictus::scene
