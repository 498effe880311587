#include <ictus/solve/linear/lane_order.hpp>

#include <algorithm>
#include <ictus/math/pack.hpp>
#include <limits>
#include <map>
#include <set>

namespace ictus::solve {

namespace {

constexpr std::size_t pack_lanes = math::Pack::lanes;

std::size_t nodes(const Chain& chain) { return chain.dofs.size() / chain.components.size(); }
std::size_t divided(std::size_t count, std::size_t by) { return (count + by - 1) / by; }

}  // namespace

/// A piece of a chain.
struct LaneOrder::Strip {
  const Chain* chain;
  std::size_t first, size;  ///< nodes
};

/// The chains in strips of equal length, `longest` at most, the longest first.
std::vector<LaneOrder::Strip> LaneOrder::cut(std::span<const Chain* const> chains, std::size_t longest) {
  std::vector<Strip> strips;
  for (const Chain* chain : chains) {
    const std::size_t count = nodes(*chain), size = divided(count, divided(count, longest));
    for (std::size_t first = 0; first < count; first += size)
      strips.push_back({chain, first, std::min(size, count - first)});
  }
  std::stable_sort(strips.begin(), strips.end(), [](const Strip& a, const Strip& b) { return a.size > b.size; });
  return strips;
}

/// Eight strips side by side cost as much as the longest of them, and some rows more at ends that are not like the
/// rest.
std::vector<LaneOrder::Strip> LaneOrder::best_cut(std::span<const Chain* const> chains) {
  std::set<std::size_t, std::greater<>> lengths;
  for (const Chain* chain : chains) {
    for (std::size_t pieces = 1; pieces <= pack_lanes; ++pieces) lengths.insert(divided(nodes(*chain), pieces));
  }
  std::vector<Strip> best;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const std::size_t length : lengths) {
    constexpr std::size_t ends = 4;
    std::vector<Strip> strips = cut(chains, length);
    std::size_t cost = 0;
    for (std::size_t i = 0; i < strips.size(); i += pack_lanes) cost += strips[i].size + ends;
    if (cost >= least) continue;
    least = cost;
    best = std::move(strips);
  }
  return best;
}

LaneOrder::LaneOrder(std::span<const Chain> chains) {
  std::map<std::size_t, std::vector<const Chain*>> alike;
  for (const Chain& chain : chains) {
    if (!chain.dofs.empty()) alike[chain.components.size()].push_back(&chain);
  }
  for (const auto& [size, members] : alike) {
    const std::vector<Strip> strips = best_cut(members);
    for (std::size_t i = 0; i < strips.size(); i += pack_lanes)
      lay(std::span(strips).subspan(i, std::min(pack_lanes, strips.size() - i)));
  }
  std::sort(seats_.begin(), seats_.end(), [](const Seat& a, const Seat& b) { return a.slot < b.slot; });
}

/// Adds the slots of up to eight strips, and a row before and after them.
void LaneOrder::lay(std::span<const Strip> strips) {
  const std::size_t begin = node_.size(), rows = strips.front().size + 2;
  const std::size_t components = strips.front().chain->components.size();
  node_.resize(begin + components * rows * pack_lanes, -1);
  component_.resize(node_.size(), -1);
  for (std::size_t lane = 0; lane < strips.size(); ++lane) {
    const auto& [chain, first, size] = strips[lane];
    for (std::size_t row = 0; row < size; ++row) {
      const Node node{begin + (row + 1) * pack_lanes + lane, rows * pack_lanes, components, nodes_.size()};
      put(node, chain->components);
      for (std::size_t k = 0; k < components; ++k)
        seats_.push_back({node.slot + k * node.stride, chain->dofs[(first + row) * components + k]});
    }
  }
}

void LaneOrder::put(const Node& node, std::span<const int> components) {
  for (std::size_t k = 0; k < node.size; ++k) {
    node_[node.slot + k * node.stride] = static_cast<int>(nodes_.size());
    component_[node.slot + k * node.stride] = components[k];
  }
  nodes_.push_back(node);
}

/// The slot of a component of a node, or that after its last where it has no such component.
std::size_t LaneOrder::find(const Node& node, int component) const {
  std::size_t k = 0;
  while (k < node.size && component_[node.slot + k * node.stride] != component) ++k;
  return node.slot + k * node.stride;
}

/// Puts the mirror of a node beside another, with its components in the order of the latter.
void LaneOrder::mirror(std::size_t original, const Node& neighbour, std::size_t slot) {
  std::vector<int> components;
  std::vector<Mirror> added;
  for (std::size_t k = 0; k < neighbour.size; ++k) {
    components.push_back(component_[neighbour.slot + k * neighbour.stride]);
    const std::size_t of = find(nodes_[original], components.back());
    if (of == nodes_[original].slot + nodes_[original].size * nodes_[original].stride) return;
    added.push_back({slot + k * neighbour.stride, of});
  }
  put({slot, neighbour.stride, neighbour.size, original}, components);
  mirrors_.insert(mirrors_.end(), added.begin(), added.end());
}

std::size_t LaneOrder::seen_from(std::size_t row, std::size_t column) {
  if (row % pack_lanes == column % pack_lanes) return column;
  const Node here = nodes_[static_cast<std::size_t>(node_[row])];
  const auto there = static_cast<std::size_t>(node_[column]);
  for (const std::size_t beside : {here.slot - pack_lanes, here.slot + pack_lanes}) {
    if (node_[beside] < 0) mirror(there, here, beside);
    const int found = node_[beside];
    if (found >= 0 && nodes_[static_cast<std::size_t>(found)].original == there)
      return find(nodes_[static_cast<std::size_t>(found)], component_[column]);
  }
  return column;
}

}  // namespace ictus::solve
