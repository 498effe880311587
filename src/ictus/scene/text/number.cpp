#include <ictus/scene/text/number.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <system_error>

namespace ictus::scene {

namespace {

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

bool is_sign(std::string_view text, std::size_t at) { return at < text.size() && (text[at] == '+' || text[at] == '-'); }

}  // namespace

std::optional<NumberText> split_number(std::string_view text) {
  std::size_t at = is_sign(text, 0) ? 1 : 0;
  const std::size_t whole = skip_digits(text, at);
  std::size_t digits = whole - at;
  at = whole;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = skip_digits(text, at + 1);
    digits += fraction - at - 1;
    at = fraction;
  }
  if (digits == 0) return std::nullopt;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const std::size_t first = at + (is_sign(text, at + 1) ? 2 : 1);
    const std::size_t last = skip_digits(text, first);
    if (last > first) at = last;
  }
  return NumberText{text.substr(0, at), text.substr(at)};
}

std::optional<double> to_double(std::string_view number, int exponent) {
  if (!number.empty() && number.front() == '+') number.remove_prefix(1);
  const std::size_t mark = number.find_first_of("eE");
  std::string decimal(number.substr(0, mark));
  int written = 0;
  if (mark != std::string_view::npos) {
    const std::size_t first = number[mark + 1] == '+' ? mark + 2 : mark + 1;
    // Seven characters hold every exponent of a double and are far from the limits of int.
    const std::string_view digits = number.substr(first);
    if (digits.size() > 7 || std::from_chars(digits.data(), digits.data() + digits.size(), written).ec != std::errc{})
      return std::nullopt;
  }
  decimal += fmt::format("e{}", written + exponent);
  double value = 0;
  const auto [end, error] = std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
  if (error != std::errc{} || end != decimal.data() + decimal.size() || !std::isfinite(value)) return std::nullopt;
  if (value == 0 && number.substr(0, mark).find_first_of("123456789") != std::string_view::npos) return std::nullopt;
  return value;
}

std::string format_number(double value) {
  std::string text = fmt::format("{}", value);
  const std::size_t mark = text.find('e');
  // YAML 1.1 takes 1e+22 for text and 1.0e+22 for a number.
  if (mark != std::string::npos && text.find('.') == std::string::npos) text.insert(mark, ".0");
  return text;
}

}  // namespace ictus::scene
