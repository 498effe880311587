#include <ictus/scene/text/document.hpp>

#include "fuzz/attempt.hpp"
#include "fuzz/targets.hpp"

namespace ictus::fuzz {

namespace {

/// What can be read can be written and read again.
void read_scene(std::string_view text, const std::vector<scene::Override>& overrides) {
  const scene::Scene read = scene::read_text(text, "scene.yaml", overrides).scene;
  demand(scene::read_text(scene::write_resolved(read), "resolved.yaml").scene == read, "a resolved scene is the same");
}

constexpr std::string_view base_scene = R"(
time: {end: 1, step: 1 ms}
bodies:
  left: {type: bar, length: 1, cells: 4, density: 1, youngs_modulus: 1}
  ball: {type: rigid, shape: {type: sphere, radius: 10 mm}, copies: {type: grid, count: [2, 2, 2], spacing: [1, 1, 1]}}
  block: {type: solid, density: 1, youngs_modulus: 1, shape: {type: box, size: [1, 1, 1], cells: [1, 1, 1]}}
  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}
contacts: [{between: [all, floor], friction: 0.3}]
expect: {energy.error: {max: 1}}
)";

}  // namespace

void scene(std::string_view bytes) {
  attempt([&] { read_scene(bytes, {}); });
}

void overrides(std::string_view bytes) {
  attempt([&] {
    std::vector<scene::Override> sets;
    while (!bytes.empty() && sets.size() < 8) {
      const std::size_t end = std::min(bytes.find('\n'), bytes.size());
      sets.push_back(scene::parse_override(bytes.substr(0, end)));
      bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    read_scene(base_scene, sets);
  });
}

}  // namespace ictus::fuzz
