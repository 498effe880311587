#pragma once

#include <string>
#include <vector>

namespace ictus::testing {

/// A small scene that lasts some tens of steps, in which everything that its keys speak of happens.
struct KeyScene {
  std::string name;
  std::vector<std::string> integrators;  ///< each as YAML; those that can run the scene, and only those
  std::string text;                      ///< without its integrator and output
};

const std::vector<KeyScene>& key_scenes();

}  // namespace ictus::testing
