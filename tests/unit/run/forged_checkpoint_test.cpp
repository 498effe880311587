#include <gtest/gtest.h>

#include <array>
#include <ictus/files/result_files.hpp>
#include <ictus/observe/checkpoint/checkpoint.hpp>
#include <ictus/run/session.hpp>
#include <limits>
#include <random>

#include "support/temporary_folder.hpp"

namespace ictus::run {
namespace {

/// A checkpoint with a checksum that fits and numbers that lie is refused, or ends in a failure of the motion, or goes
/// well: never in a crash.
class ForgedCheckpoint : public ::testing::TestWithParam<const char*> {
 protected:
  ForgedCheckpoint() {
    const LoadedScene scene{scene::read_text(GetParam(), "scene.yaml"), ""};
    run_for(Session::begin(scene, folder_.path(), 1, true), 12);
    made_ = observe::read_checkpoint(folder_.path() / files::result_files::checkpoint);
  }

  static void run_for(Session session, int steps) {
    session.run([&] { return steps-- == 0; }, {});
  }

  /// One change of one array: its length, or a value.
  void forge(observe::Checkpoint& checkpoint) {
    std::vector<std::vector<double>*> arrays{&checkpoint.state.q, &checkpoint.state.p};
    for (model::Memory& array : checkpoint.state.memory) arrays.push_back(&array.values);
    for (model::Memory& array : checkpoint.record) arrays.push_back(&array.values);
    std::vector<double>& array = *arrays[random_() % arrays.size()];
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr std::array values{-1.0, 0.5, 1e9, 1e300, -1e300, infinity, nan, 7.0};
    const double value = values[random_() % values.size()];
    if (array.empty() || random_() % 4 == 0) {
      array.push_back(value);
    } else if (random_() % 4 == 0) {
      array.pop_back();
    } else {
      array[random_() % array.size()] = value;
    }
    if (random_() % 16 == 0) checkpoint.state.step += random_() % 2 == 0 ? -1000 : 1000;
  }

  testing::TemporaryFolder folder_;
  observe::Checkpoint made_;
  std::mt19937 random_{7};
};

TEST_P(ForgedCheckpoint, IsRefusedOrTaken) {
  int refused = 0;
  for (int i = 0; i < 25; ++i) {
    observe::Checkpoint forged = made_;
    forge(forged);
    observe::write_checkpoint(folder_.path() / files::result_files::checkpoint, forged);
    try {
      run_for(Session::resume(folder_.path(), nullptr, 1), 3);
    } catch (const base::InputError&) {
      ++refused;
    } catch (const base::NumericalFailure&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 3);
}

std::string name_of_scene(const ::testing::TestParamInfo<ForgedCheckpoint::ParamType>& scene) {
  return std::array{"bars", "shells", "boxes", "beam"}[scene.index];
}

INSTANTIATE_TEST_SUITE_P(Scenes, ForgedCheckpoint,
                         ::testing::Values(R"(
time: {end: 2, step: 0.02}
integrator: {type: capture-return}
bodies:
  left: {type: bar, length: 1, cells: 4, density: 1, youngs_modulus: 1, position: [-1.01, 0, 0], velocity: [1, 0, 0]}
  right: {type: bar, length: 1, cells: 4, density: 1, youngs_modulus: 1, position: [0.01, 0, 0]}
contacts: [{between: [left, right]}]
output: {frames_every: 0.04, history_every: 0.02, report: false}
)",
                                           R"(
time: {end: 1e-2, step: 1e-4}
integrator: {type: capture-return}
bodies:
  ball: {type: shell, shape: {type: sphere, radius: 1, cells: 2}, thickness: 0.1, youngs_modulus: 1000, density: 1,
         position: [0, 0, 1.1], velocity: [0, 0, -100]}
  plate: {type: shell, shape: {type: plate, size: [2, 2], cells: [3, 3]}, thickness: 0.1,
          youngs_modulus: 1000, density: 1}
contacts: [{between: [ball, plate], friction: 0.3, gap: 0.01}]
output: {frames_every: 2e-4, history_every: 2e-4, report: false}
)",
                                           R"(
time: {end: 1, step: 1e-3}
gravity: [0, 0, -9.81]
bodies:
  boxes: {type: rigid, shape: {type: box, size: [1, 1, 1]}, position: [0, 0, 0.5], copies: {type: grid, count: [1, 1, 3], spacing: [2, 2, 1]}}
  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}
contacts: [{between: [boxes, floor], friction: 0.3}, {between: [boxes, boxes], friction: 0.3}]
output: {frames_every: 2e-3, history_every: 1e-3, report: false}
)",
                                           R"(
time: {end: 1, step: 1e-3}
integrator: {type: multisymplectic-beam, noether: 20}
bodies:
  beam: {type: beam, length: 1, cells: 4, density: 100, youngs_modulus: 1e5,
         section: {type: rectangle, height: 0.1, width: 0.1}, velocity: [0, 0, 1]}
output: {history_every: 1e-3, report: false}
)"),
                         name_of_scene);

}  // namespace
}  // namespace ictus::run
