// Uses the installed library as an outside program would: reads a scene, steps it, runs it into the folder that it is
// given, reads the results, and meets a mistake.
#include <ictus/ictus.hpp>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <string>

#include "own_parts.hpp"
#include "own_system.hpp"

namespace {

constexpr const char* two_bars = R"(
title: Two bars
time: {end: 40.0, courant: 0.5}
integrator: {type: cd-lagrange}
bodies:
  left:  {type: bar, length: 10.0, cells: 20, density: 1.0, youngs_modulus: 1.0, area: 1.0,
          position: [-10.005, 0, 0], velocity: [0.1, 0, 0]}
  right: {type: bar, length: 10.0, cells: 20, density: 1.0, youngs_modulus: 1.0, area: 1.0,
          position: [0.005, 0, 0], velocity: [-0.1, 0, 0]}
contacts:
  - {between: [left, right]}
)";

/// True if the bars meet, and if their momenta, opposite at the start, stay so to round-off.
bool bars_meet_and_keep_their_momentum() {
  const ictus::build::Simulation run = ictus::build::build(ictus::scene::read_text(two_bars, "two-bars.yaml"), 1);
  ictus::model::State state = run.system.initial_state();
  const double scale = run.system.momentum_scale(state.p);
  run.integrator->prepare(run.system);
  run.integrator->start(run.system, run.step, state);
  int closings = 0;
  while (state.step < run.steps) closings += run.integrator->step(run.system, run.step, state).closings;
  const double drift = run.system.momentum(state.q, state.p).linear.norm() / scale;
  return closings > 0 && drift < 1e-12;
}

/// True if a session runs to its end and its history has the kinetic energy of the start, ½ · 20 · 0.1².
bool results_are_read_back(const std::filesystem::path& folder) {
  const ictus::run::LoadedScene scene{ictus::scene::read_text(two_bars, "two-bars.yaml"), ""};
  ictus::run::Session session = ictus::run::Session::begin(scene, folder, 1, false);
  const ictus::run::Outcome outcome = session.run([] { return false; }, {});
  const ictus::files::CsvTable history = ictus::files::read_history(folder / ictus::files::result_files::history);
  const ictus::files::CsvColumn* kinetic = history.find("energy.kinetic");
  return outcome.status == ictus::observe::RunStatus::completed && kinetic != nullptr &&
         std::abs(kinetic->numbers.front() - 0.1) < 1e-12;
}

/// True if a mistake in a scene comes out as an InputError that names its line.
bool mistakes_are_caught() {
  try {
    ictus::scene::read_text("title: Nothing\ntime: {end: -1}\n", "wrong.yaml");
  } catch (const ictus::base::InputError& error) {
    return std::string(error.what()).find("wrong.yaml:2: time.end: ") != std::string::npos;
  }
  return false;
}

}  // namespace

int main(int, char** arguments) {
  std::cout << "ictus " << ictus::base::version << '\n';
  return bars_meet_and_keep_their_momentum() && results_are_read_back(arguments[1]) && mistakes_are_caught() &&
                 own_system_keeps_its_energy() && own_system_strikes_a_ball() && own_parts_work_together() &&
                 own_metal_flows()
             ? 0
             : 1;
}
