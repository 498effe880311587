#pragma once

#include <ictus/contact/detect/neighbour_list.hpp>
#include <optional>

namespace ictus::contact {

/// Where two oriented surfaces are inside each other: four vertices with weights, as in FourPoints, and a direction n
/// along which the side with the positive weights must lie. A vertex over a face has w = (1, −l₀, −l₁, −l₂) and the
/// normal of the face; two edges have w = (−(1−s), −s, 1−t, t) and the common normal, outward from the first.
struct Penetration {
  std::array<int, 4> vertex;  ///< of Skins
  std::array<double, 4> weight;
  math::Vec3 normal;
  double depth;  ///< d = n·Σ w_k x_k (m); negative: penetrates
};

/// The detection of decomposition contact response (cirak-2005): vertices behind faces and edges across edges, found
/// from what only looks so by normals, by each edge piercing a face beside the other, and by the state before the step,
/// in which a true pair did not penetrate yet. A vertex takes part with its nearest face only.
class PenetrationDetector {
 public:
  struct Pair {
    NeighbourList::Candidate features;
    bool of_edges;
    double side;  ///< of two edges: the sign that turns u × w outward from the first
  };

  void prepare(std::span<const ContactPair> pairs, const exec::Executor& exec = exec::Executor());
  bool any() const { return any_; }
  const Skins& skins() const { return skins_; }

  /// The pairs that penetrate at q and did not at `before`: vertices with faces first, then edges.
  std::span<const Pair> detect(std::span<const double> q, std::span<const double> before);

  /// A pair at another configuration, by the same rule; none where its closest points have left the features.
  std::optional<Penetration> evaluate(const Pair& pair, std::span<const double> q) const;

 private:
  using Candidate = NeighbourList::Candidate;

  math::Vec3 at(std::span<const double> q, int vertex) const { return skins_.position(vertex, q); }
  math::Vec3 face_normal(std::span<const double> q, int triangle) const;
  math::Vec3 edge_normal(std::span<const double> q, int edge) const;
  std::optional<Penetration> vertex_in_face(const Candidate& features, std::span<const double> q) const;
  std::optional<Penetration> edge_across_edge(const Candidate& features, double side, std::span<const double> q) const;
  double try_vertex(const Candidate& features, std::span<const double> q, std::span<const double> before);
  double try_edges(const Candidate& features, std::span<const double> q, std::span<const double> before);
  bool pierces_beside(int edge, int other, std::span<const double> q) const;

  bool any_ = false;
  Skins skins_;
  NeighbourList list_;
  std::vector<std::vector<int>> faces_of_vertex_;
  std::vector<double> reach_;
  std::vector<Pair> pairs_;
  double last_depth_ = 0;  // of the vertex that was tried last, with its nearest face
};

}  // namespace ictus::contact
