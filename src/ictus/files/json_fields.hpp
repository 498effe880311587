#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::files {

/// A location in a document that somebody handed in: a value, and the key that leads to it ("runs[2].columns"), for
/// complaints. Every function throws base::InputError with that key where the value is not what is asked for.
class JsonField {
 public:
  /// The whole document. It must outlive the field.
  explicit JsonField(const nlohmann::json& value) : value_(&value) {}

  const nlohmann::json& value() const { return *value_; }
  const std::string& key() const { return key_; }

  /// Member of an object.
  JsonField member(std::string_view name) const;
  /// The same; none where it is missing or null.
  std::optional<JsonField> optional_member(std::string_view name) const;
  /// All members of an object, or all elements of a list.
  std::vector<std::pair<std::string, JsonField>> members() const;
  std::vector<JsonField> elements() const;

  std::string text() const;
  /// A list of numbers; null is NaN.
  std::vector<double> numbers() const;

  [[noreturn]] void fail(std::string message) const;

 private:
  JsonField(const nlohmann::json& value, std::string key) : value_(&value), key_(std::move(key)) {}

  const nlohmann::json* value_;
  std::string key_;
};

}  // namespace ictus::files
