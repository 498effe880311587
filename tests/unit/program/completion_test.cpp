#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <ictus/observe/atomic_file.hpp>

#include "../apps/ictus/completion.hpp"
#include "unit/observe/temporary_folder.hpp"

namespace ictus::program {
namespace {

using ::testing::HasSubstr;

/// A program of two commands.
struct SmallProgram {
  SmallProgram() {
    CLI::App* run = app.add_subcommand("run", "Run a scene: what it's all about [really]");
    run->add_option("SCENE", text, "Scene")->type_name("");
    run->add_option("--out", text, "Folder for 'results'")->type_name("DIR");
    run->add_option("--steps", text, "Steps")->type_name("N");
    run->add_flag("--force", flag, "Replace");
    app.add_subcommand("report", "Report")->add_option("DIR", text, "Folder")->type_name("");
  }
  CLI::App app{"small", "ictus"};
  std::string text;
  bool flag = false;
};

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> part;
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) text += part.data();
  pclose(pipe);
  return text;
}

bool exists(const std::string& shell) { return std::system(("command -v " + shell + " >/dev/null").c_str()) == 0; }

std::string script(std::string_view shell) {
  const SmallProgram program;
  return completion(shell, program.app, {"bars/cradle", "beams/drop"});
}

TEST(Completion, BashOffersCommandsOptionsCasesAndFolders) {
  const ictus::testing::TemporaryFolder folder;
  observe::write_file(folder.path() / "ictus.bash", script("bash"));
  std::filesystem::create_directory(folder.path() / "results");
  observe::write_file(folder.path() / "bar.yaml", "");
  const auto offers = [&](const std::string& words) {
    const std::string ask = fmt::format(
        "cd {} && source ./ictus.bash && COMP_WORDS=({}) && COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)) && _ictus && "
        "IFS=, && echo \"${{COMPREPLY[*]}}\"",
        folder.path().string(), words);
    return output_of(fmt::format("bash -c '{}'", ask));
  };
  EXPECT_EQ(offers("ictus re"), "report\n");
  EXPECT_EQ(offers("ictus run --"), "--help,--out,--steps,--force\n");
  EXPECT_EQ(offers("ictus run ba"), "bar.yaml,bars/cradle\n");
  EXPECT_EQ(offers("ictus report res"), "results\n");
  EXPECT_EQ(offers("ictus run --out r"), "results\n");
  EXPECT_EQ(offers("ictus --"), "--help\n");
}

TEST(Completion, ZshAndFishReadTheirScripts) {
  const ictus::testing::TemporaryFolder folder;
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    if (!exists(shell)) continue;
    observe::write_file(folder.path() / "script", script(shell));
    EXPECT_EQ(output_of(fmt::format("{} -n {}", shell, (folder.path() / "script").string())), "") << shell;
  }
}

TEST(Completion, FishOffersWhatItShould) {
  if (!exists("fish")) GTEST_SKIP() << "fish is not installed";
  const ictus::testing::TemporaryFolder folder;
  observe::write_file(folder.path() / "ictus.fish", script("fish"));
  const auto offers = [&](const std::string& line) {
    return output_of(fmt::format("HOME={0} fish --no-config -c 'source {0}/ictus.fish; complete -C \"{1}\"'",
                                 folder.path().string(), line));
  };
  EXPECT_THAT(offers("ictus rep"), HasSubstr("report\tReport"));
  EXPECT_THAT(offers("ictus run --f"), HasSubstr("--force\tReplace"));
  EXPECT_THAT(offers("ictus run beams/"), HasSubstr("beams/drop"));
}

}  // namespace
}  // namespace ictus::program
