#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ictus::files {

/// FNV-1a over words of eight bytes, the last one filled with zeros; `before` is the sum of what comes before, so that
/// pieces can be summed one after the other. It tells damage and edits, not malice.
inline std::uint64_t checksum(std::string_view bytes, std::uint64_t before = 0xcbf29ce484222325) {
  std::uint64_t sum = before;
  for (std::size_t i = 0; i < bytes.size(); i += sizeof sum) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min(sizeof word, bytes.size() - i));
    sum = (sum ^ word) * 0x100000001b3;
  }
  return sum;
}

}  // namespace ictus::files
