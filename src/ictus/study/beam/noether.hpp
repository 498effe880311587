#pragma once

#include <cstdint>
#include <filesystem>
#include <ictus/dynamics/system/integrator.hpp>
#include <optional>
#include <string>

namespace ictus::study {

/// What a run of a beam keeps by Noether's theorem, and what its energies do.
struct NoetherCheck {
  bool in_space = false;
  std::int64_t steps = 0;
  mechanics::Momentum momentum;        ///< J_L at the start, or J_N of the first section
  std::optional<double> linear_drift;  ///< largest changes that nothing from outside explains, as in summary.json
  std::optional<double> angular_drift;
  double energy = 0;                   ///< at the start: of the trapezoid rule, or E_N
  std::optional<double> energy_error;  ///< largest relative change
  dynamics::Extras extras;             ///< those of the integrator: the residual of (34) among them
};

/// Repeats the run in a folder with `rectangles` of space–time watched at a time.
NoetherCheck check_noether(const std::filesystem::path& folder, int rectangles, int threads);

/// For people.
std::string to_text(const NoetherCheck& check);

}  // namespace ictus::study
