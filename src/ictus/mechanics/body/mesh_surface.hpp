#pragma once

#include <ictus/model/surface.hpp>

namespace ictus::mechanics {

/// A surface that is its mesh and no more: what rigid bodies, sections of beams and guided points show.
class MeshSurface final : public model::Surface {
 public:
  explicit MeshSurface(model::SurfaceMesh mesh) : mesh_(std::move(mesh)) {}

  std::size_t point_count() const override { return mesh_.vertex_count(); }
  math::Vec3 position(std::size_t point, std::span<const double> q) const override { return mesh_.position(point, q); }
  math::Vec3 outward_normal(std::size_t, std::span<const double>) const override { return math::Vec3::Zero(); }
  void pull_back(std::size_t point, std::span<const double> q, const math::Vec3& n, double factor,
                 std::vector<model::RowEntry>& row) const override {
    mesh_.pull_back(point, q, mesh_.position(point, q), factor * n, row);
  }
  double layer_compliance(std::size_t) const override { return 0; }
  std::optional<model::Plane> plane() const override { return std::nullopt; }
  const model::SurfaceMesh* mesh() const override { return &mesh_; }

 private:
  model::SurfaceMesh mesh_;
};

}  // namespace ictus::mechanics
