#pragma once

#include <ictus/contact/detect/rigid_detector.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/math/convert.hpp>
#include <ictus/mechanics/rigid/rigid_bodies.hpp>
#include <ictus/solve/cone/rigid_contacts.hpp>

namespace ictus::dynamics {

/// One rigid body of a System.
struct RigidUnit {
  std::size_t first_dof;          ///< of its first dof
  double mass;                    ///< kg
  math::Vector3<double> inertia;  ///< principal moments (kg m²)
  math::Vector3<double> gravity;  ///< m/s²
  double reach;                   ///< m
  double inner_radius;            ///< m
  int group;                      ///< index into System::bodies()
  bool moves;

  std::size_t angular() const { return first_dof + mechanics::RigidBodies::angular; }
};

/// The law of a pair.
struct RigidLaw {
  double restitution = 0;
  double tangential_restitution = 0;
  solve::FrictionCone cone;
  int second_group = 0;  ///< of the pair's second body, which the normals of reports point to
  /// Direction of the cone's μ₁, up to its part along the normal, where the law knows one: in the axes of the bodies of
  /// `direction_group`, or in space where that is −1.
  std::optional<math::Vector3<double>> direction = std::nullopt;
  int direction_group = -1;
  double rolling = 0, spinning = 0;  ///< lengths (m)
};

/// The rigid bodies of a System as flat lists, and what detection must know of them.
struct RigidSystem {
  explicit RigidSystem(const System& system);
  RigidSystem() = default;

  /// What has vanished by a time touches nothing any more.
  void vanish(double time);

  std::vector<RigidUnit> units;
  std::vector<RigidLaw> laws;  ///< one for each pair of the System
  bool moments = false;        ///< some law has moments beside forces
  contact::RigidDetector detector;

 private:
  struct Parting {
    const contact::ContactPair* pair;
    int first, second;  ///< groups
  };
  std::vector<Parting> partings_;  // of pairs that end
};

/// Whether rigid-body schemes know a body: rigid ones, and those that do not move.
inline bool is_rigid_or_fixed(const mechanics::Body& body) { return body.dofs().size == 0 || body.rigid_bodies(); }

inline math::Vector3<double> load3(const double* from) { return {from[0], from[1], from[2]}; }
inline void store3(const math::Vector3<double>& v, double* to) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}
using math::to_eigen;

}  // namespace ictus::dynamics
