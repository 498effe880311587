// Scenes made of decks of Abaqus and LS-DYNA: what is understood runs, what is not is listed with its line.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <ictus/base/error.hpp>
#include <ictus/build/build.hpp>
#include <ictus/convert/convert.hpp>
#include <ictus/mechanics/shell/shell.hpp>
#include <ictus/mechanics/solid/solid.hpp>

namespace ictus::convert {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

struct Made {
  DeckScene deck;
  std::vector<Note> notes;
};

/// Of a file among the seeds of the fuzzer.
Made made_of(const std::string& name, const std::string& units) {
  const std::string file = std::string(ICTUS_SOURCE_DIR "/tests/data/fuzz/deck/") + name;
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  Made made;
  ImportOptions options;
  options.units = units;
  made.deck = scene_of_deck(text, file, "deck", options, made.notes);
  return made;
}

/// Written where meshes are found, and built.
build::Simulation built(const DeckScene& deck, const std::string& name) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / ("deck-" + name);
  std::filesystem::create_directories(folder);
  for (const auto& [file, text] : deck.files) std::ofstream(folder / file) << text;
  std::ofstream(folder / "deck.yaml") << deck.scene;
  return build::build(scene::read_file((folder / "deck.yaml").string()), 1);
}

std::string deck_complaint(const std::string& text) {
  try {
    std::vector<Note> notes;
    scene_of_deck(text, "deck.inp", "deck", {}, notes);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(AbaqusDeck, BecomesASceneThatRuns) {
  const Made made = made_of("plate.inp", "mm-t-s");
  const scene::Scene scene = scene::read_text(made.deck.scene, "deck.yaml").scene;
  EXPECT_EQ(scene.title, "A plate that flies at a rigid wall");
  EXPECT_DOUBLE_EQ(scene.time.end, 2e-4);
  EXPECT_NEAR(scene.gravity[2], -9.81, 1e-12);
  const auto& steel = *scene.materials.find("steel");
  EXPECT_NEAR(steel.density.value_or(0), 7850, 1e-6);
  EXPECT_NEAR(steel.youngs_modulus.value_or(0), 210e9, 1);
  EXPECT_NEAR(steel.yield_stress.value_or(0), 300e6, 1);
  EXPECT_EQ(std::get<scene::TableHardeningSpec>(*steel.hardening).points.size(), 3U);
  EXPECT_NEAR(std::get<scene::JohnsonCookHardeningSpec>(*scene.materials.find("al")->hardening).exponent, 0.3, 1e-12);
  EXPECT_NEAR(std::get<scene::SolidSpec>(*scene.bodies.find("block")).velocity[2], -20, 1e-12);
  EXPECT_EQ(std::get<scene::ShellSpec>(*scene.bodies.find("plate")).supports.size(), 2U);
  ASSERT_EQ(scene.contacts.size(), 2U);

  build::Simulation simulation = built(made.deck, "abaqus");
  const auto* plate = dynamic_cast<const mechanics::Shell*>(simulation.system.find_body("plate"));
  ASSERT_NE(plate, nullptr);
  EXPECT_EQ(plate->elements().element_count(), 8U);
  EXPECT_NEAR(plate->total_mass(), 7850 * 0.02 * 0.02 * 0.001, 2e-4);  // its limit surface is round at the corners
  EXPECT_GT(plate->history(), 0U);
  EXPECT_EQ(plate->fixed().size(), 3U * 3 + 1);  // three vertices, and one along z
}

TEST(AbaqusDeck, ListsWhatIsNotUnderstood) {
  const Made made = made_of("plate.inp", "mm-t-s");
  EXPECT_THAT(made.notes, Contains(AllOf(Field(&Note::line, 64), Field(&Note::text, HasSubstr("*CONNECTOR SECTION")))));
  EXPECT_THAT(made.notes, Contains(AllOf(Field(&Note::line, 71), Field(&Note::text, HasSubstr("other than GRAV")))));
  EXPECT_THAT(made.notes, Contains(Field(&Note::text, HasSubstr("S4R become two triangles"))));
}

/// As Abaqus/CAE writes it: parts, an assembly of turned instances, sets of the assembly.
TEST(AbaqusDeck, InstancesAreBodiesInTheirPlaces) {
  const std::string text = R"(*Heading
** two bars
*Part, name=Bar
*Node
1, 0, 0, 0
2, 1, 0, 0
3, 1, 1, 0
4, 0, 1, 0
5, 0, 0, 1
6, 1, 0, 1
7, 1, 1, 1
8, 0, 1, 1
*Element, type=C3D8
1, 1, 2, 3, 4, 5, 6, 7, 8
*Elset, elset=whole
1,
*Solid Section, elset=whole, material=Soft
,
*End Part
*Assembly, name=A
*Instance, name=Low, part=Bar
*End Instance
*Instance, name=High, part=Bar
0, 0, 3
0, 0, 3, 0, 0, 4, 90
*End Instance
*Nset, nset=foot, instance=Low
1, 2, 3, 4
*Nset, nset=flying, instance=High, generate
1, 8, 1
*End Assembly
*Material, name=Soft
*Elastic
1000, 0.25
*Density
2
*Boundary
foot, PINNED
*Initial Conditions, type=velocity
flying, 3, -4
*Step
*Dynamic, Explicit
, 0.01
*End Step
)";
  std::vector<Note> notes;
  const DeckScene deck = scene_of_deck(text, "deck.inp", "deck", {}, notes);
  EXPECT_THAT(notes, ElementsAre());
  const build::Simulation simulation = built(deck, "instances");
  const auto* high = dynamic_cast<const mechanics::Solid*>(simulation.system.find_body("high"));
  const auto* low = dynamic_cast<const mechanics::Solid*>(simulation.system.find_body("low"));
  ASSERT_TRUE(high && low);
  EXPECT_EQ(low->fixed().size(), 12U);
  const std::vector<double> q = simulation.system.initial_state().q;
  double least = 1e9, left = 1e9;
  for (std::size_t k = high->dofs().begin; k < high->dofs().end(); k += 3)
    least = std::min(least, q[k + 2]), left = std::min(left, q[k]);
  EXPECT_NEAR(least, 3, 1e-12);
  EXPECT_NEAR(left, -1, 1e-12);  // a quarter turn about z
  EXPECT_NEAR(
      std::get<scene::SolidSpec>(*scene::read_text(deck.scene, "deck.yaml").scene.bodies.find("high")).velocity[2], -4,
      1e-12);
}

TEST(AbaqusDeck, MistakesHaveTheirLines) {
  EXPECT_THAT(deck_complaint("*NODE\n1, 0, zero, 0\n"),
              AllOf(HasSubstr("deck.inp:2"), HasSubstr("'zero' is no number")));
  EXPECT_THAT(deck_complaint("*NODE\n1,0,0,0\n1,0,0,0\n"),
              AllOf(HasSubstr("deck.inp:3"), HasSubstr("node 1 appears twice")));
  EXPECT_THAT(deck_complaint("*NODE\n1,0,0,0\n*ELEMENT, TYPE=S3, ELSET=E\n1, 1, 2\n"), HasSubstr("and 3 nodes"));
  EXPECT_THAT(deck_complaint(
                  "*NODE\n1,0,0,0\n*ELEMENT, TYPE=S3, ELSET=E\n1, 1, 2, 3\n*SHELL SECTION, ELSET=E, MATERIAL=M\n1\n"),
              AllOf(HasSubstr("deck.inp:5"), HasSubstr("element 1 has no node 2")));
  EXPECT_THAT(deck_complaint("*HEADING\nnothing\n"), HasSubstr("no body can be made"));
}

TEST(DynaDeck, BecomesASceneThatRuns) {
  const Made made = made_of("box.k", "mm-kg-ms");
  const scene::Scene scene = scene::read_text(made.deck.scene, "deck.yaml").scene;
  EXPECT_DOUBLE_EQ(scene.time.end, 1e-3);
  const auto& hard = *scene.materials.find("m1");
  EXPECT_NEAR(hard.density.value_or(0), 7850, 1e-6);
  EXPECT_NEAR(hard.yield_stress.value_or(0), 300e6, 1);
  // E E_t/(E − E_t)
  EXPECT_NEAR(std::get<scene::LinearHardeningSpec>(*hard.hardening).modulus, 210e9 / 209, 1e3);
  const auto& curve = std::get<scene::TableHardeningSpec>(*scene.materials.find("m2")->hardening).points;
  ASSERT_EQ(curve.size(), 2U);
  EXPECT_NEAR(curve[1][1], 300e6, 1);
  EXPECT_NEAR(std::get<scene::ShellSpec>(*scene.bodies.find("the_flap")).velocity[2], -10, 1e-12);
  EXPECT_TRUE(std::holds_alternative<scene::PlaneSpec>(*scene.bodies.find("wall")));
  EXPECT_THAT(made.notes, Contains(Field(&Note::text, HasSubstr("*AIRBAG_SIMPLE"))));

  const build::Simulation simulation = built(made.deck, "dyna");
  const auto* block = dynamic_cast<const mechanics::Solid*>(simulation.system.find_body("the_block"));
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(block->fixed().size(), 12U);
  EXPECT_NEAR(block->total_mass(), 7850e-6, 1e-12);
}

}  // namespace
}  // namespace ictus::convert
