#include <ictus/scene/text/units.hpp>

#include <ictus/base/nearest.hpp>
#include <ictus/scene/text/number.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace ictus::scene {

namespace {

struct Symbol {
  std::string_view name;
  std::string_view meaning;
  Dimension dimension;
  double factor;
  int exponent;
  bool takes_prefix;
};

constexpr Symbol symbols[] = {
    {"m", "metre", {1, 0, 0, 0}, 1, 0, true},
    {"g", "gram", {0, 1, 0, 0}, 1, -3, true},
    {"t", "tonne, 1000 kg", {0, 1, 0, 0}, 1, 3, false},
    {"s", "second", {0, 0, 1, 0}, 1, 0, true},
    {"min", "minute", {0, 0, 1, 0}, 60, 0, false},
    {"h", "hour", {0, 0, 1, 0}, 3600, 0, false},
    {"N", "newton", {1, 1, -2, 0}, 1, 0, true},
    {"Pa", "pascal", {-1, 1, -2, 0}, 1, 0, true},
    {"bar", "100 kPa", {-1, 1, -2, 0}, 1, 5, true},
    {"J", "joule", {2, 1, -2, 0}, 1, 0, true},
    {"W", "watt", {2, 1, -3, 0}, 1, 0, true},
    {"Hz", "hertz, 1/s", {0, 0, -1, 0}, 1, 0, true},
    {"rad", "radian", {0, 0, 0, 1}, 1, 0, true},
    {"deg", "degree, also °", {0, 0, 0, 1}, std::numbers::pi / 180, 0, false},
    {"K", "kelvin", {0, 0, 0, 0, 1}, 1, 0, false},
    {"%", "1/100", {0, 0, 0, 0}, 1, -2, false},
};

struct Prefix {
  char letter;
  int exponent;
};
constexpr Prefix prefixes[] = {{'p', -12}, {'n', -9}, {'u', -6}, {'m', -3}, {'c', -2},
                               {'d', -1},  {'k', 3},  {'M', 6},  {'G', 9},  {'T', 12}};

struct Name {
  Dimension dimension;
  std::string_view with_article;
  std::string_view unit;
};

constexpr Name unit_names[] = {
    {dimension::none, "a number", ""},
    {dimension::length, "a length", "m"},
    {dimension::area, "an area", "m^2"},
    {{3, 0, 0, 0}, "a volume", "m^3"},
    {dimension::time, "a time", "s"},
    {dimension::frequency, "a frequency", "1/s"},
    {dimension::mass, "a mass", "kg"},
    {dimension::angle, "an angle", "rad"},
    {{0, 0, -1, 1}, "an angular velocity", "rad/s"},
    {dimension::velocity, "a velocity", "m/s"},
    {dimension::acceleration, "an acceleration", "m/s^2"},
    {dimension::density, "a density", "kg/m^3"},
    {{1, 1, -2, 0}, "a force", "N"},
    {{1, 1, -1, 0}, "an impulse", "N s"},
    {{0, 1, -2, 0}, "a stiffness", "N/m"},
    {{2, 1, -2, 0}, "an energy", "J"},
    {{2, 1, -3, 0}, "a power", "W"},
    {dimension::stress, "a stress", "Pa"},
    {dimension::temperature, "a temperature", "K"},
    {dimension::heat_capacity, "a heat capacity", "J/kg/K"},
};

const Name* find_name(const Dimension& dimension) {
  for (const Name& name : unit_names)
    if (name.dimension == dimension) return &name;
  return nullptr;
}

/// Typographic forms of what the grammar knows in ASCII.
std::string to_ascii(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> replacements[] = {
      {"⁻¹", "^-1"}, {"⁻²", "^-2"}, {"⁻³", "^-3"}, {"²", "^2"}, {"³", "^3"},
      {"⁴", "^4"},   {"·", "*"},    {"µ", "u"},    {"μ", "u"},  {"°", "deg"}};
  std::string result;
  while (!text.empty()) {
    bool replaced = false;
    for (const auto& [from, to] : replacements) {
      if (!text.starts_with(from)) continue;
      result += to;
      text.remove_prefix(from.size());
      replaced = true;
      break;
    }
    if (replaced) continue;
    result += text.front();
    text.remove_prefix(1);
  }
  return result;
}

std::optional<Unit> find_symbol(std::string_view name) {
  for (const Symbol& symbol : symbols)
    if (symbol.name == name) return Unit{symbol.dimension, symbol.factor, symbol.exponent};
  for (const Prefix& prefix : prefixes) {
    if (name.front() != prefix.letter) continue;
    for (const Symbol& symbol : symbols)
      if (symbol.takes_prefix && symbol.name == name.substr(1))
        return Unit{symbol.dimension, symbol.factor, symbol.exponent + prefix.exponent};
  }
  return std::nullopt;
}

std::string unknown_symbol(std::string_view name) {
  // The units people write; with every prefix some rare one would always be near.
  const std::vector<std::string> usual{"m",   "mm", "cm", "km", "um",  "kg",  "g",    "t",   "s",   "ms",  "us",
                                       "min", "h",  "N",  "kN", "MN",  "Pa",  "kPa",  "MPa", "GPa", "bar", "J",
                                       "kJ",  "W",  "kW", "Hz", "kHz", "rad", "mrad", "deg", "K"};
  const auto near = base::nearest(name, usual);
  return fmt::format("unknown unit '{}'{}", name, near ? fmt::format(", did you mean '{}'?", *near) : "");
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%'; }

/// Reads one unit after another from ASCII text; `error` is set at the first thing that does not fit.
class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text) {}

  UnitResult parse() {
    if (text_.starts_with("1/")) at_ = 1;
    bool first = at_ == 0;
    bool divided = false;
    while (error_.empty() && at_ < text_.size()) {
      const bool divide = read_operator(first);
      if (!error_.empty()) break;
      if (divided && !divide)
        return {std::nullopt, fmt::format("'{}' can be read in two ways, write one '/' for each divisor", text_)};
      divided = divided || divide;
      first = false;
      read_factor(divide ? -1 : 1);
    }
    if (!error_.empty()) return {std::nullopt, error_};
    return {unit_, ""};
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_spaces() {
    while (peek() == ' ') ++at_;
  }

  /// True for '/'. Between two units a space, '*' or '/' must stand; before the first one only '/' may.
  bool read_operator(bool first) {
    const std::size_t start = at_;
    skip_spaces();
    const char c = peek();
    if (c == '/' || (c == '*' && !first)) ++at_;
    if (!first && at_ == start) fail();
    skip_spaces();
    return c == '/';
  }

  void read_factor(int sign) {
    const std::size_t start = at_;
    while (is_letter(peek())) ++at_;
    if (at_ == start) return fail();
    const std::string_view name = text_.substr(start, at_ - start);
    const auto unit = find_symbol(name);
    if (!unit) {
      error_ = unknown_symbol(name);
      return;
    }
    const int power = sign * read_power();
    unit_.dimension.length += power * unit->dimension.length;
    unit_.dimension.mass += power * unit->dimension.mass;
    unit_.dimension.time += power * unit->dimension.time;
    unit_.dimension.angle += power * unit->dimension.angle;
    unit_.dimension.temperature += power * unit->dimension.temperature;
    unit_.factor *= std::pow(unit->factor, power);
    unit_.exponent += power * unit->exponent;
  }

  /// "^3", "^-3", "3" or nothing, with one digit: no quantity has a tenth power.
  int read_power() {
    int sign = 1;
    const bool caret = peek() == '^';
    if (caret) {
      ++at_;
      if (peek() == '-') sign = -1;
      if (peek() == '-' || peek() == '+') ++at_;
    }
    if (!is_digit(peek())) {
      if (caret) fail();
      return 1;
    }
    const int power = text_[at_++] - '0';
    if (is_digit(peek()) || power == 0) fail();
    return sign * power;
  }

  void fail() { error_ = fmt::format("'{}' is not a unit", text_); }

  std::string_view text_;
  std::size_t at_ = 0;
  Unit unit_;
  std::string error_;
};

}  // namespace

std::string with_article(const Dimension& dimension) {
  const Name* name = find_name(dimension);
  return name ? std::string(name->with_article) : "a quantity in " + si_unit(dimension);
}

std::string si_unit(const Dimension& dimension) {
  if (const Name* name = find_name(dimension)) return std::string(name->unit);
  std::string above, below;
  const auto add = [&](std::string_view symbol, int power) {
    if (power == 0) return;
    std::string& text = power > 0 ? above : below;
    const int size = std::abs(power);
    if (power < 0 || !text.empty()) text += power > 0 ? " " : "/";
    text += size == 1 ? std::string(symbol) : fmt::format("{}^{}", symbol, size);
  };
  add("kg", dimension.mass);
  add("m", dimension.length);
  add("rad", dimension.angle);
  add("s", dimension.time);
  add("K", dimension.temperature);
  return (above.empty() ? "1" : above) + below;
}

UnitResult parse_unit(std::string_view text) {
  const std::string ascii = to_ascii(text);
  if (ascii.empty()) return {Unit{}, ""};
  return UnitParser(ascii).parse();
}

std::vector<UnitSymbol> unit_symbols() {
  std::vector<UnitSymbol> result;
  for (const Symbol& symbol : symbols)
    result.push_back({std::string(symbol.name), std::string(symbol.meaning), symbol.takes_prefix});
  return result;
}

std::string unit_prefixes() {
  std::string result;
  for (const Prefix& prefix : prefixes) {
    if (!result.empty()) result += ' ';
    result += prefix.letter;
  }
  return result;
}

}  // namespace ictus::scene
