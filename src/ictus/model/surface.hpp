#pragma once

#include <cstddef>
#include <ictus/math/vector.hpp>
#include <ictus/model/rigid_frame.hpp>
#include <ictus/model/row_entry.hpp>
#include <ictus/model/surface_mesh.hpp>
#include <optional>
#include <span>
#include <vector>

namespace ictus::model {

/// A rigid half-space n·(x − point) ≥ 0 outside; unit normal.
struct Plane {
  math::Vec3 point;
  math::Vec3 normal;
};

/// The boundary of a body as contact sees it: points x = φ(q) in space with their Jacobian, so that any body can meet
/// any body. A body that has no dofs (a rigid obstacle) has no points and is a plane.
class Surface {
 public:
  virtual ~Surface() = default;

  virtual std::size_t point_count() const = 0;
  /// x_i = φ_i(q).
  virtual math::Vec3 position(std::size_t point, std::span<const double> q) const = 0;
  /// The point of the body around point i that lies furthest in a direction of length one: what a plane touches of a
  /// body whose points have a thickness.
  virtual math::Vec3 furthest(std::size_t point, const math::Vec3& /*direction*/, std::span<const double> q) const {
    return position(point, q);
  }
  /// Unit normal out of the body where the point has one of its own (the end face of a bar).
  virtual math::Vec3 outward_normal(std::size_t point, std::span<const double> q) const = 0;
  /// Appends factor · n·∂x_i/∂q to a row: the Jacobian transposed, applied to a direction.
  virtual void pull_back(std::size_t point, std::span<const double> q, const math::Vec3& n, double factor,
                         std::vector<RowEntry>& row) const = 0;
  /// 1/k (m/N) of the elastic layer between the skin at this point and the mass behind it; zero where the skin itself
  /// carries mass. Layers of two surfaces that touch act in series [eq. bars-8].
  virtual double layer_compliance(std::size_t point) const = 0;
  /// Whether its points meet what is around the body and is no body itself, as the wall of a pendulum: the other
  /// surface of their pair is that of the surroundings, and each point meets the one of its number there.
  virtual bool meets_surroundings() const { return false; }
  /// Appends the row of the rate at which such a point slides, along one of two directions of its own.
  virtual void slip(std::size_t /*point*/, std::span<const double> /*q*/, std::size_t /*direction*/,
                    std::vector<RowEntry>& /*row*/) const {}
  /// The half-space that bounds this body, for obstacles; of one that moves, at the start. See plane_at.
  virtual std::optional<Plane> plane() const = 0;
  /// Of a plane that moves, the first dof of the RigidFrame at its point, whose axes are those of space at the start;
  /// −1: it does not.
  virtual int plane_frame() const { return -1; }
  /// The triangulated skin of a body that has one (shells, solids), with the surface's points as its vertices. Null for
  /// bodies that meet others in points (bars) or are planes.
  virtual const SurfaceMesh* mesh() const { return nullptr; }
};

/// Where a plane is at q.
inline Plane plane_at(const Surface& surface, std::span<const double> q) {
  const Plane start = *surface.plane();
  if (surface.plane_frame() < 0) return start;
  const RigidFrame frame = RigidFrame::at(q, static_cast<std::size_t>(surface.plane_frame()));
  return {frame.x, frame.axes * start.normal};
}

/// The velocity of a plane's material at a point in space.
inline math::Vec3 plane_velocity(const Surface& surface, std::span<const double> q, const math::Vec3& point,
                                 std::span<const double> p, std::span<const double> inverse_mass) {
  if (surface.plane_frame() < 0) return math::Vec3::Zero();
  const auto first = static_cast<std::size_t>(surface.plane_frame());
  const RigidFrame frame = RigidFrame::at(q, first);
  return frame.velocity(frame.axes.transpose() * (point - frame.x), p, inverse_mass, first);
}

/// Appends the row of a force on a plane at a point in space; one that does not move has none.
inline void push_plane(const Surface& surface, std::span<const double> q, const math::Vec3& point,
                       const math::Vec3& force, std::vector<RowEntry>& row) {
  const int first = surface.plane_frame();
  if (first >= 0) RigidFrame::at(q, static_cast<std::size_t>(first)).pull_back(point, force, first, row);
}

}  // namespace ictus::model
