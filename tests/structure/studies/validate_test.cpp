#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <ictus/base/text_file.hpp>
#include <ictus/study/validate/validate_files.hpp>

#include "structure/studies/small_scene.hpp"

namespace ictus::study {
namespace {

using ictus::testing::refusal;
using ::testing::HasSubstr;

/// A ball that falls for a second, with the exact height as a published number.
constexpr const char* falling = R"(
title: A falling ball
source: theory
about: It falls.
time: {end: 1, step: 0.01}
gravity: [0, 0, -2]
bodies: {ball: {type: point-mass, mass: 1, position: [0, 0, 3]}}
probes: {ball: {body: ball, at: start}}
published:
  - {what: height, by: theory, value: 2, unit: m, of: probes.ball.z, tolerance: 0.01, because: of the step}
output: {frames_every: none, report: false}
)";

class ValidateTest : public ::testing::Test {
 protected:
  std::string scene(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = folder_.path() / (name + ".yaml");
    std::ofstream(file) << text;
    return file.string();
  }
  std::filesystem::path results() const { return folder_.path() / "results"; }
  Validation run(const std::vector<std::string>& names) const {
    Validation found = validate(
        {names, results(), 2}, [] { return false; }, [](auto&&...) {});
    write_validation(found, results());
    return found;
  }

 private:
  ictus::testing::TemporaryFolder folder_;
};

TEST_F(ValidateTest, ARunThatIsRefusedOrFailsIsARowAndTheOthersGoOn) {
  const std::string fine = scene("fine", falling);
  const std::string refused = scene(
      "refused", std::string(falling) + "integrator: {type: multisymplectic-beam}\nrefinements: [[time.step=0.005]]\n");
  const std::string partly =
      scene("partly", std::string(falling) + "refinements: [['integrator={type: multisymplectic-beam}']]\n");
  const Validation found = run({refused, fine, partly});
  ASSERT_EQ(found.benchmarks.size(), 3u);
  for (const ValidationRun& one : found.benchmarks[0].runs) EXPECT_EQ(one.status, ComparedStatus::refused);
  EXPECT_THAT(found.benchmarks[0].own().reason, HasSubstr("integrator"));
  EXPECT_EQ(found.benchmarks[1].own().status, ComparedStatus::completed);
  EXPECT_TRUE(found.benchmarks[1].own().numbers.at(0).met);
  EXPECT_EQ(found.benchmarks[2].runs[0].status, ComparedStatus::refused);
  EXPECT_TRUE(found.benchmarks[2].own().numbers.at(0).met);

  const std::string page = base::read_whole_file(results() / validation_files::markdown);
  EXPECT_THAT(page, HasSubstr("| A falling ball | height | theory | 2 m | – | – | refused |\n"));
  EXPECT_THAT(page, HasSubstr("| 2 m | 2 m | "));
  EXPECT_THAT(page, HasSubstr("- **The scene as it is refused: "));
  EXPECT_TRUE(std::filesystem::exists(results() / validation_files::page));
}

TEST_F(ValidateTest, AFileThatIsNoBenchmarkIsToldBeforeAnythingRuns) {
  const std::string wrong = scene("wrong", "time: {end: 1, stepp: 0.01}\n");
  EXPECT_THAT(refusal([&] { run({scene("fine", falling), wrong}); }), HasSubstr("stepp"));
  EXPECT_FALSE(std::filesystem::exists(results()));
}

}  // namespace
}  // namespace ictus::study
