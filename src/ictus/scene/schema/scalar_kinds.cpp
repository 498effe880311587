#include <ictus/scene/schema/scalar_kinds.hpp>

#include <ictus/base/nearest.hpp>
#include <ictus/scene/text/number.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace ictus::scene {

void report_wrong(const Node& node, const std::string& path, Reading& reading, const std::string& allowed,
                  const std::string& remark) {
  reading.mistake(node, path,
                  node.is_null() ? fmt::format("is empty, must be {}", allowed)
                                 : fmt::format("must be {}, not {}{}", allowed, shown(node), remark));
}

std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const auto near = base::nearest(word, known);
  return near ? fmt::format(", did you mean '{}'?", *near) : "";
}

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

/// The number that a scalar without quotes is for YAML; none if it is something else or no double.
std::optional<double> plain_number(const Node& node) {
  if (!node.is_scalar() || node.quoted) return std::nullopt;
  const auto split = split_number(node.text);
  if (!split || !split->rest.empty()) return std::nullopt;
  return to_double(split->number);
}

bool is_plain_word(const Node& node, std::string_view word) {
  return node.is_scalar() && !node.quoted && node.text == word;
}

class QuantityKind final : public Kind {
 public:
  explicit QuantityKind(Quantity rules) : rules_(std::move(rules)) {}

  void read(const Node& node, const std::string& path, Reading& reading, void* value) const override {
    const auto remark = parse(node, *static_cast<double*>(value));
    if (remark) report_wrong(node, path, reading, allowed(), *remark);
  }

  Node write(const void* value) const override {
    const double number = *static_cast<const double*>(value);
    for (const Quantity::Word& word : rules_.words())
      if (word.value == number) return Node::scalar(word.name);
    return Node::scalar(format_number(number));
  }

  std::string allowed() const override { return rules_.allowed(); }
  nlohmann::ordered_json json_schema() const override;

 private:
  /// Reads the value, or returns what to add to the message (often nothing).
  std::optional<std::string> parse(const Node& node, double& value) const {
    if (!node.is_scalar()) return "";
    for (const Quantity::Word& word : rules_.words()) {
      if (word.name != node.text) continue;
      value = word.value;
      return std::nullopt;
    }
    const auto split = split_number(trimmed(node.text));
    if (!split) return "";
    const std::string_view unit_text = trimmed(split->rest);
    if (unit_text.starts_with(',')) return " (a decimal point is '.')";
    const UnitResult unit = parse_unit(unit_text);
    if (!unit.unit) return ": " + unit.error;
    if (!unit_text.empty() && unit.unit->dimension != rules_.dimension())
      return ", which is " + with_article(unit.unit->dimension);
    const auto number = to_double(split->number, unit.unit->exponent);
    const double si = number.value_or(0) * unit.unit->factor;
    if (!number || !std::isfinite(si)) return ", which is beyond the range of numbers (1e-307 to 1e308)";
    if (!rules_.holds(si)) return "";
    value = si;
    return std::nullopt;
  }

  Quantity rules_;
};

class IntegerKind final : public Kind {
 public:
  IntegerKind(int low, int high) : low_(low), high_(high) {}

  void read(const Node& node, const std::string& path, Reading& reading, void* value) const override {
    const auto number = plain_number(node);
    if (!number || *number != std::floor(*number) || *number < low_)
      return report_wrong(node, path, reading, allowed());
    if (*number > high_) return report_wrong(node, path, reading, fmt::format("at most {}", high_));
    *static_cast<int*>(value) = static_cast<int>(*number);
  }
  Node write(const void* value) const override {
    return Node::scalar(fmt::format("{}", *static_cast<const int*>(value)));
  }
  std::string allowed() const override {
    if (low_ == high_) return fmt::format("{}", low_);
    if (high_ == std::numeric_limits<int>::max()) return fmt::format("an integer ≥ {}", low_);
    return fmt::format("an integer in [{}, {}]", low_, high_);
  }
  nlohmann::ordered_json json_schema() const override {
    return {{"type", "integer"}, {"minimum", low_}, {"maximum", high_}};
  }

 private:
  int low_;
  int high_;
};

class BooleanKind final : public Kind {
 public:
  void read(const Node& node, const std::string& path, Reading& reading, void* value) const override {
    const bool is_true = is_plain_word(node, "true");
    if (!is_true && !is_plain_word(node, "false")) return report_wrong(node, path, reading, allowed());
    *static_cast<bool*>(value) = is_true;
  }
  Node write(const void* value) const override {
    return Node::scalar(*static_cast<const bool*>(value) ? "true" : "false");
  }
  std::string allowed() const override { return "true or false"; }
  nlohmann::ordered_json json_schema() const override { return {{"type", "boolean"}}; }
};

class TextKind final : public Kind {
 public:
  TextKind(std::string what, bool may_be_empty) : what_(std::move(what)), may_be_empty_(may_be_empty) {}

  void read(const Node& node, const std::string& path, Reading& reading, void* value) const override {
    if (!node.is_scalar() || (node.text.empty() && !may_be_empty_)) return report_wrong(node, path, reading, allowed());
    if (plain_number(node) || is_plain_word(node, "true") || is_plain_word(node, "false"))
      return report_wrong(node, path, reading, allowed(), fmt::format(" (write \"{}\" with quotes)", shown(node)));
    *static_cast<std::string*>(value) = node.text;
  }
  Node write(const void* value) const override { return Node::quoted_text(*static_cast<const std::string*>(value)); }
  std::string allowed() const override { return what_; }
  nlohmann::ordered_json json_schema() const override {
    nlohmann::ordered_json schema{{"type", "string"}};
    if (!may_be_empty_) schema["minLength"] = 1;
    return schema;
  }

 private:
  std::string what_;
  bool may_be_empty_;
};

/// A pattern for "12 mm" after its sign: JSON Schema cannot know dimensions, but it can tell a quantity from other
/// text.
constexpr const char* quantity_pattern =
    R"(([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?(\s*[A-Za-zµμ°%/].*|\s+1\s*/.*)?$)";

nlohmann::ordered_json QuantityKind::json_schema() const {
  nlohmann::ordered_json number{{"type", "number"}};
  if (rules_.low()) number[rules_.low_is_allowed() ? "minimum" : "exclusiveMinimum"] = *rules_.low();
  if (rules_.high()) number["maximum"] = *rules_.high();
  const char* sign = rules_.low() && *rules_.low() >= 0 ? R"(^\s*\+?)" : R"(^\s*[-+]?)";
  const nlohmann::ordered_json with_unit{{"type", "string"}, {"pattern", std::string(sign) + quantity_pattern}};
  auto options = nlohmann::ordered_json::array({number, with_unit});
  if (!rules_.words().empty()) {
    auto words = nlohmann::ordered_json::array();
    for (const Quantity::Word& word : rules_.words()) words.push_back(word.name);
    options.push_back({{"enum", words}});
  }
  return {{"anyOf", options}};
}

}  // namespace

Quantity Quantity::above(double low) const {
  Quantity result = *this;
  result.low_ = low;
  result.low_is_allowed_ = false;
  return result;
}

Quantity Quantity::at_least(double low) const {
  Quantity result = *this;
  result.low_ = low;
  result.low_is_allowed_ = true;
  return result;
}

Quantity Quantity::at_most(double high) const {
  Quantity result = *this;
  result.high_ = high;
  return result;
}

Quantity Quantity::word(std::string name, double value) const {
  Quantity result = *this;
  result.words_.push_back({std::move(name), value});
  return result;
}

bool Quantity::holds(double value) const {
  if (low_ && (low_is_allowed_ ? value < *low_ : value <= *low_)) return false;
  return !high_ || value <= *high_;
}

std::string Quantity::allowed() const {
  std::string text = with_article(dimension_);
  if (low_ && high_)
    text += fmt::format(" in {}{}, {}]", low_is_allowed_ ? '[' : '(', format_number(*low_), format_number(*high_));
  else if (low_)
    text += fmt::format(" {} {}", low_is_allowed_ ? "≥" : ">", format_number(*low_));
  else if (high_)
    text += fmt::format(" ≤ {}", format_number(*high_));
  if (dimension_ != dimension::none) text += fmt::format(" (in {})", si_unit(dimension_));
  std::vector<std::string> options;
  for (const Word& word : words_) options.push_back(word.name);
  options.push_back(text);
  return alternatives(options);
}

Quantity::operator Typed<double>() const { return {std::make_shared<QuantityKind>(*this)}; }

double parse_quantity(std::string_view text, const Quantity& rules, const std::string& key) {
  const Sources no_file{""};
  Reading reading(no_file);
  double value = 0;
  QuantityKind(rules).read(Node::scalar(std::string(text)), key, reading, &value);
  if (!reading.mistakes.empty()) throw base::InputError(reading.mistakes);
  return value;
}

Typed<int> integer(int low, int high) { return {std::make_shared<IntegerKind>(low, high)}; }
Typed<bool> boolean() { return {std::make_shared<BooleanKind>()}; }
Typed<std::string> text() { return {std::make_shared<TextKind>("text", true)}; }

Typed<std::string> text(std::string what) { return {std::make_shared<TextKind>(std::move(what), false)}; }

void AnyScalarKind::read(const Node& node, const std::string& path, Reading& reading, void* value) const {
  Scalar& scalar = *static_cast<Scalar*>(value);
  if (node.is_null())
    scalar = std::monostate{};
  else if (!node.is_scalar())
    report_wrong(node, path, reading, allowed());
  else if (is_plain_word(node, "true") || is_plain_word(node, "false"))
    scalar = node.text == "true";
  else if (const auto number = plain_number(node))
    scalar = *number;
  else
    scalar = node.text;
}

Node AnyScalarKind::write(const void* value) const {
  const Scalar& scalar = *static_cast<const Scalar*>(value);
  if (const auto* truth = std::get_if<bool>(&scalar)) return Node::scalar(*truth ? "true" : "false");
  if (const auto* number = std::get_if<double>(&scalar)) return Node::scalar(format_number(*number));
  if (const auto* text = std::get_if<std::string>(&scalar)) return Node::quoted_text(*text);
  return Node{};
}

std::string AnyScalarKind::allowed() const { return "text, a number, true, false or null"; }

nlohmann::ordered_json AnyScalarKind::json_schema() const {
  return {{"type", {"string", "number", "boolean", "null"}}};
}

void EnumKind::read(const Node& node, const std::string& path, Reading& reading, void* value) const {
  std::vector<std::string> names;
  for (const Choice& choice : choices_) {
    if (node.is_scalar() && node.text == choice.name) return store(value, choice.value);
    names.push_back(choice.name);
  }
  report_wrong(node, path, reading, allowed(), node.is_scalar() ? suggestion(node.text, names) : "");
}

Node EnumKind::write(const void* value) const {
  const int stored = load(value);
  for (const Choice& choice : choices_)
    if (choice.value == stored) return Node::scalar(choice.name);
  return Node{};
}

std::string EnumKind::allowed() const {
  std::vector<std::string> names;
  for (const Choice& choice : choices_) names.push_back(choice.name);
  return alternatives(names);
}

nlohmann::ordered_json EnumKind::json_schema() const {
  auto names = nlohmann::ordered_json::array();
  for (const Choice& choice : choices_) names.push_back(choice.name);
  return {{"enum", names}};
}

}  // namespace ictus::scene
