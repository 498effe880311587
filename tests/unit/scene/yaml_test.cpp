#include <unit/scene/scene_texts.hpp>

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ictus::scene {
namespace {

using test::mistakes_of;
using test::scene_of;
using test::small_scene;
using ::testing::ElementsAre;

struct YamlCase {
  const char* name;
  std::string text;
  std::string line;
};

class Yaml : public ::testing::TestWithParam<YamlCase> {};

TEST_P(Yaml, IsRefusedExactly) { EXPECT_THAT(mistakes_of(GetParam().text), ElementsAre(GetParam().line)); }

std::string repeated(const std::string& part, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

/// Anchors that each hold the one before, `copies` times.
std::string chain(int length, int copies) {
  std::string text = "a0: &a0 [x]\n";
  for (int i = 1; i < length; ++i) {
    const std::string alias = fmt::format("*a{}", i - 1);
    text += fmt::format("a{}: &a{} [{}]\n", i, i, fmt::join(std::vector<std::string>(copies, alias), ", "));
  }
  return text;
}

const YamlCase cases[] = {
    {"Empty", "", "scene.yaml: is empty; a scene needs at least time and bodies"},
    {"OnlyComments", "# nothing\n\n", "scene.yaml: is empty; a scene needs at least time and bodies"},
    {"OnlyText", "hello\n", "scene.yaml:1: must be a map of keys such as time and bodies, not hello"},
    {"NoSpaceAfterColon", "time:3\n",
     "scene.yaml:1: must be a map of keys such as time and bodies, not time:3 (a space must follow each ':')"},
    {"List", "- time\n- bodies\n", "scene.yaml:1: must be a map of keys such as time and bodies, not a list"},
    {"TabIndent", "time:\n\tend: 1\n", "scene.yaml:2: is indented with a tab; YAML indents with spaces only"},
    {"TabAfterSpaces", "time:\n  \tend: 1\n", "scene.yaml:2: is indented with a tab; YAML indents with spaces only"},
    {"Latin1", "title: M\xFCller\n", "scene.yaml:1: is not a text file in UTF-8 (byte 0xFC)"},
    {"Utf16", std::string("\xFF\xFEt\0i\0", 6), "scene.yaml:1: is not a text file in UTF-8 (byte 0xFF)"},
    {"ControlCharacter", "title: a\x07\n", "scene.yaml:1: is not a text file in UTF-8 (byte 0x07)"},
    {"Surrogate", "title: \xED\xA0\x80\n", "scene.yaml:1: is not a text file in UTF-8 (byte 0xED)"},
    {"OverlongUtf8", "title: \xC0\xAF\n", "scene.yaml:1: is not a text file in UTF-8 (byte 0xC0)"},
    {"OpenList", "a: [1, 2\nb: 3\n",
     "scene.yaml:2: not valid YAML, column 2: a '[' is not closed by ']', or a ',' is missing"},
    {"OpenMap", "a: {b: 1\n",
     "scene.yaml:2: not valid YAML, column 1: a '{' is not closed by '}', or a ',' is missing"},
    {"OpenQuote", "a: 'b\n\n", "scene.yaml:3: not valid YAML, column 2: a quoted text is not closed"},
    {"StrayBracket", "a: 1\nb: ]\n", "scene.yaml:2: not valid YAML, column 4: a ']' or '}' has no partner"},
    {"TwoColons", "a: b: c\n",
     "scene.yaml:1: not valid YAML, column 5: a ':' does not belong here: check the indentation, or put the text in "
     "quotes"},
    {"WrongIndent", "a:\n  - 1\n b: 2\n",
     "scene.yaml:3: not valid YAML, column 2: this line does not continue the map above it: check its indentation and "
     "its "
     "':'"},
    {"ReservedCharacter", "a: @b\n",
     "scene.yaml:1: not valid YAML, column 4: a character does not belong here: put the text in quotes"},
    {"UnknownEscape", "a: \"\\q\"\n", "scene.yaml:1: not valid YAML, column 7: unknown escape character: q"},
    {"SeveralDocuments", "a: 1\n---\nb: 2\n",
     "scene.yaml:2: a second document starts here; a scene is one document ('---' may stand only at the top)"},
    {"UnknownAlias", "a: *b\n",
     "scene.yaml:1: not valid YAML, column 4: an alias ('*name') needs an anchor ('&name') above it"},
    {"AliasInItself", "a: &b [*b]\n", "scene.yaml:1: an alias stands inside the value that it names"},
    {"AliasAsKey", "a: &b c\n*b : 1\n", "scene.yaml:2: a key must be text, not an alias"},
    {"MergeOfText", "a: 1\n<<: b\n", "scene.yaml:2: '<<' merges a map or a list of maps, such as an alias of a body"},
    {"Tag", "a: !!str 5\n", "scene.yaml:1: tags (words that start with '!') have no meaning in a scene"},
    {"ListAsKey", "? [a, b]\n: 3\n", "scene.yaml:1: a key must be text, not a list or a map"},
    {"NoKey", "a: 1\n: 3\n", "scene.yaml:2: a key is missing before ':'"},
    {"DeepList", repeated("[", 100'000), "scene.yaml:1: lists and maps are nested more than 64 deep"},
    {"DeepMap", repeated("{a: ", 100'000), "scene.yaml:1: lists and maps are nested more than 64 deep"},
    {"DeepBlock", repeated("- ", 100'000), "scene.yaml:1: lists and maps are nested more than 64 deep"},
    {"DeepKeys", repeated("? ", 100'000), "scene.yaml:1: lists and maps are nested more than 64 deep"},
    {"DeepAliases", chain(20'000, 1), "scene.yaml:63: lists and maps are nested more than 64 deep"},
    {"GrowingAliases", chain(40, 8),
     "scene.yaml:7: there are more than 200000 values (an alias counts as what it stands for)"},
    {"ManyValues", "a: [" + repeated("1,", 250'000) + "1]\n",
     "scene.yaml:1: there are more than 200000 values (an alias counts as what it stands for)"},
};
INSTANTIATE_TEST_SUITE_P(Hostile, Yaml, ::testing::ValuesIn(cases), [](const auto& c) { return c.param.name; });

TEST(YamlAccepts, DocumentMarksCommentsAndBlockTextAtTheEnd) {
  EXPECT_EQ(scene_of("---\n" + std::string(small_scene) + "...\n"), scene_of(small_scene));
  EXPECT_EQ(scene_of("%YAML 1.2\n---\n" + std::string(small_scene)), scene_of(small_scene));
  EXPECT_EQ(scene_of(std::string(small_scene) + "about: |\n  last\n").about, "last\n");
  EXPECT_EQ(scene_of(std::string(small_scene) + "about: |\n  last").about, "last");
  EXPECT_EQ(scene_of(std::string(small_scene) + "about: >-\n  two\n  lines\n\n\n").about, "two lines");
}

TEST(YamlAccepts, TabsThatDoNotIndent) {
  EXPECT_EQ(scene_of("title:\tx\ty\t\n" + std::string(small_scene)).title, "x\ty");
}

}  // namespace
}  // namespace ictus::scene
