#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ictus/base/error.hpp>
#include <ictus/build/build.hpp>
#include <ictus/mechanics/shell/shell.hpp>
#include <ictus/scene/text/document.hpp>

namespace ictus::build {
namespace {

using ::testing::HasSubstr;

Simulation simulation(const std::string& body) {
  const std::string text = fmt::format(
      "time: {{end: 1, courant: 0.5}}\nbodies:\n  shell: {{type: shell, thickness: 0.01, youngs_modulus: 1e5, density: "
      "1, "
      "{}}}\n",
      body);
  return build(scene::read_text(text, "scene.yaml"), 1);
}

std::string mistakes_of(const std::string& body) {
  try {
    simulation(body);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

const mechanics::Shell& shell_of(const Simulation& simulation) {
  return dynamic_cast<const mechanics::Shell&>(*simulation.system.bodies()[0]);
}

TEST(ShellScene, MistakesNameKeyAndTriangles) {
  EXPECT_THAT(mistakes_of("shape: {type: mesh, file: no-such.obj}"), HasSubstr("no-such.obj: there is no such file"));
  EXPECT_THAT(mistakes_of("shape: {type: cylinder, radius: 1, length: 1, cells: [10, 8]}"),
              HasSubstr("a multiple of 6"));
  EXPECT_THAT(mistakes_of("shape: {type: sphere, radius: 1, size: [1, 1, 1]}"), HasSubstr("shape.size: unknown key"));
  EXPECT_THAT(
      mistakes_of("shape: {type: plate, size: [1, 1]}, supports: [{type: clamped, box: {from: [5, 5, 5], to: [6, "
                  "6, 6]}}]"),
      HasSubstr("bodies.shell.supports.0: no vertex of the mesh"));
  EXPECT_THAT(mistakes_of("shape: {type: plate, size: [1, 1]}, supports: [{type: symmetric-x, edge: all}]"),
              HasSubstr("do not lie in a plane"));
}

TEST(ShellScene, RefusesWallsThickerThanTheyAreCurved) {
  EXPECT_THAT(mistakes_of("shape: {type: sphere, radius: 0.004}"),
              HasSubstr("bodies.shell.thickness: 0.01 m is more than twice the radius of curvature on most"));
  EXPECT_EQ(mistakes_of("shape: {type: sphere, radius: 0.02}"), "");
  EXPECT_EQ(mistakes_of("shape: {type: box, size: [1, 1, 1], cells: [40, 40, 40]}"), "");  // creases are sharp
}

TEST(ShellScene, PlacesTurnsAndHolds) {
  const Simulation made = simulation(
      "shape: {type: plate, size: [2, 1], cells: [6, 4]}, position: [0, 0, 3], rotation: [90 "
      "deg, 0, "
      "0], supports: [{edge: all, type: clamped}]");
  const mechanics::Shell& shell = shell_of(made);
  for (const math::Vec3& x : shell.properties().mesh.positions) {
    EXPECT_NEAR(x.y(), 0, 1e-15);
    EXPECT_LE(std::abs(x.z() - 3), 0.5 + 1e-15);
  }
  // The rim of 7 × 5 vertices is held; ghosts beyond it keep it from turning.
  EXPECT_EQ(shell.fixed().size(), 3U * 20);
  EXPECT_EQ(shell.properties().clamped.size(), 20U);
}

TEST(ShellScene, ASphereCanHaveTheAreaAskedFor) {
  const Simulation made = simulation("shape: {type: sphere, radius: 2, cells: 4, fit: area}");
  EXPECT_NEAR(shell_of(made).total_mass(), 0.01 * 4 * 3.14159265358979 * 4, 1e-12);
}

TEST(ShellScene, CopiesAreOneBody) {
  const Simulation made =
      simulation("shape: {type: box, size: [1, 1, 1]}, copies: {type: grid, count: [2, 2, 1], spacing: [2, 2, 0]}");
  EXPECT_EQ(shell_of(made).elements().element_count(), 4U * 192);
}

}  // namespace
}  // namespace ictus::build
