#include <ictus/mechanics/solid/nodal_means.hpp>

#include <array>

namespace ictus::mechanics {

using math::Pack;

NodalMeans::NodalMeans(std::span<const TetrahedronBlock> blocks, std::size_t nodes)
    : nodes_(nodes), volumes_((nodes + Pack::lanes - 1) / Pack::lanes * Pack::lanes, 0.0) {
  for (const TetrahedronBlock& block : blocks) {
    for (const auto& node : block.node) {
      for (int lane = 0; lane < Pack::lanes; ++lane)
        volumes_[static_cast<std::size_t>(node[lane] / 3)] += 0.25 * block.volume[lane];
    }
  }
}

double* NodalMeans::buffer(Use use) const {
  thread_local std::array<std::vector<double>, 4> buffers;
  std::vector<double>& one = buffers[static_cast<std::size_t>(use)];
  if (one.size() < volumes_.size()) one.resize(volumes_.size());
  return one.data();
}

}  // namespace ictus::mechanics
