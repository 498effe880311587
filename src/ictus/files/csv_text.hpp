#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

namespace ictus::files {

/// Appends the shortest text that reads back to the same double; NaN and infinities as nan, inf, -inf.
inline void append_number(std::string& text, double value) {
  constexpr std::size_t longest = 32;
  std::array<char, longest> digits;
  if (std::isnan(value)) {
    text += "nan";
    return;
  }
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text.append(digits.data(), end);
}

/// Appends a cell of words, quoted as RFC 4180 asks where it holds a comma, a quote or a line's end.
inline void append_words(std::string& text, std::string_view words) {
  if (words.find_first_of(",\"\r\n") == std::string_view::npos) {
    text += words;
    return;
  }
  text += '"';
  for (const char c : words) {
    if (c == '"') text += '"';
    text += c;
  }
  text += '"';
}

}  // namespace ictus::files
