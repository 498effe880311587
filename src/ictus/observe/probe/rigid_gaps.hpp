#pragma once

#include <ictus/dynamics/rigid/rigid_system.hpp>
#include <span>
#include <vector>

namespace ictus::observe {

/// How far the rigid bodies of each contact are from each other.
class RigidGaps {
 public:
  /// Up to so many pairs of bodies are looked at one by one. Where a contact has more, only those that are nearer than
  /// their own size are found, by the search that steps use.
  static constexpr std::size_t max_pairs = 4'000'000;

  explicit RigidGaps(const dynamics::System& system);

  /// Whether a pair of the System is one of rigid bodies.
  bool knows(std::size_t pair) const { return !sides_.empty() && sides_[pair].known; }
  /// The smallest gap of the pair (m); infinity where none was found.
  double smallest(std::size_t pair);
  /// Takes over the configuration whose gaps are asked for.
  void move(std::span<const double> q);

 private:
  struct Sides {
    bool known = false;
    std::vector<std::size_t> first, second;  ///< rigid bodies
    std::ptrdiff_t plane = -1;               ///< of the detector; then there is no second
  };

  double by_search(std::size_t pair);

  dynamics::RigidSystem rigid_;
  std::vector<Sides> sides_;  // empty where no body is rigid
  std::vector<geometry::Pose> poses_;
  std::vector<double> margins_;
  geometry::NarrowPhase narrow_;
};

}  // namespace ictus::observe
