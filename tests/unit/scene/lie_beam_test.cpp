#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unit/scene/scene_texts.hpp>

namespace ictus::scene {
namespace {

using test::mistakes_of;
using test::replaced;
using test::scene_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view beam_scene = R"(time: {end: 1, step: 0.1}
bodies:
  beam:
    type: beam
    length: 2
    cells: 3
    section: {type: pipe, outer_radius: 20 mm, inner_radius: 15 mm}
    density: 7850
    youngs_modulus: 210 GPa
    poissons_ratio: 0.3
    bend_factor: 2
    position: [1, 2, 3]
    rotation: [0, 90 deg, 0]
    strains: [[0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 1]]
    velocities: [[0, 0, 1, 1, 0, 0]]
    load: {force: [0, 0, -3 N/m]}
    end_load: {force: [1 kN, 0, 0], moment: [0, 2 N m, 0]}
    supports: [{at: start}]
)";

TEST(LieBeamInAScene, ReadsBackFromItsResolvedForm) {
  ASSERT_THAT(mistakes_of(beam_scene), IsEmpty());
  const Scene scene = scene_of(beam_scene);
  EXPECT_EQ(scene_of(write_resolved(scene)), scene);
  const auto& beam = std::get<LieBeamSpec>(*scene.bodies.find("beam"));
  EXPECT_EQ(std::get<PipeSpec>(beam.section).outer_radius, 0.02);
  EXPECT_EQ(beam.strains[2], (Twist{2, 0, 0, 0, 0, 1}));
  EXPECT_EQ(beam.end_load.force[0], 1000);
  EXPECT_NEAR(beam.rotation[1], 1.5707963267948966, 1e-15);
}

std::vector<std::string> after(std::string_view from, std::string_view to) {
  return mistakes_of(replaced(beam_scene, from, to));
}

TEST(LieBeamInAScene, MistakesAreNamed) {
  EXPECT_THAT(after("bend_factor: 2", "slender: true"),
              ElementsAre("scene.yaml:11: bodies.beam.slender: needs 6 cells or more"));
  EXPECT_THAT(after("inner_radius: 15 mm", "inner_radius: 20 mm"),
              ElementsAre("scene.yaml:7: bodies.beam.section.inner_radius: must be smaller than outer_radius"));
  EXPECT_THAT(
      after("[[0, 0, 0, 0, 0, 1], [1", "[[1"),
      ElementsAre("scene.yaml:14: bodies.beam.strains: has 2 entries; give one for all, or 3, one for each element"));
  EXPECT_THAT(
      after("[[0, 0, 1, 1, 0, 0]]", "[[0, 0, 1]]"),
      ElementsAre("scene.yaml:15: bodies.beam.velocities.0: must be a list of 6, each a number, not a list of 3"));
  EXPECT_THAT(after("    supports: [{at: start}]", "    supports: [{at: end}]"),
              ElementsAre(HasSubstr("bodies.beam.end_load: moves nothing: this end is clamped")));
  EXPECT_THAT(after("    supports:", "    velocity: [1, 0, 0]\n    supports:"),
              ElementsAre("scene.yaml:3: bodies.beam: velocity, velocities and moved exclude one another"));
  EXPECT_THAT(after("    density: 7850\n", ""),
              ElementsAre("scene.yaml:3: bodies.beam: density is missing: a section given by its shape needs it"));
}

TEST(LieBeamInAScene, AnExplicitSectionNeedsNoMaterial) {
  constexpr std::string_view pipe = "{type: pipe, outer_radius: 20 mm, inner_radius: 15 mm}";
  constexpr std::string_view given =
      "{type: explicit, mass: 2 kg/m, inertia: [1, 1, 2], stretch: [5, 5, 7], bend: [1, 1, 1]}";
  const std::string text = replaced(beam_scene, pipe, given);
  EXPECT_THAT(mistakes_of(text),
              ElementsAre("scene.yaml:8: bodies.beam.density: has no meaning with an explicit section",
                          "scene.yaml:9: bodies.beam.youngs_modulus: has no meaning with an explicit section"));
  const std::string bare = replaced(replaced(text, "    density: 7850\n", ""), "    youngs_modulus: 210 GPa\n", "");
  EXPECT_THAT(mistakes_of(bare), IsEmpty());
}

}  // namespace
}  // namespace ictus::scene
