#include <unit/scene/scene_texts.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

namespace ictus::scene {
namespace {

using test::full_scene;
using test::scene_of;
using test::small_scene;

TEST(Resolved, HasEveryDefaultInSiUnits) {
  EXPECT_EQ(write_resolved(scene_of(small_scene)), R"(version: 2
title: ""
source: ""
about: ""
time: {end: 1, step: 0.1, allow_unstable: false}
gravity: [0, 0, 0]
materials: {}
bodies:
  bar:
    type: bar
    length: 2
    cells: 4
    density: 1
    youngs_modulus: 1
    area: 1
    position: [0, 0, 0]
    direction: [1, 0, 0]
    velocity: [0, 0, 0]
    supports: []
    material: linear
    damping: {mass: 0, stiffness: 0}
    implicit: false
  wall: {type: plane, position: [3, 0, 0], normal: [-1, 0, 0]}
contacts:
  -
    between: [bar, wall]
    friction: 0
    tangential_restitution: 0
    rolling_friction: 0
    spinning_friction: 0
    self_contact: false
    continuous: false
    nodes: []
    distance: 0
    closed_below: 0
    overlap: refuse
joints: []
ties: []
loads: []
initial: given
probes: {}
output: {checkpoint_every: 30, contacts: merged, body_energies: false, report: true}
limits: {energy_error: 0.1}
reference: none
expect: {}
published: []
refinements: []
)");
}

TEST(Resolved, ReadsBackToAnEqualSceneAndTheSameText) {
  for (const std::string_view text : {small_scene, full_scene}) {
    const Scene scene = scene_of(text);
    const std::string resolved = write_resolved(scene);
    EXPECT_EQ(scene_of(resolved), scene) << resolved;
    EXPECT_EQ(write_resolved(scene_of(resolved)), resolved);
  }
}

TEST(Resolved, KeepsEveryBitOfANumber) {
  Scene scene = scene_of(full_scene);
  BarSpec& bar = std::get<BarSpec>(*scene.bodies.find("left"));
  std::mt19937_64 random(3);
  for (int i = 0; i < 200; ++i) {
    for (double* value : {&bar.position[0], &bar.velocity[1], &bar.length, &scene.time.end}) {
      do {
        *value = std::bit_cast<double>(random());
      } while (!std::isfinite(*value));
    }
    bar.length = std::abs(bar.length);
    scene.time.end = std::abs(scene.time.end);
    EXPECT_EQ(scene_of(write_resolved(scene)), scene) << write_resolved(scene);
  }
}

TEST(Resolved, KeepsAwkwardText) {
  const char* texts[] = {"a: b", "- a",    "#a",     "a #b",      "'a'",    "\"a\"",   "1",      "1e3",      "true",
                         "No",   "null",   "~",      "[a",        "{a}",    "a\nb",    "a\nb\n", "\na",      " a",
                         "a ",   "a\n\n",  "  a\nb", "a\n  b",    "a\n\tb", "a\tb",    "\\n",    "%a",       "@a",
                         "`a",   "&a",     "*a",     "!a",        "|",      ">",       "? a",    "a:",       ": a",
                         "é µ²", "a\x01b", "a\x7f",  "<<",        "a\r\nb", "---",     "...",    "a, b",     "a] b",
                         "0x10", "12 mm",  "=",      "a\n---\nb", "#",      "a\n#b\n", "-",      "a\n\nb c", ".",
                         "\"",   "'",      "\\"};
  for (const std::string text : texts) {
    Scene scene = scene_of(small_scene);
    scene.title = text;
    scene.about = text;
    scene.expect.push_back({"status", {{}, {}, {}, {}, Scalar(text)}});
    EXPECT_EQ(scene_of(write_resolved(scene)), scene) << write_resolved(scene);
  }
}

TEST(Resolved, WritesWordsForTheValuesThatHaveOne) {
  const std::string text = write_resolved(scene_of(full_scene));
  EXPECT_NE(text.find("tip: {body: left, at: end}"), std::string::npos) << text;
  EXPECT_NE(text.find("inside: {body: right, at: 0.3}"), std::string::npos) << text;
  EXPECT_NE(text.find("frames_every: none"), std::string::npos) << text;
}

}  // namespace
}  // namespace ictus::scene
