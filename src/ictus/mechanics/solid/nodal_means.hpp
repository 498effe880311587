#pragma once

#include <algorithm>
#include <ictus/mechanics/solid/solid_kernel.hpp>
#include <ictus/mechanics/solid/tiling.hpp>
#include <span>

namespace ictus::mechanics {

/// Means over what lies around each node of tetrahedra: of anything that an element has, each of its four nodes takes a
/// quarter, with a quarter of the volume [eq. solids-11].
class NodalMeans {
 public:
  NodalMeans(std::span<const TetrahedronBlock> blocks, std::size_t nodes);

  /// The volume around each node at rest; zero where there is no tetrahedron.
  std::span<const double> volumes() const { return {volumes_.data(), nodes_}; }

  /// Several numbers at each node, in buffers of the calling thread that last until it asks for more.
  enum class Use : std::size_t { pressure, energy, stiffening, volume };
  double* buffer(Use use) const;

  /// Writes the sum of what `amount(block)` says, whole elements, times a quarter.
  template <class Amount>
  void gather(const exec::Executor& exec, std::span<const TetrahedronBlock> blocks, const Tiling& tiling,
              Amount&& amount, double* to) const {
    exec.for_blocks(volumes_.size(), [&](std::size_t begin, std::size_t end) { std::fill(to + begin, to + end, 0.0); });
    tiling.for_each_block(exec, [&](std::size_t b) {
      const math::Pack quarter = math::Pack(0.25) * amount(blocks[b]);
      for (const auto& node : blocks[b].node) {
        for (int lane = 0; lane < math::Pack::lanes; ++lane) to[node[lane] / 3] += quarter[lane];
      }
    });
  }

  /// Calls f(node, volume) for packs of nodes from `node` on; the volume is one where there is no tetrahedron.
  template <class F>
  void for_each_pack(const exec::Executor& exec, F&& f) const {
    constexpr auto lanes = static_cast<std::size_t>(math::Pack::lanes);
    exec.for_blocks(volumes_.size() / lanes, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const math::Pack volume = math::Pack::load(volumes_.data() + i * lanes);
        f(i * lanes, math::select(volume.v > 0.0, volume, math::Pack(1.0)), volume.v > 0.0);
      }
    });
  }

 private:
  std::size_t nodes_;
  std::vector<double> volumes_;  // as many as fill whole packs
};

}  // namespace ictus::mechanics
