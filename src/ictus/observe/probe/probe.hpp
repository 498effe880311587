#pragma once

#include <ictus/dynamics/system/observer.hpp>
#include <ictus/mechanics/body/sensor.hpp>
#include <ictus/observe/checkpoint/archive.hpp>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ictus::observe {

/// A point of a body whose quantities are recorded.
struct Probe {
  std::string name;
  const mechanics::Body* body;
  double fraction;  ///< of the length: 0 start, 1 end
  /// Reads another place than that; may be empty.
  std::shared_ptr<const mechanics::Sensor> sensor{};

  std::span<const std::string_view> quantities() const {
    return sensor ? sensor->quantities() : body->probe_quantities();
  }
  void read(const mechanics::Motion& motion, std::span<double> values) const {
    return sensor ? sensor->read(motion, values) : body->probe(fraction, motion, values);
  }
};

/// dq/dt at the time of q.
std::vector<double> velocities(const dynamics::Snapshot& snapshot);

/// All probes of a run, their quantities one after the other.
class ProbeSet {
 public:
  struct Column {
    std::string probe;
    std::string quantity;
  };

  explicit ProbeSet(std::vector<Probe> probes);

  std::span<const Column> columns() const { return columns_; }
  /// The present value of each column.
  std::vector<double> sample(const dynamics::Snapshot& snapshot) const;

  /// Those that are velocities of points, with an acceleration each.
  struct Rate {
    std::size_t velocity;  ///< column
    Column acceleration;
  };
  std::span<const Rate> rates() const { return rates_; }

 private:
  std::vector<Probe> probes_;
  std::vector<Column> columns_;
  std::vector<Rate> rates_;
};

/// Mean accelerations between rows: what velocities changed by over the time. With impacts no other acceleration has a
/// limit as steps become shorter. Unknown at the first row.
class Accelerations {
 public:
  explicit Accelerations(std::span<const ProbeSet::Rate> rates);

  /// Takes note of a row.
  void add(double time, std::span<const double> probe_values);
  /// At the last row, in the order of ProbeSet::rates.
  std::span<const double> values() const { return values_; }
  void exchange(Archive& archive);

 private:
  std::vector<std::size_t> columns_;
  double time_ = 0;
  std::vector<double> velocities_;
  std::vector<double> values_;
};

}  // namespace ictus::observe
