#pragma once

#include <array>
#include <ictus/solve/cone/small_cone.hpp>
#include <ictus/solve/linear/small_lu.hpp>
#include <span>

// Notation: t = (cos θ, sin θ) direction of D u_T of a sliding contact, D = diag(μ₁, μ₂), so that r_T = −r_N D t.

namespace ictus::solve {

enum class ContactMode : int { open, stick, slide };

/// One choice of a mode for each contact, with the directions θ of sliding.
struct ModeCombination {
  std::array<ContactMode, SmallCone::max_contacts> mode{};
  std::array<double, SmallCone::max_contacts> angle{};
};

/// Friction along one tangent only: sliding has two directions.
inline bool planar(const FrictionCone& cone) { return (cone.mu1 > 0.0) != (cone.mu2 > 0.0); }

/// The reactions of one combination of modes [eq. contact-solvers-8]: u_N = 0 of closed contacts, u_T = 0 of sticking
/// ones, r_T = −r_N D t of sliding ones.
class ModeSolver {
 public:
  explicit ModeSolver(const SmallCone& problem) : p_(problem) {}

  void choose(const ModeCombination& combination);
  /// The combination that reactions show: open without one, stick inside the cone, slide on its boundary.
  void choose_as_in(std::span<const double> reactions);

  /// Sliding contacts whose direction is unknown: not the planar ones.
  int turning() const { return turning_; }
  int turning_contact(int k) const { return turns_[k]; }
  void set_angle(int contact, double angle);

  /// At the present directions of sliding; false where the equations are singular.
  bool solve_linear(std::span<double> reactions);
  /// With the directions turned, from where they are, until each lies along its sliding velocity; false where Newton's
  /// method does not get there.
  bool solve_turning(std::span<double> reactions);
  /// What u of contact i becomes as a function of its own r when all other unknowns follow: u = q + W r.
  bool condense(int i, Local& q, LocalMatrix& w);

 private:
  void number_unknowns();
  double column_entry(int row, int column) const;
  void expand(const SmallLu::Vector& x, std::span<double> reactions) const;
  SmallLu::Vector velocity_rate(int k, std::span<const double> reactions) const;
  double turn(std::span<const double> reactions);

  const SmallCone& p_;
  ModeCombination now_;
  std::array<std::array<double, 2>, SmallCone::max_contacts> pull_{};  // −D t
  std::array<int, SmallCone::max_rows> unknown_{};  // the unknown reactions, also the rows of W whose u must vanish
  std::array<int, SmallCone::max_contacts> turns_{};
  int count_ = 0;
  int turning_ = 0;
  SmallLu lu_;
};

}  // namespace ictus::solve
