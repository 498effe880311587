// `ictus upgrade` on files: whole or untouched.
#include <gmock/gmock.h>

#include "run_in_folder.hpp"

namespace ictus {
namespace {

using testing::RunFolder;

constexpr const char* old_scene = R"(time: {end: 2, step: 0.1}
bodies:
  left: {type: bar, length: 1, elements: 4, density: 1, youngs_modulus: 1}  # the only one
output: {every: 0.5, frames: none}
)";

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(UpgradeCommand, RewritesAFileThatThenRuns) {
  const RunFolder folder("my.yaml", old_scene);
  folder.expect_refused(
      {"check", "my.yaml"},
      "my.yaml:3: bodies.left.elements: version 1 word 'elements': write 'cells'; `ictus upgrade` rewrites the file\n"
      "my.yaml:4: output.every: version 1 word 'every': write 'history_every'; `ictus upgrade` rewrites the file\n"
      "my.yaml:4: output.frames: version 1 word 'frames': write 'frames_every'; `ictus upgrade` rewrites the file\n");
  const testing::Ended ended = folder.run({"upgrade", "my.yaml"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, "my.yaml: rewritten, 3 old words\n");
  const std::string now = text_of(folder / "my.yaml");
  EXPECT_EQ(now, R"(version: 2
time: {end: 2, step: 0.1}
bodies:
  left: {type: bar, length: 1, cells: 4, density: 1, youngs_modulus: 1}  # the only one
output: {history_every: 0.5, frames_every: none}
)");
  EXPECT_EQ(folder.run({"check", "my.yaml"}).code, 0);
  EXPECT_EQ(folder.run({"upgrade", "my.yaml"}).out, "my.yaml: is in the words of version 2 already\n");
  EXPECT_EQ(text_of(folder / "my.yaml"), now);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"my.yaml"});
}

TEST(UpgradeCommand, LeavesAWrongFileAsItWas) {
  const RunFolder folder("my.yaml", "time: {end: 1\n");
  EXPECT_EQ(folder.run({"upgrade", "my.yaml"}).code, 2);
  EXPECT_EQ(text_of(folder / "my.yaml"), "time: {end: 1\n");
  folder.expect_refused({"upgrade", "none.yaml"}, "none.yaml: there is no such file\n");
}

TEST(UpgradeCommand, TellsTheMistakesThatAreLeft) {
  const RunFolder folder("my.yaml", old_scene + std::string("colour: red\n"));
  const testing::Ended ended = folder.run({"upgrade", "my.yaml"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, ::testing::StartsWith("my.yaml:6: colour: unknown key"));
  EXPECT_THAT(text_of(folder / "my.yaml"), ::testing::HasSubstr("cells: 4"));
}

}  // namespace
}  // namespace ictus
