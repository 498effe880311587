#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <ictus/files/csv_table.hpp>
#include <ictus/study/converge/converge_files.hpp>

#include "structure/studies/small_scene.hpp"

namespace ictus::study {
namespace {

using ictus::testing::listing;
using ictus::testing::read;
using ictus::testing::refusal;
using ictus::testing::SmallScene;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using Json = nlohmann::ordered_json;

constexpr auto never_stop = [] { return false; };
constexpr auto ignore_run = [](const ConvergeRun&) {};

ConvergeOptions options(const SmallScene& scene, std::vector<double> steps,
                        std::vector<scene::Override> overrides = {}) {
  ConvergeOptions options;
  options.scene = scene.source(std::move(overrides));
  options.integrators = parse_integrators("cd-lagrange");
  options.steps = std::move(steps);
  options.threads = 2;
  return options;
}

TEST(Converge, WritesItsThreeFiles) {
  const SmallScene scene;
  ConvergeOptions asked = options(scene, {0.2, 0.1, 0.05});
  asked.integrators = parse_integrators("cd-lagrange,moreau-jean:theta=1");
  asked.mesh_follows = true;
  const Convergence study = converge(asked, never_stop, ignore_run);
  write_convergence(study, scene.results());
  EXPECT_THAT(listing(scene.results()), ElementsAre("converge.csv", "converge.html", "converge.json"));
  const Json json = Json::parse(read(scene.results() / "converge.json"));
  EXPECT_EQ(json["runs"].size(), 6);
  EXPECT_EQ(json["quantities"].size(), 4) << "displacement, velocity and force of the probe, force of the contact";
  for (const Json& run : json["runs"]) {
    EXPECT_EQ(run["status"], "completed");
    EXPECT_GT(run["errors"]["probe.left_tip.velocity"].get<double>(), 0);
  }
  EXPECT_EQ(json["runs"][2]["elements"], Json::parse(R"({"left": 20, "right": 20})"));
  EXPECT_GT(json["slopes"][0]["order"].get<double>(), 0);
  constexpr std::array<std::string_view, 3> words{"integrator", "status", "reason"};
  EXPECT_EQ(files::read_csv(scene.results() / "converge.csv", words, words).rows, 6);
  const std::string page = read(scene.results() / "converge.html");
  EXPECT_THAT(page, HasSubstr("\"kind\":\"converge\""));
  EXPECT_THAT(page, HasSubstr("moreau-jean:theta=1"));
}

TEST(Converge, TheMeshFollowsTheCourantNumberOfTheScene) {
  const SmallScene scene;
  ConvergeOptions asked = options(scene, {0.104, 0.05});
  asked.mesh_follows = true;
  const Convergence study = converge(asked, never_stop, ignore_run);
  EXPECT_DOUBLE_EQ(study.runs[0].step, 0.1);
  EXPECT_DOUBLE_EQ(study.runs[0].asked_step, 0.104);
  EXPECT_THAT(study.runs[0].elements, ElementsAre(Pair("left", 10), Pair("right", 10)));
  EXPECT_THAT(study.runs[1].elements, ElementsAre(Pair("left", 20), Pair("right", 20)));
  asked.steps = {0.104, 0.101};
  EXPECT_THAT(refusal([&] { converge(asked, never_stop, ignore_run); }), HasSubstr("choose steps further apart"));
}

TEST(Converge, AStepThatIsTooLargeIsRefusedAndTheOthersCount) {
  const SmallScene scene;
  const Convergence study = converge(options(scene, {2.0, 0.1, 0.05}), never_stop, ignore_run);
  EXPECT_EQ(study.runs[0].status, ConvergeStatus::refused);
  EXPECT_THAT(study.runs[0].reason, HasSubstr("largest stable one"));
  EXPECT_EQ(study.runs[1].status, ConvergeStatus::completed);
  EXPECT_EQ(study.curves[0].steps.size(), 2);
  EXPECT_THAT(refusal([&] {
                converge(options(scene, {2.0, 3.0}), never_stop, ignore_run);
              }),
              HasSubstr("cd-lagrange at 2 s: time.step"));
}

TEST(Converge, AfterReleaseIsAfterTheLastContactOfTheExactSolution) {
  const SmallScene scene;
  ConvergeOptions asked = options(scene, {0.1});
  asked.after_release = true;
  const Convergence study = converge(asked, never_stop, ignore_run);
  EXPECT_NEAR(study.from, 20.05, 1e-12);
  // Nothing pushes after release: the exact contact force is zero and a relative error has no meaning.
  EXPECT_EQ(study.runs[0].errors.back(), std::nullopt);
  EXPECT_TRUE(study.runs[0].errors.front());
  asked.scene = scene.source({{"time.end", "15"}});
  EXPECT_THAT(refusal([&] { converge(asked, never_stop, ignore_run); }), HasSubstr("--after-release"));
}

TEST(Converge, BeforeContactEveryStepIsExact) {
  const SmallScene scene;
  const Convergence study = converge(options(scene, {0.01}, {{"time.end", "0.04"}}), never_stop, ignore_run);
  EXPECT_EQ(study.runs[0].steps, 4);
  // The exact displacement is the difference of integrals since t = -10 s, a thousand times as large.
  EXPECT_NEAR(study.runs[0].errors[0].value(), 0, 1e3 * 1e-15);
}

TEST(Converge, TheWindowBeginsWhereItIsAskedTo) {
  const SmallScene scene;
  ConvergeOptions asked = options(scene, {0.1});
  asked.from = 30;
  EXPECT_THAT(refusal([&] { converge(asked, never_stop, ignore_run); }), HasSubstr("the run ends at 30 s"));
  const double whole = *converge(options(scene, {0.1}), never_stop, ignore_run).runs[0].errors[1];
  asked.from = 25;
  EXPECT_NE(*converge(asked, never_stop, ignore_run).runs[0].errors[1], whole);
}

TEST(Converge, ASceneWithoutExactSolutionIsRefused) {
  const SmallScene scene;
  const ConvergeOptions asked = options(scene, {0.1}, {{"bodies.left.material", "st-venant-kirchhoff"}});
  EXPECT_THAT(refusal([&] { converge(asked, never_stop, ignore_run); }), HasSubstr("no exact solution"));
}

TEST(Converge, WhenAskedToStopItStops) {
  const SmallScene scene;
  const Convergence study = converge(
      options(scene, {0.1}), [] { return true; }, ignore_run);
  EXPECT_EQ(study.runs[0].status, ConvergeStatus::interrupted);
}

}  // namespace
}  // namespace ictus::study
