#include <ictus/report/base64.hpp>

#include <algorithm>

namespace ictus::report {

namespace {

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64(std::string_view bytes) {
  const auto byte = [&](std::size_t k) {
    return k < bytes.size() ? static_cast<unsigned>(static_cast<unsigned char>(bytes[k])) : 0U;
  };
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const unsigned triple = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (int shift = 18; shift >= 0; shift -= 6) text.push_back(base64_digits[triple >> shift & 63]);
  }
  const std::size_t padding = (3 - bytes.size() % 3) % 3;
  std::fill(text.end() - static_cast<std::ptrdiff_t>(padding), text.end(), '=');
  return text;
}

std::string from_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  unsigned held = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t digit = base64_digits.find(c);
    if (digit == std::string_view::npos) break;
    held = (held << 6 | static_cast<unsigned>(digit)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<char>(held >> bits & 255));
  }
  return bytes;
}

}  // namespace ictus::report
