#pragma once

#include <cstddef>
#include <ictus/model/surface.hpp>
#include <limits>
#include <optional>
#include <string>

namespace ictus::contact {

/// Two surfaces that may touch, and the law between them.
struct ContactPair {
  std::string first;  ///< body names, for people
  std::string second;
  const model::Surface* first_surface;
  const model::Surface* second_surface;
  std::optional<double> restitution;  ///< e in [0, 1]; none: what the integrator's theory gives
  double friction = 0;                ///< Coulomb μ
  std::size_t first_point = 0;        ///< the points that face each other; unused on the side of a plane
  std::size_t second_point = 0;
  bool every_point = false;  ///< all points of the surface may meet the plane, instead of the one above
  /// Coulomb μ along the second tangent of a contact that has two of its own; none: the same as along the first.
  std::optional<double> friction_across = {};
  /// Of rigid bodies: the direction of the first tangent, up to its part along the normal; in space where a plane takes
  /// part, else in the principal axes of the first body. None: any.
  std::optional<math::Vec3> friction_direction = {};
  double tangential_restitution = 0;      ///< in [0, 1]
  double rolling_friction = 0;            ///< of rigid bodies: the moment across the normal over its impulse (m)
  double spinning_friction = 0;           ///< the same along the normal (m)
  std::optional<double> thickness = {};   ///< δ of surfaces (m): they keep this distance; none: a share of their edges
  bool continuous = false;                ///< surfaces are followed through every step, not only through long ones
  bool rigid = false;                     ///< neither side deforms, so that nothing elastic could part them again
  int group = -1;                         ///< the contact of the scene to which the pair belongs; −1: itself
  std::optional<math::Vec3> direction{};  ///< unit vector along which two points meet; none: the first one's normal
  double distance = 0;                    ///< between the two points, along it, when they touch (m)
  double slack = 0;                       ///< gaps up to this count as closed (m)
  double until = std::numeric_limits<double>::infinity();  ///< when one of the two vanishes (s)

  /// Whether one of the two is there no more. Times are sums of steps.
  bool is_gone(double time) const {
    constexpr double rounding = 1e-12;
    return time >= until * (1 - rounding);
  }

  /// The plane that takes part and moves; null: none.
  const model::Surface* moved_plane() const {
    for (const model::Surface* surface : {first_surface, second_surface}) {
      if (surface->plane_frame() >= 0) return surface;
    }
    return nullptr;
  }
  bool with_obstacle() const { return first_surface->plane() || second_surface->plane(); }
};

}  // namespace ictus::contact
