#pragma once

#include <ictus/dynamics/scheme/cd_lagrange.hpp>
#include <ictus/dynamics/system/run_steps.hpp>
#include <ictus/observe/record/run_record.hpp>

#include "structure/two_bars.hpp"

namespace ictus::testing {

/// The steel bars of fekak-2017 with probes at the tips that meet, recorded in a folder. With ten elements per bar the
/// gap closes in step 6 and the bars part after step 32.
struct RecordedRun {
  explicit RecordedRun(const std::filesystem::path& folder, std::size_t elements = 10, double rows_per_step = 0.3)
      : system(bars_in_a_row(steel_bars(elements))), h(0.8 * integrator.step_limit(system).step) {
    options.folder = folder;
    options.title = "Two bars";
    options.scene = "title: Two bars\n";
    options.history.every = h / rows_per_step;
    options.history.probes = {{"left", system.bodies()[0].get(), 1.0}, {"right", system.bodies()[1].get(), 0.0}};
    integrator.prepare(system);
  }

  dynamics::Snapshot snapshot() const { return {system, integrator, h, state}; }

  void begin(observe::RunRecord& record) {
    state = system.initial_state();
    const dynamics::StepReport report = integrator.start(system, h, state);
    record.begin(snapshot(), report);
  }

  void run_to(std::int64_t step, dynamics::Observer& observer) {
    dynamics::Observer* observers[] = {&observer};
    dynamics::run_steps(system, integrator, h, step, state, observers, [] { return false; });
  }

  dynamics::System system;
  dynamics::CdLagrange integrator;
  double h;
  observe::RecordOptions options;
  model::State state;
};

}  // namespace ictus::testing
