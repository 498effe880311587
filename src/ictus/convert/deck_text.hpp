#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ictus/convert/deck.hpp>
#include <ictus/convert/findings.hpp>
#include <string>
#include <string_view>

// Words and numbers of decks.

namespace ictus::convert::deck_text {

inline std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

inline std::string_view trim(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

inline std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> fields;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    fields.emplace_back(trim(text.substr(0, comma)));
    if (comma == text.size()) break;
    text.remove_prefix(comma + 1);
  }
  if (!fields.empty() && fields.back().empty()) fields.pop_back();
  return fields;
}

/// A finite number, with Fortran's D as exponent too; nothing of another text.
inline std::optional<double> number(std::string text) {
  if (!text.empty() && text[0] == '+') text.erase(0, 1);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == 'd' || c == 'D'; }, 'e');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

inline std::optional<long> whole(std::string_view text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  const std::optional<double> real = number(std::string(text));
  if (!real || std::abs(*real) > 1e15 || *real != std::floor(*real)) return std::nullopt;
  return static_cast<long>(*real);
}

}  // namespace ictus::convert::deck_text
