#include <ictus/mechanics/exact/exact_bars.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include <ictus/base/error.hpp>

namespace ictus::mechanics {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double travel_time(const ExactBar& bar) { return bar.length * std::sqrt(bar.mass_per_length / bar.stiffness); }

/// 16 round-offs of the largest coordinate: positions are not known better than that.
double position_tolerance(const std::vector<ExactBar>& bars, std::optional<double> wall_left,
                          std::optional<double> wall_right) {
  double largest = std::max(std::abs(wall_left.value_or(0.0)), std::abs(wall_right.value_or(0.0)));
  for (const ExactBar& bar : bars)
    largest = std::max({largest, std::abs(bar.position), std::abs(bar.position + bar.length)});
  return std::ldexp(largest, -48);
}

/// Gaps from the left wall to the right wall; infinite where there is no wall.
std::vector<double> initial_gaps(const std::vector<ExactBar>& bars, std::optional<double> wall_left,
                                 std::optional<double> wall_right) {
  std::vector<double> gaps;
  double reached = wall_left.value_or(-infinity);
  for (const ExactBar& bar : bars) {
    gaps.push_back(bar.position - reached);
    reached = bar.position + bar.length;
  }
  gaps.push_back(wall_right.value_or(infinity) - reached);
  return gaps;
}

class Checks {
 public:
  void require(bool holds, const std::string& key, const std::string& message) {
    if (!holds) mistakes_.push_back({"", 0, key, message});
  }
  void raise() {
    if (!mistakes_.empty()) throw base::InputError(std::move(mistakes_));
  }

 private:
  std::vector<base::Mistake> mistakes_;
};

void check(const std::vector<ExactBar>& bars, std::optional<double> wall_left, std::optional<double> wall_right,
           double t_end) {
  const auto positive = [](double value) { return std::isfinite(value) && value > 0.0; };
  Checks checks;
  checks.require(!bars.empty(), "bars", "at least one bar is needed");
  checks.require(positive(t_end), "t_end", fmt::format("must be positive and finite, is {}", t_end));
  checks.require(std::isfinite(wall_left.value_or(0.0)), "wall_left", "must be finite");
  checks.require(std::isfinite(wall_right.value_or(0.0)), "wall_right", "must be finite");
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const ExactBar& bar = bars[i];
    const auto key = [i](const char* name) { return fmt::format("bars[{}].{}", i, name); };
    const auto must_be_positive = [&](double value, const char* name) {
      checks.require(positive(value), key(name), fmt::format("must be positive and finite, is {}", value));
    };
    must_be_positive(bar.length, "length");
    must_be_positive(bar.mass_per_length, "mass_per_length");
    must_be_positive(bar.stiffness, "stiffness");
    checks.require(std::isfinite(bar.position), key("position"), "must be finite");
    checks.require(std::isfinite(bar.velocity), key("velocity"), "must be finite");
  }
  checks.raise();

  const std::vector<double> gaps = initial_gaps(bars, wall_left, wall_right);
  const double tolerance = position_tolerance(bars, wall_left, wall_right);
  for (std::size_t j = 0; j < gaps.size(); ++j) {
    const bool at_right_wall = j == bars.size();
    const std::string key = at_right_wall ? "wall_right" : fmt::format("bars[{}].position", j);
    checks.require(gaps[j] >= -tolerance, key,
                   fmt::format("overlaps what is left of it by {} m; gaps must be 0 or positive", -gaps[j]));
  }
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const double traversals = t_end / travel_time(bars[i]);
    checks.require(traversals <= ExactBars::max_traversals, "t_end",
                   fmt::format("a wave crosses bars[{}] {:.3g} times; at most {:.0e} are allowed", i, traversals,
                               ExactBars::max_traversals));
    checks.require(traversals >= ExactBars::min_traversals, "t_end",
                   fmt::format("a wave covers only {:.3g} of bars[{}], which it crosses in {:.3g} s; {:.0e} must be "
                               "covered at least",
                               traversals, i, travel_time(bars[i]), ExactBars::min_traversals));
  }
  checks.raise();
}

/// The longest time that a clock for these bars must show: t_end and the travel times on either side of [0, t_end].
double horizon(const std::vector<ExactBar>& bars, double t_end) {
  double longest = t_end;
  for (const ExactBar& bar : bars) longest = std::max(longest, travel_time(bar));
  return 4.0 * longest;
}

}  // namespace

ExactBars::ExactBars(const std::vector<ExactBar>& bars, std::optional<double> wall_left,
                     std::optional<double> wall_right, double t_end, std::size_t max_pieces)
    : t_end_((check(bars, wall_left, wall_right, t_end), t_end)), clock_(horizon(bars, t_end)) {
  const double tolerance = position_tolerance(bars, wall_left, wall_right);
  for (const ExactBar& bar : bars) {
    const double tau = travel_time(bar);
    const Tick travel = clock_.ticks(tau);
    const StepSignal wave(clock_, -travel, bar.velocity, -bar.velocity * tau);
    bars_.push_back({bar.length, bar.velocity, tau, std::sqrt(bar.stiffness * bar.mass_per_length), bar.fixed_start,
                     bar.fixed_end, travel, wave, wave});
  }
  for (const double gap : initial_gaps(bars, wall_left, wall_right))
    junctions_.push_back(
        {StepSignal(clock_, 0, 0.0, gap <= tolerance ? 0.0 : gap), StepSignal(clock_, 0, 0.0, 0.0), {}});
  run_waves(bars_, junctions_, clock_, t_end, tolerance, max_pieces);
}

std::size_t ExactBars::pieces() const {
  std::size_t count = 0;
  for (const WaveBar& bar : bars_) count += bar.right_wave.size() + bar.left_wave.size();
  return count;
}

const WaveBar& ExactBars::bar_at(std::size_t bar, double x) const {
  if (bar >= bars_.size()) throw std::out_of_range(fmt::format("there is no bar {}", bar));
  if (!(x >= 0.0 && x <= bars_[bar].length))
    throw std::out_of_range(fmt::format("x = {} lies outside bar {} of length {}", x, bar, bars_[bar].length));
  return bars_[bar];
}

const BarJunction& ExactBars::junction_at(std::size_t junction) const {
  if (junction >= junctions_.size()) throw std::out_of_range(fmt::format("there is no junction {}", junction));
  return junctions_[junction];
}

Tick ExactBars::instant(double t) const {
  // A last sample time of steps·(t_end/steps) may exceed t_end by a round-off.
  if (!(t >= 0.0 && t <= t_end_ * (1.0 + std::ldexp(1.0, -48))))
    throw std::out_of_range(fmt::format("t = {} lies outside [0, {}]", t, t_end_));
  return clock_.ticks(t);
}

ExactBars::Origin ExactBars::origin(const WaveBar& bar, double x, double t) const {
  const Tick now = instant(t);
  const Tick from_start = clock_.ticks(x / bar.length * bar.travel_time);
  return {now - from_start, now - (bar.travel - from_start), same_instant(now)};
}

// u = (∫r + ∫l)/2 + v₀τ/2 [eq. exact-bars-9]
double ExactBars::displacement(std::size_t bar, double x, double t) const {
  const WaveBar& b = bar_at(bar, x);
  const Origin o = origin(b, x, t);
  return 0.5 * (b.right_wave.integral(o.start) + b.left_wave.integral(o.end) + b.velocity * b.travel_time);
}

double ExactBars::velocity(std::size_t bar, double x, double t) const {
  const WaveBar& b = bar_at(bar, x);
  const Origin o = origin(b, x, t);
  return 0.5 * (b.left_wave.at(o.end + o.tolerance) + b.right_wave.at(o.start + o.tolerance));
}

double ExactBars::force(std::size_t bar, double x, double t) const {
  const WaveBar& b = bar_at(bar, x);
  const Origin o = origin(b, x, t);
  return 0.5 * b.impedance * (b.left_wave.at(o.end + o.tolerance) - b.right_wave.at(o.start + o.tolerance));
}

double ExactBars::force_impulse(std::size_t bar, double x, double t0, double t1) const {
  const WaveBar& b = bar_at(bar, x);
  const Origin from = origin(b, x, t0);
  const Origin to = origin(b, x, t1);
  return 0.5 * b.impedance *
         (b.left_wave.integral(to.end) - b.left_wave.integral(from.end) -
          (b.right_wave.integral(to.start) - b.right_wave.integral(from.start)));
}

double ExactBars::gap(std::size_t junction, double t) const {
  return std::max(0.0, junction_at(junction).gap.integral(instant(t)));
}

double ExactBars::contact_force(std::size_t junction, double t) const {
  const Tick now = instant(t);
  return junction_at(junction).force.at(now + same_instant(now));
}

double ExactBars::contact_impulse(std::size_t junction, double t0, double t1) const {
  const StepSignal& contact_force = junction_at(junction).force;
  return contact_force.integral(instant(t1)) - contact_force.integral(instant(t0));
}

const std::vector<ContactInterval>& ExactBars::contacts(std::size_t junction) const {
  return junction_at(junction).contacts;
}

std::optional<double> ExactBars::first_push() const {
  double first = infinity;
  for (const BarJunction& junction : junctions_)
    for (const ContactInterval& contact : junction.contacts) first = std::fmin(first, contact.pushed_from);
  return first < infinity ? std::optional(first) : std::nullopt;
}

// E = Z/4 ∫ (r² + l²) dt over the last travel time [eq. exact-bars-10]
double ExactBars::energy(std::size_t bar, double t) const {
  const WaveBar& b = bar_at(bar, 0.0);
  const Tick now = instant(t);
  return 0.25 * b.impedance *
         (b.right_wave.moments(now - b.travel, now).second + b.left_wave.moments(now - b.travel, now).second);
}

// P = Z/2 ∫ (r + l) dt over the last travel time [eq. exact-bars-11]
double ExactBars::momentum(std::size_t bar, double t) const {
  const WaveBar& b = bar_at(bar, 0.0);
  const Tick now = instant(t);
  return 0.5 * b.impedance *
         (b.right_wave.moments(now - b.travel, now).first + b.left_wave.moments(now - b.travel, now).first);
}

double ExactBars::energy(double t) const {
  double sum = 0.0;
  for (std::size_t bar = 0; bar < bars_.size(); ++bar) sum += energy(bar, t);
  return sum;
}

double ExactBars::momentum(double t) const {
  double sum = 0.0;
  for (std::size_t bar = 0; bar < bars_.size(); ++bar) sum += momentum(bar, t);
  return sum;
}

}  // namespace ictus::mechanics
