#pragma once

#include <fmt/format.h>

#include <ictus/build/build.hpp>
#include <ictus/scene/text/document.hpp>
#include <string>

#include "support/ledger_run.hpp"

namespace ictus::testing {

/// A scene run to its end under a ledger that reads every step.
struct SceneRun {
  build::Simulation simulation;
  model::State state;
  LedgerRun books;
  double work = 0;        ///< of what acts from outside (J)
  std::vector<double> v;  ///< at the end

  const mechanics::Body& body(std::string_view name) const { return *simulation.system.find_body(name); }
  double kinetic() const { return simulation.system.kinetic_energy(state.p); }
};

inline SceneRun run_scene(const std::string& text) {
  SceneRun run{build::build(scene::read_text(text, "scene.yaml"), 1), {}, {}, 0, {}};
  build::Simulation& simulation = run.simulation;
  run.books =
      run_with_ledger(simulation.system, *simulation.integrator, simulation.step, static_cast<int>(simulation.steps),
                      [&](const dynamics::System&, model::State& state, dynamics::StepReport& report) {
                        run.work += report.external_work;
                        run.state = state;
                      });
  run.v.resize(simulation.system.dofs());
  simulation.integrator->velocity(simulation.system, simulation.step, run.state, run.v);
  return run;
}

}  // namespace ictus::testing
