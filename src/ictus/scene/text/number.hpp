#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ictus::scene {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A number as YAML 1.2 writes it: [+-] digits [. digits] [e [+-] digits]. `rest` is what follows it in the text.
struct NumberText {
  std::string_view number;
  std::string_view rest;
};

/// The longest number at the start of the text; none if there is none.
std::optional<NumberText> split_number(std::string_view text);

/// The double nearest to number · 10^exponent, so that 12 with exponent −3 has the bits of 0.012. `number` is as
/// split_number gives it. None if it is too large for a double, or not zero but too small.
std::optional<double> to_double(std::string_view number, int exponent = 0);

/// The shortest text that reads back to the same bits, in a form that YAML 1.1 and 1.2 both take for a number.
std::string format_number(double value);

}  // namespace ictus::scene
