#pragma once

#include <algorithm>
#include <ictus/build/build.hpp>
#include <ictus/scene/text/document.hpp>
#include <string>
#include <vector>

#include "support/ledger_run.hpp"

// Scenes with joints, run with their ledger.

namespace ictus::testing {

inline build::Simulation simulation_of(const std::string& text, int threads = 1) {
  return build::build(scene::read_text(text, "scene.yaml"), threads);
}

struct JointedRun {
  LedgerRun ledger;
  std::vector<dynamics::JointReaction> joints;  ///< of the last step
  std::vector<double> q;
  double gap = 0;
};

inline JointedRun run_scene(const std::string& text, const ReportFault& look = {}) {
  build::Simulation simulation = simulation_of(text);
  JointedRun run;
  const auto note = [&](const dynamics::System& system, model::State& state, dynamics::StepReport& report) {
    run.joints.assign(report.joints.begin(), report.joints.end());
    run.q = state.q;
    for (const dynamics::JointReaction& joint : report.joints) run.gap = std::max(run.gap, joint.gap);
    if (look) look(system, state, report);
  };
  run.ledger = run_with_ledger(simulation.system, *simulation.integrator, simulation.step,
                               static_cast<int>(simulation.steps), note);
  return run;
}

}  // namespace ictus::testing
