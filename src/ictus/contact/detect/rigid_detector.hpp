#pragma once

#include <ictus/geometry/shape/kept_partners.hpp>
#include <ictus/geometry/shape/narrow_phase.hpp>
#include <span>
#include <vector>

namespace ictus::contact {

/// A rigid body as detection sees it.
struct RigidMember {
  const geometry::RigidShape* shape = nullptr;
  int group = 0;       ///< the body of the scene that it belongs to
  bool moves = false;  ///< two that do not move never touch
};

/// A half-space n·(x − point) ≤ 0 that does not move.
struct RigidPlane {
  geometry::Vec point;
  geometry::Vec normal;
  int group = 0;
};

/// Which groups may touch, by the index of their pair.
class PairTable {
 public:
  static constexpr int none = -1;

  explicit PairTable(std::size_t groups = 0) : groups_(groups), pairs_(groups * groups, none) {}
  void allow(int a, int b, int pair) { pairs_[index(a, b)] = pairs_[index(b, a)] = pair; }
  /// The two never touch again.
  void part(int a, int b) { allow(a, b, none); }
  int pair(int a, int b) const { return pairs_[index(a, b)]; }

 private:
  std::size_t index(int a, int b) const { return static_cast<std::size_t>(a) * groups_ + static_cast<std::size_t>(b); }

  std::size_t groups_;
  std::vector<int> pairs_;
};

/// A contact point of two rigid bodies, or of a plane and a body.
struct RigidTouch {
  int owner = 0;  ///< a body
  int other = 0;  ///< a body with a higher number, or −1 − the number of a plane
  int pair = 0;
  geometry::ContactPoint at;  ///< the normal points from the owner to the other body, or from the plane to the owner

  bool on_plane() const { return other < 0; }
};

/// Finds the contact points of many rigid bodies: kept lists of those that are near, then the shapes themselves. Points
/// come in the order of owner, other and the shapes' own, which depends on the configuration alone. Keeps its memory.
class RigidDetector {
 public:
  RigidDetector() = default;
  RigidDetector(std::vector<RigidMember> members, std::vector<RigidPlane> planes, PairTable table);

  std::span<const RigidMember> members() const { return members_; }
  std::span<const RigidPlane> planes() const { return planes_; }
  /// From now on these groups do not touch.
  void part(int a, int b) { table_.part(a, b); }

  /// Points whose gap is at most the sum of the two bodies' margins, one for each body (m).
  std::span<const RigidTouch> detect(std::span<const geometry::Pose> poses, std::span<const double> margins);

  /// Whether the two bodies of a touch, none of them a plane, meet within the time h while they go on with these
  /// velocities, one for each body (m/s, rad/s).
  bool meet(const RigidTouch& touch, std::span<const geometry::Pose> poses, std::span<const geometry::Vec> linear,
            std::span<const geometry::Vec> angular, double h);

 private:
  void meet_planes(int body, const geometry::Pose& pose, double margin);
  void meet_bodies(int body, std::span<const geometry::Pose> poses, std::span<const double> margins);
  void append(int owner, int other, int pair);

  std::vector<RigidMember> members_;
  std::vector<RigidPlane> planes_;
  PairTable table_;
  std::vector<geometry::Bounds> bounds_;
  geometry::KeptPartners near_;
  geometry::NarrowPhase narrow_;
  geometry::Manifold manifold_;
  std::vector<RigidTouch> touches_;
};

}  // namespace ictus::contact
