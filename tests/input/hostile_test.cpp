#include <sys/stat.h>

#include <gmock/gmock.h>

#include "input/run_in_folder.hpp"
#include "replaced.hpp"

namespace ictus::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view shells = R"(time: {end: 1e-3, step: 1e-5}
integrator: {type: cd-lagrange}
bodies:
  left: {type: shell, shape: {type: sphere, radius: 1, cells: 4}, thickness: 0.1, youngs_modulus: 1000, density: 1}
  right: {type: shell, shape: {type: sphere, radius: 1, cells: 4}, thickness: 0.1, youngs_modulus: 1000, density: 1,
          position: [2.5, 0, 0]}
contacts:
  - {between: [left, right]}
)";

/// The program takes these arguments for a mistake and says so; it does not crash, hang or take all memory.
void expect_mistake(const RunFolder& folder, const std::vector<std::string>& arguments, const std::string& message) {
  const Ended ended = folder.run(arguments);
  EXPECT_EQ(ended.code, 2) << message << ": " << ended.err;
  EXPECT_THAT(ended.err, HasSubstr(message));
}

std::vector<std::string> with(const std::string& set) { return {"run", "my.yaml", "--out", "results", "--set", set}; }

TEST(Hostile, EveryCommandSaysWhenItsOutputIsLost) {
  const RunFolder folder("my.yaml", bars_and_wall);
  const std::vector<std::vector<std::string>> commands{{"cases"},
                                                       {"show", "two-bars/steel"},
                                                       {"schema"},
                                                       {"integrators"},
                                                       {"completion", "bash"},
                                                       {"check", "my.yaml"},
                                                       {"--help"},
                                                       {"--version"},
                                                       {"run", "my.yaml", "--out", "results", "--force"}};
  for (const std::vector<std::string>& command : commands) {
    const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    ASSERT_GE(full, 0);
    const Ended ended = testing::ictus(command, {.folder = folder.path(), .out = full});
    close(full);
    EXPECT_EQ(ended.code, 2) << command.front();
    EXPECT_THAT(ended.err, HasSubstr("standard output: cannot be written")) << command.front();
  }
}

TEST(Hostile, SizesBeyondTheMachineAreRefused) {
  const RunFolder folder("my.yaml", bars_and_wall);
  expect_mistake(folder, with("bodies.left.cells=2147483647"),
                 "bodies.left.cells: 2.14748e+09 elements would take about 1.61 TB of memory");
  expect_mistake(folder,
                 with("bodies.left={type: solid, density: 1, youngs_modulus: 1, shape: {type: box, size: "
                      "[1,1,1], cells: [5,4,1e9]}}"),
                 "bodies.left.shape.cells: 2e+10 cells would take about 106 TB");
  expect_mistake(folder, with("integrator={type: coupled, ratio: 1e9, implicit: [{bodies: [left]}]}"),
                 "integrator.ratio: must be at most 10000");
}

TEST(Hostile, PipesAndLoopsAreNotRead) {
  const RunFolder folder("my.yaml", bars_and_wall);
  ASSERT_EQ(mkfifo((folder / "pipe.yaml").c_str(), 0600), 0);
  for (const char* name : {"pipe.obj", "pipe.inp", "pipe.csv", "pipe.txt"})
    ASSERT_EQ(mkfifo((folder / name).c_str(), 0600), 0);
  std::filesystem::create_symlink("loop.obj", folder / "loop.obj");
  expect_mistake(folder, {"run", "pipe.yaml"}, "pipe.yaml: is a pipe or a device, not a plain file");
  expect_mistake(folder, {"contact-problem", "pipe.txt"}, "pipe.txt: is a pipe or a device, not a plain file");
  const std::string pipe = "is a pipe or a device, not a plain file";
  expect_mistake(
      folder, with("bodies.left={type: rigid, shape: {type: sphere, radius: 1}, copies: {type: file, file: pipe.txt}}"),
      pipe);
  expect_mistake(folder, with("bodies.left={type: rigid, shape: {type: convex, file: pipe.obj}}"), pipe);
  expect_mistake(folder,
                 with("bodies.left={type: solid, density: 1, youngs_modulus: 1, shape: {type: mesh, file: "
                      "pipe.inp}}"),
                 pipe);
  expect_mistake(folder, with("bodies.left={type: rigid, shape: {type: convex, file: loop.obj}}"),
                 "bodies.left.shape.file: cannot be read: Too many levels");
}

TEST(Hostile, ResultsThatArePipesAreNotRead) {
  const RunFolder folder("my.yaml", bars_and_wall);
  ASSERT_EQ(folder.run({"run", "my.yaml", "--out", "results"}).code, 0);
  for (const char* name : {"results/history.csv", "results/checkpoint.h5"}) {
    const std::string content = read(folder / name);
    std::filesystem::remove(folder / name);
    ASSERT_EQ(mkfifo((folder / name).c_str(), 0600), 0);
    expect_mistake(folder, {"run", "--resume", "results"}, name);
    std::filesystem::remove(folder / name);
    folder.put(name, content);
  }
}

TEST(Hostile, AnEditedHistoryIsNotTakenUp) {
  const RunFolder folder("my.yaml", bars_and_wall);
  ASSERT_EQ(folder.run({"run", "my.yaml", "--out", "results"}).code, 0);
  std::string history = read(folder / "results/history.csv");
  const std::size_t digit = history.find_last_of("12345678");
  ++history[digit];
  folder.put("results/history.csv", history);
  expect_mistake(folder, {"run", "--resume", "results"},
                 "results/history.csv: was changed since the checkpoint was written");
  --history[digit];
  folder.put("results/history.csv", history);
  EXPECT_EQ(folder.run({"run", "--resume", "results"}).code, 0);
}

TEST(Hostile, AnExactSolutionWithoutEndIsRefused) {
  const std::string scene = std::string(bars_and_wall) + "reference: exact\n";
  const RunFolder folder("my.yaml", scene);
  for (const char* set :
       {"bodies.left.density=1e300", "bodies.left.youngs_modulus=1e-300", "bodies.right.length=1e200"})
    EXPECT_EQ(folder
                  .run({"run", "my.yaml", "--out", "results", "--set", set, "--set", "time.allow_unstable=true",
                        "--set", "contacts.1.between=[left, wall]"})
                  .code,
              2)
        << set;
  expect_mistake(folder, with("bodies.left.density=1e300"), "reference: no exact solution here: a wave covers only");
}

TEST(Hostile, SurfacesThatTurnTooFastForTheirStepAreRefused) {
  const RunFolder folder("my.yaml", shells);
  expect_mistake(folder, with("bodies.left.angular_velocity=[1e9, 0, 0]"),
                 "left turns so fast that a vertex of it moves by");
}

TEST(Hostile, PositionsBeyondAllSenseAreRefused) {
  const RunFolder folder("my.yaml", bars_and_wall);
  folder.put("places.txt", "0 0 0\n");
  std::filesystem::resize_file(folder / "places.txt", std::uintmax_t{1} << 30);  // zeros, which take no room
  expect_mistake(
      folder,
      with("bodies.left={type: rigid, shape: {type: sphere, radius: 1}, copies: {type: file, file: places.txt}}"),
      "places.txt: holds 1.07e+03 MB; at most 268 MB are read");
}

}  // namespace
}  // namespace ictus::testing
