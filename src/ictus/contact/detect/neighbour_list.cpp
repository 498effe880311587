#include <ictus/contact/detect/neighbour_list.hpp>

#include <algorithm>
#include <ictus/contact/detect/component_range.hpp>
#include <ictus/model/surface_mesh.hpp>

namespace ictus::contact {

using math::Vec3;

namespace {

/// Margin of the list beyond what is within reach, as a share of the mean edge.
constexpr double skin_share = 0.5;
/// Cells of the grid, in mean edges.
constexpr double cell_share = 1.0;
/// Slack of a bound on distances, as a share of the mean edge: far above round-off, so that whether a pair is skipped
/// never decides whether it is within reach.
constexpr double slack_share = 1e-6;
/// Vertices and features that a thread works on at a time.
constexpr std::size_t vertex_block = 4096, feature_block = 256;

/// Positions of vertices that follow each other, as one array: those in q, where they are nodes that lie so, or the
/// buffer with them.
const double* positions_in(const model::SurfaceMesh& mesh, std::size_t vertex, std::size_t count,
                           std::span<const double> q, double* buffer) {
  if (mesh.lies_in_sequence()) return &q[static_cast<std::size_t>(mesh.dof()[vertex])];
  for (std::size_t v = 0; v < count; ++v) Vec3::Map(buffer + 3 * v) = mesh.position(vertex + v, q);
  return buffer;
}

}  // namespace

void NeighbourList::prepare(const Skins& skins, const exec::Executor& exec) {
  *this = {};
  exec_ = exec;
  edge_ = std::numeric_limits<double>::infinity();
  for (const Skins::Skin& skin : skins.skins()) edge_ = std::min(edge_, skin.mesh->mean_edge());
  for (auto* positions : {&x_, &made_x_}) positions->assign(skins.vertex_dof().size(), Vec3::Zero());
  motion_.resize(skins.skins().size());
  meets_itself_ = skins.meeting_themselves();
  for (auto* of_pair : {&travel_, &look_, &margin_}) of_pair->assign(skins.laws().size(), 0.0);
}

void NeighbourList::update(const Skins& skins, std::span<const double> q, std::span<const double> reach) {
  advance(skins, q);
  reach_ = std::max(0.0, *std::max_element(reach.begin(), reach.end()));
  if (is_complete(skins, reach) && made_) return;
  rebuild(skins);
  is_complete(skins, reach);
}

void NeighbourList::advance(const Skins& skins, std::span<const double> q) {
  for (std::size_t s = 0; s < motion_.size(); ++s) {
    const model::SurfaceMesh& mesh = *skins.skins()[s].mesh;
    const auto first = static_cast<std::size_t>(skins.skins()[s].first_vertex);
    const std::size_t count = mesh.vertex_count(), blocks = (count + vertex_block - 1) / vertex_block;
    if (part_.size() < blocks) part_.resize(blocks);
    exec_.for_items(blocks, [&](std::size_t block) {
      part_[block] = move(mesh, block * vertex_block, std::min((block + 1) * vertex_block, count), first, q);
    });
    motion_[s] = {Box::nothing(), Box::nothing()};
    for (std::size_t block = 0; block < blocks; ++block) {
      motion_[s].in_update.include(part_[block].in_update);
      motion_[s].since_made.include(part_[block].since_made);
    }
  }
  for (std::size_t i = 0; i < travel_.size(); ++i) {
    const Skins::Law& law = skins.laws()[i];
    if (law.first < 0 || law.second < 0) continue;
    travel_[i] += max_change(motion_[static_cast<std::size_t>(law.first)].in_update,
                             motion_[static_cast<std::size_t>(law.second)].in_update);
  }
}

/// Takes over the positions of the vertices begin … end − 1 of a skin whose first vertex is `first`.
NeighbourList::Motion NeighbourList::move(const model::SurfaceMesh& mesh, std::size_t begin, std::size_t end,
                                          std::size_t first, std::span<const double> q) {
  ComponentRange in_update, since_made;
  double buffer[ComponentRange::width];
  for (std::size_t v = begin; v < end; v += ComponentRange::vectors) {
    const std::size_t count = std::min(end - v, ComponentRange::vectors), n = 3 * count;
    const double* now = positions_in(mesh, v, count, q, buffer);
    double* x = x_[first + v].data();
    const double* made = made_x_[first + v].data();
    in_update.include(n, [=](std::size_t j) { return now[j] - x[j]; });
    since_made.include(n, [=](std::size_t j) { return now[j] - made[j]; });
    std::copy_n(now, n, x);
  }
  return {in_update.box(), since_made.box()};
}

/// Whether every pair within reach is in the list; finds up to where candidates must be looked at.
bool NeighbourList::is_complete(const Skins& skins, std::span<const double> reach) {
  bool complete = true;
  for (std::size_t i = 0; i < look_.size(); ++i) {
    const Skins::Law& law = skins.laws()[i];
    if (law.first < 0 || law.second < 0) continue;
    const double wanted = reach[i] + slack_share * edge_;
    look_[i] = travel_[i] + wanted;
    complete = complete && wanted + max_change(motion_[static_cast<std::size_t>(law.first)].since_made,
                                               motion_[static_cast<std::size_t>(law.second)].since_made) <=
                               margin_[i];
  }
  return complete;
}

void NeighbourList::rebuild(const Skins& skins) {
  made_ = true;
  ++rebuilds_;
  std::copy(x_.begin(), x_.end(), made_x_.begin());
  std::fill(travel_.begin(), travel_.end(), 0.0);
  for (Motion& motion : motion_) motion.since_made = {Vec3::Zero(), Vec3::Zero()};
  find_regions(skins);
  find_vertex_triangle(skins);
  find_edge_edge(skins);
  // Nothing has been measured yet.
  vertex_triangle_clear_.assign(vertex_triangle_.all().size(), 0.0);
  edge_edge_clear_.assign(edge_edge_.all().size(), 0.0);
}

/// Where features of a skin can be near another: within the boxes of the skins it has laws with. Skins whose boxes are
/// farther apart than the margin need no candidates until they have come as near as that.
void NeighbourList::find_regions(const Skins& skins) {
  const std::size_t count = skins.skins().size();
  const double margin = reach_ + skin_share * edge_;
  skin_boxes_.assign(count, Box::nothing());
  regions_.assign(count, Box::nothing());
  for (std::size_t v = 0; v < x_.size(); ++v) {
    skin_boxes_[static_cast<std::size_t>(skins.vertex_skin()[v])].include(x_[v]);
  }
  for (std::size_t i = 0; i < margin_.size(); ++i) {
    const Skins::Law& law = skins.laws()[i];
    if (law.first < 0 || law.second < 0) continue;
    const auto a = static_cast<std::size_t>(law.first), b = static_cast<std::size_t>(law.second);
    margin_[i] = std::max(margin, distance(skin_boxes_[a], skin_boxes_[b]));
    const Box first = skin_boxes_[a].grown(margin), second = skin_boxes_[b].grown(margin);
    if (!first.overlaps(second)) continue;
    const Box common{first.low.cwiseMax(second.low), first.high.cwiseMin(second.high)};
    regions_[a].include(common);
    regions_[b].include(common);
  }
}

/// The features whose boxes reach into the region of their skin, grown by a margin, go into the grid.
template <class Corners>
void NeighbourList::fill_grid(Corners corners, std::span<const int> skin_of, double margin) {
  features_.collect(exec_, skin_of.size(), feature_block, [&](std::size_t begin, std::size_t end, auto& list) {
    for (std::size_t i = begin; i < end; ++i) {
      const Box& region = regions_[static_cast<std::size_t>(skin_of[i])];
      if (region.empty()) continue;
      Box box = Box::nothing();
      for (const int v : corners[i]) box.include(x_[static_cast<std::size_t>(v)]);
      if (box.overlaps(region)) list.push_back({box.grown(margin), static_cast<int>(i), skin_of[i]});
    }
  });
  boxes_.clear();
  groups_.clear();
  for (const Feature& feature : features_.all()) {
    boxes_.push_back(feature.box);
    groups_.push_back(feature.skin);
  }
  grid_.fill(boxes_, groups_, meets_itself_, cell_share * edge_ + 2 * margin);
}

void NeighbourList::find_vertex_triangle(const Skins& skins) {
  fill_grid(skins.triangles(), skins.triangle_skin(), reach_ + skin_share * edge_);
  searches_.resize(std::max(searches_.size(), x_.size() / feature_block + 1));
  vertex_triangle_.collect(exec_, x_.size(), feature_block, [&](std::size_t begin, std::size_t end, auto& list) {
    auto& [hits, found] = searches_[begin / feature_block];
    for (std::size_t v = begin; v < end; ++v) {
      const int skin = skins.vertex_skin()[v], vertex = static_cast<int>(v);
      if (!regions_[static_cast<std::size_t>(skin)].contains(x_[v])) continue;
      grid_.find({x_[v], x_[v]}, skin, -1, hits, found);
      for (const int i : found) {
        const Feature& feature = features_.all()[static_cast<std::size_t>(i)];
        const int pair = skins.pair_of(skin, feature.skin);
        const auto& corners = skins.triangles()[static_cast<std::size_t>(feature.number)];
        if (pair == Skins::none || std::find(corners.begin(), corners.end(), vertex) != corners.end()) continue;
        if (skins.one_body(vertex, corners[0])) continue;
        list.push_back({vertex, feature.number, pair});
      }
    }
  });
}

void NeighbourList::find_edge_edge(const Skins& skins) {
  fill_grid(skins.edges(), skins.edge_skin(), 0.5 * (reach_ + skin_share * edge_));
  const std::size_t count = features_.all().size();
  searches_.resize(std::max(searches_.size(), count / feature_block + 1));
  edge_edge_.collect(exec_, count, feature_block, [&](std::size_t begin, std::size_t end, auto& list) {
    auto& [hits, found] = searches_[begin / feature_block];
    for (std::size_t k = begin; k < end; ++k) {
      const Feature& own = features_.all()[k];
      const auto [a, b] = skins.edges()[static_cast<std::size_t>(own.number)];
      grid_.find(own.box, own.skin, static_cast<int>(k), hits, found);
      for (const int i : found) {
        const Feature& other = features_.all()[static_cast<std::size_t>(i)];
        const int pair = skins.pair_of(own.skin, other.skin);
        const auto [c, d] = skins.edges()[static_cast<std::size_t>(other.number)];
        if (pair == Skins::none || a == c || a == d || b == c || b == d) continue;
        if (skins.one_body(a, c)) continue;
        list.push_back({own.number, other.number, pair});
      }
    }
  });
}

}  // namespace ictus::contact
