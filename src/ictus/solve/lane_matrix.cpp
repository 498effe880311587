#include <algorithm>
#include <array>
#include <cmath>
#include <ictus/solve/lane_matrix.hpp>
#include <map>
#include <tuple>

namespace ictus::solve {

namespace {

using math::Pack;

constexpr std::size_t lanes = LaneVector::lanes;

/// Sums of entries at one place, and of their sizes.
struct Sums {
  double value = 0, size = 0;
};
using Diagonals = std::map<std::int32_t, std::array<Sums, lanes>>;

/// What two or three terms leave of each other by rounding.
double rounded(const Sums& sums) { return std::abs(sums.value) > 1e-15 * sums.size ? sums.value : 0; }

}  // namespace

LaneMatrix::LaneMatrix(std::size_t size, std::span<const Entry> entries) : size_(size) {
  std::vector<Diagonals> blocks((size + lanes - 1) / lanes);
  for (const Entry& entry : entries) {
    const auto row = static_cast<std::size_t>(entry.row);
    Sums& sums = blocks[row / lanes][entry.column - entry.row][row % lanes];
    sums.value += entry.value;
    sums.size += std::abs(entry.value);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Block block{static_cast<std::uint32_t>(i * lanes), static_cast<std::uint32_t>(even_.size()), 0,
                static_cast<std::uint32_t>(offset_.size()), 0};
    for (const auto& [offset, sums] : blocks[i]) {
      std::array<double, lanes> values;
      std::transform(sums.begin(), sums.end(), values.begin(), rounded);
      const auto is_first = [first = values[0]](double value) { return value == first; };
      if (!std::all_of(values.begin(), values.end(), is_first)) {
        offset_.push_back(offset);
        values_.push_back(Pack::load(values.data()));
        ++block.unevens;
      } else if (values[0] != 0) {
        even_.push_back({offset, values[0]});
        ++block.evens;
      }
    }
    blocks_.push_back(block);
  }
  const auto shape = [](const Block& block) { return std::tuple(block.unevens, block.evens, block.row); };
  std::sort(blocks_.begin(), blocks_.end(), [&](const Block& a, const Block& b) { return shape(a) < shape(b); });
}

void LaneMatrix::march(const exec::Executor& exec, const LaneVector& b, const LaneVector& f, const LaneVector& x,
                       LaneVector& y, LaneVector& x_next) const {
  exec.for_blocks(blocks_.size(), [blocks = blocks_.data(), evens = even_.data(), offsets = offset_.data(),
                                   packs = values_.data(), b = b.data(), f = f.data(), x = x.data(), y = y.data(),
                                   x_next = x_next.data()](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Block block = blocks[i];
      const double* from = x + block.row;
      Pack sum = Pack::load(y + block.row) + Pack::load(b + block.row);
      const Even* even = evens + block.even;
#pragma GCC unroll 4
      for (std::uint32_t d = 0; d < block.evens; ++d) sum += Pack(even[d].value) * Pack::load(from + even[d].offset);
      const std::int32_t* offset = offsets + block.uneven;
      const Pack* values = packs + block.uneven;
#pragma GCC unroll 4
      for (std::uint32_t d = 0; d < block.unevens; ++d) sum += values[d] * Pack::load(from + offset[d]);
      sum.store(y + block.row);
      (Pack::load(from) + Pack::load(f + block.row) * sum).store(x_next + block.row);
    }
  });
}

}  // namespace ictus::solve
