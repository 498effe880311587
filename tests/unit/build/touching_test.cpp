// Bodies that touch at the start, and bodies that overlap.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ictus/base/error.hpp>
#include <ictus/build/build.hpp>
#include <ictus/dynamics/system/run_steps.hpp>
#include <ictus/model/surface_mesh.hpp>
#include <ictus/observe/ledger/ledger.hpp>
#include <ictus/scene/text/document.hpp>

namespace ictus::build {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* floor = "  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}\n";
constexpr const char* rubber = "youngs_modulus: 1 MPa, density: 1000";

std::string touching_scene(const std::string& bodies, const std::string& contacts, const std::string& more = "") {
  return "time: {end: 20 ms, courant: 0.5}\ngravity: [0, 0, -9.81]\n" + more + "bodies:\n" + bodies + "contacts:\n" +
         contacts;
}

std::string cube(const std::string& name, const std::string& position, int cells) {
  return "  " + name + ": {type: solid, shape: {type: box, size: [0.1, 0.1, 0.1], cells: [" + std::to_string(cells) +
         ", 2, 2]}, position: " + position + ", " + rubber + "}\n";
}

Simulation made(const std::string& text) { return build(scene::read_text(text, "scene.yaml"), 1); }

std::string refused(const std::string& text) {
  try {
    made(text);
    return "";
  } catch (const base::InputError& error) {
    return error.what();
  }
}

/// The impulses on planes, and how the books look at the end.
struct Rested {
  double impulse = 0, lost = 0, moved = 0;
};

class ImpulsesFromBelow final : public dynamics::Observer {
 public:
  explicit ImpulsesFromBelow(Rested& rested) : rested_(rested) {}
  void begin(const dynamics::Snapshot&, const dynamics::StepReport&) override {}
  void observe(const dynamics::Snapshot& snapshot, const dynamics::StepReport& report) override {
    for (const dynamics::Impulse& impulse : report.impulses) {
      if (snapshot.system.pairs()[static_cast<std::size_t>(impulse.pair)].with_obstacle())
        rested_.impulse += impulse.normal_impulse;
    }
  }

 private:
  Rested& rested_;
};

Rested run(Simulation& simulation) {
  Rested rested;
  simulation.integrator->prepare(simulation.system);
  model::State state = simulation.system.initial_state();
  const std::vector<double> start = state.q;
  observe::Ledger ledger({std::nullopt, 1e9, std::nullopt});
  const dynamics::StepReport first = simulation.integrator->start(simulation.system, simulation.step, state);
  const dynamics::Snapshot snapshot{simulation.system, *simulation.integrator, simulation.step, state};
  ledger.begin(snapshot, first);
  ImpulsesFromBelow impulses(rested);
  dynamics::Observer* const observers[] = {&ledger, &impulses};
  dynamics::run_steps(simulation.system, *simulation.integrator, simulation.step, simulation.steps, state, observers,
                      [] { return false; });
  for (const model::Loss loss : simulation.integrator->capabilities().losses)
    if (loss != model::Loss::quadrature) rested.lost += std::abs(ledger.last().lost[loss]);
  for (std::size_t k = 0; k < start.size(); ++k) rested.moved = std::max(rested.moved, std::abs(state.q[k] - start[k]));
  return rested;
}

TEST(Touching, ABlockOnTheFloorStaysAndCarriesItsWeight) {
  Simulation simulation = made(
      touching_scene(cube("block", "[0, 0, 0]", 3) + floor, "  - {between: [block, floor]}\n", "initial: at-rest\n"));
  EXPECT_THAT(simulation.notes, IsEmpty());
  const Rested rested = run(simulation);
  const double seconds = static_cast<double>(simulation.steps) * simulation.step;
  EXPECT_NEAR(rested.impulse, 9.81 * seconds, 1e-6 * 9.81 * seconds);
  EXPECT_LT(rested.moved, 1e-9);
  EXPECT_LT(rested.lost, 1e-15);
}

/// Blocks drawn on top of each other, the meshes not matching, listed from top to bottom.
TEST(Touching, AStackOfBlocksRestsWithoutBeingPushedApart) {
  Simulation simulation = made(touching_scene(
      cube("top", "[0, 0, 0.2]", 3) + cube("middle", "[0, 0, 0.1]", 2) + floor + cube("bottom", "[0, 0, 0]", 3),
      "  - {between: [all, all], friction: 0.3}\n", "initial: at-rest\n"));
  const auto& bodies = simulation.scene.bodies;
  const auto height = [&](const char* name) { return std::get<scene::SolidSpec>(*bodies.find(name)).position[2]; };
  EXPECT_EQ(height("bottom"), 0);
  EXPECT_GT(height("middle"), 0.1);
  EXPECT_LT(height("middle"), 0.1 + 0.001) << "a quarter of a twentieth of an edge";
  EXPECT_GT(height("top"), height("middle") + 0.1);
  EXPECT_THAT(simulation.notes, ElementsAre(HasSubstr("top begins "), HasSubstr("middle begins ")));
  const Rested rested = run(simulation);
  const double seconds = static_cast<double>(simulation.steps) * simulation.step;
  EXPECT_NEAR(rested.impulse, 3 * 9.81 * seconds, 1e-3 * 9.81 * seconds);
  EXPECT_LT(rested.moved, 1e-6);
  EXPECT_LT(rested.lost, 1e-9);
}

TEST(Touching, TheResolvedSceneIsNotMovedAgain) {
  const std::string text = touching_scene(cube("upper", "[0.02, 0, 0.1]", 3) + cube("lower", "[0, 0, 0]", 2),
                                          "  - {between: [upper, lower]}\n");
  const Simulation first = made(text), again = made(scene::write_resolved(first.scene));
  EXPECT_THAT(again.notes, IsEmpty());
  EXPECT_EQ(again.system.initial_state().q, first.system.initial_state().q);
}

/// Nearer than usual, but not touching: the contact is as thin as the gap, and nothing moves.
TEST(Touching, AGapBelowTheUsualThicknessIsKept) {
  const Simulation simulation = made(touching_scene(cube("upper", "[0, 0, 0.101]", 2) + cube("lower", "[0, 0, 0]", 2),
                                                    "  - {between: [upper, lower]}\n"));
  EXPECT_THAT(simulation.notes, IsEmpty());
  ASSERT_TRUE(simulation.system.pairs()[0].thickness);
  EXPECT_NEAR(*simulation.system.pairs()[0].thickness, 0.001, 1e-15);
}

TEST(Touching, EveryFamilyMayStandOnThePlaneItMeets) {
  const std::string on_floor = "  - {between: [it, floor]}\n";
  for (const std::string& it :
       {std::string(
            "{type: solid, shape: {type: cylinder, radius: 0.1, length: 0.1, cells: [4, 2]}, position: [0.7, 0, 0], ") +
            rubber + "}",
        std::string(
            "{type: shell, shape: {type: sphere, radius: 0.1, cells: 4}, thickness: 1 mm, position: [0, 0, 0.1], ") +
            rubber + "}",
        std::string("{type: bar, length: 0.3, cells: 3, density: 1, youngs_modulus: 1, direction: [0, 0, -1], "
                    "position: [0, 0, 0.3]}"),
        std::string("{type: rigid, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.1]}"),
        std::string("{type: rigid, shape: {type: box, size: [0.1, 0.1, 0.3]}, position: [0, 0, 0.15]}"),
        std::string("{type: point-mass, mass: 1, position: [1, 2, 0]}")}) {
    const std::string text = touching_scene("  it: " + it + "\n" + floor, on_floor);
    const std::string stepped = text.substr(0, text.find("courant")) + "step: 1.0e-5" + text.substr(text.find('}'));
    EXPECT_EQ(refused(stepped), "") << it;
  }
}

TEST(Touching, BarsMayTouchUpToRounding) {
  const std::string bars =
      "  a: {type: bar, length: 0.1, cells: 2, density: 1, youngs_modulus: 1, position: [0.2, 0, 0]}\n"
      "  b: {type: bar, length: 0.1, cells: 2, density: 1, youngs_modulus: 1, position: [0.3, 0, 0]}\n";
  EXPECT_EQ(refused(touching_scene(bars, "  - {between: [a, b]}\n")), "") << "0.2 + 0.1 > 0.3 in binary numbers";
}

TEST(Overlap, IsAnsweredWithWhatToMoveHowFar) {
  EXPECT_THAT(refused(touching_scene(cube("block", "[0, 0, -0.02]", 2) + floor, "  - {between: [block, floor]}\n")),
              HasSubstr("block and floor overlap at the start by 0.02 m at "));
  EXPECT_THAT(refused(touching_scene(cube("block", "[0, 0, -0.02]", 2) + floor, "  - {between: [block, floor]}\n")),
              HasSubstr("move block by 0.02 m along (0, 0, 1), or give the contact `overlap: part`"));
  const std::string crossing =
      refused(touching_scene(cube("upper", "[0.01, 0.02, 0.09]", 2) + cube("lower", "[0, 0, 0]", 3),
                             "  - {between: [upper, lower], gap: 1 mm}\n"));
  EXPECT_THAT(crossing, HasSubstr("intersect at the start"));
  EXPECT_THAT(crossing, HasSubstr("by 0.011 m along (0, 0, "));
}

TEST(Overlap, IsPartedOnRequestForEveryFamily) {
  const auto position = [](const Simulation& simulation, const char* name) {
    return std::visit(
        []<class Spec>(const Spec& spec) -> scene::Vec3 {
          if constexpr (requires { spec.position; }) return scene::Vec3(spec.position);
          return {};
        },
        *simulation.scene.bodies.find(name));
  };
  const std::string parted = "  - {between: [it, floor], overlap: part}\n";
  const Simulation solid = made(touching_scene(cube("it", "[0, 0, -0.02]", 2) + floor, parted));
  EXPECT_NEAR(position(solid, "it")[2], 0, 1e-12);
  const Simulation bar = made(touching_scene(
      std::string("  it: {type: bar, length: 0.3, cells: 3, density: 1, youngs_modulus: 1, direction: [0, 0, -1], "
                  "position: [0, 0, 0.25]}\n") +
          floor,
      parted));
  EXPECT_NEAR(position(bar, "it")[2], 0.3, 1e-12);
  std::string text = touching_scene(
      std::string("  it: {type: rigid, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.04]}\n") + floor, parted);
  text.replace(text.find("courant: 0.5"), 12, "step: 1 ms");
  EXPECT_NEAR(position(made(text), "it")[2], 0.1, 1e-12);
  const Simulation blocks = made(touching_scene(cube("upper", "[0, 0, 0.09]", 2) + cube("lower", "[0, 0, 0]", 3),
                                                "  - {between: [upper, lower], gap: 1 mm, overlap: part}\n"));
  EXPECT_NEAR(position(blocks, "upper")[2] - position(blocks, "lower")[2], 0.101, 1e-9);
}

}  // namespace
}  // namespace ictus::build
