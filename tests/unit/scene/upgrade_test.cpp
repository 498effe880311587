// Words of version 1: each is answered with that of version 2, and `upgrade` rewrites files without touching the rest.
#include <unit/scene/scene_texts.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ictus/scene/upgrade/old_words.hpp>
#include <ictus/scene/upgrade/upgrade.hpp>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

namespace ictus::scene {
namespace {

using test::mistakes_of;
using test::small_scene;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::filesystem::path old_scenes = std::filesystem::path(ICTUS_SOURCE_DIR) / "tests/data/upgrade";

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// The comments of a file, in order.
std::vector<std::string> comments_of(const std::string& text) {
  std::vector<std::string> comments;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t at = line.find("# "); at != std::string::npos) comments.push_back(line.substr(at));
  return comments;
}

TEST(OldWords, AreAnsweredWithTheNewOnes) {
  EXPECT_THAT(
      mistakes_of(test::replaced(small_scene, "cells: 4", "elements: 4")),
      ElementsAre("scene.yaml:3: bodies.bar.elements: version 1 word 'elements': write 'cells'; `ictus upgrade` "
                  "rewrites the file"))
      << "and nothing is said of cells that are missing";
  EXPECT_THAT(mistakes_of(test::replaced(small_scene, "position: [3", "point: [3")),
              ElementsAre(HasSubstr("version 1 word 'point': write 'position'")));
  EXPECT_THAT(mistakes_of("version: 1\n" + std::string(small_scene)),
              ElementsAre(HasSubstr("scene.yaml:1: version: version 1 word 'version: 1': write 'version: 2'")));
  EXPECT_THAT(mistakes_of(small_scene, {"bodies.bar.elements=5"}),
              ElementsAre(HasSubstr("--set bodies.bar.elements=5: bodies.bar.elements: version 1 word 'elements'")));
}

/// The shortest scene with an old word in its place: "bodies: {x: {type: bar, elements: 1}}".
std::string scene_with(const OldWord& word) {
  std::string text, closing, where(word.where);
  while (!where.empty()) {
    const std::size_t brace = where.find('{'), dot = where.find('.', brace < where.find('.') ? where.find('}') : 0);
    const std::string segment = where.substr(0, dot);
    where = dot == std::string::npos ? "" : where.substr(dot + 1);
    const std::string name = segment.substr(0, segment.find('{'));
    text += (name == "*" ? "x" : name) + ": {";
    if (name.size() < segment.size()) {
      const std::string types = segment.substr(name.size() + 1);
      text += "type: " + types.substr(0, types.find_first_of(",}")) + ", ";
    }
    closing += "}";
  }
  std::string old(word.old);
  if (const std::size_t any = old.find("{...}"); any != std::string::npos) old.replace(any, 5, "{a: 1}");
  if (old.starts_with("type: ")) old = "a: 1";
  return text + old + (old.find(':') == std::string::npos ? ": 1" : "") + closing + "\n";
}

TEST(OldWords, AreAllAnswered) {
  for (const OldWord& word : old_words()) {
    if (word.now.empty()) continue;
    const std::string wanted = "version 1 word '" + std::string(word.old) + "': write '" + std::string(word.answer()) +
                               "'; `ictus upgrade` rewrites the file";
    EXPECT_THAT(mistakes_of(scene_with(word)), ::testing::Contains(HasSubstr(wanted))) << scene_with(word);
  }
}

TEST(OldWords, AreAnsweredBesideOtherMistakes) {
  std::string text = test::replaced(small_scene, "cells: 4", "elements: 4, densitty: 2");
  EXPECT_THAT(mistakes_of(text),
              ElementsAre(HasSubstr("version 1 word 'elements'"), HasSubstr("densitty: unknown key, did you mean")));
}

TEST(OldWords, OfABodyAreAnsweredAllAtOnce) {
  const std::string text =
      "time: {end: 1, step: 0.1}\nbodies:\n  ball: {type: sphere, radius: 1, grid: {count: [2, 1, 1], "
      "spacing: [3, 3, 3]}}\n";
  EXPECT_THAT(mistakes_of(text),
              ::testing::UnorderedElementsAre(HasSubstr("'radius': write 'shape.radius'"),
                                              HasSubstr("'grid': write 'copies: {type: grid, ...}'"),
                                              HasSubstr("'type: sphere': write 'type: rigid, shape.type: sphere'")));
}

TEST(OldWords, AreNoWordsOfThisVersion) {
  for (const OldWord& word : old_words()) {
    if (word.where.find_first_of("*{.") != std::string_view::npos || word.old.find(':') != std::string_view::npos)
      continue;
    const ObjectKind* object = &scene_schema();
    if (!word.where.empty()) object = dynamic_cast<const ObjectKind*>(object->find(word.where)->kind.get());
    ASSERT_NE(object, nullptr) << word.where;
    EXPECT_EQ(object->find(word.old), nullptr) << word.where << " " << word.old;
  }
}

TEST(Upgrade, KeepsCommentsAndLayout) {
  EXPECT_EQ(
      upgrade("# A scene.\ntime: {end: 1}  # s\n\nbodies:\n  # the striker\n  left: {type: bar, length: 1,   # m\n"
              "         elements: 4, density: 1, youngs_modulus: 1}\nprobes: {tip: {of: left, at: end}}\n",
              "old.yaml")
          .text,
      "# A scene.\nversion: 2\ntime: {end: 1}  # s\n\nbodies:\n  # the striker\n  left: {type: bar, length: 1,   # m\n"
      "         cells: 4, density: 1, youngs_modulus: 1}\nprobes: {tip: {body: left, at: end}}\n");
}

TEST(Upgrade, NestsWhatBecameAShape) {
  EXPECT_EQ(upgrade("version: 1\nbodies:\n  ball:\n    # round\n    type: sphere\n    density: 2  # light\n    radius: "
                    "1 mm  # small\n",
                    "old.yaml")
                .text,
            "version: 2\nbodies:\n  ball:\n    # round\n    type: rigid\n    density: 2  # light\n    shape:\n"
            "      type: sphere\n      radius: 1 mm  # small\n");
  EXPECT_EQ(
      upgrade("version: 2\nbodies: {plate: {type: shell, mesh: {plate: {length_x: 1, length_y: 2, elements_y: 3}, "
              "refine: 1}, thickness: 1}}\n",
              "old.yaml")
          .text,
      "version: 2\nbodies: {plate: {type: shell, shape: {type: plate, size: [1, 2], cells: [8, 3]}, thickness: 1, "
      "refine: 1}}\n");
  EXPECT_EQ(upgrade("version: 2\nbodies:\n  can:\n    type: shell\n    mesh:\n      # round\n      sphere:\n        "
                    "radius: 1  # m\n"
                    "        level: 3\n      refine: 2\n    thickness: 1\n",
                    "old.yaml")
                .text,
            "version: 2\nbodies:\n  can:\n    type: shell\n    shape:\n      # round\n      type: sphere\n      "
            "radius: 1  # m\n"
            "      cells: 8\n    thickness: 1\n    refine: 2\n");
}

TEST(Upgrade, ReachesIntoRefinementsAndAnchors) {
  EXPECT_EQ(upgrade("version: 2\nbodies:\n  a: &a {type: bar, elements: 4}\n  b: {<<: *a, elements: 5}\nrefinements:\n"
                    "  - [bodies.a.elements=8, time.step=1]\n",
                    "old.yaml")
                .text,
            "version: 2\nbodies:\n  a: &a {type: bar, cells: 4}\n  b: {<<: *a, cells: 5}\nrefinements:\n"
            "  - [bodies.a.cells=8, time.step=1]\n");
}

TEST(Upgrade, OfOldScenesReadsKeepsTheirCommentsAndIsTheLast) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(old_scenes)) files.insert(entry.path());
  ASSERT_GE(files.size(), 10U);
  for (const std::string& file : files) {
    const std::string old = text_of(file);
    EXPECT_THROW(read_text(old, file), base::InputError) << file << ": its words are of version 1";
    const Upgraded now = upgrade(old, file);
    EXPECT_GT(now.words, 0) << file;
    EXPECT_NO_THROW(read_text(now.text, file)) << file << "\n" << now.text;
    EXPECT_EQ(comments_of(now.text), comments_of(old)) << file;
    EXPECT_EQ(upgrade(now.text, file).text, now.text) << file;
    EXPECT_EQ(upgrade(now.text, file).words, 0) << file;
  }
}

TEST(Upgrade, RefusesWhatItCannotRewrite) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      upgrade(text, "old.yaml");
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal("bodies: {a: [}\n"), HasSubstr("old.yaml:1: not valid YAML"));
  EXPECT_THAT(refusal("- a\n"), HasSubstr("must be a map of keys"));
  EXPECT_THAT(refusal(""), HasSubstr("must be a map of keys"));
  EXPECT_THAT(refusal("time: 1\ntime: 2\n"), HasSubstr("given twice"));
  EXPECT_THAT(refusal("bodies:\n  a: &a {type: sphere, radius: 1}\n  b: {<<: *a, radius: 2}\n"),
              HasSubstr("old.yaml:3: bodies.b: merges a map that is to have 'shape'"));
}

}  // namespace
}  // namespace ictus::scene
