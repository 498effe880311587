// What scripts rely on: standard input, JSON, exit codes, later ends, quiet commands, the manual page.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "replaced.hpp"
#include "run_in_folder.hpp"

namespace ictus {
namespace {

using testing::bars_and_wall;
using testing::Ended;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Program;
using testing::read;
using testing::replaced;
using testing::RunFolder;
using Json = nlohmann::json;

/// The program with a file as its standard input.
Ended fed(const RunFolder& folder, const std::string& input, const std::vector<std::string>& arguments) {
  const int kept = dup(STDIN_FILENO), file = open((folder / input).c_str(), O_RDONLY | O_CLOEXEC);
  dup2(file, STDIN_FILENO);
  const Ended ended = folder.run(arguments);
  dup2(kept, STDIN_FILENO);
  close(file);
  close(kept);
  return ended;
}

TEST(Scripting, ASceneComesFromStandardInput) {
  const RunFolder folder("my.yaml", bars_and_wall);
  ASSERT_EQ(fed(folder, "my.yaml", {"run", "-", "--quiet"}).code, 0);
  ASSERT_EQ(folder.run({"run", "my.yaml", "--quiet"}).code, 0);
  EXPECT_EQ(read(folder / "runs/stdin/history.csv"), read(folder / "runs/my/history.csv"));
  folder.put("wrong.yaml", "time: 3\n");
  const Ended wrong = fed(folder, "wrong.yaml", {"check", "-"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("standard input:1: time"));
}

TEST(Scripting, JsonIsTheWholeOfStandardOutput) {
  const RunFolder folder("my.yaml", bars_and_wall);
  const Json result = Json::parse(folder.run({"run", "my.yaml", "--json"}).out);
  EXPECT_EQ(result["status"], "completed");
  EXPECT_EQ(result["exit_code"], 0);
  EXPECT_EQ(result["results"], "runs/my");
  EXPECT_EQ(result["time"]["steps"], 20);
  const Json checked = Json::parse(folder.run({"check", "my.yaml", "--json"}).out);
  EXPECT_EQ(checked["steps"], 20);
  EXPECT_EQ(checked["pairs"], Json::parse(R"([{"between": ["bar", "bar"], "pairs": 1},
                                              {"between": ["bar", "plane"], "pairs": 1}])"));
  const Ended refused = folder.run({"check", "my.yaml", "--json", "--set", "time.step=9"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, IsEmpty());
  EXPECT_EQ(Json::parse(refused.out)["mistakes"][0]["key"], "time.step");
  EXPECT_EQ(Json::parse(folder.run({"modes", "my.yaml", "--json", "--count", "3"}).out)["modes"].size(), 3);
  EXPECT_GT(Json::parse(folder.run({"cases", "--json"}).out).size(), 20);
}

TEST(Scripting, WallTimeHasACodeOfItsOwn) {
  const RunFolder folder("my.yaml", bars_and_wall);
  const Ended ended = folder.run({"run", "my.yaml", "--set", "time.end=1e9", "--set", "limits.wall_time=0.3"});
  EXPECT_EQ(ended.code, 5);
  EXPECT_THAT(ended.out, HasSubstr("limits.wall_time gives has passed. Go on with:  ictus run --resume runs/my"));
}

/// A run that is given a later end, even one whose old end lies between two rows, writes what a run with that end does.
TEST(Scripting, ALaterEndGivesTheSameFiles) {
  const RunFolder folder("my.yaml", replaced(bars_and_wall, "title: Bars and wall",
                                             "title: Bars and wall\noutput: {history_every: 0.3, frames_every: 0.7}"));
  ASSERT_EQ(folder.run({"run", "my.yaml", "--out", "short", "--quiet"}).code, 0);
  const Ended later = folder.run({"run", "--resume", "short", "--set", "time.end=5", "--quiet"});
  ASSERT_EQ(later.code, 0) << later.err;
  ASSERT_EQ(folder.run({"run", "my.yaml", "--out", "long", "--set", "time.end=5", "--quiet"}).code, 0);
  for (const char* file : {"history.csv", "contacts.csv", "scene.yaml", "frames.pvd"})
    EXPECT_EQ(read(folder / "short" / file), read(folder / "long" / file)) << file;

  const auto refused = [&](const std::string& change) {
    const Ended ended = folder.run({"run", "--resume", "short", "--set", change});
    EXPECT_EQ(ended.code, 2);
    return ended.err;
  };
  EXPECT_THAT(refused("bodies.left.velocity=[2, 0, 0]"), HasSubstr("a resumed run keeps its scene but for time.end"));
  EXPECT_THAT(refused("time.end=3"), HasSubstr("time.end: 3 s is before 5 s, which the run has reached"));
}

TEST(Scripting, QuietCommandsPrintNothing) {
  const RunFolder folder("my.yaml", bars_and_wall);
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"check", "my.yaml", "--quiet"},
        {"compare", "my.yaml", "--vary", "bodies.left.cells=4,5", "--vary", "time.step=0.1,0.05", "--quiet"}}) {
    const Ended ended = folder.run(arguments);
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_THAT(ended.out + ended.err, IsEmpty());
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "runs/my-compare/cells=5-step=0.05/summary.json"));
}

TEST(Scripting, AStudyTellsHowFarItIs) {
  const RunFolder folder("my.yaml", bars_and_wall);
  const Ended ended = folder.run({"compare", "my.yaml", "--vary", "bodies.left.cells=4,5", "--threads", "1"});
  EXPECT_THAT(ended.err, HasSubstr("1 of 2, "));
  EXPECT_THAT(ended.err, HasSubstr(" left\n"));
  EXPECT_THAT(ended.err, HasSubstr("2 of 2\n"));
}

TEST(Scripting, ACaseIsShownWithoutWhatItExpectsOfItself) {
  const RunFolder folder;
  const std::string shown = folder.run({"show", "two-bars/steel"}).out;
  EXPECT_THAT(shown, Not(HasSubstr("expect:")));
  EXPECT_THAT(shown, HasSubstr("probes:"));
  EXPECT_THAT(folder.run({"show", "two-bars/steel", "--expect"}).out, HasSubstr("expect:"));
  folder.put("my.yaml", shown);
  const Ended ended = folder.run({"run", "my.yaml", "--set", "bodies.left.cells=80"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.out, Not(HasSubstr("missed")));
}

TEST(Scripting, TheManualHasEveryCommandAndExitCode) {
  const RunFolder folder;
  const std::string manual = folder.run({"man"}).out, help = folder.run({"--help"}).out;
  EXPECT_THAT(manual, HasSubstr(".TH ICTUS 1"));
  for (const char* command : {"run", "check", "compare", "converge", "modes", "rest", "render", "view", "export"})
    EXPECT_THAT(manual, HasSubstr(std::string(".SS ictus ") + command + "\n"));
  EXPECT_THAT(manual, HasSubstr("\\fB\\-\\-resume\\fR \\fIDIR\\fR"));
  const std::string page = read(std::filesystem::path(ICTUS_SOURCE_DIR) / "docs" / "results.md");
  std::istringstream codes(help.substr(help.find("Exit codes:\n") + 12));
  int count = 0;
  std::string code, meaning;
  while (codes >> code && std::getline(codes >> std::ws, meaning)) {
    EXPECT_THAT(manual, HasSubstr(".TP\n\\fB" + code + "\\fR\n"));
    EXPECT_THAT(page, HasSubstr("| " + code + " | " + meaning + " |\n"));
    ++count;
  }
  EXPECT_EQ(count, 7);
}

constexpr std::string_view ball_over_floor = R"(time: {end: 0.01, step: 1 ms}
bodies:
  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}
  balls: {type: rigid, shape: {type: sphere, radius: 0.1}, position: [0, 0, 1], copies: {type: grid, count: [4, 1, 1], spacing: [1, 0, 0]}}
  box: {type: rigid, shape: {type: box, size: [1, 1, 1]}, position: [0, 0, 3]}
contacts:
  - {between: [balls, floor]}
  - {between: [balls, balls]}
)";

TEST(Scripting, CheckCountsPairsAndWarnsOfBodiesInNoContact) {
  const RunFolder folder("my.yaml", ball_over_floor);
  const std::string output = folder.run({"check", "my.yaml"}).out;
  EXPECT_THAT(output, HasSubstr("may touch     4 pairs of plane and rigid sphere\n"));
  EXPECT_THAT(output, HasSubstr("may touch     6 pairs of rigid sphere and rigid sphere\n"));
  const std::string warning =
      "Note: box is in no contact and would pass through balls and floor; name it in `contacts` if it may touch\n";
  EXPECT_THAT(output, HasSubstr(warning));
  EXPECT_THAT(folder.run({"run", "my.yaml"}).out, HasSubstr(warning));
  EXPECT_THAT(folder.run({"check", "my.yaml", "--set", "contacts.0.between=[all, floor]"}).out,
              Not(HasSubstr("in no contact")));
}

/// Balls in a row are kept apart by those between them; a ball beside the row is not.
TEST(Scripting, CheckWarnsOfBodiesThatCanMeetWithoutAContact) {
  const RunFolder folder("my.yaml", R"(time: {end: 0.01, step: 1 ms}
bodies:
  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}
  a: {type: rigid, shape: {type: sphere, radius: 0.1}, position: [0, 0, 1]}
  b: {type: rigid, shape: {type: sphere, radius: 0.1}, position: [1, 0, 1]}
  c: {type: rigid, shape: {type: sphere, radius: 0.1}, position: [2, 0, 1]}
  d: {type: rigid, shape: {type: sphere, radius: 0.1}, position: [2, 1, 1]}
contacts:
  - {between: [all, floor]}
  - {between: [a, b]}
  - {between: [b, c]}
)");
  const std::string output = folder.run({"check", "my.yaml"}).out;
  for (const char* other : {"a", "b", "c"}) {
    EXPECT_THAT(output, HasSubstr(fmt::format("Note: {} would pass through d: no contact is between them\n", other)));
  }
  EXPECT_THAT(output, Not(HasSubstr("a would pass through c")));
}

}  // namespace
}  // namespace ictus
