#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include <ictus/mechanics/exact/step_signal.hpp>

namespace ictus::mechanics {

/// A time during which two tips touch: the gap is zero, the force positive or zero.
struct ContactInterval {
  static constexpr double never = std::numeric_limits<double>::quiet_NaN();
  static constexpr double lasting = std::numeric_limits<double>::infinity();

  double closed = 0.0;          ///< when the gap closed (s)
  double opened = lasting;      ///< when it opened; `lasting` if it was still closed at the end of the solution
  double pushed_from = never;   ///< first instant with a force; NaN if the tips only touched
  double pushed_until = never;  ///< end of the last time with a force; `lasting` or NaN as above
  double impulse = 0.0;         ///< ∫ force dt (N s), up to the end of the solution
};

/// A bar as its waves see it: v = (r + l)/2, N = Z (l − r)/2 [eq. exact-bars-2].
struct WaveBar {
  double length;       ///< L (m)
  double velocity;     ///< v₀ (m/s)
  double travel_time;  ///< τ = L/c (s)
  double impedance;    ///< Z = sqrt(K μ) (N s/m)
  bool fixed_start;
  bool fixed_end;
  Tick travel;            ///< τ
  StepSignal right_wave;  ///< r = v − N/Z as it leaves the start, from −τ on
  StepSignal left_wave;   ///< l = v + N/Z as it leaves the end, from −τ on
};

/// The junction where two tips, or a tip and a wall, may touch.
struct BarJunction {
  StepSignal gap;    ///< the rate of the gap; its integral is the gap, infinite where there is no wall
  StepSignal force;  ///< contact force ≥ 0
  std::vector<ContactInterval> contacts;
};

/// Follows the waves in bars.size() ≥ 1 bars and their bars.size() + 1 junctions, which hold the state before t = 0, up
/// to `t_end`. `position_tolerance` (m) is what the positions are known to. Throws base::NumericalFailure when the
/// waves have more than `max_pieces` pieces in all.
void run_waves(std::vector<WaveBar>& bars, std::vector<BarJunction>& junctions, Clock clock, double t_end,
               double position_tolerance, std::size_t max_pieces);

}  // namespace ictus::mechanics
