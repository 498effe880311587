#pragma once

#include <fstream>
#include <ictus/study/study_scene.hpp>
#include <string>

#include "support/temporary_folder.hpp"

namespace ictus::testing {

/// Two unit bars of ten elements that meet at t = 0.05 s and part at 20.05 s, in a file of their own.
class SmallScene {
 public:
  study::SceneSource source(std::vector<scene::Override> overrides = {}) const {
    const std::filesystem::path file = folder_.path() / "scene.yaml";
    std::ofstream(file) << R"(
title: Two small bars
time: {end: 30, courant: 0.1}
integrator: {type: cd-lagrange}
reference: exact
bodies:
  left: {type: bar, length: 10, cells: 10, density: 1, youngs_modulus: 1, position: [-10.005, 0, 0],
         velocity: [0.1, 0, 0]}
  right: {type: bar, length: 10, cells: 10, density: 1, youngs_modulus: 1, position: [0.005, 0, 0],
          velocity: [-0.1, 0, 0]}
contacts:
  - {between: [left, right]}
probes:
  left_tip: {body: left, at: end}
output: {history_every: 0.5, frames_every: none, report: false}
)";
    return {file.string(), std::move(overrides)};
  }

  std::filesystem::path results() const { return folder_.path() / "results"; }

 private:
  TemporaryFolder folder_;
};

/// What a function refuses with; empty if it does not.
template <class F>
std::string refusal(F&& function) {
  try {
    function();
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace ictus::testing
