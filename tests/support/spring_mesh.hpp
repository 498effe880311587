#pragma once

#include <array>
#include <cmath>
#include <ictus/dynamics/system/system.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ictus::testing {

/// A triangulated surface with positions, for tests.
struct Triangulation {
  std::vector<math::Vec3> x;
  std::vector<std::array<int, 3>> triangles;
};

/// An octahedron refined `level` times on the unit sphere, turned by a rotation that no axis shares.
inline Triangulation sphere(int level, double turn = 0.3) {
  Triangulation mesh;
  mesh.x = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int l = 0; l < level; ++l) {
    std::map<std::array<int, 2>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [entry, is_new] =
          middles.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<int>(mesh.x.size()));
      if (is_new) {
        const math::Vec3 sum = mesh.x[static_cast<std::size_t>(a)] + mesh.x[static_cast<std::size_t>(b)];
        mesh.x.push_back(sum.normalized());
      }
      return entry->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    mesh.triangles = finer;
  }
  const Eigen::AngleAxisd rotation(turn, math::Vec3(1, 2, -1.5).normalized());
  for (math::Vec3& x : mesh.x) x = rotation * x;
  return mesh;
}

/// A flat square plate of side 2 in the plane z = 0, n × n squares of two triangles.
inline Triangulation plate(int n) {
  Triangulation mesh;
  const auto number = [n](int i, int j) { return j * (n + 1) + i; };
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i) mesh.x.push_back({2.0 * i / n - 1, 2.0 * j / n - 1, 0});
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      mesh.triangles.push_back({number(i, j), number(i + 1, j), number(i + 1, j + 1)});
      mesh.triangles.push_back({number(i, j), number(i + 1, j + 1), number(i, j + 1)});
    }
  }
  return mesh;
}

struct SpringMeshProperties {
  math::Vec3 position = math::Vec3::Zero();
  math::Vec3 velocity = math::Vec3::Zero();
  math::Vec3 spin = math::Vec3::Zero();  ///< angular velocity about the position (rad/s)
  double node_mass = 1;                  ///< kg
  double stiffness = 1;                  ///< of every spring (N/m)
  bool hub = true;                       ///< a node in the middle with a spring to every vertex
};

/// Point masses at the vertices of a surface with springs along its edges, and from a hub to its vertices: a
/// geometrically nonlinear body with a triangulated skin, simpler than any element.
class SpringMesh final : public mechanics::NodalBody {
 public:
  SpringMesh(std::string name, const Triangulation& shape, const SpringMeshProperties& properties,
             std::size_t first_dof)
      : NodalBody(std::move(name)), properties_(properties), x_(shape.x) {
    for (math::Vec3& x : x_) x += properties.position;
    if (properties.hub) x_.push_back(properties.position);
    dofs_ = {first_dof, 3 * x_.size()};
    mass_.assign(dofs_.size, properties.node_mass);
    std::vector<int> vertex;
    for (std::size_t i = 0; i < shape.x.size(); ++i) vertex.push_back(static_cast<int>(first_dof + 3 * i));
    surface_ = std::make_unique<Skin>(model::SurfaceMesh(shape.triangles, std::move(vertex), x_));
    for (const auto& [a, b] : surface_->skin.edges()) add_spring(a, b);
    for (std::size_t i = 0; properties.hub && i < shape.x.size(); ++i) {
      add_spring(static_cast<int>(i), static_cast<int>(x_.size()) - 1);
    }
  }

  mechanics::Range dofs() const override { return dofs_; }
  const model::Surface& surface() const override { return *surface_; }
  void initialise(std::span<double> q, std::span<double> p) const override {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const math::Vec3 v = properties_.velocity + properties_.spin.cross(x_[i] - properties_.position);
      for (std::size_t c = 0; c < 3; ++c) {
        q[dofs_.begin + 3 * i + c] = x_[i][static_cast<Eigen::Index>(c)];
        p[dofs_.begin + 3 * i + c] = properties_.node_mass * v[static_cast<Eigen::Index>(c)];
      }
    }
  }
  mechanics::Momentum momentum(std::span<const double> q, std::span<const double> p) const override {
    mechanics::Momentum sum;
    for (std::size_t k = dofs_.begin; k < dofs_.end(); k += 3) {
      const math::Vec3 x = math::Vec3::Map(q.data() + k), push = math::Vec3::Map(p.data() + k);
      sum += {push, x.cross(push)};
    }
    return sum;
  }
  double momentum_scale(std::span<const double> p) const override {
    double sum = 0;
    for (std::size_t k = dofs_.begin; k < dofs_.end(); k += 3) sum += math::Vec3::Map(p.data() + k).norm();
    return sum;
  }
  std::span<const std::string_view> probe_quantities() const override { return {}; }
  void probe(double, const mechanics::Motion&, std::span<double>) const override {}
  mechanics::Picture draw(std::span<const double> q, std::span<const double>) const override {
    mechanics::Picture picture;
    for (std::size_t k = dofs_.begin; k < dofs_.end(); k += 3) {
      picture.points.push_back(math::Vec3::Map(q.data() + k));
    }
    return picture;
  }

  std::span<const double> mass() const override { return mass_; }
  std::span<const int> fixed() const override { return {}; }
  mechanics::Momentum support_impulse(int, double, std::span<const double>) const override { return {}; }
  mechanics::Momentum gravity_impulse(std::span<const double>, double) const override { return {}; }
  void kick(const exec::Executor&, std::span<const double> q, double h, std::span<double> p) const override {
    for (const Spring& s : springs_) {
      const math::Vec3 along = position(q, s.b) - position(q, s.a);
      const double length = along.norm();
      const math::Vec3 push = h * properties_.stiffness * (1 - s.length / length) * along;
      math::Vec3::Map(p.data() + index(s.a)) += push;
      math::Vec3::Map(p.data() + index(s.b)) -= push;
    }
  }
  mechanics::PotentialEnergy potential_energy(const exec::Executor&, std::span<const double> q) const override {
    double sum = 0;
    for (const Spring& s : springs_) {
      const double stretch = (position(q, s.b) - position(q, s.a)).norm() - s.length;
      sum += 0.5 * properties_.stiffness * stretch * stretch;
    }
    return {sum, 0};
  }
  mechanics::PotentialEnergy interval_energy(const exec::Executor& exec, std::span<const double> q,
                                             std::span<const double> p, double h) const override {
    std::vector<double> f(q.size());
    kick(exec, q, 1.0, f);
    double work = 0;
    for (std::size_t k = dofs_.begin; k < dofs_.end(); ++k) work += f[k] * p[k] / properties_.node_mass;
    return {potential_energy(exec, q).strain - 0.5 * h * work, 0};
  }
  mechanics::PotentialEnergy trapezoid_energy(const exec::Executor& exec, std::span<const double> q,
                                              std::span<const double> p, double h) const override {
    std::vector<double> next(q.begin(), q.end());
    for (std::size_t k = dofs_.begin; k < dofs_.end(); ++k) next[k] += h * p[k] / properties_.node_mass;
    return {0.5 * (potential_energy(exec, q).strain + potential_energy(exec, next).strain), 0};
  }
  double chord_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                      double h) const override {
    return trapezoid_energy(exec, q, p, h).strain - interval_energy(exec, q, p, h).strain;
  }
  void stiffness(std::span<const double>, std::vector<mechanics::StiffnessEntry>&) const override {}
  mechanics::CriticalStep critical_step() const override {
    // ω² ≤ 2 Σ k/m over the springs of a vertex: at most six along edges and one to the hub.
    return {2 / std::sqrt(2 * 8 * properties_.stiffness / properties_.node_mass), 0};
  }
  bool linear() const override { return false; }

 private:
  struct Spring {
    int a, b;
    double length;
  };
  struct Skin final : model::Surface {
    explicit Skin(model::SurfaceMesh mesh) : skin(std::move(mesh)) {}
    std::size_t point_count() const override { return skin.vertex_count(); }
    math::Vec3 position(std::size_t point, std::span<const double> q) const override {
      return model::vertex_at(q, skin.dof()[point]);
    }
    math::Vec3 outward_normal(std::size_t, std::span<const double>) const override { return math::Vec3::Zero(); }
    void pull_back(std::size_t point, std::span<const double>, const math::Vec3& n, double factor,
                   std::vector<model::RowEntry>& row) const override {
      for (int c = 0; c < 3; ++c) row.push_back({skin.dof()[point] + c, factor * n[c]});
    }
    double layer_compliance(std::size_t) const override { return 0; }
    std::optional<model::Plane> plane() const override { return std::nullopt; }
    const model::SurfaceMesh* mesh() const override { return &skin; }

    model::SurfaceMesh skin;
  };

  std::size_t index(int node) const { return dofs_.begin + 3 * static_cast<std::size_t>(node); }
  math::Vec3 position(std::span<const double> q, int node) const { return math::Vec3::Map(q.data() + index(node)); }
  void add_spring(int a, int b) {
    springs_.push_back({a, b, (x_[static_cast<std::size_t>(b)] - x_[static_cast<std::size_t>(a)]).norm()});
  }

  SpringMeshProperties properties_;
  std::vector<math::Vec3> x_;
  mechanics::Range dofs_;
  std::vector<double> mass_;
  std::vector<Spring> springs_;
  std::unique_ptr<Skin> surface_;
};

}  // namespace ictus::testing
