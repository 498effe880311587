#pragma once

#include <ictus/dynamics/observer.hpp>
#include <span>
#include <string>
#include <vector>

namespace ictus::observe {

/// A place on a body whose quantities are recorded.
struct Probe {
  std::string name;
  const mechanics::Body* body;
  double fraction;  ///< of the length: 0 start, 1 end
};

/// All probes of a run, their quantities one after the other.
class ProbeSet {
 public:
  struct Column {
    std::string probe;
    std::string quantity;
  };

  explicit ProbeSet(std::vector<Probe> probes);

  std::span<const Column> columns() const { return columns_; }
  /// Fills values[i] with the present value of column i. `velocities` are those of the system's unknowns.
  void sample(std::span<const double> q, std::span<const double> velocities, std::span<double> values) const;

 private:
  std::vector<Probe> probes_;
  std::vector<Column> columns_;
};

}  // namespace ictus::observe
