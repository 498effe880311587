#include <ictus/contact/detect/skins.hpp>

#include <algorithm>
#include <numeric>

namespace ictus::contact {

using model::SurfaceMesh;

namespace {

/// The smaller of two mean edges; what is a point has none.
double smaller_edge(double a, double b) { return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b); }

}  // namespace

Skins::Skins(std::span<const ContactPair> pairs) {
  for (const ContactPair& pair : pairs) {
    Law law{.friction = pair.friction};
    const SurfaceMesh *first = pair.first_surface->mesh(), *second = pair.second_surface->mesh();
    if (first) law.first = find_or_add(*first);
    if (second) law.second = find_or_add(*second);
    if (first && second) law.edge = smaller_edge(first->mean_edge(), second->mean_edge());
    if (!first != !second) law.edge = (first ? first : second)->mean_edge();
    law.radii = (first ? first->radius() : 0) + (second ? second->radius() : 0);
    // A plane has sides, and a ball an inside: the gap to them needs no thickness besides.
    const double usual = law.radii > 0 ? 0 : default_thickness_share * law.edge;
    law.thickness = law.radii + (first && second ? pair.thickness.value_or(usual) : 0);
    law.least_thickness =
        law.thickness - law.radii + (first ? first->least_radius() : 0) + (second ? second->least_radius() : 0);
    laws_.push_back(law);
  }
  find_neighbours();
  pair_of_.assign(skins_.size() * skins_.size(), none);
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const auto first = static_cast<std::size_t>(laws_[i].first), second = static_cast<std::size_t>(laws_[i].second);
    if (laws_[i].first < 0 || laws_[i].second < 0) continue;
    pair_of_[first * skins_.size() + second] = pair_of_[second * skins_.size() + first] = static_cast<int>(i);
  }
}

std::vector<char> Skins::meeting_themselves() const {
  std::vector<char> result;
  for (int skin = 0; skin < static_cast<int>(skins_.size()); ++skin)
    result.push_back(pair_of(skin, skin) != none ? 1 : 0);
  return result;
}

int Skins::find_or_add(const SurfaceMesh& mesh) {
  const auto found = std::find_if(skins_.begin(), skins_.end(), [&](const Skin& skin) { return skin.mesh == &mesh; });
  if (found != skins_.end()) return static_cast<int>(found - skins_.begin());
  append(mesh);
  return static_cast<int>(skins_.size()) - 1;
}

void Skins::append(const SurfaceMesh& mesh) {
  const int vertex = static_cast<int>(vertex_dof_.size()), edge = static_cast<int>(edges_.size());
  const int triangle = static_cast<int>(triangles_.size()), skin = static_cast<int>(skins_.size());
  skins_.push_back({&mesh, vertex, edge, triangle});
  vertex_dof_.insert(vertex_dof_.end(), mesh.dof().begin(), mesh.dof().end());
  vertex_skin_.resize(vertex_dof_.size(), skin);
  vertex_owner_.resize(vertex_dof_.size(), none);
  for (std::size_t t = 0; t < mesh.triangles().size(); ++t) {
    const auto [a, b, c] = mesh.triangles()[t];
    const auto [e, f, g] = mesh.triangle_edges()[t];
    triangles_.push_back({a + vertex, b + vertex, c + vertex});
    triangle_edges_.push_back({e + edge, f + edge, g + edge});
    triangle_skin_.push_back(skin);
    for (const int v : triangles_.back()) {
      int& owner = vertex_owner_[static_cast<std::size_t>(v)];
      if (owner == none) owner = triangle + static_cast<int>(t);
    }
  }
  for (std::size_t e = 0; e < mesh.edges().size(); ++e) {
    const auto [a, b] = mesh.edges()[e];
    const auto [left, right] = mesh.edge_triangles()[e];
    edges_.push_back({a + vertex, b + vertex});
    edge_skin_.push_back(skin);
    edge_owner_.push_back(left + triangle);
    edge_triangles_.push_back({left + triangle, right == SurfaceMesh::none ? none : right + triangle});
  }
}

void Skins::find_neighbours() {
  first_neighbour_.assign(vertex_dof_.size() + 1, 0);
  for (const auto& edge : edges_)
    for (const int v : edge) ++first_neighbour_[static_cast<std::size_t>(v) + 1];
  std::partial_sum(first_neighbour_.begin(), first_neighbour_.end(), first_neighbour_.begin());
  neighbours_.resize(2 * edges_.size());
  std::vector<int> next(first_neighbour_.begin(), first_neighbour_.end() - 1);
  for (const auto& [a, b] : edges_) {
    neighbours_[static_cast<std::size_t>(next[static_cast<std::size_t>(a)]++)] = b;
    neighbours_[static_cast<std::size_t>(next[static_cast<std::size_t>(b)]++)] = a;
  }
}

}  // namespace ictus::contact
