#pragma once

#include <ictus/contact/detect/neighbour_list.hpp>
#include <ictus/geometry/proximity/approach_time.hpp>
#include <optional>

namespace ictus::contact {

/// The motion that a step is about to make, as far as detection must know it.
struct StepMotion {
  std::span<const double> q;
  std::span<const double> p;
  std::span<const double> inverse_mass;
  double h;
  /// Momenta of the step that led here, for schemes that must see what was closed before it; none: not asked for.
  std::span<const double> before = {};
  double time = 0;  ///< what has vanished by then is met no more (s)
};

/// Follows the features of surfaces along x + τ h M⁻¹p, 0 ≤ τ ≤ 1, through steps in which they may come far: continuous
/// collision detection. What would still meet after all impulses is kept apart by force: the nodes concerned move as
/// rigid bodies for the step. The map x ↦ x + h(v + ω × x) shrinks no distance, so that nothing meets within such a
/// body, and both momenta are kept.
class MovingSurfaces {
 public:
  /// Approach in a step, in thicknesses of the contact, beyond which surfaces are followed although the scene does not
  /// ask for it: what moves by less is seen within the thickness before it can pass. Where layers keep surfaces apart,
  /// which may be pressed to any part of their thickness, it is the approach in mean edges.
  static constexpr double long_share = 0.2, long_share_of_edge = 0.3;

  void prepare(const Skins& skins, std::span<const ContactPair> pairs, const exec::Executor& exec);
  /// Whether layers keep surfaces apart.
  void expect_layers(bool layers) { layers_ = layers; }

  /// Finds which pairs the motion asks to follow, and how far they may approach. `most[pair]` is a bound of that (m);
  /// below zero: the pair is no more.
  void look_ahead(const Skins& skins, const StepMotion& motion, std::span<const double> max_distance);
  /// Whether any pair is followed.
  bool any() const { return any_; }
  bool follows(int pair) const { return follows_[static_cast<std::size_t>(pair)] != 0; }

  /// Where features of a pair, of a distance now, come near each other; the vertices as in FourPoints, `first` of them
  /// of the first feature.
  std::optional<geometry::Meeting> meeting(const NeighbourList& list, const Skins& skins, const StepMotion& motion,
                                           const std::array<int, 4>& vertices, std::size_t first, int pair,
                                           double distance) const;

  /// Changes the momenta p so that no features of followed pairs come together in the step. Returns the changes, by
  /// dof, or nothing.
  std::span<const model::RowEntry> keep_apart(const Skins& skins, NeighbourList& list, StepMotion motion,
                                              std::span<double> p);
  /// Linear and angular momentum that planes and supports gave in the last keep_apart.
  const std::array<math::Vec3, 2>& external_impulse() const { return external_impulse_; }

 private:
  struct Hit {
    std::array<int, 4> vertex;
  };
  /// A plane that a skin may not pass.
  struct Wall {
    int skin;
    const ContactPair* pair;
    const model::Surface* plane;
  };

  /// What a node or a rigid body that moves in a zone has; the angular momentum and the inertia are about x.
  struct Moving {
    math::Vec3 x;
    math::Vec3 linear = math::Vec3::Zero(), angular = math::Vec3::Zero();
    double mass = 0;
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  };

  Moving moving(int vertex, const Skins& skins, const StepMotion& motion, std::span<const double> p) const;
  void set_motion(int vertex, const Skins& skins, const StepMotion& motion, const math::Vec3& velocity,
                  const math::Vec3& spin, std::span<double> p) const;
  Box velocities(const Skins& skins, const StepMotion& motion, int skin) const;
  void find_hits(const Skins& skins, NeighbourList& list, const StepMotion& motion);
  int zone_of(int vertex);
  void join(int vertex, int other);
  void move_zones(const Skins& skins, const StepMotion& motion, std::span<double> p);
  bool is_stopped(std::span<const int> zone, const Skins& skins, const StepMotion& motion) const;
  void move_rigidly(std::span<const int> zone, const Skins& skins, const StepMotion& motion, std::span<double> p) const;

  exec::Executor exec_;
  bool any_ = false, layers_ = false;
  std::vector<char> always_, can_follow_, follows_;  // by pair; what is guided cannot move with a zone
  std::vector<double> way_;                          // most that a pair may approach in the step (m)
  std::vector<double> reach_;
  std::vector<Wall> walls_;
  exec::Collection<Hit> vertex_hits_, edge_hits_;
  std::vector<int> mover_;         // of each vertex: itself, or the first of the rigid body that carries it
  std::vector<int> parent_;        // of each of these in its zone's tree; −1: in no zone
  std::vector<int> members_;       // vertices in zones
  std::vector<double> untouched_;  // momenta before
  std::vector<model::RowEntry> push_;
  std::array<math::Vec3, 2> external_impulse_{math::Vec3::Zero(), math::Vec3::Zero()};
};

}  // namespace ictus::contact
