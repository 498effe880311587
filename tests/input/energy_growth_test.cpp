// What becomes of a run that makes energy under a name of its own.
#include <gmock/gmock.h>

#include "run_in_folder.hpp"

namespace ictus {
namespace {

using testing::Ended;
using ::testing::HasSubstr;
using testing::RunFolder;

/// A beam that bounces on its edges: impacts cut its steps into unequal intervals, which near the largest stable step
/// feed the stiffest waves, booked as sub-step.
constexpr std::string_view bouncing = R"(title: A beam bounces
time: {end: 0.4, courant: 0.8}
integrator: {type: multisymplectic-beam}
gravity: [0, 0, -10]
bodies:
  beam: {type: beam, length: 0.5, cells: 8, section: {type: rectangle, width: 0.05, height: 0.04}, density: 1000,
         youngs_modulus: 1.0e6, position: [0, 0, 0.05], rotation: [0.2, 1.5, 0.1], velocity: [0.3, 0.1, -1]}
  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}
contacts: [{between: [beam, floor], restitution: 1}]
output: {history_every: 1 ms, frames_every: none, report: false, checkpoint_every: none}
)";

TEST(EnergyGrowth, StopsARunWhateverItsName) {
  const RunFolder folder("my.yaml", bouncing);
  const Ended ended = folder.run({"run", "my.yaml", "--out", "results"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.err, HasSubstr("The energy has grown by"));
  EXPECT_THAT(ended.err, HasSubstr("though nothing gave it"));
}

TEST(EnergyGrowth, ShorterStepsRunToTheEnd) {
  const RunFolder folder("my.yaml", bouncing);
  const Ended ended = folder.run({"run", "my.yaml", "--out", "results", "--set", "time.courant=0.25"});
  EXPECT_EQ(ended.code, 0) << ended.err;
}

}  // namespace
}  // namespace ictus
