#pragma once

#include <cstdint>
#include <ictus/mechanics/beam/lie_beam_model.hpp>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// One whole step of one beam, from the momenta that came in to those that came in next.
struct BeamStepRecord {
  const mechanics::LieBeamModel& model;
  std::int64_t step;  ///< j: the step goes from t^j to t^{j+1}
  double kick;        ///< κ
  std::span<const double> q, p;
  std::span<const double> q_next, p_next;
};

/// A rectangle of space–time: nodes first_node … last_node at the times first_step … last_step, and the sum of what
/// crosses its boundary.
struct NoetherRectangle {
  std::int64_t first_node = 0;  ///< B
  std::int64_t last_node = 0;   ///< C > B
  std::int64_t first_step = 0;  ///< K
  std::int64_t last_step = 0;   ///< L > K
  math::Wrench<double> sum{};   ///< (34) of demoures-2014 so far (N m s, N s); zero when the last step is in

  bool operator==(const NoetherRectangle&) const = default;

  /// As numbers in a State: the four indices, then the sum.
  static constexpr std::size_t size = 10;
  static NoetherRectangle read(const double* numbers);
  void write(double* numbers) const;
};

/// A rectangle at random within `nodes` nodes and `steps` times, the first of them first_step.
NoetherRectangle random_rectangle(std::uint64_t seed, std::int64_t nodes, std::int64_t first_step, std::int64_t steps);

/// Adds the terms of a step to a rectangle [eq. lie-beam-26]: on the left and right the stress that flows through,
/// below and above the momentum, and what loads give inside the first column. Steps outside the rectangle add nothing.
void add_step(const BeamStepRecord& record, NoetherRectangle& rectangle);

/// Watches a fixed number of rectangles at once, drawn at random one after the other: when one is complete the next
/// begins. Everything that it remembers is in a flat array, so that it can live in a State.
class NoetherMonitor {
 public:
  /// `values` is the memory of the monitor.
  explicit NoetherMonitor(std::vector<double>& values) : values_(values) {}

  /// Lays out the memory for `rectangles` at once; `scale` is the momentum that residuals are compared with (N s).
  void begin(std::size_t rectangles, double scale, const mechanics::LieBeamModel& model);
  void add(const BeamStepRecord& record);
  /// Gives up the rectangles that contain a step in which the beam met a plane.
  void interrupt(std::int64_t step, const mechanics::LieBeamModel& model);

  std::int64_t completed() const;
  /// Largest |(34)| of the completed rectangles over the scale.
  double largest_residual() const;

 private:
  NoetherRectangle draw(std::int64_t now, const mechanics::LieBeamModel& model);

  std::vector<double>& values_;
};

}  // namespace ictus::dynamics
