#include <ictus/geometry/shape/body_grid.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <ictus/base/error.hpp>

namespace ictus::geometry {

void BodyGrid::choose_sizes() {
  const std::size_t n = bounds_.size();
  sizes_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    sizes_[i] = 2 * std::max({bounds_[i].half.x, bounds_[i].half.y, bounds_[i].half.z});
    if (!is_finite(bounds_[i].centre) || !is_finite(bounds_[i].half))
      throw base::NumericalFailure("a position is not finite", fmt::format("rigid body {}", i),
                                   "Use a smaller time.step");
  }
  sorted_.assign(sizes_.begin(), sizes_.end());
  double limit = 0;
  if (n > 0) {
    const auto middle = sorted_.begin() + static_cast<std::ptrdiff_t>(n / 2);
    std::nth_element(sorted_.begin(), middle, sorted_.end());
    limit = large * *middle;
  }
  is_large_.resize(n);
  large_.clear();
  double cell = 0;
  for (std::size_t i = 0; i < n; ++i) {
    is_large_[i] = sizes_[i] > limit;
    if (is_large_[i]) {
      large_.push_back(static_cast<int>(i));
    } else {
      cell = std::max(cell, sizes_[i]);
    }
  }
  inverse_cell_ = cell > 0 ? 1 / cell : 1;
}

BodyGrid::Cell BodyGrid::cell_of(const Vec& centre) const {
  // Far away bodies share the outermost cells: a number must stay a whole number.
  const auto index = [&](double x) {
    return static_cast<std::int32_t>(std::clamp(std::floor(x * inverse_cell_), -1e9, 1e9));
  };
  return {index(centre.x), index(centre.y), index(centre.z)};
}

std::size_t BodyGrid::bucket_of(const Cell& cell) const {
  const auto part = [](std::int32_t i, std::uint64_t factor) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(i)) * factor;
  };
  const std::uint64_t h =
      part(cell[0], 0x9e3779b97f4a7c15U) ^ part(cell[1], 0xc2b2ae3d27d4eb4fU) ^ part(cell[2], 0x165667b19e3779f9U);
  return static_cast<std::size_t>((h ^ (h >> 32)) & mask_);
}

void BodyGrid::assign(std::span<const Bounds> bounds) {
  bounds_ = bounds;
  choose_sizes();
  const std::size_t n = bounds.size();
  const std::size_t buckets = std::bit_ceil(std::max<std::size_t>(2 * n, 16));
  mask_ = buckets - 1;
  cells_.resize(n);
  bucket_begin_.assign(buckets + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (is_large_[i]) continue;
    cells_[i] = cell_of(bounds[i].centre);
    ++bucket_begin_[bucket_of(cells_[i]) + 1];
  }
  for (std::size_t b = 0; b < buckets; ++b) bucket_begin_[b + 1] += bucket_begin_[b];
  members_.resize(n);
  for (std::size_t i = n; i-- > 0;) {
    if (!is_large_[i]) members_[--bucket_begin_[bucket_of(cells_[i]) + 1]] = static_cast<int>(i);
  }
  // Filling from the back has moved the end of each bucket to its beginning.
  const int count = static_cast<int>(n - large_.size());
  for (std::size_t b = 0; b < buckets; ++b) bucket_begin_[b] = bucket_begin_[b + 1];
  bucket_begin_[buckets] = count;
}

void BodyGrid::partners(std::size_t i, std::vector<int>& found) const {
  found.clear();
  const Bounds& own = bounds_[i];
  const auto consider = [&](int j) {
    if (static_cast<std::size_t>(j) > i && own.meets(bounds_[j])) found.push_back(j);
  };
  if (is_large_[i]) {
    for (std::size_t j = i + 1; j < bounds_.size(); ++j) consider(static_cast<int>(j));
    return;
  }
  for (const int j : large_) consider(j);
  const Cell cell = cells_[i];
  for (int dz = -1; dz <= 1; ++dz) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const std::size_t bucket = bucket_of({cell[0] + dx, cell[1] + dy, cell[2] + dz});
        for (int k = bucket_begin_[bucket]; k < bucket_begin_[bucket + 1]; ++k) consider(members_[k]);
      }
    }
  }
  std::sort(found.begin(), found.end());
  // Cells around may share a bucket, whose members were then met twice.
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

}  // namespace ictus::geometry
