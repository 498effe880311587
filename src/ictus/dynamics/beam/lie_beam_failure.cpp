#include <ictus/dynamics/beam/lie_beam_failure.hpp>

#include <fmt/format.h>

#include <cmath>
#include <ictus/base/error.hpp>

namespace ictus::dynamics {

using Layout = mechanics::LieBeamLayout;
using math::Pose;

namespace {

/// tan² φ/2 at φ = 170° between neighbours: the Cayley map still resolves strains there, and loses them soon after.
constexpr double element_turn_limit = 130.6;
/// tan² φ/2 at φ = 90° in a step: beyond, the Legendre equation may have several solutions.
constexpr double step_turn_limit = 1.0;

double turn_sq(const math::Rotation<double>& q) { return norm_sq(q.v) / (q.s * q.s); }

/// The index in [0, count) with the largest value; a value that is not a number counts as largest.
template <class Value>
std::size_t worst(std::size_t count, Value&& value) {
  std::size_t at = 0;
  double largest = -1.0;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = value(i);
    if (!std::isfinite(x)) return i;
    if (x > largest) at = i, largest = x;
  }
  return at;
}

std::string location(const BeamMoment& where, std::string_view what, std::size_t index) {
  return fmt::format("{} {} of {}, t = {:.6g} s", what, index, where.body, where.time);
}

}  // namespace

void check_sweep(const mechanics::LieBeamModel& model, const mechanics::LieBeamTotals& totals,
                 std::span<const double> q, std::span<const double> q_next, const BeamMoment& where) {
  if (totals.element_turn_sq > element_turn_limit) {
    const std::size_t element = worst(
        model.last(), [&](std::size_t a) { return turn_sq(inverse(Layout::pose(q, a).q) * Layout::pose(q, a + 1).q); });
    throw base::NumericalFailure(
        "neighbouring sections are turned by nearly 180 degrees, where the Cayley map is singular",
        location(where, "element", element), "Use a smaller time step or more elements");
  }
  const bool finite = std::isfinite(totals.kinetic) && std::isfinite(totals.strain) && std::isfinite(totals.potential);
  const auto turn = [&](std::size_t a) { return turn_sq(inverse(Layout::pose(q, a).q) * Layout::pose(q_next, a).q); };
  if (!finite || !totals.converged) {
    throw base::NumericalFailure(
        finite ? "the velocity of a section cannot be found from its momentum" : "the motion is no longer finite",
        location(where, "node", worst(model.nodes, turn)), "The step is unstable: use a smaller time step");
  }
  if (totals.step_turn_sq > step_turn_limit) {
    throw base::NumericalFailure("a section turns by more than 90 degrees in one step",
                                 location(where, "node", worst(model.nodes, turn)), "Use a smaller time step");
  }
}

}  // namespace ictus::dynamics
