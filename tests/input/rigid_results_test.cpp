// What the result files say of rigid bodies in contact.
#include <gmock/gmock.h>

#include <map>
#include <sstream>

#include "run_in_folder.hpp"

namespace ictus {
namespace {

using testing::Ended;
using testing::read;
using testing::RunFolder;

/// The numbers of a CSV file by column; cells that are no numbers are left out.
std::map<std::string, std::vector<double>> columns_of(const std::string& text) {
  std::istringstream lines(text);
  std::string line, cell;
  std::vector<std::string> names;
  std::map<std::string, std::vector<double>> columns;
  std::getline(lines, line);
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    for (std::size_t i = 0; std::getline(cells, cell, ','); ++i) {
      char* end = nullptr;
      const double value = std::strtod(cell.c_str(), &end);
      if (!cell.empty() && *end == '\0') columns[names[i]].push_back(value);
    }
  }
  return columns;
}

/// A box of 2 kg that stands on the floor and another, far from both, that falls.
constexpr std::string_view standing_and_falling = R"(title: One box stands, one falls
time: {end: 0.1, step: 1 ms}
gravity: [0, 0, -10]
bodies:
  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}
  low: {type: rigid, shape: {type: box, size: [0.2, 0.2, 0.2]}, mass: 2, position: [0, 0, 0.1]}
  high: {type: rigid, shape: {type: sphere, radius: 0.1}, mass: 1, position: [0, 0, 0.5]}
contacts:
  - {between: [low, floor]}
  - {between: [high, all]}
probes: {low: {body: low, at: 0}, high: {body: high, at: 0}}
output: {history_every: 10 ms, frames_every: 0, contacts: impulses}
)";

TEST(RigidResults, GapsAreDistancesAndForcesAreWeights) {
  const RunFolder folder("my.yaml", standing_and_falling);
  const Ended ended = folder.run({"run", "my.yaml", "--out", "results"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  auto history = columns_of(read(folder / "results/history.csv"));
  for (const double gap : history["contact.0.gap"]) EXPECT_NEAR(gap, 0, 1e-9);
  EXPECT_NEAR(history["contact.0.force"].back(), 20, 1e-6);
  // From the sphere to the top of the box, which is nearer than the floor.
  EXPECT_NEAR(history["contact.1.gap"].front(), 0.2, 1e-12);
  EXPECT_NEAR(history["probe.high.z"].back(), 0.5 - 0.5 * 10 * 0.1 * 0.1, 1e-15);
  EXPECT_NEAR(history["contact.1.gap"].back(), history["probe.high.z"].back() - history["probe.low.z"].back() - 0.2,
              1e-15);
  // Before its contact is found to last the box sinks by what the solver leaves of its speed, some 1e-9 m/s, in the
  // first two steps: by 3e-12 m, and no further.
  EXPECT_NEAR(history["probe.low.z"].back(), 0.1, 1e-11);
  EXPECT_EQ(history["contact.1.force"].back(), 0);
}

/// What is held has no energy, however high above the origin it is: a run with little else is not unstable.
TEST(RigidResults, AHeldBodyHasNoEnergy) {
  const RunFolder folder("my.yaml", R"(title: A ball falls from a bridge
time: {end: 0.05, step: 1 ms}
gravity: [0, 0, -10]
bodies:
  bridge: {type: rigid, shape: {type: box, size: [2, 2, 1]}, fixed: true, position: [0, 0, 9]}
  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, mass: 1, position: [0, 0, 8.2]}
contacts:
  - {between: [ball, bridge]}
expect:
  energy.error: {max: 1.0e-12}
)");
  const Ended ended = folder.run({"run", "my.yaml", "--out", "results", "--expect"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NEAR(columns_of(read(folder / "results/history.csv"))["energy.potential"].front(), 82, 0.1);
}

TEST(RigidResults, ContactsTellEveryImpulse) {
  const RunFolder folder("my.yaml", standing_and_falling);
  ASSERT_EQ(folder.run({"run", "my.yaml", "--out", "results"}).code, 0);
  auto contacts = columns_of(read(folder / "results/contacts.csv"));
  double sum = 0;
  for (const double impulse : contacts["normal_impulse"]) sum += impulse;
  EXPECT_NEAR(sum, 20 * (0.1 + 0.5e-3), 1e-6) << "at every node, half of one at the first";
}

}  // namespace
}  // namespace ictus
