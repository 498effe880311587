#include <ictus/report/replay/replay_codec.hpp>

#include <zlib.h>

#include <bit>
#include <limits>
#include <stdexcept>

namespace ictus::report {

namespace {

using Word = std::uint16_t;

Word zigzag(Word r) { return static_cast<Word>((r << 1) ^ ((r & 0x8000) != 0 ? 0xffff : 0)); }

Word guess(int order, Word before, Word twice_before) {
  if (order == 0) return 0;
  return order == 1 ? before : static_cast<Word>(2 * before - twice_before);
}

}  // namespace

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string result(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(result.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()), 6);
  if (status != Z_OK) throw std::runtime_error("zlib cannot compress");
  result.resize(size);
  return result;
}

void Channel::append(std::span<const Word> values, std::string& block) {
  before_.resize(values.size());
  twice_before_.resize(values.size());
  std::vector<Word> words(values.size()), best;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  char best_mode = 0;
  for (int order = 0; order < 3; ++order) {
    for (int along = 0; along < 2; ++along) {
      Word last = 0;
      std::uint64_t bits = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto miss = static_cast<Word>(values[i] - guess(order, before_[i], twice_before_[i]));
        words[i] = zigzag(along != 0 ? static_cast<Word>(miss - last) : miss);
        last = miss;
        bits += static_cast<std::uint64_t>(std::bit_width(words[i]));
      }
      if (bits >= least) continue;
      least = bits;
      best_mode = static_cast<char>(order + 3 * along);
      best = words;
    }
  }
  block.push_back(best_mode);
  for (const Word word : best) block.push_back(static_cast<char>(word & 0xff));
  for (const Word word : best) block.push_back(static_cast<char>(word >> 8));
  std::swap(twice_before_, before_);
  before_.assign(values.begin(), values.end());
}

}  // namespace ictus::report
