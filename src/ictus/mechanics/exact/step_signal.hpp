#pragma once

#include <cstddef>
#include <vector>

namespace ictus::mechanics {

/// Time as a whole number of ticks. Travel times of waves are sums of the same few numbers; in whole numbers these sums
/// are exact, so that waves that took different ways to one instant arrive at the same number.
__extension__ typedef __int128 Tick;

/// Converts seconds to ticks and back. A tick is a power of two, 2⁻¹¹⁰ of the horizon or less: every double from
/// 2⁻⁵⁷ of the horizon up to the horizon converts without rounding.
class Clock {
 public:
  /// Times up to `horizon` > 0 (s) will be asked for.
  explicit Clock(double horizon);

  Tick ticks(double seconds) const;
  double seconds(Tick ticks) const;

 private:
  int exponent_;  // one tick is 2^−exponent_ seconds
};

/// Instants within this of `t` count as `t`: 2⁻⁴⁸ t, sixteen round-offs. Two sums of rounded travel times that stand
/// for one instant differ by less.
inline Tick same_instant(Tick t) { return t >> 48; }

/// A function of time, constant between breakpoints and continuous from the right, with its integral.
class StepSignal {
 public:
  /// ∫ f dt and ∫ f² dt over a window.
  struct Moments {
    double first = 0.0;
    double second = 0.0;
  };

  /// `value` from `start` on; the integral is `integral` at `start`.
  StepSignal(Clock clock, Tick start, double value, double integral);

  /// The value is `value` from `t` on, `t` no earlier than the last breakpoint. A value within `tolerance` of the
  /// present one is taken as equal and makes no breakpoint: false is returned.
  bool append(Tick t, double value, double tolerance);
  /// As append(), and the integral goes on from `integral`, which it may reach by a jump.
  void restart(Tick t, double value, double integral);

  /// Number of pieces; piece i begins at start(i), 0 ≤ i < size().
  std::size_t size() const { return starts_.size(); }
  Tick start(std::size_t i) const { return starts_[i]; }
  double value(std::size_t i) const { return values_[i]; }

  /// O(log size()). Before the first breakpoint the first piece is continued.
  double at(Tick t) const { return values_[piece(t)]; }
  double integral(Tick t) const;
  /// O(pieces between the two), with from ≤ to.
  Moments moments(Tick from, Tick to) const;

 private:
  std::size_t piece(Tick t) const;

  Clock clock_;
  std::vector<Tick> starts_;
  std::vector<double> values_;
  std::vector<double> integrals_;  // at starts_
  double carry_ = 0.0;             // what rounding has cut off integrals_.back()
};

}  // namespace ictus::mechanics
