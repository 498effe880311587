#include <fmt/format.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ictus/files/atomic_file.hpp>

#include "../apps/ictus/completion.hpp"
#include "support/temporary_folder.hpp"

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
  files::write_file(folder.path() / "ictus.bash", script("bash"));
  std::filesystem::create_directory(folder.path() / "results");
  files::write_file(folder.path() / "bar.yaml", "");
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
    files::write_file(folder.path() / "script", script(shell));
    EXPECT_EQ(output_of(fmt::format("{} -n {}", shell, (folder.path() / "script").string())), "") << shell;
  }
}

TEST(Completion, FishOffersWhatItShould) {
  if (!exists("fish")) GTEST_SKIP() << "fish is not installed";
  const ictus::testing::TemporaryFolder folder;
  files::write_file(folder.path() / "ictus.fish", script("fish"));
  const auto offers = [&](const std::string& line) {
    return output_of(fmt::format("HOME={0} fish --no-config -c 'source {0}/ictus.fish; complete -C \"{1}\"'",
                                 folder.path().string(), line));
  };
  EXPECT_THAT(offers("ictus rep"), HasSubstr("report\tReport"));
  EXPECT_THAT(offers("ictus run --f"), HasSubstr("--force\tReplace"));
  EXPECT_THAT(offers("ictus run beams/"), HasSubstr("beams/drop"));
}

/// A zsh at a terminal of its own, which has read the script.
class InteractiveZsh {
 public:
  explicit InteractiveZsh(const std::filesystem::path& folder) {
    shell_ = forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (shell_ == 0) {
      setenv("HOME", folder.c_str(), 1);
      setenv("TERM", "dumb", 1);
      setenv("PS1", "ready>", 1);
      execlp("zsh", "zsh", "-f", "-i", nullptr);
      _exit(127);
    }
    read_until("ready>");  // what is typed before may be lost
    // Ctrl-G tells that everything before it was dealt with.
    send(
        fmt::format("cd {}; stty cols 200; PS1=''; fpath=($PWD $fpath); autoload -U compinit; compinit -u; "
                    "tell() {{ print END $BUFFER; }}; zle -N tell; bindkey '^G' tell; setopt no_list_ambiguous; "
                    "print REA''DY\n",
                    folder.string()));
    read_until("READY");
  }
  ~InteractiveZsh() {
    kill(shell_, SIGKILL);
    waitpid(shell_, nullptr, 0);
    close(terminal_);
  }
  InteractiveZsh(const InteractiveZsh&) = delete;
  InteractiveZsh& operator=(const InteractiveZsh&) = delete;

  /// What is shown after the line and a tab; the line as it was completed is behind "END".
  std::string completed(const std::string& line) {
    send("\x15" + line + "\t\a");  // Ctrl-U forgets the line before
    std::string shown = read_until("END ictus");
    shown += read_until("\n");
    return shown;
  }

 private:
  void send(const std::string& text) { ASSERT_EQ(write(terminal_, text.data(), text.size()), std::ssize(text)); }

  std::string read_until(const std::string& end) {
    std::string text;
    char c = 0;
    pollfd wait{terminal_, POLLIN, 0};
    while (!text.ends_with(end) && poll(&wait, 1, 20'000) > 0 && read(terminal_, &c, 1) == 1) text += c;
    return text;
  }

  int terminal_ = -1;
  pid_t shell_ = -1;
};

TEST(Completion, ZshOffersWhatItShould) {
  if (!exists("zsh")) GTEST_SKIP() << "zsh is not installed";
  const ictus::testing::TemporaryFolder folder;
  files::write_file(folder.path() / "_ictus", script("zsh"));
  std::filesystem::create_directory(folder.path() / "results");
  files::write_file(folder.path() / "bar.yaml", "");
  InteractiveZsh shell(folder.path());
  const auto completed = [&](const std::string& line) { return shell.completed(line); };
  EXPECT_THAT(completed("ictus rep"), HasSubstr("END ictus report"));
  EXPECT_THAT(completed("ictus r"), ::testing::AllOf(HasSubstr("report"), HasSubstr("what it's all about [really]")));
  EXPECT_THAT(completed("ictus run --f"), HasSubstr("END ictus run --force"));
  EXPECT_THAT(completed("ictus run beams/"), HasSubstr("END ictus run beams/drop"));
  EXPECT_THAT(completed("ictus report res"), HasSubstr("END ictus report results/"));
  const std::string scenes = completed("ictus run bar");
  EXPECT_THAT(scenes, ::testing::AllOf(HasSubstr("bar.yaml"), HasSubstr("bars/cradle")));
  EXPECT_THAT(scenes, ::testing::Not(HasSubstr("bad option")));
}

}  // namespace
}  // namespace ictus::program
