#include <ictus/model/surface_mesh.hpp>

#include <algorithm>
#include <numeric>

namespace ictus::model {

SurfaceMesh::SurfaceMesh(std::vector<Triangle> triangles, std::vector<int> dof, std::span<const math::Vec3> position)
    : triangles_(std::move(triangles)), dof_(std::move(dof)) {
  const auto apart = [](int one, int next) { return next != one + 3; };
  lies_in_sequence_ = std::adjacent_find(dof_.begin(), dof_.end(), apart) == dof_.end();
  find_edges();
  measure_edges(position);
}

SurfaceMesh::SurfaceMesh(std::vector<Triangle> triangles, std::vector<int> dof, std::vector<math::Vec3> lever,
                         double radius, std::vector<double> radii)
    : triangles_(std::move(triangles)),
      dof_(std::move(dof)),
      lever_(std::move(lever)),
      radius_(radius),
      radii_(std::move(radii)) {
  is_centred_ = std::all_of(lever_.begin(), lever_.end(), [](const math::Vec3& at) { return at.isZero(0); });
  find_edges();
  measure_edges(lever_);
  if (radius_ > 0) mean_edge_ = radius_;  // what is round has no edges to measure by
  if (!radii_.empty())
    mean_edge_ = std::accumulate(radii_.begin(), radii_.end(), 0.0) / static_cast<double>(radii_.size());
}

double SurfaceMesh::least_radius() const {
  return radii_.empty() ? radius_ : *std::min_element(radii_.begin(), radii_.end());
}

SurfaceMesh::SurfaceMesh(std::vector<Triangle> triangles, std::vector<int> dof, std::vector<math::Vec3> lever,
                         double radius, const FollowedMomenta& followed, std::span<const math::Vec3> position)
    : triangles_(std::move(triangles)),
      dof_(std::move(dof)),
      lever_(std::move(lever)),
      followed_(followed),
      radius_(radius) {
  find_edges();
  measure_edges(position);
  if (radius_ > 0) mean_edge_ = radius_;
}

SurfaceMesh::SurfaceMesh(std::vector<Triangle> triangles, std::vector<math::Vec3> rest,
                         const std::vector<std::vector<Guide>>& guides, double radius, double size)
    : triangles_(std::move(triangles)), rest_(std::move(rest)), radius_(radius) {
  for (const std::vector<Guide>& of_vertex : guides) {
    dof_.push_back(of_vertex.front().dof);
    first_guide_.push_back(guides_.size());
    guides_.insert(guides_.end(), of_vertex.begin(), of_vertex.end());
  }
  first_guide_.push_back(guides_.size());
  find_edges();
  measure_edges(rest_);
  if (edges_.empty()) mean_edge_ = size;
  if (radius_ > 0) mean_edge_ = radius_;
}

void SurfaceMesh::pull_back(std::size_t vertex, std::span<const double> q, const math::Vec3& point,
                            const math::Vec3& force, std::vector<RowEntry>& row) const {
  const int k = dof_[vertex];
  if (follows_coordinates()) {
    const auto at = static_cast<std::size_t>(k);
    const math::Vec3 arm = point - math::Vec3::Map(&q[at]);
    for (std::size_t j = 0; j < followed_.count; ++j)
      row.push_back(
          {static_cast<int>(followed_.first + j), followed_.along(q, at, j, arm).dot(force), RowEntry::Kind::guided});
    return;
  }
  if (has_frames()) return RigidFrame::at(q, static_cast<std::size_t>(k)).pull_back(point, force, k, row);
  if (is_guided()) {
    for (const Guide& guide : guides(vertex))
      row.push_back({guide.dof, guide.along.dot(force), RowEntry::Kind::guided});
    return;
  }
  for (int c = 0; c < 3; ++c) row.push_back({k + c, force[c]});
}

math::Vec3 SurfaceMesh::of_followed(std::size_t vertex, std::span<const double> q, std::span<const double> p,
                                    std::span<const double> inverse_mass) const {
  const auto k = static_cast<std::size_t>(dof_[vertex]);
  const math::Vec3 arm = RigidFrame::at(q, k).axes * lever_[vertex];
  math::Vec3 sum = math::Vec3::Zero();
  for (std::size_t j = 0; j < followed_.count; ++j) {
    const std::size_t slot = followed_.first + j;
    sum += inverse_mass[slot] * p[slot] * followed_.along(q, k, j, arm);
  }
  return sum;
}

void SurfaceMesh::measure_edges(std::span<const math::Vec3> position) {
  for (const Edge& edge : edges_) {
    const double length =
        (position[static_cast<std::size_t>(edge[1])] - position[static_cast<std::size_t>(edge[0])]).norm();
    mean_edge_ += length;
    longest_edge_ = std::max(longest_edge_, length);
  }
  if (!edges_.empty()) mean_edge_ /= static_cast<double>(edges_.size());
}

void SurfaceMesh::find_edges() {
  struct Side {
    Edge edge;
    int triangle;
    std::size_t corner;  // the vertex opposite to the edge
  };
  std::vector<Side> sides;
  sides.reserve(3 * triangles_.size());
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    for (std::size_t c = 0; c < 3; ++c) {
      const int a = triangles_[t][(c + 1) % 3], b = triangles_[t][(c + 2) % 3];
      if (a == b) continue;  // of a sphere or a capsule
      sides.push_back({{std::min(a, b), std::max(a, b)}, static_cast<int>(t), c});
    }
  }
  std::stable_sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) { return a.edge < b.edge; });
  triangle_edges_.assign(triangles_.size(), {none, none, none});
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Side& side = sides[i];
    if (i == 0 || sides[i - 1].edge != side.edge) {
      edges_.push_back(side.edge);
      edge_triangles_.push_back({side.triangle, none});
    } else if (edge_triangles_.back()[1] == none) {
      edge_triangles_.back()[1] = side.triangle;
    }
    triangle_edges_[static_cast<std::size_t>(side.triangle)][side.corner] = static_cast<int>(edges_.size()) - 1;
  }
}

}  // namespace ictus::model
