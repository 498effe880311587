#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ictus::exec {

/// What a loop over items that add to vertices is made of, in flat lists that a device reads as well as the host.
///
/// Items (elements of a mesh, say) are cut into tiles that lie close together. A vertex that only one tile touches is
/// its own; the others are shared, and each tile that touches one has a copy of it. Vertices are renumbered: own ones
/// tile by tile, shared ones behind them. Within a tile the vertices have local numbers, own ones first, then its
/// copies. Each item writes what it adds to a local vertex into a place of its own; the places of a vertex are added up
/// in the order of the items and of their slots, the sums of copies in the order of tiles. So no two items write to one
/// place, and every sum has one order, on any machine.
///
/// Of a tile's own vertices those with most places come first, and so it is with its copies. First lie the first places
/// of all own vertices, then the second ones of those that have them, and so on, then those of the copies likewise:
/// what neighbouring threads read lies side by side.
struct Tiling {
  /// Where the lists of a tile begin; they end where those of the next begin.
  struct Tile {
    std::uint32_t own;     ///< vertices
    std::uint32_t copies;  ///< into `copy`
    std::uint32_t counts;  ///< into `count`
    std::uint32_t rows;    ///< into `row`
    std::uint32_t items;   ///< into `item`
    std::uint32_t places;  ///< how many the tile has
  };
  /// Where a slot of an item reads and writes: a local vertex and one of the tile's places.
  struct Slot {
    std::uint16_t vertex, place;
  };

  std::vector<Tile> tiles;                 ///< with one more, where the last ends
  std::vector<std::uint32_t> item;         ///< numbers of the items, tile after tile
  std::vector<std::uint32_t> slot_start;   ///< of each of these into `slot`, and where the last ends
  std::vector<Slot> slot;                  ///< of the items in this order
  std::vector<std::uint8_t> count;         ///< of each local vertex: its places
  std::vector<std::uint16_t> row;          ///< where the k-th places begin, of own vertices, then of copies
  std::vector<std::uint32_t> copy;         ///< shared vertices, counted from the first, of which tiles have copies
  std::vector<std::uint32_t> shared_copy;  ///< the copies of each shared vertex, in the order of tiles
  std::vector<std::uint32_t> shared_end;   ///< of each shared vertex: the place behind its last one in `shared_copy`
  std::vector<std::uint32_t> vertex;       ///< the old number of each vertex
  std::uint32_t own_count = 0;             ///< vertices that are some tile's own

  std::size_t tile_count() const { return tiles.size() - 1; }
  std::size_t shared_count() const { return shared_end.size(); }
  std::uint32_t max_local() const;   ///< local vertices of a tile
  std::uint32_t max_places() const;  ///< places of a tile
  std::uint32_t max_rows() const;    ///< rows of a tile
};

/// Items as they come: the vertices of item i are those from start[i] to start[i + 1].
struct TilingItems {
  std::span<const std::uint32_t> start, vertices;
  std::span<const std::array<double, 3>> middle;  ///< of each item, by which they are cut
  std::span<const std::uint32_t> kind;            ///< within a tile items are sorted by it; empty: all alike
};

/// Cuts items into tiles of at most `most` items, of nearly equal size, by halving along the longest side.
Tiling make_tiling(const TilingItems& items, std::size_t vertices, std::size_t most);

}  // namespace ictus::exec
