// Scenes with mistakes: what is said, and that nothing is written.
#include <gmock/gmock.h>

#include <cstring>
#include <random>

#include "replaced.hpp"
#include "run_in_folder.hpp"

namespace ictus {
namespace {

using testing::bars_and_wall;
using testing::replaced;
using testing::RunFolder;

/// What a change of bars_and_wall is answered with, behind the name of the file.
struct Mistake {
  const char* name;
  const char* from;
  const char* to;
  const char* message;
};

class SceneMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(SceneMistake, IsNamedExactlyAndNothingIsWritten) {
  const Mistake& mistake = GetParam();
  const RunFolder folder("my.yaml", replaced(bars_and_wall, mistake.from, mistake.to));
  const std::string message = std::string("my.yaml:") + mistake.message + "\n";
  folder.expect_refused({"run", "my.yaml", "--out", "results"}, message);
  folder.expect_refused({"check", "my.yaml"}, message);
}

const Mistake in_the_file[] = {
    {"UnknownKey", "velocity", "velocty", "5: bodies.left.velocty: unknown key, did you mean 'velocity'?"},
    {"WrongType", "cells: 4", "cells: four", "5: bodies.left.cells: must be an integer ≥ 1, not four"},
    {"WrongUnit", "density: 1", "density: 1 mm",
     "5: bodies.left.density: must be a density > 0 (in kg/m^3), not 1 mm, which is a length"},
    {"NegativeDensity", "density: 1", "density: -1",
     "5: bodies.left.density: must be a density > 0 (in kg/m^3), not -1"},
    {"ZeroElements", "cells: 4", "cells: 0", "5: bodies.left.cells: must be an integer ≥ 1, not 0"},
    {"NotANumber", "length: 1", "length: .nan", "5: bodies.left.length: must be a length > 0 (in m), not .nan"},
    {"ContactWithNobody", "[left, right]", "[left, rigth]",
     "9: contacts.0.between.1: no body is named 'rigth', did you mean 'right'?"},
    {"DuplicateKey", "length: 1", "length: 1, length: 2", "5: bodies.left.length: given twice, first on line 5"},
    {"Tab", "  left:", "\tleft:", "5: is indented with a tab; YAML indents with spaces only"},
};
INSTANTIATE_TEST_SUITE_P(InTheFile, SceneMistake, ::testing::ValuesIn(in_the_file),
                         [](const auto& one) { return one.param.name; });

const Mistake among_bodies[] = {
    {"OverlapAtTheStart", "[-1.1, 0, 0]", "[-0.75, 0, 0]",
     "9: contacts.0.between: left and right overlap at the start by 0.15 m; move right by 0.15 m along (1, 0, 0), or "
     "give the contact `overlap: part`"},
    {"BeyondAPlane", "[1.5, 0, 0]", "[1, 0, 0]",
     "10: contacts.1.between: right and wall overlap at the start by 0.1 m; move right by 0.1 m along (-1, 0, 0), or "
     "give "
     "the contact `overlap: part`"},
    {"NotInLine", "[-1.1, 0, 0]", "[-1.1, 0.5, 0]",
     "9: contacts.0.between: left and right do not lie on one line: bars meet end to end along their common axis"},
    {"NotHeadOn", "normal: [-1, 0, 0]", "normal: [-1, 0, 1]",
     "10: contacts.1.between: right does not point at wall: a bar meets a plane head-on, its direction along the "
     "plane's normal"},
    {"VelocityAcrossTheAxis", "velocity: [1, 0, 0]", "velocity: [1, 0, 1]",
     "5: bodies.left.velocity: a bar moves along its axis only, here (1, 0, 0); give a velocity in that direction"},
    {"UnstableStep", "step: 0.1", "step: 0.3",
     "2: time.step: a step of 0.3 s is above 0.25 s, the largest stable one of cd-lagrange here, set by element 0 of "
     "left; use a smaller step, or time.allow_unstable: true"},
    {"UnstableCourantNumber", "step: 0.1", "courant: 1.2",
     "2: time.courant: a step of 0.3 s is above 0.25 s, the largest stable one of cd-lagrange here, set by element 0 "
     "of left; use a smaller step, or time.allow_unstable: true"},
    {"RestitutionThatCannotBe", "right]", "right], restitution: 0.5",
     "9: contacts.0.restitution: cd-lagrange cannot honour a restitution of 0.5; it allows only 0"},
    {"FrictionThatCannotBe", "right]", "right], friction: 0.5",
     "9: contacts.0.friction: bars meet head-on and cannot slide; it allows only 0"},
    {"TwoPlanes", "  - {between: [right, wall]}", "  - {between: [floor, wall]}",
     "10: contacts.1.between.0: no body is named 'floor', the bodies are left, right, wall"},
    {"ProbeOfAPlane", "body: left", "body: wall", "12: probes.tip.body: wall has nothing to probe"},
};
INSTANTIATE_TEST_SUITE_P(AmongBodies, SceneMistake, ::testing::ValuesIn(among_bodies),
                         [](const auto& one) { return one.param.name; });

TEST(SceneMistakes, PlanesCannotMeet) {
  std::string text = replaced(bars_and_wall, "[right, wall]", "[floor, wall]");
  text = replaced(text, "contacts:", "  floor: {type: plane, position: [0, 0, -1], normal: [0, 0, 1]}\ncontacts:");
  RunFolder("my.yaml", text)
      .expect_refused({"run", "my.yaml"},
                      "my.yaml:11: contacts.1.between: floor and wall are both planes and cannot meet\n");
}

TEST(SceneMistakes, AnIntegratorWithoutContactNamesEveryContact) {
  RunFolder("my.yaml", replaced(bars_and_wall, "cd-lagrange", "central-difference"))
      .expect_refused({"run", "my.yaml"},
                      "my.yaml:9: contacts.0: central-difference has no contact; choose another integrator or leave "
                      "the contact out\n"
                      "my.yaml:10: contacts.1: central-difference has no contact; choose another integrator or leave "
                      "the contact out\n");
}

TEST(SceneMistakes, AreAllNamedAtOnce) {
  std::string text = replaced(bars_and_wall, "end: 2", "end: soon");
  text = replaced(text, "density: 1", "density: -1");
  text = replaced(text, "wall]", "well]");
  RunFolder("my.yaml", text)
      .expect_refused({"run", "my.yaml", "--set", "bodies.right.length=2 kg", "--set", "output.frame=1"},
                      "my.yaml:2: time.end: must be a time > 0 (in s), not soon\n"
                      "my.yaml:5: bodies.left.density: must be a density > 0 (in kg/m^3), not -1\n"
                      "my.yaml:10: contacts.1.between.1: no body is named 'well', did you mean 'wall'?\n"
                      "--set bodies.right.length=2 kg: bodies.right.length: must be a length > 0 (in m), not 2 kg, "
                      "which is a mass\n"
                      "--set output.frame=1: output.frame: unknown key, did you mean 'frames_every'?\n");
}

TEST(SceneMistakes, OfBodiesAreAllNamedAtOnce) {
  std::string text = replaced(bars_and_wall, "velocity: [1, 0, 0]", "velocity: [1, 0, 1]");
  text = replaced(text, "right]", "right], restitution: 0.5");
  text = replaced(text, "[1.5, 0, 0]", "[1, 0, 0]");
  RunFolder("my.yaml", text)
      .expect_refused(
          {"run", "my.yaml"},
          "my.yaml:5: bodies.left.velocity: a bar moves along its axis only, here (1, 0, 0); give a velocity in that "
          "direction\n"
          "my.yaml:10: contacts.1.between: right and wall overlap at the start by 0.1 m; move right by 0.1 m along "
          "(-1, 0, "
          "0), or give the contact `overlap: part`\n"
          "my.yaml:9: contacts.0.restitution: cd-lagrange cannot honour a restitution of 0.5; it allows only 0\n");
}

TEST(SceneFile, Missing) {
  RunFolder().expect_refused({"run", "my.yaml"}, "my.yaml: cannot be opened: No such file or directory\n");
}

TEST(SceneFile, Empty) {
  RunFolder("my.yaml", "")
      .expect_refused({"run", "my.yaml"}, "my.yaml: is empty; a scene needs at least time and bodies\n");
}

TEST(SceneFile, ADirectory) {
  const RunFolder folder("scenes/my.yaml", bars_and_wall);
  folder.expect_refused({"run", "scenes"}, "scenes: is a directory, not a scene file\n");
}

TEST(SceneFile, Unreadable) {
  const RunFolder folder("my.yaml", bars_and_wall);
  std::filesystem::permissions(folder / "my.yaml", std::filesystem::perms::none);
  folder.expect_refused({"run", "my.yaml"}, "my.yaml: cannot be opened: Permission denied\n");
}

TEST(SceneFile, Binary) {
  RunFolder("my.yaml", std::string_view("\x7f\x45LF\x02\x01\0\0\xff\xfe", 10))
      .expect_refused({"run", "my.yaml"}, "my.yaml:1: is not a text file in UTF-8 (byte 0x7F)\n");
}

TEST(SceneFile, FiftyMegabytesOfNoise) {
  std::string noise(50'000'000, '\0');
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i + sizeof(std::uint64_t) <= noise.size(); i += sizeof(std::uint64_t)) {
    const std::uint64_t word = random();
    std::memcpy(noise.data() + i, &word, sizeof word);
  }
  RunFolder("my.yaml", noise)
      .expect_refused({"run", "my.yaml"}, "my.yaml: is too large; a scene may have at most 1048576 bytes\n");
}

}  // namespace
}  // namespace ictus
