#pragma once

#include <ictus/scene/text/document.hpp>
#include <string>
#include <vector>

namespace ictus::testing {

/// Other values for one key of a scene.
struct Variation {
  std::string path;
  /// What to set, one after the other until something comes of it. Keys that go together with this one are set beside
  /// it, those that exclude it are taken away.
  std::vector<std::vector<scene::Override>> settings;
};

/// A variation of each key that the schema has for what the scene holds: its bodies, contacts, ties, loads, probes and
/// its integrator. They come from the schema alone, so that a key that is added to it is varied by itself.
std::vector<Variation> variations(const scene::Scene& scene);

}  // namespace ictus::testing
