#include <ictus/geometry/mesh/volume_mesh.hpp>

#include <cmath>
#include <numbers>

namespace ictus::geometry {

using math::Vec3;

namespace {

/// A point of the cube [−1, 1]³ moved to the unit ball, equal angles for equal steps on its faces.
Vec3 onto_ball(const Vec3& s) {
  const double ring = s.cwiseAbs().maxCoeff();
  if (ring == 0) return Vec3::Zero();
  Vec3 direction;
  for (int c = 0; c < 3; ++c) direction[c] = std::tan(s[c] / ring * std::numbers::pi / 4);
  return ring * direction.normalized();
}

/// The cube in the middle: nearly cubic inside, bulged outside, so that the layers around it are about equally thick.
Vec3 bulged(const Vec3& s) {
  constexpr double size = 0.6, edge = 0.75;
  const double roundness = 0.5 * s.cwiseAbs().maxCoeff();
  return size * ((1 - roundness) * edge * s + roundness * onto_ball(s));
}

/// The Möbius transformation of the unit ball that scales lengths at its lowest point by 1/finer and at its highest by
/// finer: ((1 − α²)(x − αe) − |x − αe|² αe)/(1 − 2α e·x + α²|x|²), e upwards, turned so that the pole stays the pole.
Vec3 gathered_below(const Vec3& x, double finer) {
  const double alpha = (finer - 1) / (finer + 1);
  const Vec3 a(0, 0, alpha);
  const double below = 1 - 2 * a.dot(x) + alpha * alpha * x.squaredNorm();
  return ((1 - alpha * alpha) * (x - a) - (x - a).squaredNorm() * a) / below;
}

/// Nodes of a cube of n³ cells and of `layers` layers around it, made as they are asked for: a node is a place on the
/// lattice of the cube and, for the surface of the cube, a layer.
class BallNodes {
 public:
  BallNodes(int n, int layers, double radius, double finer, VolumeMesh& mesh)
      : n_(n), layers_(layers), radius_(radius), finer_(finer), mesh_(mesh) {}

  int node(const std::array<int, 3>& at, int layer) {
    const auto [entry, is_new] = known_.emplace(std::array{at[0], at[1], at[2], layer}, count());
    if (!is_new) return entry->second;
    Vec3 s;
    for (int c = 0; c < 3; ++c) s[c] = 2.0 * at[static_cast<std::size_t>(c)] / n_ - 1;
    const double t = static_cast<double>(layer) / layers_;
    if (layer == layers_) mesh_.node_sets["surface"].push_back(entry->second);
    const bool is_pole = layer == layers_ && at == std::array{n_ / 2, n_ / 2, 0};
    if (is_pole) mesh_.node_sets["pole"].push_back(entry->second);
    mesh_.nodes.push_back(radius_ * gathered_below((1 - t) * bulged(s) + t * onto_ball(s), finer_));
    return entry->second;
  }

 private:
  int count() const { return static_cast<int>(mesh_.nodes.size()); }

  int n_, layers_;
  double radius_, finer_;
  VolumeMesh& mesh_;
  std::map<std::array<int, 4>, int> known_;
};

/// Corners of a cell in the order of a hexahedron's nodes.
constexpr int corner_steps[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                    {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

void add_cube(int n, BallNodes& nodes, VolumeMesh& mesh) {
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        std::array<int, 8> cell;
        for (std::size_t c = 0; c < 8; ++c)
          cell[c] = nodes.node({i + corner_steps[c][0], j + corner_steps[c][1], k + corner_steps[c][2]}, 0);
        mesh.hexahedra.push_back(cell);
      }
    }
  }
}

/// The cells between a face of the cube and the sphere. `axis` is normal to the face, `high` says which of the two.
void add_layers(int n, int layers, int axis, bool high, BallNodes& nodes, VolumeMesh& mesh) {
  const auto along = static_cast<std::size_t>(axis), first = (along + 1) % 3, second = (along + 2) % 3;
  for (int layer = 0; layer < layers; ++layer) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        std::array<int, 8> cell;
        for (std::size_t c = 0; c < 8; ++c) {
          std::array<int, 3> at{};
          at[along] = high ? n : 0;
          // Seen from outside, the low face runs the other way round.
          at[high ? first : second] = i + corner_steps[c][0];
          at[high ? second : first] = j + corner_steps[c][1];
          cell[c] = nodes.node(at, layer + corner_steps[c][2]);
        }
        mesh.hexahedra.push_back(cell);
      }
    }
  }
}

/// Gauss' theorem over the outer faces.
double volume(const VolumeMesh& mesh) {
  double sum = 0;
  for (const auto& [a, b, c] : boundary(mesh)) {
    const auto at = [&](int i) -> const Vec3& { return mesh.nodes[static_cast<std::size_t>(i)]; };
    sum += at(a).dot(at(b).cross(at(c))) / 6;
  }
  return sum;
}

}  // namespace

VolumeMesh ball_mesh(double radius, int across, double finer) {
  VolumeMesh mesh;
  const int n = across / 2, layers = across / 4;
  BallNodes nodes(n, layers, radius, finer, mesh);
  add_cube(n, nodes, mesh);
  for (int axis = 0; axis < 3; ++axis) {
    for (const bool high : {false, true}) add_layers(n, layers, axis, high, nodes, mesh);
  }
  const double full = 4 * std::numbers::pi / 3 * std::pow(radius, 3);
  const double growth = std::cbrt(full / volume(mesh));
  const Vec3 lowest(0, 0, -radius);
  for (Vec3& node : mesh.nodes) node = lowest + growth * (node - lowest);
  return mesh;
}

}  // namespace ictus::geometry
