// The command line: misspelt, incomplete, contradictory; help.
#include <gmock/gmock.h>

#include "run_in_folder.hpp"

namespace ictus {
namespace {

using ::testing::AllOf;
using testing::bars_and_wall;
using testing::Ended;
using ::testing::HasSubstr;
using testing::RunFolder;

struct Line {
  const char* name;
  std::vector<std::string> arguments;
  const char* message;
};

class WrongLine : public ::testing::TestWithParam<Line> {};

TEST_P(WrongLine, IsAnsweredExactlyAndNothingIsWritten) {
  RunFolder().expect_refused(GetParam().arguments, GetParam().message);
}

const Line wrong_lines[] = {
    {"MisspeltCommand",
     {"rnu", "two-bars/steel"},
     "ictus: unknown command 'rnu', did you mean 'run'?\n`ictus --help` says more.\n"},
    {"MisspeltOption",
     {"run", "two-bars/steel", "--frce"},
     "ictus run: unknown option '--frce', did you mean '--force'?\n`ictus run --help` says more.\n"},
    {"MisspeltOptionWithValue",
     {"run", "two-bars/steel", "--thread", "4"},
     "ictus run: unknown option '--thread', did you mean '--threads'?\n`ictus run --help` says more.\n"},
    {"MisspeltOptionOfTheProgram",
     {"--verson"},
     "ictus: unknown option '--verson', did you mean '--version'?\n`ictus --help` says more.\n"},
    {"OptionOfAnotherKind",
     {"schema", "--colour"},
     "ictus schema: unknown option '--colour', the options are --help, --reference\n`ictus schema --help` says "
     "more.\n"},
    {"OptionBeforeTheCommand",
     {"--force", "run", "two-bars/steel"},
     "ictus: option '--force' belongs after the command: ictus run --force\n`ictus --help` says more.\n"},
    {"OneArgumentTooMany",
     {"run", "two-bars/steel", "two-bars/identical"},
     "ictus run: one argument too many: 'two-bars/identical'\n`ictus run --help` says more.\n"},
    {"NothingToCheck", {"check"}, "ictus check: SCENE is required\n`ictus check --help` says more.\n"},
    {"NoThreads",
     {"run", "two-bars/steel", "--threads", "0"},
     "ictus run: --threads: must be auto or a whole number from 1 to 1024, not 0\n`ictus run --help` says more.\n"},
    {"ThreadsInWords",
     {"run", "two-bars/steel", "--threads", "many"},
     "ictus run: --threads: must be auto or a whole number from 1 to 1024, not many\n`ictus run --help` says more.\n"},
    {"UnknownDevice",
     {"run", "two-bars/steel", "--device", "gpu"},
     "ictus run: --device: must be host, cuda or auto, not gpu\n`ictus run --help` says more.\n"},
    {"WhatADeviceCannotTake",
     {"run", "two-bars/steel", "--device", "cuda"},
     "--device: cuda cannot take yet, of this scene: the integrator cd-lagrange, contacts, left (its kind of body), "
     "right (its kind of body). It knows shells without contact under central-difference, with gravity and supports; "
     "leave --device out\n"},
    {"ResumeAndForce",
     {"run", "--force", "--resume", "results"},
     "ictus run: --resume excludes --force\n`ictus run --help` says more.\n"},
    {"ResumeIntoAnotherFolder",
     {"run", "--resume", "results", "--out", "others"},
     "--out: a resumed run goes on in its own folder; leave --out out\n"},
    {"NothingToRun", {"run"}, "SCENE: is missing: name a scene file or a case (see `ictus cases`)\n"},
    {"MisspeltCase",
     {"run", "two-bars/steal"},
     "two-bars/steal: is neither a file nor a case; did you mean two-bars/steel?\n"},
    {"CaseLikeNoOther", {"show", "xyzzy"}, "xyzzy: is neither a file nor a case; `ictus cases` lists the cases\n"},
    {"SetWithoutValue",
     {"run", "two-bars/steel", "--set", "time.end"},
     "--set time.end: must be path=value, such as time.end=2.5\n"},
    {"SetToNonsense",
     {"run", "two-bars/steel", "--set", "time.ends=2"},
     "--set time.ends=2: time.ends: unknown key, did you mean 'end'?\n"},
    {"ProbeOfNobody",
     {"run", "two-bars/identical", "--set", "probes.left_tip.body=\"\""},
     "--set probes.left_tip.body=\"\": probes.left_tip.body: must be the name of a body, not \"\"\n"},
    {"ProbeOfAll",
     {"run", "two-bars/identical", "--set", "probes.left_tip.body=all"},
     "--set probes.left_tip.body=all: probes.left_tip.body: a probe is of one body, not of all\n"},
    {"ContactWithNobody",
     {"run", "two-bars/identical", "--set", "contacts.0.between=[\"\", right]"},
     "--set contacts.0.between=[\"\", right]: contacts.0.between.0: must be the name of a body, not \"\"\n"},
    {"ImplicitBoxAroundEverything",
     {"run", "solids/rubber-coupled", "--set", "integrator.implicit.0.box={from: [-1, -1, -1], to: [1, 1, 1]}"},
     "--set integrator.implicit.0.box={from: [-1, -1, -1], to: [1, 1, 1]}: integrator.implicit.0.box: takes all of "
     "block; without `set` and `box` a body is implicit as a whole\n"},
    {"ExportOfNothing",
     {"export", "results"},
     "results/summary.json: there is no such file\n"
     "results/scene.yaml: there is no such file\n"
     "results/history.csv: there is no such file\n"
     "results/contacts.csv: there is no such file\n"},
    {"ReportOfNothing",
     {"report", "results"},
     "results/summary.json: there is no such file\n"
     "results/scene.yaml: there is no such file\n"
     "results/history.csv: there is no such file\n"
     "results/contacts.csv: there is no such file\n"},
};
INSTANTIATE_TEST_SUITE_P(CommandLine, WrongLine, ::testing::ValuesIn(wrong_lines),
                         [](const auto& one) { return one.param.name; });

TEST(Help, IsShownWhereNoCommandIsGiven) {
  const RunFolder folder;
  const Ended bare = folder.run({}), asked = folder.run({"--help"});
  EXPECT_EQ(bare.code, 2);
  EXPECT_EQ(bare.out, "");
  EXPECT_EQ(asked.code, 0);
  EXPECT_EQ(asked.err, "");
  EXPECT_EQ(bare.err, asked.out);
  EXPECT_THAT(asked.out, AllOf(HasSubstr("ictus run two-bars/steel"), HasSubstr("Exit codes:\n    0  done\n    2  ")));
}

/// The commands, as the help lists them.
std::vector<std::string> commands(const RunFolder& folder) {
  std::istringstream help(folder.run({"--help"}).out);
  std::vector<std::string> names;
  std::string line;
  while (std::getline(help, line) && line != "Commands:") continue;
  while (std::getline(help, line) && line.starts_with("  ")) names.push_back(line.substr(2, line.find(' ', 2) - 2));
  return names;
}

TEST(Help, OfEveryCommandHasAnExample) {
  const RunFolder folder;
  const std::vector<std::string> names = commands(folder);
  EXPECT_GE(names.size(), 7u);
  for (const std::string& name : names) {
    const Ended help = folder.run({name, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_EQ(help.err, "");
    EXPECT_THAT(help.out, AllOf(HasSubstr("Usage: ictus " + name), HasSubstr("Example"), HasSubstr("  ictus " + name)));
  }
}

TEST(Commands, ThatListPrintOnStandardOutput) {
  const RunFolder folder;
  const std::pair<std::vector<std::string>, std::string> expected[] = {{{"--version"}, "ictus "},
                                                                       {{"cases"}, "bars/cradle "},
                                                                       {{"schema"}, "{\n"},
                                                                       {{"schema", "--reference"}, "# "},
                                                                       {{"integrators"}, "central-difference\n"},
                                                                       {{"show", "two-bars/steel"}, "title: "}};
  for (const auto& [arguments, part] : expected) {
    const Ended ended = folder.run(arguments);
    EXPECT_EQ(ended.code, 0) << arguments.front();
    EXPECT_EQ(ended.err, "");
    EXPECT_THAT(ended.out, HasSubstr(part));
  }
  EXPECT_TRUE(folder.names().empty());
}

TEST(Commands, SayWhenTheirOutputIsLost) {
  const RunFolder folder;
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  const Ended ended = testing::ictus({"show", "two-bars/steel"}, {.folder = folder.path(), .out = full});
  close(full);
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.err, "standard output: cannot be written: No space left on device\n");
}

TEST(Check, TellsStepAndWhatLimitsIt) {
  const Ended ended = RunFolder("my.yaml", bars_and_wall).run({"check", "my.yaml"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.out,
            "my.yaml: no mistakes\n"
            "integrator    cd-lagrange\n"
            "unknowns      10\n"
            "step          0.1 s, 0.4 of the largest stable step, 0.25 s, set by element 0 of left\n"
            "steps         20\n"
            "may touch     1 pair of bar and bar\n"
            "may touch     1 pair of bar and plane\n");
}

}  // namespace
}  // namespace ictus
