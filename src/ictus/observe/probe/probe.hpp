#pragma once

#include <ictus/dynamics/system/observer.hpp>
#include <span>
#include <string>
#include <vector>

namespace ictus::observe {

/// A point of a body whose quantities are recorded.
struct Probe {
  std::string name;
  const mechanics::Body* body;
  double fraction;  ///< of the length: 0 start, 1 end
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

 private:
  std::vector<Probe> probes_;
  std::vector<Column> columns_;
};

}  // namespace ictus::observe
