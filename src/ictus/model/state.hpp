#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ictus::model {

/// A named array that an integrator carries from step to step.
struct Memory {
  std::string name;
  std::vector<double> values;

  bool operator==(const Memory&) const = default;
};

/// Everything that a run must remember: a value, so that a copy is a checkpoint. Whatever is not here (buffers of an
/// integrator, factorisations) can be made again from the System, and a run continued from a copy has the same bits.
struct State {
  double time = 0;             ///< t_n of the configuration q (s)
  std::int64_t step = 0;       ///< whole steps taken
  std::vector<double> q;       ///< configuration of all bodies, in the System's order, and what materials remember
  std::vector<double> p;       ///< momenta conjugate to q, at the instant that the integrator's theory gives them
  std::vector<Memory> memory;  ///< what the integrator must remember besides; laid out by Integrator::start

  bool operator==(const State&) const = default;
};

}  // namespace ictus::model
