#include <algorithm>
#include <ictus/contact/neighbour_list.hpp>
#include <ictus/model/surface_mesh.hpp>

namespace ictus::contact {

using math::Vec3;

namespace {

/// Margin of the list beyond what is within reach, as a share of the mean edge.
constexpr double skin_share = 0.3;
/// Cells of the grid, in mean edges.
constexpr double cell_share = 1.5;
/// Slack of a bound on distances, as a share of the mean edge: far above round-off, so that whether a pair is skipped
/// never decides whether it is within reach.
constexpr double slack_share = 1e-6;

}  // namespace

void NeighbourList::prepare(const Skins& skins) {
  *this = {};
  edge_ = std::numeric_limits<double>::infinity();
  for (const Skins::Skin& skin : skins.skins()) edge_ = std::min(edge_, skin.mesh->mean_edge());
  x_.resize(skins.vertex_unknown().size());
  travel_.resize(skins.skins().size());
  travel_of_pair_.resize(skins.laws().size());
  look_.resize(skins.laws().size());
}

void NeighbourList::update(const Skins& skins, std::span<const double> q, std::span<const double> reach) {
  advance(skins, q);
  reach_ = *std::max_element(reach.begin(), reach.end());
  const auto refresh = [&] {
    double needed = 0;
    for (std::size_t i = 0; i < look_.size(); ++i) {
      const Skins::Law& law = skins.laws()[i];
      if (law.first < 0 || law.second < 0) continue;
      travel_of_pair_[i] = travel_[static_cast<std::size_t>(law.first)] + travel_[static_cast<std::size_t>(law.second)];
      look_[i] = travel_of_pair_[i] + reach[i] + slack_share * edge_;
      needed = std::max(needed, look_[i]);
    }
    return needed;
  };
  if (refresh() <= margin_ && made_) return;
  rebuild(skins);
  refresh();
}

void NeighbourList::advance(const Skins& skins, std::span<const double> q) {
  const auto unknown = skins.vertex_unknown();
  for (std::size_t s = 0; s < travel_.size(); ++s) {
    const auto begin = static_cast<std::size_t>(skins.skins()[s].first_vertex);
    const std::size_t end = begin + skins.skins()[s].mesh->vertex_count();
    double farthest_sq = 0;
    for (std::size_t v = begin; v < end; ++v) {
      const Vec3 now = model::vertex_at(q, unknown[v]);
      farthest_sq = std::max(farthest_sq, (now - x_[v]).squaredNorm());
      x_[v] = now;
    }
    travel_[s] += std::sqrt(farthest_sq);
  }
}

void NeighbourList::rebuild(const Skins& skins) {
  made_ = true;
  ++rebuilds_;
  std::fill(travel_.begin(), travel_.end(), 0.0);
  margin_ = reach_ + skin_share * edge_;
  find_regions(skins);
  find_vertex_triangle(skins);
  find_edge_edge(skins);
  // Nothing has been measured yet.
  vertex_triangle_clear_.assign(vertex_triangle_.size(), 0.0);
  edge_edge_clear_.assign(edge_edge_.size(), 0.0);
}

/// Where features of a skin can be near another: within the boxes of the skins it has laws with.
void NeighbourList::find_regions(const Skins& skins) {
  const std::size_t count = skins.skins().size();
  skin_boxes_.assign(count, Box::nothing());
  regions_.assign(count, Box::nothing());
  for (std::size_t v = 0; v < x_.size(); ++v) {
    skin_boxes_[static_cast<std::size_t>(skins.vertex_skin()[v])].include(x_[v]);
  }
  for (const Skins::Law& law : skins.laws()) {
    if (law.first < 0 || law.second < 0) continue;
    const auto a = static_cast<std::size_t>(law.first), b = static_cast<std::size_t>(law.second);
    const Box first = skin_boxes_[a].grown(margin_), second = skin_boxes_[b].grown(margin_);
    if (!first.overlaps(second)) continue;
    const Box common{first.low.cwiseMax(second.low), first.high.cwiseMin(second.high)};
    regions_[a].include(common);
    regions_[b].include(common);
  }
}

void NeighbourList::find_vertex_triangle(const Skins& skins) {
  boxes_.clear();
  features_.clear();
  vertex_triangle_.clear();
  for (std::size_t t = 0; t < skins.triangles().size(); ++t) {
    Box box = Box::nothing();
    for (const int v : skins.triangles()[t]) box.include(x_[static_cast<std::size_t>(v)]);
    if (!box.overlaps(regions_[static_cast<std::size_t>(skins.triangle_skin()[t])])) continue;
    boxes_.push_back(box.grown(margin_));
    features_.push_back(static_cast<int>(t));
  }
  grid_.fill(boxes_, cell_share * edge_ + margin_);
  for (std::size_t v = 0; v < x_.size(); ++v) {
    const int skin = skins.vertex_skin()[v], vertex = static_cast<int>(v);
    if (!regions_[static_cast<std::size_t>(skin)].contains(x_[v])) continue;
    for (const int i : grid_.at(x_[v])) {
      const int t = features_[static_cast<std::size_t>(i)];
      const int pair = skins.pair_of(skin, skins.triangle_skin()[static_cast<std::size_t>(t)]);
      if (pair == Skins::none || !boxes_[static_cast<std::size_t>(i)].contains(x_[v])) continue;
      const auto& corners = skins.triangles()[static_cast<std::size_t>(t)];
      if (std::find(corners.begin(), corners.end(), vertex) != corners.end()) continue;
      vertex_triangle_.push_back({vertex, t, pair});
    }
  }
}

void NeighbourList::find_edge_edge(const Skins& skins) {
  boxes_.clear();
  features_.clear();
  skin_of_feature_.clear();
  edge_edge_.clear();
  for (std::size_t e = 0; e < skins.edges().size(); ++e) {
    Box box = Box::nothing();
    for (const int v : skins.edges()[e]) box.include(x_[static_cast<std::size_t>(v)]);
    if (!box.overlaps(regions_[static_cast<std::size_t>(skins.edge_skin()[e])])) continue;
    boxes_.push_back(box.grown(0.5 * margin_));
    features_.push_back(static_cast<int>(e));
    skin_of_feature_.push_back(skins.edge_skin()[e]);
  }
  grid_.fill(boxes_, cell_share * edge_ + margin_);
  for (std::size_t k = 0; k < features_.size(); ++k) {
    const auto [a, b] = skins.edges()[static_cast<std::size_t>(features_[k])];
    found_.clear();
    const int skin = skin_of_feature_[k];
    const auto wanted = [&](int i) {
      return i > static_cast<int>(k) &&
             skins.pair_of(skin, skin_of_feature_[static_cast<std::size_t>(i)]) != Skins::none;
    };
    grid_.for_each_overlap(boxes_[k], wanted, [&](int i) {
      const int other = features_[static_cast<std::size_t>(i)];
      const auto [c, d] = skins.edges()[static_cast<std::size_t>(other)];
      if (a != c && a != d && b != c && b != d) found_.push_back(other);
    });
    std::sort(found_.begin(), found_.end());
    for (const int other : found_) {
      edge_edge_.push_back(
          {features_[k], other, skins.pair_of(skin, skins.edge_skin()[static_cast<std::size_t>(other)])});
    }
  }
}

}  // namespace ictus::contact
