#pragma once

// What all racers of the bouncing balls share: the problem, and how the energy is judged. SimBenchmark's: 7 x 7 balls
// of 10 kg and 0.1 m fall from 5 m and return as fast as they came, for 20 s.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace bouncing {

constexpr int side = 7, balls = side * side;
constexpr double mass = 10, radius = 0.1, height = 5, gravity = 9.81, end = 20;

class Judge {
 public:
  /// Heights and speeds squared of all balls after a step, by what the program says. What a contact that gives way
  /// holds is not known: energies count while no ball is in the floor.
  template <class Height, class SpeedSq>
  void look(Height height_of, SpeedSq speed_sq_of) {
    double energy = 0, lowest = height;
    for (int i = 0; i < balls; ++i) {
      lowest = std::min(lowest, double(height_of(i)));
      energy += mass * (gravity * height_of(i) + 0.5 * speed_sq_of(i));
      penetration_ = std::max(penetration_, radius - height_of(i));
    }
    ++steps_;
    if (lowest < radius) return;
    ++counted_;
    const double error = energy - balls * mass * gravity * height;
    sum_sq_ += error * error;
    largest_ = std::max(largest_, std::abs(error));
  }

  void print(double seconds) const {
    std::printf(
        "{\"steps\": %d, \"seconds\": %.6g, \"mean_square_energy_error\": %.6g, \"energy_drift\": %.6g, "
        "\"penetration\": %.6g}\n",
        steps_, seconds, sum_sq_ / counted_, largest_ / (balls * mass * gravity * height), penetration_);
  }

 private:
  int steps_ = 0, counted_ = 0;
  double sum_sq_ = 0, largest_ = 0, penetration_ = 0;
};

/// Steps of `step` to the end: times `advance` alone, then lets `judge` look.
template <class Advance, class Look>
void run(double step, Advance advance, Look look) {
  using Clock = std::chrono::steady_clock;
  Judge judge;
  double seconds = 0;
  const int steps = static_cast<int>(std::lround(end / step));
  for (int n = 0; n < steps; ++n) {
    const auto begin = Clock::now();
    advance();
    seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    look(judge);
  }
  judge.print(seconds);
}

inline double step_of(int count, char** words) { return count > 1 ? std::atof(words[1]) : 1e-3; }

}  // namespace bouncing
