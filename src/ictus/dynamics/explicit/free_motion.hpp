#pragma once

#include <ictus/dynamics/system/step_report.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/exec/device/tile_steps.hpp>
#include <memory>
#include <string>
#include <vector>

namespace ictus::dynamics {

/// Bodies with nothing around them but gravity and supports take many steps of the leapfrog at once, on a device.
class FreeMotion {
 public:
  /// Most steps at once: so many that looking between them costs little, so few that a run can be stopped soon.
  static constexpr std::int64_t max_steps = 1024;

  /// What of a system stands against that, in words; empty: nothing.
  static std::vector<std::string> obstacles(const System& system);

  void prepare(const System& system);
  bool any() const { return !moving_.empty(); }

  /// So many steps. `work` grows by that of the forces, `supports` by what those of each nodal body gave.
  StepReport run(const System& system, double h, std::int64_t steps, model::State& state, double& work,
                 std::span<mechanics::Momentum> supports);

 private:
  struct Moving {
    std::size_t body;  ///< into System::nodal_bodies()
    std::unique_ptr<exec::ElementSteps> steps;
  };

  std::vector<Moving> moving_;
  std::vector<double> q_, p_;  // where the steps have left them
};

}  // namespace ictus::dynamics
