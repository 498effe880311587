#include <ictus/solve/linear/lane_matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace ictus::solve {

namespace {

using math::Pack;

constexpr std::size_t lanes = LaneVector::lanes;

/// Sums of entries at one position, and of their sizes.
struct Sums {
  double value = 0, size = 0;
};
using Diagonals = std::map<std::int32_t, std::array<Sums, lanes>>;

/// What two or three terms leave of each other by rounding.
double rounded(const Sums& sums) { return std::abs(sums.value) > 1e-15 * sums.size ? sums.value : 0; }

/// The diagonals of eight rows: the main one, and then the others that are not zero.
using Rows = std::vector<std::pair<std::int32_t, std::array<double, lanes>>>;

Rows rows_of(const Diagonals& diagonals) {
  Rows rows(1);
  for (const auto& [offset, sums] : diagonals) {
    std::array<double, lanes> values;
    std::transform(sums.begin(), sums.end(), values.begin(), rounded);
    if (offset == 0) {
      rows.front().second = values;
    } else if (values != std::array<double, lanes>{}) {
      rows.emplace_back(offset, values);
    }
  }
  return rows;
}

/// The vectors of LaneMatrix::kick_and_drift.
struct Vectors {
  const double *b, *f, *x;
  double *y, *x_next;

  Pack begin(std::size_t row) const { return Pack::load(y + row) + Pack::load(b + row); }
  void finish(std::size_t row, Pack here, Pack sum) const {
    sum.store(y + row);
    (here + Pack::load(f + row) * sum).store(x_next + row);
  }
};

/// A run with `count` diagonals. The number is known to the compiler, which keeps the coefficients in registers.
template <std::size_t count>
void kick_run(const Vectors v, std::size_t row, std::size_t end, const std::int32_t* offset, const Pack* values) {
  std::array<Pack, count> value;
  std::array<const double*, count> from;
  for (std::size_t d = 0; d < count; ++d) value[d] = values[d], from[d] = v.x + offset[d];
  for (; row < end; row += lanes) {
    const Pack here = Pack::load(v.x + row);
    Pack sum = v.begin(row) + value[0] * here;
    for (std::size_t d = 1; d < count; ++d) sum += value[d] * Pack::load(from[d] + row);
    v.finish(row, here, sum);
  }
}

using Kernel = void (*)(Vectors, std::size_t, std::size_t, const std::int32_t*, const Pack*);

template <std::size_t... counts>
constexpr std::array<Kernel, sizeof...(counts)> kernels_for(std::index_sequence<counts...>) {
  return {kick_run<counts + 1>...};
}
constexpr auto kernels = kernels_for(std::make_index_sequence<10>());
constexpr std::size_t shortest_run = 4;  // blocks; a call costs as much as some

/// A block with any number of diagonals, four at a time. Moves on to those of the next.
void kick_block(const Vectors& v, std::size_t row, std::uint32_t quads, const std::int32_t*& offset,
                const Pack*& value) {
  const double* here = v.x + row;
  Pack sum = v.begin(row), other;
  for (; quads > 0; --quads, offset += 4, value += 4) {
    sum += value[0] * Pack::load(here + offset[0]);
    other += value[1] * Pack::load(here + offset[1]);
    sum += value[2] * Pack::load(here + offset[2]);
    other += value[3] * Pack::load(here + offset[3]);
  }
  v.finish(row, Pack::load(here), sum + other);
}

}  // namespace

LaneMatrix::LaneMatrix(std::size_t size, std::span<const Entry> entries) : size_(size) {
  std::vector<Diagonals> sums((size + lanes - 1) / lanes);
  for (const auto& [row, column, value] : entries) {
    const auto i = static_cast<std::size_t>(row);
    Sums& at = sums[i / lanes][column - row][i % lanes];
    at.value += value;
    at.size += std::abs(value);
  }
  std::vector<Rows> rows;
  std::transform(sums.begin(), sums.end(), std::back_inserter(rows), rows_of);
  const auto keep = [this](const Rows& diagonals, std::size_t count) {
    const std::size_t end = offset_.size() + count;
    for (const auto& [offset, values] : diagonals) {
      offset_.push_back(offset);
      values_.push_back(Pack::load(values.data()));
    }
    offset_.resize(end);
    values_.resize(end);
  };
  for (std::size_t first = 0; first < rows.size(); first += exec::Executor::block_size) {
    const std::size_t last = std::min(first + exec::Executor::block_size, rows.size());
    std::vector<std::size_t> alone;
    for (std::size_t i = first, end = first; i < last; i = end) {
      while (end < last && rows[end] == rows[i]) ++end;
      if (rows[i] == Rows(1)) continue;
      if (end - i < shortest_run || rows[i].size() > kernels.size()) {
        for (; i < end; ++i) alone.push_back(i);
        continue;
      }
      runs_.push_back({static_cast<std::uint32_t>(i * lanes), static_cast<std::uint32_t>(end * lanes),
                       static_cast<std::uint32_t>(offset_.size()), static_cast<std::uint32_t>(rows[i].size())});
      keep(rows[i], rows[i].size());
    }
    // Those with as many diagonals side by side, so that a processor foresees its way.
    const auto quads = [&](std::size_t block) { return (rows[block].size() + 3) / 4; };
    std::stable_sort(alone.begin(), alone.end(), [&](std::size_t a, std::size_t b) { return quads(a) < quads(b); });
    portions_.back().diagonal = offset_.size();
    for (const std::size_t block : alone) {
      blocks_.push_back({static_cast<std::uint32_t>(block * lanes), static_cast<std::uint32_t>(quads(block))});
      keep(rows[block], 4 * quads(block));
    }
    portions_.push_back({runs_.size(), blocks_.size(), 0});
  }
}

void LaneMatrix::kick_and_drift(const exec::Executor& exec, const LaneVector& b, const LaneVector& f,
                                const LaneVector& x, LaneVector& y, LaneVector& x_next) const {
  const Vectors v{b.data(), f.data(), x.data(), y.data(), x_next.data()};
  exec.for_items(portions_.size() - 1, [this, v](std::size_t portion) {
    const Portion &from = portions_[portion], &to = portions_[portion + 1];
    const std::int32_t* offset = offset_.data() + from.diagonal;
    const Pack* value = values_.data() + from.diagonal;
    for (std::size_t i = from.block; i < to.block; ++i) kick_block(v, blocks_[i].row, blocks_[i].quads, offset, value);
    for (std::size_t i = from.run; i < to.run; ++i) {
      const auto& [row, end, diagonal, diagonals] = runs_[i];
      kernels[diagonals - 1](v, row, end, offset_.data() + diagonal, values_.data() + diagonal);
    }
  });
}

}  // namespace ictus::solve
