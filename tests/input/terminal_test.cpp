// The line that a run shows on a terminal while it works.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <pty.h>

#include <regex>

#include "run_in_folder.hpp"

namespace ictus {
namespace {

using testing::bars_and_wall;
using testing::RunFolder;

/// What appears on a terminal of `columns` columns during a run that is stopped after a fraction of a second.
std::string shown(unsigned short columns) {
  const RunFolder folder("my.yaml", bars_and_wall);
  const winsize size{24, columns, 0, 0};
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, &size);
  if (pid == 0) {
    if (chdir(folder.path().c_str()) == 0) {
      execl(ICTUS_PROGRAM, "ictus", "run", "my.yaml", "--set", "time.end=1e9", "--set", "limits.wall_time=0.4",
            nullptr);
    }
    _exit(127);
  }
  std::string text;
  char block[4096];
  for (ssize_t got = 0; (got = ::read(terminal, block, sizeof block)) > 0;)
    text.append(block, static_cast<std::size_t>(got));
  close(terminal);
  waitpid(pid, nullptr, 0);
  return text;
}

/// The states of the line, each of which replaced the one before.
std::vector<std::string> states(const std::string& text) {
  static const std::string begin = "\r\x1b[2K";
  std::vector<std::string> result;
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
    const std::size_t from = at + begin.size();
    result.push_back(text.substr(from, text.find('\r', from) - from));
  }
  return result;
}

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

void expect_all_match(const std::vector<std::string>& lines, const std::string& pattern) {
  EXPECT_GE(lines.size(), 1u);
  for (const std::string& line : lines) EXPECT_TRUE(std::regex_match(line, std::regex(pattern))) << line;
}

constexpr const char* number = "[0-9.e+-]+";

TEST(LiveLine, TellsTimeStepResidualDriftContactsAndTimeLeft) {
  expect_all_match(states(shown(200)), fmt::format("t {0} s +[0-9]+ %  h 0.1 s \\(element 0 of left\\)  energy "
                                                   "error {0} %  momentum drift {0}  contacts [0-2]  .+ left",
                                                   number));
}

TEST(LiveLine, FitsAnOrdinaryTerminal) {
  const std::vector<std::string> lines = states(shown(80));
  expect_all_match(lines,
                   fmt::format("{0} s [0-9]+%  .+ left  ΔE {0}%  Δp {0}  n [0-2]  h 0.1 element 0 of left", number));
  for (const std::string& line : lines) EXPECT_LT(characters(line), 80u) << line;
}

TEST(LiveLine, IsCutWhereTheTerminalIsNarrow) {
  const std::vector<std::string> lines = states(shown(30));
  EXPECT_GE(lines.size(), 1u);
  for (const std::string& line : lines) {
    EXPECT_EQ(characters(line), 29u) << line;
    EXPECT_TRUE(line.ends_with("…")) << line;
  }
}

}  // namespace
}  // namespace ictus
