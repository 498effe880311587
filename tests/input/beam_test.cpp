// Beams that cannot go on: what the program says, and what it keeps.
#include <gmock/gmock.h>

#include <string_view>

#include "replaced.hpp"
#include "run_in_folder.hpp"

namespace ictus {
namespace {

using testing::Ended;
using ::testing::HasSubstr;
using testing::read;
using testing::replaced;
using testing::RunFolder;

constexpr std::string_view rubber = R"(time: {end: 1, step: 5.0e-4}
integrator: {type: multisymplectic-beam, mesh: triangle, initial: interval}
bodies:
  beam:
    type: beam
    length: 1
    cells: 10
    section:
      type: explicit
      mass: 0.1
      inertia: [8.333333333333333e-07, 8.333333333333333e-07, 1.666666666666667e-06]
      stretch: [0.1851851851851852, 0.1851851851851852, 0.5]
      bend: [4.166666666666667e-06, 4.166666666666667e-06, 3.08641975308642e-06]
    strains: [[1, 1.5, 1, 0, 0, 1]]
    moved: {position: [0, 0, 5.0e-4], strains: [[1.004, 1.52, 1.005, -0.01, 0, 1]], in: 5.0e-4}
output: {frames_every: none}
)";

/// The run ends with exit code 3 and a summary that tells how far it came.
void expect_failure(const RunFolder& folder, const std::vector<std::string>& arguments,
                    const std::vector<std::string>& parts) {
  std::vector<std::string> all{"run", "beam.yaml", "--out", "results"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const Ended ended = folder.run(all);
  EXPECT_EQ(ended.code, 3);
  for (const std::string& part : parts) EXPECT_THAT(ended.err, HasSubstr(part));
  EXPECT_THAT(read(folder / "results/summary.json"), HasSubstr("\"status\": \"failed\""));
  EXPECT_THAT(read(folder / "results/history.csv"), HasSubstr("\n0,"));
}

// With the physical bending stiffness the beam of demoures-2014 folds at the printed step after one or two seconds,
// rounding decides where and which limit it meets first; half the step is enough.
// Its motion is chaotic: rounding decides when it folds.
TEST(Beam, ABeamThatFoldsStopsWithLocationTimeAndAdvice) {
  const RunFolder folder("beam.yaml", rubber);
  expect_failure(folder, {"--set", "time.end=3", "--set", "limits.energy_error=1e9"},
                 {" degrees", " of beam, t = ", "Use a smaller time step"});
}

TEST(Beam, AnUnstableStepStopsWithNodeTimeAndAdvice) {
  const RunFolder folder("beam.yaml", rubber);
  expect_failure(folder, {"--set", "time.step=0.006", "--set", "time.allow_unstable=true"},
                 {" of beam, t = ", "smaller time step"});
}

TEST(Beam, NeighboursNearAHalfTurnStopWithTheElement) {
  const RunFolder folder(
      "beam.yaml",
      replaced(replaced(rubber, "[[1, 1.5, 1, 0, 0, 1]]", "[[500, 0, 0, 0, 0, 1]]"),
               "    moved: {position: [0, 0, 5.0e-4], strains: [[1.004, 1.52, 1.005, -0.01, 0, 1]], in: 5.0e-4}\n",
               ""));
  expect_failure(folder, {"--set", "time.step=1.0e-4"},
                 {"turned by nearly 180 degrees", "element ", " of beam, t = ", "smaller time step or more elements"});
}

TEST(Beam, AMarchInSpaceThatIsUnstableStopsWithTheElement) {
  const RunFolder folder("beam.yaml", R"(time: {end: 1, step: 0.002, allow_unstable: true}
integrator: {type: multisymplectic-beam, direction: space}
bodies:
  beam:
    type: beam
    length: 0.8
    cells: 16
    section: {type: square, side: 0.01}
    density: 1000
    youngs_modulus: 5.0e4
    bend_factor: 1000
    boundary: {first: [[0, -2, 0, 0, -0.1, 0]], second: [[0.007, -1.998, -0.007, -0.08, -0.1, 0]]}
)");
  expect_failure(folder, {}, {"element ", " of beam, t = ", "turns the Courant condition round", "larger time.step"});
}

}  // namespace
}  // namespace ictus
