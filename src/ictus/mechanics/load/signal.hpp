#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace ictus::mechanics {

/// A function of time that drives a load. Asked once per load and step, hence virtual.
class Signal {
 public:
  virtual ~Signal() = default;

  virtual double at(double time) const = 0;
  /// Values at start + step, start + 2 step, …; equal to those of `at` but for rounding.
  virtual void sample(double start, double step, std::span<double> values) const;
  /// Last time at which it is known (s).
  virtual double end() const { return std::numeric_limits<double>::infinity(); }
};

/// (1 − exp(−t/ramp)) Σ amplitude · sin(2π frequency t + phase); no ramp where it is zero.
class Harmonics final : public Signal {
 public:
  struct Term {
    double amplitude;
    double frequency;  ///< Hz
    double phase;      ///< rad
  };

  Harmonics(std::vector<Term> terms, double ramp) : terms_(std::move(terms)), ramp_(ramp) {}
  double at(double time) const override;
  void sample(double start, double step, std::span<double> values) const override;

 private:
  std::vector<Term> terms_;
  double ramp_;
};

/// Half a sine: amplitude · sin(π (t − start)/duration) while that is within 0 and π.
class HalfSine final : public Signal {
 public:
  HalfSine(double amplitude, double start, double duration)
      : amplitude_(amplitude), start_(start), duration_(duration) {}
  double at(double time) const override;

 private:
  double amplitude_, start_, duration_;
};

/// Grows evenly from zero to the amplitude between `start` and `start + rise`, and stays.
class Ramp final : public Signal {
 public:
  Ramp(double amplitude, double start, double rise) : amplitude_(amplitude), start_(start), rise_(rise) {}
  double at(double time) const override;

 private:
  double amplitude_, start_, rise_;
};

/// Straight lines between given points; times grow. Before the first point its value holds.
class Table final : public Signal {
 public:
  Table(std::vector<double> times, std::vector<double> values) : times_(std::move(times)), values_(std::move(values)) {}
  double at(double time) const override;
  double end() const override { return times_.back(); }

 private:
  std::vector<double> times_, values_;
};

}  // namespace ictus::mechanics
