#pragma once

#include <ictus/scene/schema/kind.hpp>
#include <ictus/scene/schema/schema_export.hpp>
#include <ictus/scene/text/document.hpp>
#include <replaced.hpp>

#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::scene::test {

/// A small valid scene: every test that breaks something starts from it or says all of its own.
inline constexpr std::string_view small_scene = R"(time: {end: 1, step: 0.1}
bodies:
  bar: {type: bar, length: 2, cells: 4, density: 1, youngs_modulus: 1}
  wall: {type: plane, position: [3, 0, 0], normal: [-1, 0, 0]}
contacts:
  - {between: [bar, wall]}
)";

/// A scene that gives every key a value other than its default.
inline constexpr std::string_view full_scene = R"(title: "Bar, wall: all keys"
source: nobody-1900, Fig. 1
about: |
  First line.

  Third line.
time: {end: 10 ms, courant: 80 %, allow_unstable: true}
integrator: {type: cd-lagrange}
gravity: [0, 0, -9.81 m/s^2]
bodies:
  left: &bar
    type: bar
    length: 254 mm
    cells: 40
    density: 7.847 g/cm^3
    youngs_modulus: 210 GPa
    area: 645 mm²
    position: [-0.2542, 0, 0]
    direction: [0, 3, 4]
    velocity: [5 m/s, 0, 0]
    supports: [{at: start}]
    material: st-venant-kirchhoff
  right: {<<: *bar, position: [0, 0, 0.3333333333333333 m], supports: [{at: end}]}
  wall: {type: plane, position: [3, 0, 0.1], normal: [-1, 0, 1.0e-3]}
contacts:
  - {between: [left, right], restitution: 0.5, friction: 0.3}
  - {between: [right, wall]}
probes:
  tip: {body: left, at: end}
  inside: {body: right, at: 0.3}
output: {history_every: 1 us, frames_every: none, checkpoint_every: 2 min, ledger_every: 7, report: false, body_energies: true, filter: cfc-180}
limits: {energy_error: 5 %, energy_residual: 1 %, wall_time: 1 h}
reference: exact
expect:
  status: {equals: completed}
  energy.error: {max: 2.0e-3}
  contact.last_time: {near: 20.07, within: 0.3}
  contact.events: {min: 1, max: 3}
  contact.max_penetration: {equals: null}
  extra.flag: {equals: true}
  extra.count: {equals: 1}
  extra.word: {equals: "1"}
)";

using ictus::testing::replaced;

/// The lines of the InputError that reading throws; empty if it throws none.
inline std::vector<std::string> mistakes_of(std::string_view text, const std::vector<std::string>& sets = {}) {
  try {
    std::vector<Override> overrides;
    for (const std::string& set : sets) overrides.push_back(parse_override(set));
    read_text(text, "scene.yaml", overrides);
  } catch (const base::InputError& error) {
    std::vector<std::string> lines;
    for (const base::Mistake& mistake : error.mistakes()) lines.push_back(base::to_string(mistake));
    return lines;
  }
  return {};
}

/// The same for small_scene with a replacement.
inline std::vector<std::string> mistakes_with(std::string_view from, std::string_view to) {
  return mistakes_of(replaced(small_scene, from, to));
}

/// "bar, plane or ...": so that a new body changes no test.
inline std::string body_choice() {
  std::vector<std::string> names;
  for (const TypeDescription& type : body_types()) names.push_back(type.name);
  return alternatives(names);
}

/// A folder for the files of one process, so that runs side by side do not meet.
inline std::filesystem::path own_folder() {
  const std::filesystem::path base = std::filesystem::temp_directory_path();
  return base / ("ictus_scene_" + std::to_string(::getpid()));
}

inline Scene scene_of(std::string_view text, const std::vector<std::string>& sets = {}) {
  std::vector<Override> overrides;
  for (const std::string& set : sets) overrides.push_back(parse_override(set));
  return read_text(text, "scene.yaml", overrides).scene;
}

}  // namespace ictus::scene::test
