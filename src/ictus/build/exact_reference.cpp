// A scene's bars lie anywhere on a line in space and point either way; the exact solution wants them on one axis from
// left to right. Coordinates here are along the direction of the first bar of the scene.
#include <ictus/build/exact_reference.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/mechanics/bar/bar.hpp>
#include <ictus/mechanics/exact/exact_bars.hpp>
#include <optional>

namespace ictus::build {

using math::Vec3;
using mechanics::Bar;
using mechanics::ExactBar;
using mechanics::ExactBars;

namespace {

constexpr std::string_view reference_key = "reference";

/// A bar on the axis, and whether it points along it.
struct PlacedBar {
  const Bar* bar;
  ExactBar exact;
  bool reversed;
};

struct Row {
  std::vector<PlacedBar> bars;  ///< from left to right
  std::optional<double> wall_left, wall_right;
  std::vector<std::size_t> junction_of_pair;  ///< of ExactBars, for each pair of the System
};

class RowMaker {
 public:
  RowMaker(const dynamics::System& system, Mistakes& mistakes) : system_(system), mistakes_(mistakes) {}

  std::optional<Row> make() {
    for (const dynamics::BodyPtr& body : system_.bodies()) {
      if (const auto* bar = body->bar()) add(*bar);
    }
    if (row_.bars.empty()) refuse("there is an exact solution for bars only");
    if (refused_) return std::nullopt;
    std::sort(row_.bars.begin(), row_.bars.end(),
              [](const PlacedBar& a, const PlacedBar& b) { return a.exact.position < b.exact.position; });
    for (const contact::ContactPair& pair : system_.pairs()) row_.junction_of_pair.push_back(junction(pair));
    if (!refused_ && !neighbours_all_touch()) {
      refuse("the exact solution lets all neighbours in the row touch; add the missing contacts");
    }
    if (refused_) return std::nullopt;
    return row_;
  }

 private:
  void refuse(std::string why) {
    if (!refused_) mistakes_.add(reference_key, "no exact solution here: " + why);
    refused_ = true;
  }

  void add(const Bar& bar) {
    const mechanics::BarProperties& p = bar.properties();
    if (row_.bars.empty()) origin_ = p.start, axis_ = p.direction;
    if (p.material != mechanics::BarMaterial::linear) return refuse(bar.name() + " is not linear");
    if (!p.gravity.isZero()) return refuse("there is gravity");
    const double along = axis_.dot(p.direction), off_axis = (p.start - origin_).cross(axis_).norm();
    if (std::abs(along) < 1 - 1e-9 || off_axis > 1e-9 * p.length)
      return refuse(bar.name() + " is not in line with the others");
    const bool reversed = along < 0;
    const double start = axis_.dot(p.start - origin_);
    row_.bars.push_back({&bar,
                         {.length = p.length,
                          .mass_per_length = p.mass_per_length,
                          .stiffness = p.stiffness,
                          .position = reversed ? start - p.length : start,
                          .velocity = reversed ? -p.velocity : p.velocity,
                          .fixed_start = reversed ? p.fixed_end : p.fixed_start,
                          .fixed_end = reversed ? p.fixed_start : p.fixed_end},
                         reversed});
  }

  /// The junction of the exact solution at which a pair meets; notes the walls on the way.
  std::size_t junction(const contact::ContactPair& pair) {
    const std::size_t count = row_.bars.size();
    const auto index_of = [&](const std::string& name) {
      const auto found = std::find_if(row_.bars.begin(), row_.bars.end(),
                                      [&](const PlacedBar& placed) { return placed.bar->name() == name; });
      return static_cast<std::size_t>(found - row_.bars.begin());
    };
    const std::size_t a = index_of(pair.first), b = index_of(pair.second);
    if (a < count && b < count) {
      if (std::max(a, b) - std::min(a, b) != 1) refuse(pair.first + " and " + pair.second + " are not neighbours");
      return std::max(a, b);
    }
    const model::Plane plane = *(a < count ? pair.second_surface : pair.first_surface)->plane();
    const double wall = axis_.dot(plane.point - origin_);
    const bool left = axis_.dot(plane.normal) > 0;
    if (std::min(a, b) != (left ? 0 : count - 1)) refuse("a wall must stand at an end of the row");
    (left ? row_.wall_left : row_.wall_right) = wall;
    return left ? 0 : count;
  }

  bool neighbours_all_touch() const {
    for (std::size_t j = 1; j < row_.bars.size(); ++j) {
      if (std::count(row_.junction_of_pair.begin(), row_.junction_of_pair.end(), j) == 0) return false;
    }
    return true;
  }

  const dynamics::System& system_;
  Mistakes& mistakes_;
  Vec3 origin_, axis_;
  Row row_;
  bool refused_ = false;
};

/// displacement, velocity and force at each probe, and the force of each pair.
class BarReference final : public observe::Reference {
 public:
  BarReference(Row row, std::span<const observe::Probe> probes, double t_end)
      : row_(std::move(row)), solution_(exact_bars(row_), row_.wall_left, row_.wall_right, t_end) {
    for (const observe::Probe& probe : probes) {
      for (std::size_t i = 0; i < row_.bars.size(); ++i) {
        if (row_.bars[i].bar != probe.body) continue;
        const double fraction = row_.bars[i].reversed ? 1 - probe.fraction : probe.fraction;
        probe_points_.push_back({i, fraction * row_.bars[i].exact.length, row_.bars[i].reversed ? -1.0 : 1.0});
      }
    }
  }

  void evaluate(double time, std::span<double> probe_values, std::span<double> contact_forces) const override {
    const double t = std::min(time, solution_.t_end());
    for (std::size_t k = 0; k < probe_points_.size(); ++k) {
      const ProbePoint& point = probe_points_[k];
      probe_values[3 * k] = point.sign * solution_.displacement(point.bar, point.x, t);
      probe_values[3 * k + 1] = point.sign * solution_.velocity(point.bar, point.x, t);
      probe_values[3 * k + 2] = solution_.force(point.bar, point.x, t);
    }
    for (std::size_t k = 0; k < contact_forces.size(); ++k) {
      contact_forces[k] = solution_.contact_force(row_.junction_of_pair[k], t);
    }
  }

  std::optional<double> release() const override {
    std::optional<double> last;
    for (std::size_t j = 0; j < solution_.junctions(); ++j) {
      for (const mechanics::ContactInterval& contact : solution_.contacts(j)) {
        if (contact.opened == mechanics::ContactInterval::lasting) return std::nullopt;
        last = std::max(last.value_or(0), contact.opened);
      }
    }
    return last;
  }

 private:
  struct ProbePoint {
    std::size_t bar;
    double x;
    double sign;  ///< of the bar's own direction along the axis
  };

  static std::vector<ExactBar> exact_bars(const Row& row) {
    std::vector<ExactBar> bars;
    for (const PlacedBar& placed : row.bars) bars.push_back(placed.exact);
    return bars;
  }

  Row row_;
  ExactBars solution_;
  std::vector<ProbePoint> probe_points_;
};

/// The exact solution numbers its bars; a person has named them.
std::string with_names(std::string message, const Row& row) {
  for (std::size_t i = 0; i < row.bars.size(); ++i) {
    const std::string number = fmt::format("bars[{}]", i);
    const std::size_t at = message.find(number);
    if (at != std::string::npos) message.replace(at, number.size(), row.bars[i].bar->name());
  }
  return message;
}

}  // namespace

std::shared_ptr<const observe::Reference> exact_reference(const scene::Document& document,
                                                          const dynamics::System& system,
                                                          std::span<const observe::Probe> probes, double t_end,
                                                          Mistakes& mistakes) {
  if (document.scene.reference == scene::Reference::none) return nullptr;
  const std::optional<Row> row = RowMaker(system, mistakes).make();
  if (!row) return nullptr;
  try {
    return std::make_shared<BarReference>(*row, probes, t_end);
  } catch (const base::InputError& error) {
    mistakes.add(reference_key, "no exact solution here: " + with_names(error.mistakes().front().message, *row));
    return nullptr;
  }
}

}  // namespace ictus::build
