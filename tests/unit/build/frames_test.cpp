// Scenes with frames, loads in time and domains: what is built, and what is said of mistakes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <ictus/build/bodies/frames.hpp>
#include <ictus/build/build.hpp>
#include <ictus/build/loads/signal_file.hpp>
#include <ictus/mechanics/frame/beam_frame.hpp>

#include "support/temporary_folder.hpp"

namespace ictus::build {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view portal = R"(
time: {end: 0.01, courant: 0.5}
integrator: {type: central-difference}
gravity: [0, 0, -10]
bodies:
  portal:
    type: frame
    nodes: {a: [0, 0, 0], b: [0, 0, 4], c: [6, 0, 4], d: [6, 0, 0], m: [3, 0, 4]}
    sections: {s: {type: box, height: 200 mm, width: 200 mm, thickness: 10 mm}}
    materials: {steel: {youngs_modulus: 210 GPa, density: 7850}}
    members:
      - {from: a, to: b, section: s, material: steel, element_size: 1 m}
      - {from: b, to: c, section: s, material: steel, element_size: 1 m}
      - {from: c, to: d, section: s, material: steel, element_size: 1 m}
    supports: [{node: a, type: clamped}, {node: d, type: clamped}]
loads:
  - {type: base-acceleration, bodies: [portal], direction: [1, 0, 0],
     signal: {type: half-sine, amplitude: 2, duration: 0.01}}
probes: {corner: {body: portal, node: b}}
)";

constexpr std::string_view tied = R"(
time: {end: 0.01, step: 1 us}
integrator: {type: coupled, ratio: 4, implicit: [{bodies: [right]}]}
bodies:
  left: {type: bar, length: 1, cells: 10, density: 7850, youngs_modulus: 210 GPa}
  right: {type: bar, length: 1, cells: 5, density: 7850, youngs_modulus: 210 GPa, position: [1, 0, 0]}
ties: [{between: [left, right]}]
)";

Simulation make_frame(std::string_view text, const std::vector<scene::Override>& changes = {}) {
  return build(scene::read_text(text, "scene.yaml", changes), 1);
}

/// What is said of a scene that is refused.
std::string refusal(std::string_view text, const std::vector<scene::Override>& changes) {
  try {
    make_frame(text, changes);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FrameScene, MembersJoinTheNodesOnThem) {
  const Simulation simulation = make_frame(portal);
  const auto& frame = dynamic_cast<const mechanics::BeamFrame&>(*simulation.system.find_body("portal"));
  EXPECT_EQ(frame.properties().members.size(), 4u);  // the beam is cut at m
  EXPECT_EQ(frame.nodes().size(), 15u);
  EXPECT_EQ(simulation.system.loads().size(), 1u);
}

TEST(FrameScene, NamesThatAreNotThere) {
  EXPECT_THAT(refusal(portal, {{"bodies.portal.members.0.to", "e"}}), HasSubstr("no node is named 'e'"));
  EXPECT_THAT(refusal(portal, {{"bodies.portal.members.0.section", "t"}}), HasSubstr("no section is named 't'"));
  EXPECT_THAT(refusal(portal, {{"probes.corner.node", "x"}}), HasSubstr("no node is named 'x'"));
  EXPECT_THAT(refusal(portal, {{"loads.0.bodies", "[portle]"}}), HasSubstr("did you mean 'portal'"));
}

TEST(FrameScene, ANodeOnNoMember) {
  EXPECT_THAT(refusal(portal, {{"bodies.portal.nodes.far", "[0, 9, 0]"}}), HasSubstr("is on no member"));
}

TEST(FrameScene, AGrillageIsHorizontal) {
  EXPECT_THAT(refusal(portal, {{"bodies.portal.unknowns", "grillage"}}), HasSubstr("horizontal"));
}

TEST(FrameScene, AMechanismHasNoStaticEquilibrium) {
  const std::string said =
      refusal(portal, {{"initial", "at-rest"}, {"bodies.portal.supports", "[{node: a, type: pinned}]"}});
  EXPECT_THAT(said, HasSubstr("mechanism"));
  EXPECT_THAT(said, HasSubstr(" at ("));  // where the loose dof is
  EXPECT_THAT(said, HasSubstr(") of portal"));
}

/// A beam clamped at both ends that lies on a prop under its middle, in grillage elements.
constexpr std::string_view propped = R"(
time: {end: 0.01, courant: 0.5}
integrator: {type: cd-lagrange}
gravity: [0, 0, -10]
initial: at-rest
bodies:
  beam:
    type: frame
    unknowns: grillage
    nodes: {a: [0, 0, 0], m: [3, 0, 0], b: [6, 0, 0]}
    sections: {s: {type: rectangle, height: 0.1, width: 0.05}}
    materials: {steel: {youngs_modulus: 210 GPa, density: 8000}}
    members: [{from: a, to: b, section: s, material: steel, element_size: 3 m}]
    supports: [{node: a, type: clamped}, {node: b, type: clamped}]
  prop:
    type: frame
    unknowns: grillage
    nodes: {m: [3, 0, 0], n: [3, 1, 0]}
    sections: {s: {type: rectangle, height: 0.1, width: 0.05}}
    materials: {steel: {youngs_modulus: 210 GPa, density: 8000}}
    members: [{from: m, to: n, section: s, material: steel, element_size: 1 m}]
    supports: [{node: m, type: clamped}, {node: n, type: clamped}]
contacts: [{between: [prop, beam], direction: [0, 0, 1], closed_below: 1e-12, nodes: [[m, m]]}]
)";

/// The prop carries half of the weight however many elements there are: a load at x gives it 4x²(3L − 4x)/L³ of itself
/// for x ≤ L/2, and weights of nodes at equal distances add up to half.
TEST(FrameScene, APropCarriesItsShareAtRest) {
  const double weight = 10 * 8000 * 0.1 * 0.05 * 6;
  for (const int elements : {2, 4, 6, 10, 200}) {
    const Simulation simulation =
        make_frame(propped, {{"bodies.beam.members.0.element_size", std::to_string(6.0 / elements)}});
    const auto force = simulation.system.initial_contact_force();
    ASSERT_EQ(force.size(), 1U);
    EXPECT_NEAR(force[0] / (0.5 * weight), 1, 1e-8) << elements;
  }
}

TEST(FrameScene, OnlyBodiesWithoutAVelocityThatHaveAnEquilibriumCanBeAtRest) {
  EXPECT_THAT(refusal(tied, {{"initial", "at-rest"}, {"bodies.left.velocity", "[1, 0, 0]"}}),
              HasSubstr("at-rest does not go with left, which has a velocity"));
  constexpr std::string_view ball = R"(
time: {end: 0.01, step: 1 ms}
gravity: [0, 0, -10]
initial: at-rest
bodies:
  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, density: 1000, position: [0, 0, 1]}
)";
  EXPECT_THAT(refusal(ball, {}), HasSubstr("there is no static equilibrium: the bodies are a mechanism"));
}

TEST(FrameScene, AnUnstableStepIsRefused) {
  EXPECT_THAT(refusal(portal, {{"time.courant", "null"}, {"time.step", "0.001"}}), HasSubstr("largest stable one"));
}

TEST(FrameScene, IntegratorsWithoutLoadsSaySo) {
  EXPECT_THAT(refusal(portal, {{"integrator.type", "dcr"}}), HasSubstr("no loads in time"));
}

class SignalFile : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) {
    std::ofstream(file_) << text;
    return file_;
  }
  std::string refused(const std::string& text) {
    try {
      read_signal_file(write(text), scene::dimension::acceleration, 1);
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  const ictus::testing::TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "signal.csv";
};

TEST_F(SignalFile, UnitsStandInTheHeader) {
  const scene::TableSpec table = read_signal_file(write("# station 7\ntime (ms); a [g]\n0; 0\n10; +0.5\n20; -1e-1\n"),
                                                  scene::dimension::acceleration, 2);
  ASSERT_EQ(table.times.size(), 3u);
  EXPECT_NEAR(table.times[1], 0.01, 1e-15);
  EXPECT_NEAR(table.values[1], 9.80665, 1e-12);
}

TEST_F(SignalFile, MistakesHaveALine) {
  EXPECT_THAT(refused("time, a\n0,0\n1,1\n"), HasSubstr("unit of 'time'"));
  EXPECT_THAT(refused("time (s), a (mm)\n0,0\n1,1\n"), HasSubstr("must be an acceleration"));
  EXPECT_THAT(refused("time (s), a (m/s^2)\n0,0\n1,x\n"), HasSubstr(":3: must be a number, not 'x'"));
  EXPECT_THAT(refused("time (s), a (m/s^2)\n0,0\n0,1\n"), HasSubstr("times must grow"));
  EXPECT_THAT(refused("time (s), a (m/s^2)\n0,0\n"), HasSubstr("two rows or more"));
}

TEST_F(SignalFile, AnAccelerogramThatEndsTooEarly) {
  write("time (s), a (m/s^2)\n0,0\n0.005,1\n");
  const std::string signal = "{type: file, file: " + file_.string() + "}";
  EXPECT_THAT(refusal(portal, {{"loads.0.signal", signal}}), HasSubstr("ends at 0.005 s, before time.end = 0.01 s"));
  const Simulation simulation = make_frame(portal, {{"loads.0.signal", signal}, {"time.end", "0.004"}});
  const auto& load = std::get<scene::BaseAccelerationSpec>(simulation.scene.loads.at(0));
  EXPECT_TRUE(std::holds_alternative<scene::TableSpec>(load.signal));  // the resolved scene stands alone
}

TEST(DomainScene, BarsAreTiedWhereTheyMeet) {
  const Simulation simulation = make_frame(tied);
  EXPECT_EQ(simulation.system.ties().size(), 1u);
  EXPECT_EQ(simulation.integrator->stride(), 4);
  EXPECT_NEAR(simulation.step, 4e-6, 1e-18);
  EXPECT_NEAR(*simulation.scene.time.step, 1e-6, 1e-18);
}

TEST(DomainScene, InterfacesThatDoNotMatchNameTheirNodes) {
  const std::string said = refusal(tied, {{"bodies.right.position", "[1.01, 0, 0]"}});
  EXPECT_THAT(said, HasSubstr("no node of left lies on right"));
  EXPECT_THAT(said, HasSubstr("(1, 0, 0) and (1.01, 0, 0)"));
}

TEST(DomainScene, TiesAreBetweenTwoBodies) {
  EXPECT_THAT(refusal(tied, {{"ties.0.between", "[left, left]"}}),
              HasSubstr("must be two different bodies, not 'left' twice"));
  EXPECT_THAT(refusal(tied, {{"ties.0.between", "[left, all]"}}),
              HasSubstr("a tie is between two that are named, not 'all'"));
}

TEST(DomainScene, ANodeBetweenTwoOthersIsInterpolated) {
  const Simulation simulation = make_frame(tied, {{"bodies.right.position", "[0.95, 0, 0]"}});
  ASSERT_EQ(simulation.system.ties().size(), 1u);  // the end of left lies between the first two nodes of right
  const auto row = simulation.system.ties().row(0);
  ASSERT_EQ(row.size(), 3u);
  EXPECT_NEAR(row[1].weight, -0.75, 1e-12);
  EXPECT_NEAR(row[2].weight, -0.25, 1e-12);
}

TEST(DomainScene, RatiosDivideTheLargest) {
  EXPECT_THAT(refusal(tied, {{"integrator.implicit", "[{bodies: [right]}, {bodies: [left], ratio: 3}]"}}),
              HasSubstr("must divide 4"));
  EXPECT_THAT(refusal(tied, {{"integrator.implicit.0.bodies", "[rigth]"}}), HasSubstr("did you mean 'right'"));
  EXPECT_THAT(refusal(tied, {{"integrator.implicit", "[]"}}), HasSubstr("at least one domain"));
}

TEST(DomainScene, TheExplicitPartMustBeStable) {
  EXPECT_THAT(refusal(tied, {{"time.step", "50 us"}}), HasSubstr("of left, which is explicit"));
}

TEST(DomainScene, TiesNeedAnIntegratorThatKnowsThem) {
  EXPECT_THAT(refusal(tied, {{"integrator", "{type: newmark}"}}), HasSubstr("newmark cannot tie bodies together"));
  EXPECT_EQ(refusal(tied, {{"integrator", "{type: capture-return}"}}), "accepted");
}

TEST(DomainScene, AFrameIsCutByABoxAndBySets) {
  const std::vector<scene::Override> by_box{
      {"integrator",
       "{type: coupled, ratio: 2, implicit: [{bodies: [portal], box: {from: [-1, -1, 1.9], to: [7, 1, 5]}}]}"}};
  const Simulation boxed = make_frame(portal, by_box);
  EXPECT_EQ(boxed.system.bodies().size(), 2u);
  EXPECT_EQ(boxed.system.ties().size(), 12u);  // two columns, cut at a height of 2 m
  EXPECT_EQ(boxed.system.loads().size(), 2u);
  const std::vector<scene::Override> by_set{
      {"bodies.portal.members.1.set", "beam"},
      {"integrator", "{type: coupled, ratio: 2, implicit: [{bodies: [portal], set: beam}]}"}};
  EXPECT_EQ(make_frame(portal, by_set).system.ties().size(), 12u);
  EXPECT_THAT(refusal(portal, {{"integrator", "{type: coupled, ratio: 2, implicit: [{bodies: [portal], set: roof}]}"}}),
              HasSubstr("no member of portal belongs to a set 'roof'"));
}

// Nodes have no elastic layer: a scheme that pushes with layers alone would let them pass through each other.
TEST(FrameScene, NodesThatMeetNeedAnIntegratorWithImpulses) {
  constexpr std::string_view posts = R"(
time: {end: 0.01, courant: 0.05}
integrator: {type: multisymplectic}
bodies:
  left:
    type: frame
    nodes: {a: [0, 0, 0], b: [0, 0, 1]}
    sections: {s: {type: box, height: 20 mm, width: 20 mm, thickness: 2 mm}}
    materials: {steel: {youngs_modulus: 210 GPa, density: 7850}}
    members: [{from: a, to: b, section: s, material: steel, element_size: 0.5 m}]
    supports: [{node: a, type: clamped}]
  right:
    type: frame
    nodes: {c: [0.1, 0, 0], d: [0.1, 0, 1]}
    sections: {s: {type: box, height: 20 mm, width: 20 mm, thickness: 2 mm}}
    materials: {steel: {youngs_modulus: 210 GPa, density: 7850}}
    members: [{from: c, to: d, section: s, material: steel, element_size: 0.5 m}]
    supports: [{node: c, type: clamped}]
contacts: [{between: [left, right], nodes: [[b, d]], direction: [1, 0, 0]}]
)";
  EXPECT_NO_THROW(make_frame(posts));
  EXPECT_THAT(refusal(posts, {{"integrator.type", "multisymplectic-prolonged"}}),
              HasSubstr("left and right touch without an elastic layer, which multisymplectic-prolonged needs"));
}

}  // namespace
}  // namespace ictus::build
