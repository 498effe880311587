#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace ictus::testing {

/// `text` with the first `from` replaced; a `from` that is not there is a mistake in the test.
inline std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result(text);
  const std::size_t at = result.find(from);
  if (at == std::string::npos) throw std::logic_error("not in the text: " + std::string(from));
  return result.replace(at, from.size(), to);
}

}  // namespace ictus::testing
