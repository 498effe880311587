#include <ictus/contact/detect/box_grid.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <ictus/base/error.hpp>

namespace ictus::contact {

using math::Vec3;

namespace {

/// Cells per box above which the cells are made larger: empty cells cost time too.
constexpr double max_cells_per_box = 4;
/// Occupants of cells that are not one group.
constexpr int none = -1, several = -2;

}  // namespace

void BoxGrid::choose_cells(double cell, std::size_t boxes) {
  const Vec3 size = (bounds_.high - bounds_.low).cwiseMax(1e-300);
  const auto cells = [&](double length) { return (size.array() / length).ceil().max(1.0).eval(); };
  cell = std::max(cell, 1e-9 * size.maxCoeff());
  while (cells(cell).prod() > max_cells_per_box * static_cast<double>(boxes) + 64) cell *= 1.26;
  for (int k = 0; k < 3; ++k) {
    count_[static_cast<std::size_t>(k)] = static_cast<int>(cells(cell)[k]);
    per_length_[k] = cells(cell)[k] / size[k];
  }
}

template <class F>
void BoxGrid::for_each_cell(const Box& box, F&& f) const {
  const Cell from = cell_of(box.low), to = cell_of(box.high);
  for (int z = from[2]; z <= to[2]; ++z) {
    for (int y = from[1]; y <= to[1]; ++y) {
      for (int x = from[0]; x <= to[0]; ++x) f(number(x, y, z));
    }
  }
}

void BoxGrid::fill(std::span<const Box> boxes, std::span<const int> groups, std::span<const char> meets_itself,
                   double cell) {
  meets_itself_.assign(meets_itself.begin(), meets_itself.end());
  bounds_ = Box::nothing();
  bool finite = true;
  for (const Box& box : boxes) {
    bounds_.include(box);
    finite = finite && (box.high - box.low).allFinite();
  }
  if (boxes.empty()) return;
  if (!finite || !(bounds_.high - bounds_.low).allFinite())
    throw base::NumericalFailure("a position is not finite", "the search for contacts of surfaces",
                                 "Use a smaller time.step");
  choose_cells(cell, boxes.size());
  const std::size_t cells = number(count_[0] - 1, count_[1] - 1, count_[2] - 1) + 1;
  occupant_.assign(cells, none);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for_each_cell(boxes[i], [&](std::size_t c) {
      if (occupant_[c] != groups[i]) occupant_[c] = occupant_[c] == none ? groups[i] : several;
    });
  }
  start_.assign(cells + 1, 0);
  const auto for_each_kept = [&](const Box& box, auto&& f) {
    for_each_cell(box, [&](std::size_t c) {
      if (occupant_[c] == several || meets_itself_[static_cast<std::size_t>(occupant_[c])] != 0) f(c);
    });
  };
  for (const Box& box : boxes) for_each_kept(box, [&](std::size_t c) { ++start_[c + 1]; });
  for (std::size_t c = 0; c < cells; ++c) start_[c + 1] += start_[c];
  next_.assign(start_.begin(), start_.end() - 1);
  item_.resize(start_[cells]);
  group_.resize(start_[cells]);
  for (std::size_t k = 0; k < 3; ++k) {
    low_[k].resize(start_[cells]);
    high_[k].resize(start_[cells]);
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for_each_kept(boxes[i], [&](std::size_t c) {
      const std::size_t at = next_[c]++;
      item_[at] = static_cast<int>(i);
      group_[at] = groups[i];
      for (std::size_t k = 0; k < 3; ++k) {
        low_[k][at] = boxes[i].low[static_cast<int>(k)];
        high_[k][at] = boxes[i].high[static_cast<int>(k)];
      }
    });
  }
}

void BoxGrid::find(const Box& box, int group, int after, Hits& hits, std::vector<int>& found) const {
  found.clear();
  if (!bounds_.overlaps(box)) return;
  const int unwanted = meets_itself_[static_cast<std::size_t>(group)] != 0 ? none : group;
  // Cut to what is known: a position far outside has no number.
  const Cell from = cell_of(box.low.cwiseMax(bounds_.low)), to = cell_of(box.high.cwiseMin(bounds_.high));
  for (int z = from[2]; z <= to[2]; ++z) {
    for (int y = from[1]; y <= to[1]; ++y) {
      const std::size_t begin = start_[number(from[0], y, z)], end = start_[number(to[0], y, z) + 1];
      if (begin < end) scan(box, unwanted, after, begin, end, hits, found);
    }
  }
  if (from == to) return;  // boxes of one cell are in their order
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

/// All items of a stretch are tested without a branch, eight or more at a time; then the few hits are picked out.
void BoxGrid::scan(const Box& box, int unwanted_group, int after, std::size_t begin, std::size_t end, Hits& hits,
                   std::vector<int>& found) const {
  const std::size_t count = end - begin, padded = (count + 7) / 8 * 8;
  if (hits.size() < padded) hits.resize(padded);
  const double *low_x = low_[0].data() + begin, *low_y = low_[1].data() + begin, *low_z = low_[2].data() + begin;
  const double *high_x = high_[0].data() + begin, *high_y = high_[1].data() + begin, *high_z = high_[2].data() + begin;
  const int *item = item_.data() + begin, *group = group_.data() + begin;
  const double from_x = box.low[0], from_y = box.low[1], from_z = box.low[2];
  const double to_x = box.high[0], to_y = box.high[1], to_z = box.high[2];
  unsigned char* const hit = hits.data();
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) {
    const int apart_x = (low_x[i] > to_x) | (high_x[i] < from_x);
    const int apart_y = (low_y[i] > to_y) | (high_y[i] < from_y);
    const int apart_z = (low_z[i] > to_z) | (high_z[i] < from_z);
    const int unwanted = (item[i] <= after) | (group[i] == unwanted_group);
    hit[i] = static_cast<unsigned char>((apart_x | apart_y | apart_z | unwanted) ^ 1);
  }
  std::fill(hit + count, hit + padded, static_cast<unsigned char>(0));
  for (std::size_t i = 0; i < padded; i += 8) {
    std::uint64_t any = 0;
    std::memcpy(&any, hit + i, sizeof any);
    if (any == 0) continue;
    for (std::size_t k = i; k < i + 8; ++k) {
      if (hit[k] != 0) found.push_back(item[k]);
    }
  }
}

}  // namespace ictus::contact
