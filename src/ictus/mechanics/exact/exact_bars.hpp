#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <ictus/mechanics/exact/exact_bars_waves.hpp>

namespace ictus::mechanics {

/// One uniform linear elastic bar. Its start is the left end, its end the right end; x runs from 0 to `length`.
struct ExactBar {
  double length = 1.0;           ///< L (m), > 0
  double mass_per_length = 1.0;  ///< μ (kg/m), > 0
  double stiffness = 1.0;        ///< K = E·S (N), > 0
  double position = 0.0;         ///< of the start at t = 0 (m); the bar is unstressed there
  double velocity = 0.0;         ///< of every point at t = 0 (m/s)
  bool fixed_start = false;      ///< the start is held at rest from t = 0 on
  bool fixed_end = false;        ///< the end is held at rest from t = 0 on
};

/// Exact solution of N ≥ 1 bars in a row on one axis, with unilateral frictionless contact between neighbouring tips
/// and with rigid walls [docs/theory/exact-bars.md]. The waves in each bar are piecewise constant; the constructor
/// goes from event to event (a front reaches a tip, a gap closes), N operations each. A query costs O(log pieces).
///
/// Junction j lies left of bar j: junction 0 lies between the left wall and bar 0, junction j between bars
/// j−1 and j, junction N between bar N−1 and the right wall. Where there is no wall the gap is infinite.
///
/// Values at a jump are limits from the right in time; a time within 2⁻⁴⁸ of itself before a jump counts as the jump.
/// Times run from 0 to t_end (s). A query for a bar, junction, x or time that does not exist throws std::out_of_range.
class ExactBars {
 public:
  /// Unlike bars kept together by walls split every front at every contact: in some 60 to 150 traversals they have as
  /// many pieces as this. Bars that fly apart stay far below.
  static constexpr std::size_t default_max_pieces = std::size_t{1} << 22;
  /// Largest t_end over the shortest travel time of a bar; beyond it "the same instant" would lose its meaning.
  static constexpr double max_traversals = 1e9;
  /// Smallest t_end over the longest travel time: a clock that shows both knows t_end to less than round-off.
  static constexpr double min_traversals = 1e-12;

  /// Bars from left to right, gaps ≥ 0. A gap within round-off of the positions around it is taken as zero.
  /// Throws base::InputError on an impossible row, base::NumericalFailure past `max_pieces` pieces of all waves.
  ExactBars(const std::vector<ExactBar>& bars, std::optional<double> wall_left, std::optional<double> wall_right,
            double t_end, std::size_t max_pieces = default_max_pieces);

  std::size_t bars() const { return bars_.size(); }
  std::size_t junctions() const { return junctions_.size(); }
  double t_end() const { return t_end_; }
  /// Pieces of all waves: the measure of the work done.
  std::size_t pieces() const;

  double displacement(std::size_t bar, double x, double t) const;  ///< u (m), with u = 0 at t = 0
  double velocity(std::size_t bar, double x, double t) const;      ///< v (m/s)
  double force(std::size_t bar, double x, double t) const;         ///< axial force N (N), tension positive
  /// ∫ N dt over [t0, t1] at x (N s). At a held end it gives the impulse of the support.
  double force_impulse(std::size_t bar, double x, double t0, double t1) const;

  double gap(std::size_t junction, double t) const;                          ///< ≥ 0 (m), exactly 0 in contact
  double contact_force(std::size_t junction, double t) const;                ///< ≥ 0 (N), positive when the tips push
  double contact_impulse(std::size_t junction, double t0, double t1) const;  ///< ∫ contact force dt (N s)
  const std::vector<ContactInterval>& contacts(std::size_t junction) const;
  /// First instant with a contact force at any junction (s).
  std::optional<double> first_push() const;

  double energy(std::size_t bar, double t) const;    ///< kinetic + strain (J)
  double momentum(std::size_t bar, double t) const;  ///< (N s)
  double energy(double t) const;                     ///< of all bars
  double momentum(double t) const;                   ///< of all bars

 private:
  // Times at which the two waves that meet at (x, t) left the ends.
  struct Origin {
    Tick start;
    Tick end;
    Tick tolerance;
  };

  const WaveBar& bar_at(std::size_t bar, double x) const;
  const BarJunction& junction_at(std::size_t junction) const;
  Tick instant(double t) const;
  Origin origin(const WaveBar& bar, double x, double t) const;

  double t_end_;
  Clock clock_;
  std::vector<WaveBar> bars_;
  std::vector<BarJunction> junctions_;
};

}  // namespace ictus::mechanics
