#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::report {

/// Bytes deflated into the format of zlib (RFC 1950).
std::string deflated(std::string_view bytes);

/// One number per point that changes from frame to frame, written as what a guess misses by.
///
/// A block, which holds one frame, is a byte `mode` = t + 3 s and then, for each point i, the 16-bit word
///   zigzag(r_i − s r_{i−1}),   r_i = x_i − g_i,   g_i = 0, x′_i or 2 x′_i − x″_i for t = 0, 1, 2,
/// in arithmetic modulo 2¹⁶, with r_{−1} = 0, x′ and x″ the frames before (zero where there is none), and
/// zigzag(r) = 2 r or −2 r − 1 so that words near zero stand for misses near zero. All low bytes come first, then all
/// high bytes. The mode is the one with the smallest misses.
class Channel {
 public:
  void append(std::span<const std::uint16_t> values, std::string& block);

 private:
  std::vector<std::uint16_t> before_, twice_before_;
};

}  // namespace ictus::report
