#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <ictus/build/bodies/lie_beam.hpp>
#include <ictus/build/build.hpp>
#include <ictus/study/beam/noether.hpp>
#include <ictus/study/beam/reconstruct.hpp>

#include "replaced.hpp"
#include "structure/studies/small_scene.hpp"

namespace ictus::build {
namespace {

using ictus::testing::refusal;
using ictus::testing::replaced;
using ::testing::HasSubstr;

/// All waves run at 10 m/s and the step is near the limit: the march in space is nearly stable too.
constexpr std::string_view beam_scene = R"(time: {end: 0.3, courant: 0.98}
integrator: {type: multisymplectic-beam, mesh: triangle}
bodies:
  beam:
    type: beam
    length: 0.4
    cells: 8
    section: {type: explicit, mass: 1, inertia: [0.01, 0.01, 0.02], stretch: [100, 100, 100], bend: [1, 1, 2]}
    strains: [[0.3, 0.1, 0.2, 0, 0, 1.02]]
    velocity: [0.2, 0, 0.1]
)";

scene::Document document(std::string_view text) { return scene::read_text(text, "scene.yaml"); }

class RunFolder {
 public:
  explicit RunFolder(std::string_view scene) { std::ofstream(folder_.path() / "scene.yaml") << scene; }
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  ictus::testing::TemporaryFolder folder_;
};

TEST(LieBeamOfAScene, VelocityInSpaceIsThatOfEveryPoint) {
  const Simulation run = build(document(beam_scene), 1);
  const auto& beam = dynamic_cast<const mechanics::LieBeam&>(*run.system.bodies()[0]);
  const model::State state = run.system.initial_state();
  const mechanics::Momentum momentum = beam.momentum(state.q, state.p);
  // 8 nodes of 0.05 kg.
  EXPECT_NEAR(momentum.linear.x(), 0.08, 1e-15);
  EXPECT_NEAR(momentum.linear.y(), 0.0, 1e-15);
  EXPECT_NEAR(momentum.linear.z(), 0.04, 1e-15);
}

TEST(LieBeamOfAScene, AFactorOnTheBendingStiffnessLeavesTheInertia) {
  scene::LieBeamSpec spec;
  spec.section = scene::SquareSpec{0.1};
  spec.density = 2.0;
  spec.youngs_modulus = 12.0;
  spec.poissons_ratio = 0.5;
  const mechanics::LieBeamSection physical = make_section(spec);
  EXPECT_NEAR(physical.bend.x, 1e-4, 1e-18);
  EXPECT_NEAR(physical.bend.z, 4.0 * 0.1406 * 1e-4, 1e-7);  // Saint-Venant's torsion of a square
  spec.bend_factor = 2.0;
  const mechanics::LieBeamSection scaled = make_section(spec);
  EXPECT_EQ(scaled.bend.x, 2.0 * physical.bend.x);
  EXPECT_EQ(scaled.inertia.x, physical.inertia.x);
}

TEST(LieBeamOfAScene, TrianglesHaveNoSlenderElements) {
  const std::string text = replaced(beam_scene, "length: 0.4", "length: 0.4\n    slender: true");
  EXPECT_THAT(refusal([&] { build(document(text), 1); }),
              HasSubstr("bodies.beam.slender: goes with integrator.mesh: rectangle alone"));
}

TEST(LieBeamOfAScene, SpaceRefusesWhatOnlyTimeCanUse) {
  const std::string text =
      replaced(replaced(beam_scene, "mesh: triangle", "direction: space"), "courant: 0.98", "step: 0.01");
  const std::string message = refusal([&] { build(document(text), 1); });
  EXPECT_THAT(message, HasSubstr("bodies.beam.velocity: has no meaning with direction: space; boundary says how"));
  EXPECT_THAT(message, HasSubstr("bodies.beam: boundary is missing: direction: space starts from it"));
}

TEST(LieBeamOfAScene, ReverseCourantConditionIsChecked) {
  const std::string text =
      replaced(replaced(replaced(beam_scene, "mesh: triangle", "direction: space"), "courant: 0.98", "step: 0.001"),
               "velocity: [0.2, 0, 0.1]", "boundary: {first: [[0, 0, 0, 0, 0, 0]], second: [[0, 0, 0, 0, 0, 0]]}");
  EXPECT_THAT(refusal([&] { build(document(text), 1); }),
              HasSubstr("marching along a beam turns the Courant condition round; use a step of 0.005 s or more"));
}

TEST(Reconstruction, FindsTheSectionsOfARunInTimeAgain) {
  const RunFolder folder(beam_scene);
  const study::Reconstruction found = study::reconstruct(folder.path(), "", 1);
  EXPECT_EQ(found.stopped, "");
  ASSERT_EQ(found.sections.size(), 6u);
  EXPECT_NEAR(found.sections.back().arc_length, 0.35, 1e-15);
  // Rounding, grown over six sections by at most the factor that the reconstruction tells.
  for (const study::SectionError& section : found.sections) {
    EXPECT_LE(section.position, 1e-15 * std::pow(found.growth, 6));
    EXPECT_LE(section.turn, 1e-14 * std::pow(found.growth, 6));
  }
  EXPECT_LE(found.growth, 10.0);
  EXPECT_GT(found.sections.front().position, 0.0);
}

TEST(Reconstruction, KnowsGravityAndRectangles) {
  std::string text = replaced(beam_scene, "mesh: triangle", "mesh: rectangle");
  text += "gravity: [0, 0, -9.81]\n";
  const RunFolder folder(text);
  const study::Reconstruction found = study::reconstruct(folder.path(), "beam", 1);
  EXPECT_EQ(found.stopped, "");
  ASSERT_EQ(found.sections.size(), 7u);
  EXPECT_LE(found.sections.back().position, 1e-15 * std::pow(found.growth, 7));
}

TEST(Reconstruction, RefusesOtherRuns) {
  const RunFolder folder(beam_scene), empty("");
  EXPECT_THAT(refusal([&] { study::reconstruct(folder.path(), "baem", 1); }), HasSubstr("has no beam named 'baem'"));
  EXPECT_THAT(refusal([&] { study::reconstruct(folder.path() / "none", "", 1); }),
              HasSubstr("there is no scene.yaml in it"));
  const RunFolder bars(R"(time: {end: 1, courant: 0.5}
integrator: {type: central-difference}
bodies: {bar: {type: bar, length: 1, cells: 2, density: 1, youngs_modulus: 1}}
)");
  EXPECT_THAT(refusal([&] { study::reconstruct(bars.path(), "", 1); }),
              HasSubstr("its integrator is not multisymplectic-beam"));
}

TEST(NoetherCheckOfARun, WatchesAsManyRectanglesAsAskedFor) {
  const RunFolder folder(beam_scene);
  const study::NoetherCheck check = study::check_noether(folder.path(), 30, 1),
                            fewer = study::check_noether(folder.path(), 3, 1);
  const auto extra = [](const study::NoetherCheck& of, std::string_view name) {
    for (const auto& [key, value] : of.extras) {
      if (key == name) return value;
    }
    return -1.0;
  };
  EXPECT_FALSE(check.in_space);
  EXPECT_GT(extra(fewer, "noether_rectangles"), 0.0);
  EXPECT_GT(extra(check, "noether_rectangles"), extra(fewer, "noether_rectangles"));
  EXPECT_LE(extra(check, "noether_residual_max"), 1e-13);
  EXPECT_GT(extra(check, "noether_residual_max"), 0.0);  // rounding
  EXPECT_LE(*check.linear_drift, 1e-13);
  EXPECT_NEAR(check.momentum.linear.x(), 0.08, 1e-15);
  EXPECT_THAT(study::to_text(check), HasSubstr("J_L relative drift"));
}

}  // namespace
}  // namespace ictus::build
