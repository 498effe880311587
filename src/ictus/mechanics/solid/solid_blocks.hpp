#pragma once

#include <algorithm>
#include <ictus/exec/executor.hpp>
#include <ictus/geometry/mesh/volume_mesh.hpp>
#include <ictus/mechanics/solid/solid_kernel.hpp>
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

/// The shape of one element for what is not done in blocks: nodes, and at each point its volume and the gradients of
/// the shape functions.
struct ElementShape {
  int nodes = 0;
  int points = 0;
  std::array<int, 8> node;  ///< where the dofs of each begin
  double volume[8];
  math::Vector3<double> gradient[8][8];  ///< [point][node]

  double total_volume() const {
    double sum = 0;
    for (int q = 0; q < points; ++q) sum += volume[q];
    return sum;
  }
};

/// The elements of a solid in blocks of eight along a space-filling curve. Elements are numbered tetrahedra first, in
/// the order of the mesh.
class SolidBlocks {
 public:
  explicit SolidBlocks(const geometry::VolumeMesh& mesh);

  std::size_t count() const { return tetrahedra_ + hexahedra_; }
  std::size_t tetrahedra() const { return tetrahedra_; }
  /// The shape of an element by its slot along the curve, and its number in the mesh.
  ElementShape shape(std::size_t slot) const;
  std::size_t number(std::size_t slot) const { return static_cast<std::size_t>(number_[slot]); }
  /// Reference positions, three for each node.
  const std::vector<double>& reference() const { return reference_; }

  /// p += h f(x). Answers whether every element has a stress (none is inverted under a law that forbids it).
  template <class Law>
  bool kick(const exec::Executor& exec, const double* x, double h, const Lame& lame, double* p) const;
  /// p −= h K v.
  template <class Viscosity>
  void apply_damping(const exec::Executor& exec, const double* x, const double* v, double h, const Lame& lame,
                     double* p) const;

  /// Calls f(slot) for all elements, those that share a node one after the other in an order that no number of threads
  /// changes.
  template <class F>
  void for_each_slot(const exec::Executor& exec, F&& f) const {
    constexpr auto lanes = static_cast<std::size_t>(math::Pack::lanes);
    const auto for_block = [&](std::size_t block, std::size_t first, std::size_t count) {
      for (std::size_t i = block * lanes; i < std::min((block + 1) * lanes, count); ++i) f(first + i);
    };
    tetrahedron_tiling_.for_each_block(exec, [&](std::size_t block) { for_block(block, 0, tetrahedra_); });
    hexahedron_tiling_.for_each_block(exec, [&](std::size_t block) { for_block(block, tetrahedra_, hexahedra_); });
  }

  std::span<const HexahedronBlock> hexahedra() const { return hexahedron_blocks_; }
  const Tiling& hexahedron_tiling() const { return hexahedron_tiling_; }
  solid_kernel::HexahedronPoints points(const HexahedronBlock& block) const {
    return solid_kernel::points_of(block, points_.data());
  }

 private:
  void make_tetrahedra(const geometry::VolumeMesh& mesh);
  void make_hexahedra(const geometry::VolumeMesh& mesh);
  void make_points();

  std::size_t tetrahedra_, hexahedra_;
  std::vector<TetrahedronBlock> tetrahedron_blocks_;
  std::vector<HexahedronBlock> hexahedron_blocks_;
  std::vector<double> points_;  ///< of the hexahedra at rest
  Tiling tetrahedron_tiling_, hexahedron_tiling_;
  std::vector<int> number_;
  std::vector<double> reference_;
};

}  // namespace ictus::mechanics
