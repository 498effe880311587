#pragma once

#include <ictus/dynamics/system/system.hpp>

namespace ictus::dynamics {

/// How configurations differ while a rest is sought: coordinates by displacements, rigid bodies and sections by a
/// displacement and a small turn about their own axes, each in the slot of the momentum that goes with it.
class RestMotion {
 public:
  explicit RestMotion(const System& system);

  bool is_coordinate(std::size_t k) const { return kind_[k] == Kind::coordinate; }
  /// The slot of a rigid body or section that has no momentum.
  bool is_unused(std::size_t k) const { return kind_[k] == Kind::unused; }

  /// `to` = q moved by a part of a step; it may be q itself.
  void shift(std::span<const double> q, double part, std::span<const double> step, std::span<double> to) const;
  /// What moves `from` to q.
  void displacement(std::span<const double> from, std::span<const double> q, std::span<double> moved) const;

  /// Whether the loads do the same work on all ways: forces that keep their direction do, moments and forces that turn
  /// with bodies do not.
  bool loads_have_potential() const { return have_potential_; }
  /// Minus the work of the loads from the start to q, where they have one.
  double potential_of_loads(std::span<const double> values, std::span<const double> start,
                            std::span<const double> q) const;

 private:
  enum class Kind : unsigned char { coordinate, turning, unused };

  const System& system_;
  std::vector<Kind> kind_;           // of each number in q
  std::vector<std::size_t> frames_;  // first dofs
  bool have_potential_ = true;
};

}  // namespace ictus::dynamics
