#include <unit/scene/scene_texts.hpp>

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace ictus::scene {
namespace {

constexpr std::array<std::string_view, 44> pieces{
    ":",    ": ",    "\n",  "\n  ", "\n\t", "- ",    "[",      "]",      "{",        "}",    ",",
    "#",    " #",    "&a ", "*a",   "!!x ", "| ",    "> ",     "'",      "\"",       "\\",   "%",
    "@",    "?",     "? ",  "<<: ", "~",    "---\n", "...\n",  "0",      "-1",       "1e9",  "1e999",
    ".nan", "12 mm", "/0",  "true", "null", "time",  "bodies", "type: ", "\xC3\xA9", "\xFF", "  "};

/// One or two small changes anywhere in the text.
std::string mutated(std::string_view original, std::mt19937& random) {
  std::string text(original);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  for (std::size_t count = 1 + below(2); count > 0 && !text.empty(); --count) {
    const std::size_t at = below(text.size());
    const std::size_t length = std::min(text.size() - at, 1 + below(20));
    switch (below(6)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, pieces[below(pieces.size())]);
        break;
      case 2:
        text.replace(at, length, pieces[below(pieces.size())]);
        break;
      case 3:
        text.insert(below(text.size()), text.substr(at, length));
        break;
      case 4: {
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit != std::string::npos) text[digit] = static_cast<char>('0' + below(10));
        break;
      }
      default:
        text[at] = static_cast<char>(below(256));
    }
  }
  return text;
}

struct Tally {
  int read = 0;
  int refused = 0;
};

/// A scene that can be read can be written and read again; any other throws InputError and nothing else.
void try_text(const std::string& text, const std::vector<Override>& overrides, Tally& tally) {
  try {
    const Scene scene = read_text(text, "scene.yaml", overrides).scene;
    ++tally.read;
    EXPECT_EQ(read_text(write_resolved(scene), "resolved.yaml").scene, scene) << text;
  } catch (const base::InputError& error) {
    ++tally.refused;
    EXPECT_FALSE(error.mistakes().empty());
    for (const base::Mistake& mistake : error.mistakes()) EXPECT_FALSE(mistake.message.empty());
  } catch (const std::exception& error) {
    FAIL() << error.what() << "\n" << text;
  }
}

TEST(Fuzz, MutatedScenesAreReadOrRefused) {
  std::mt19937 random(20160401);
  Tally tally;
  for (int i = 0; i < 400; ++i) try_text(mutated(i % 2 == 0 ? test::full_scene : test::small_scene, random), {}, tally);
  EXPECT_GT(tally.read, 20) << "mutations that only break things test little";
  EXPECT_GT(tally.refused, 100);
}

TEST(Fuzz, MutatedOverridesAreAppliedOrRefused) {
  std::mt19937 random(4);
  Tally tally;
  const std::array<std::string_view, 6> sets{
      "bodies.left.cells=400",          "contacts.0.friction=0.3",
      "expect.energy.final.max=1e-3",   "bodies.wall={type: plane, position: [0, 0, 0], normal: [0, 0, 1]}",
      "integrator={type: cd-lagrange}", "limits.wall_time=null"};
  for (int i = 0; i < 400; ++i) {
    const std::string set = mutated(sets[i % sets.size()], random);
    const std::size_t equals = std::min(set.find('='), set.size());
    const Override changed{set.substr(0, equals), equals < set.size() ? set.substr(equals + 1) : ""};
    try_text(std::string(test::full_scene), {changed}, tally);
  }
  EXPECT_GT(tally.read, 20);
  EXPECT_GT(tally.refused, 100);
}

TEST(Fuzz, NoiseIsRefused) {
  std::mt19937 random(5);
  Tally tally;
  for (int i = 0; i < 300; ++i) {
    std::string text;
    for (int k = 0; k < 200; ++k) text += pieces[random() % pieces.size()];
    try_text(text, {}, tally);
  }
  EXPECT_EQ(tally.read, 0);
  EXPECT_EQ(tally.refused, 300);
}

}  // namespace
}  // namespace ictus::scene
