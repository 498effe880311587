#include <cmath>
#include <ictus/contact/box_grid.hpp>

namespace ictus::contact {

using math::Vec3;

namespace {

/// Cells per box above which the cells are made larger: empty cells cost time too.
constexpr double most_cells_per_box = 4;

}  // namespace

void BoxGrid::choose_cells(double cell) {
  const Vec3 size = (bounds_.high - bounds_.low).cwiseMax(1e-300);
  const auto cells = [&](double length) { return (size.array() / length).ceil().max(1.0).eval(); };
  while (cells(cell).prod() > most_cells_per_box * static_cast<double>(boxes_.size()) + 64) cell *= 1.26;
  for (int k = 0; k < 3; ++k) {
    count_[static_cast<std::size_t>(k)] = static_cast<int>(cells(cell)[k]);
    per_length_[k] = cells(cell)[k] / size[k];
  }
}

void BoxGrid::fill(std::span<const Box> boxes, double cell) {
  boxes_ = boxes;
  bounds_ = Box::nothing();
  items_.clear();
  for (const Box& box : boxes) bounds_.include(box);
  if (boxes.empty()) return;
  choose_cells(cell);
  const auto cells =
      static_cast<std::size_t>(count_[0]) * static_cast<std::size_t>(count_[1]) * static_cast<std::size_t>(count_[2]);
  start_.assign(cells + 1, 0);
  const auto for_each_cell = [&](const Box& box, auto&& f) {
    const Cell from = cell_of(box.low), to = cell_of(box.high);
    for (int z = from[2]; z <= to[2]; ++z) {
      for (int y = from[1]; y <= to[1]; ++y) {
        for (int x = from[0]; x <= to[0]; ++x) f(number({x, y, z}));
      }
    }
  };
  for (const Box& box : boxes) for_each_cell(box, [&](std::size_t c) { ++start_[c + 1]; });
  for (std::size_t c = 0; c < cells; ++c) start_[c + 1] += start_[c];
  next_.assign(start_.begin(), start_.end() - 1);
  items_.resize(static_cast<std::size_t>(start_[cells]));
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for_each_cell(boxes[i], [&](std::size_t c) { items_[static_cast<std::size_t>(next_[c]++)] = static_cast<int>(i); });
  }
}

std::span<const int> BoxGrid::at(const Vec3& x) const {
  if (empty() || !bounds_.contains(x)) return {};
  return items(number(cell_of(x)));
}

}  // namespace ictus::contact
