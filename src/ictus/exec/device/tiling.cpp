#include <ictus/exec/device/tiling.hpp>

#include <algorithm>
#include <ictus/base/index.hpp>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace ictus::exec {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// Halves the range of items until each part has at most `most`; appends where the parts end.
void halve(std::span<const std::array<double, 3>> middle, std::span<std::uint32_t> items, std::size_t offset,
           std::size_t most, std::vector<std::size_t>& ends) {
  if (items.size() <= most) {
    ends.push_back(offset + items.size());
    return;
  }
  std::array<double, 3> low = middle[items[0]], high = low;
  for (const std::uint32_t item : items) {
    for (std::size_t c = 0; c < 3; ++c) {
      low[c] = std::min(low[c], middle[item][c]);
      high[c] = std::max(high[c], middle[item][c]);
    }
  }
  std::size_t axis = 0;
  for (std::size_t c = 1; c < 3; ++c)
    if (high[c] - low[c] > high[axis] - low[axis]) axis = c;
  const std::size_t parts = (items.size() + most - 1) / most;
  const std::size_t half = items.size() * (parts / 2) / parts;
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return middle[a][axis] != middle[b][axis] ? middle[a][axis] < middle[b][axis] : a < b;
  };
  std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(half), items.end(), before);
  halve(middle, items.first(half), offset, most, ends);
  halve(middle, items.subspan(half), offset + half, most, ends);
}

class TilingMaker {
 public:
  TilingMaker(const TilingItems& items, std::size_t vertices, std::size_t most)
      : items_(items), tile_of_(vertices, none) {
    tiling_.item.resize(items.middle.size());
    std::iota(tiling_.item.begin(), tiling_.item.end(), 0U);
    if (!tiling_.item.empty()) halve(items.middle, tiling_.item, 0, most, ends_);
    sort_tiles();
    share_vertices();
    number_vertices();
    fill_tiles();
    list_copies();
  }

  Tiling take() { return std::move(tiling_); }

 private:
  static constexpr std::uint32_t shared = none - 1;

  std::span<const std::uint32_t> vertices_of(std::uint32_t item) const {
    return items_.vertices.subspan(items_.start[item], items_.start[item + 1] - items_.start[item]);
  }
  std::span<const std::uint32_t> tile_items(std::size_t tile) const {
    const std::size_t begin = tile == 0 ? 0 : ends_[tile - 1];
    return std::span(tiling_.item).subspan(begin, ends_[tile] - begin);
  }

  /// Within a tile in the order in which they come, kind after kind.
  void sort_tiles() {
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      std::sort(tiling_.item.begin() + static_cast<std::ptrdiff_t>(begin),
                tiling_.item.begin() + static_cast<std::ptrdiff_t>(end), [&](std::uint32_t a, std::uint32_t b) {
                  return !items_.kind.empty() && items_.kind[a] != items_.kind[b] ? items_.kind[a] < items_.kind[b]
                                                                                  : a < b;
                });
      begin = end;
    }
  }

  void share_vertices() {
    for (std::uint32_t tile = 0; tile < ends_.size(); ++tile) {
      for (const std::uint32_t item : tile_items(tile)) {
        for (const std::uint32_t v : vertices_of(item)) {
          if (tile_of_[v] == none) tile_of_[v] = tile;
          if (tile_of_[v] != tile) tile_of_[v] = shared;
        }
      }
    }
  }

  struct Touched {
    std::uint32_t vertex, count;
  };

  /// The vertices of a tile that `takes` accepts, with how often its items touch them: those most often touched first,
  /// among these the first vertices of all items, then their second ones, so that neighbours read neighbours.
  template <class Takes>
  std::vector<Touched> touched(std::size_t tile, Takes&& takes) {
    std::vector<Touched> found;
    for (std::size_t slot = 0, left = 1; left > 0; ++slot) {
      left = 0;
      for (const std::uint32_t item : tile_items(tile)) {
        if (slot >= vertices_of(item).size()) continue;
        ++left;
        const std::uint32_t v = vertices_of(item)[slot];
        if (!takes(v)) continue;
        if (local_[v] == none) {
          local_[v] = static_cast<std::uint32_t>(found.size());
          found.push_back({v, 0});
        }
        ++found[local_[v]].count;
      }
    }
    for (const Touched& each : found) local_[each.vertex] = none;
    std::stable_sort(found.begin(), found.end(), [](const Touched& a, const Touched& b) { return a.count > b.count; });
    return found;
  }

  /// Own vertices tile by tile, then shared ones in the order in which items touch them. A vertex that no item touches
  /// is shared by none.
  void number_vertices() {
    local_.assign(tile_of_.size(), none);
    new_number_.assign(tile_of_.size(), none);
    const auto number = [&](std::uint32_t v) {
      new_number_[v] = static_cast<std::uint32_t>(tiling_.vertex.size());
      tiling_.vertex.push_back(v);
    };
    for (std::uint32_t tile = 0; tile < ends_.size(); ++tile)
      for (const Touched& own : touched(tile, [&](std::uint32_t v) { return tile_of_[v] == tile; })) number(own.vertex);
    tiling_.own_count = static_cast<std::uint32_t>(tiling_.vertex.size());
    for (const std::uint32_t item : tiling_.item)
      for (const std::uint32_t v : vertices_of(item))
        if (tile_of_[v] == shared && new_number_[v] == none) number(v);
    for (std::uint32_t v = 0; v < tile_of_.size(); ++v)
      if (tile_of_[v] == none) number(v);
    tiling_.shared_end.assign(tiling_.vertex.size() - tiling_.own_count, 0);
  }

  void fill_tiles() {
    tiling_.slot_start.push_back(0);
    Tiling::Tile tile{};
    for (std::size_t t = 0; t < ends_.size(); ++t) {
      const std::vector<Touched> own = touched(t, [&](std::uint32_t v) { return tile_of_[v] == t; }),
                                 copies = touched(t, [&](std::uint32_t v) { return tile_of_[v] == shared; });
      tile.places = 0;
      const std::array<std::uint32_t, 2> first_row{add_rows(own, tile.places), add_rows(copies, tile.places)};
      tiling_.tiles.push_back(tile);
      for (const Touched& each : copies) {
        const std::uint32_t number = new_number_[each.vertex] - tiling_.own_count;
        tiling_.copy.push_back(number);
        ++tiling_.shared_end[number];
      }
      place_items(t, own, copies, first_row);
      tile = {tile.own + static_cast<std::uint32_t>(own.size()),
              static_cast<std::uint32_t>(tiling_.copy.size()),
              static_cast<std::uint32_t>(tiling_.count.size()),
              static_cast<std::uint32_t>(tiling_.row.size()),
              static_cast<std::uint32_t>(ends_[t]),
              0};
    }
    tile.places = 0;
    tiling_.tiles.push_back(tile);
  }

  /// Lays out the places of vertices in rows behind those that the tile has; answers with the first of the rows.
  std::uint32_t add_rows(const std::vector<Touched>& vertices, std::uint32_t& places) {
    const auto first = static_cast<std::uint32_t>(tiling_.row.size());
    std::size_t left = vertices.size();
    for (std::uint32_t k = 0; left > 0; ++k) {
      while (left > 0 && vertices[left - 1].count <= k) --left;
      if (left == 0) break;
      tiling_.row.push_back(static_cast<std::uint16_t>(places));
      places += static_cast<std::uint32_t>(left);
    }
    if (places > std::numeric_limits<std::uint16_t>::max()) throw std::logic_error("a tile has too many places");
    for (const Touched& each : vertices) {
      if (each.count > std::numeric_limits<std::uint8_t>::max()) throw std::logic_error("a vertex has too many items");
      tiling_.count.push_back(static_cast<std::uint8_t>(each.count));
    }
    return first;
  }

  void place_items(std::size_t tile, const std::vector<Touched>& own, const std::vector<Touched>& copies,
                   const std::array<std::uint32_t, 2>& first_row) {
    const auto own_count = static_cast<std::uint32_t>(own.size());
    std::vector<std::uint32_t> taken(own.size() + copies.size(), 0);
    for (std::uint32_t i = 0; i < own.size(); ++i) local_[own[i].vertex] = i;
    for (std::uint32_t i = 0; i < copies.size(); ++i) local_[copies[i].vertex] = own_count + i;
    for (const std::uint32_t item : tile_items(tile)) {
      for (const std::uint32_t v : vertices_of(item)) {
        const std::uint32_t at = local_[v], k = taken[at]++;
        const bool is_own = at < own_count;
        const std::uint32_t place = tiling_.row[first_row[is_own ? 0 : 1] + k] + (is_own ? at : at - own_count);
        tiling_.slot.push_back({static_cast<std::uint16_t>(at), static_cast<std::uint16_t>(place)});
      }
      tiling_.slot_start.push_back(static_cast<std::uint32_t>(tiling_.slot.size()));
    }
    for (const Touched& each : own) local_[each.vertex] = none;
    for (const Touched& each : copies) local_[each.vertex] = none;
  }

  void list_copies() {
    std::partial_sum(tiling_.shared_end.begin(), tiling_.shared_end.end(), tiling_.shared_end.begin());
    std::vector<std::uint32_t> next(tiling_.shared_end.size(), 0);
    for (std::size_t v = 1; v < next.size(); ++v) next[v] = tiling_.shared_end[v - 1];
    tiling_.shared_copy.resize(tiling_.copy.size());
    for (std::uint32_t copy = 0; copy < tiling_.copy.size(); ++copy)
      tiling_.shared_copy[next[tiling_.copy[copy]]++] = copy;
  }

  const TilingItems& items_;
  Tiling tiling_;
  std::vector<std::size_t> ends_;       // of the tiles among the items
  std::vector<std::uint32_t> tile_of_;  // of each vertex by its old number
  std::vector<std::uint32_t> new_number_;
  std::vector<std::uint32_t> local_;  // of each vertex, within the tile at hand; none elsewhere
};

}  // namespace

std::uint32_t Tiling::max_local() const {
  std::uint32_t most = 0;
  for (std::size_t t = 0; t + 1 < tiles.size(); ++t) most = std::max(most, tiles[t + 1].counts - tiles[t].counts);
  return most;
}

std::uint32_t Tiling::max_places() const {
  std::uint32_t most = 0;
  for (const Tile& tile : tiles) most = std::max(most, tile.places);
  return most;
}

std::uint32_t Tiling::max_rows() const {
  std::uint32_t most = 0;
  for (std::size_t t = 0; t + 1 < tiles.size(); ++t) most = std::max(most, tiles[t + 1].rows - tiles[t].rows);
  return most;
}

Tiling make_tiling(const TilingItems& items, std::size_t vertices, std::size_t most) {
  return TilingMaker(items, vertices, most).take();
}

}  // namespace ictus::exec
