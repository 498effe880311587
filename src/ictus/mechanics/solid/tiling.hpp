#pragma once

#include <ictus/exec/executor.hpp>
#include <vector>

namespace ictus::mechanics {

/// Consecutive blocks of elements that lie close together, worked on by one thread. Tiles are sorted by colour, and
/// tiles of one colour share no node: they add to the nodes at the same time, colour after colour, and every node gets
/// its contributions in an order that no number of threads changes.
struct Tiling {
  struct Tile {
    std::size_t begin, end;  ///< of blocks
  };
  std::vector<Tile> tiles;
  std::vector<std::size_t> colours;  ///< where each begins among the tiles, and the number of tiles

  /// Calls f(block) for all blocks.
  template <class F>
  void for_each_block(const exec::Executor& exec, F&& f) const {
    for (std::size_t c = 0; c + 1 < colours.size(); ++c) {
      exec.for_items(colours[c + 1] - colours[c], [&](std::size_t i) {
        const Tile& tile = tiles[colours[c] + i];
        for (std::size_t b = tile.begin; b < tile.end; ++b) f(b);
      });
    }
  }
};

}  // namespace ictus::mechanics
