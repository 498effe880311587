#include <algorithm>
#include <ictus/observe/base64.hpp>

namespace ictus::observe {

std::string base64(std::string_view bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto byte = [&](std::size_t k) {
    return k < bytes.size() ? static_cast<unsigned>(static_cast<unsigned char>(bytes[k])) : 0U;
  };
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const unsigned triple = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (int shift = 18; shift >= 0; shift -= 6) text.push_back(digits[triple >> shift & 63]);
  }
  const std::size_t padding = (3 - bytes.size() % 3) % 3;
  std::fill(text.end() - static_cast<std::ptrdiff_t>(padding), text.end(), '=');
  return text;
}

}  // namespace ictus::observe
