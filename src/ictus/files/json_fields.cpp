#include <ictus/files/json_fields.hpp>

#include <fmt/format.h>

#include <ictus/base/error.hpp>
#include <limits>

namespace ictus::files {

void JsonField::fail(std::string message) const {
  throw base::InputError(base::Mistake{.file = {}, .line = 0, .key = key_, .message = std::move(message)});
}

JsonField JsonField::member(std::string_view name) const {
  if (const auto found = optional_member(name)) return *found;
  JsonField(*value_, key_.empty() ? std::string(name) : fmt::format("{}.{}", key_, name)).fail("is missing");
}

std::optional<JsonField> JsonField::optional_member(std::string_view name) const {
  if (!value_->is_object()) fail("an object is expected");
  const auto found = value_->find(name);
  if (found == value_->end() || found->is_null()) return std::nullopt;
  return JsonField(*found, key_.empty() ? std::string(name) : fmt::format("{}.{}", key_, name));
}

std::vector<std::pair<std::string, JsonField>> JsonField::members() const {
  if (!value_->is_object()) fail("an object is expected");
  std::vector<std::pair<std::string, JsonField>> result;
  for (const auto& [name, value] : value_->items()) {
    result.emplace_back(name, JsonField(value, fmt::format("{}.{}", key_, name)));
  }
  return result;
}

std::vector<JsonField> JsonField::elements() const {
  if (!value_->is_array()) fail("a list is expected");
  std::vector<JsonField> result;
  for (const auto& value : *value_) result.push_back(JsonField(value, fmt::format("{}[{}]", key_, result.size())));
  return result;
}

std::string JsonField::text() const {
  if (!value_->is_string()) fail("a text is expected");
  return value_->get<std::string>();
}

std::vector<double> JsonField::numbers() const {
  std::vector<double> result;
  for (const JsonField& element : elements()) {
    const bool is_null = element.value().is_null();
    if (!is_null && !element.value().is_number()) element.fail("a number or null is expected");
    result.push_back(is_null ? std::numeric_limits<double>::quiet_NaN() : element.value().get<double>());
  }
  return result;
}

}  // namespace ictus::files
