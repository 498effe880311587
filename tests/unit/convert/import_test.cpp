// Scenes made of URDF and MJCF files: that they move as scenes written by hand, and what is said of damaged files.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/build/build.hpp>
#include <ictus/convert/convert.hpp>
#include <numbers>

namespace ictus::convert {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;

std::string scene_of(const std::string& text, const ImportOptions& options = {}) {
  Mechanism mechanism = read_mechanism(text, "robot.xml", options);
  return scene_text(mechanism, "robot.xml", "");
}

std::string complaint(const std::string& text) {
  try {
    scene_of(text);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no complaint";
}

build::Simulation simulation_of(const std::string& scene) {
  return build::build(scene::read_text(scene, "scene.yaml", {scene::parse_override("time.end=0.5")}), 1);
}

std::vector<double> end_of(const std::string& scene) {
  build::Simulation simulation = simulation_of(scene);
  simulation.integrator->prepare(simulation.system);
  model::State state = simulation.system.initial_state();
  simulation.integrator->start(simulation.system, simulation.step, state);
  for (std::int64_t n = 0; n < simulation.steps; ++n)
    simulation.integrator->step(simulation.system, simulation.step, state);
  return state.q;
}

/// Two rods of 0.5 m with square sections of 4 cm, from (0, 0, 1), the first at 1.2 rad from the vertical, the second
/// at 0.4 rad from the first, with damping in the first hinge.
constexpr double mass = 0.5, rod = 0.5, width = 0.04, first_angle = 1.2, second_angle = 0.4;
constexpr double across = mass * (rod * rod + width * width) / 12, along = mass * width * width / 6;

std::string by_hand() {
  const double total = first_angle + second_angle;
  const Vec3 elbow(rod * std::sin(first_angle), 0, 1 - rod * std::cos(first_angle));
  const Vec3 lower = elbow + 0.5 * rod * Vec3(std::sin(total), 0, -std::cos(total));
  return fmt::format(
      "time: {{end: 1, step: 1 ms}}\ngravity: [0, 0, -9.81]\nintegrator: {{type: moreau-variational}}\nbodies:\n  "
      "upper: "
      "{{type: rigid, shape: {{type: box, size: [0.04, 0.04, 0.5]}}, mass: 0.5, position: [{}, 0, {}], rotation: [0, "
      "{}, 0]}}\n  lower: "
      "{{type: rigid, shape: {{type: box, size: [0.04, 0.04, 0.5]}}, mass: 0.5, position: [{}, 0, {}], rotation: [0, "
      "{}, 0]}}\njoints:\n  - {{name: "
      "shoulder, type: revolute, between: [world, upper], position: [0, 0, 1], axis: [0, 1, 0], drag: 0.01}}\n  - "
      "{{name: elbow, type: revolute, between: [upper, lower], position: [{}, 0, {}], axis: [0, 1, 0]}}\n",
      0.5 * elbow.x(), 0.5 * (1 + elbow.z()), -first_angle, lower.x(), lower.z(), -total, elbow.x(), elbow.z());
}

std::string urdf_pendulum() {
  const std::string link = fmt::format(
      "<inertial><origin xyz='0 0 -0.25'/><mass value='0.5'/><inertia ixx='{0}' iyy='{0}' izz='{1}' ixy='0' ixz='0' "
      "iyz='0'/></inertial><collision><origin xyz='0 0 -0.25'/><geometry><box size='0.04 0.04 "
      "0.5'/></geometry></collision>",
      across, along);
  return fmt::format(
      "<robot name='pendulum'>\n<link name='world'/>\n<link name='upper'>{0}</link>\n<link name='lower'>{0}</link>\n"
      "<joint name='shoulder' type='continuous'><parent link='world'/><child link='upper'/><origin xyz='0 0 1' rpy='0 "
      "-1.2 0'/><axis xyz='0 1 0'/><dynamics damping='0.01'/></joint>\n<joint name='elbow' type='continuous'><parent "
      "link='upper'/><child link='lower'/><origin xyz='0 0 -0.5' rpy='0 -0.4 0'/><axis xyz='0 1 0'/></joint>\n</robot>",
      link);
}

/// Masses and inertias from geometry and density, angles in degrees, a class of defaults.
std::string mjcf_pendulum() {
  constexpr double degrees = 180 / std::numbers::pi;
  return fmt::format(
      "<mujoco><option timestep='0.001'/>\n<default><geom density='{}'/><joint axis='0 1 0'/><default "
      "class='soft'><joint damping='0.01'/></default></default>\n<worldbody><body name='upper' pos='0 0 1' euler='0 {} "
      "0'><joint class='soft'/><geom type='box' pos='0 0 -0.25' size='0.02 0.02 0.25' contype='0' "
      "conaffinity='0'/>\n<body name='lower' pos='0 0 -0.5' euler='0 {} 0'><joint/><geom type='box' fromto='0 0 0 0 0 "
      "-0.5' size='0.02' contype='0' conaffinity='0'/></body></body></worldbody></mujoco>",
      mass / (rod * width * width), -first_angle * degrees, -second_angle * degrees);
}

TEST(Import, MovesAsTheSceneWrittenByHand) {
  const std::vector<double> hand = end_of(by_hand());
  EXPECT_GT(std::abs(hand[2] - 0.9), 0.1);  // it moves
  for (const std::string& text : {urdf_pendulum(), mjcf_pendulum()}) {
    const std::vector<double> imported = end_of(scene_of(text));
    ASSERT_EQ(imported.size(), hand.size());
    for (const std::size_t k : {0u, 1u, 2u, 7u, 8u, 9u}) EXPECT_NEAR(imported[k], hand[k], 1e-9) << k;
  }
}

/// Given as numbers about another centre, inertia is what a compound of two boxes has.
TEST(Import, GivesInertiaAwayFromTheCentre) {
  const std::string head = "time: {end: 1, step: 1 ms}\nintegrator: {type: moreau-variational}\nbodies:\n";
  const std::string motion = "velocity: [1, 0, 0], angular_velocity: [1, 2, 3]";
  const std::string parts =
      "parts: [{shape: {type: box, size: [0.2, 0.2, 0.2]}}, {shape: {type: box, size: [0.2, 0.2, 0.2]}, position: "
      "[0.4, 0, 0], "
      "density: "
      "3000}]";
  const double light = 8, heavy = 24, x = heavy * 0.4 / (light + heavy), own = (light + heavy) * 0.08 / 12;
  const double more = light * x * x + heavy * (0.4 - x) * (0.4 - x);
  const std::vector<double> two =
      end_of(head + "  it: {type: rigid, shape: {type: compound, " + parts + "}, " + motion + "}\n");
  const std::vector<double> one = end_of(
      head +
      fmt::format(
          "  it: {{type: rigid, shape: {{type: box, size: [0.2, 0.2, 0.2]}}, mass: {}, inertia: [{}, {}, {}, 0, 0, 0], "
          "centre_of_mass: [{}, 0, 0], {}}}\n",
          light + heavy, own, own + more, own + more, x, motion));
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(one[k], two[k], 1e-10) << k;
}

TEST(Import, RefusesAnInertiaThatNoBodyHas) {
  const std::string scene =
      "time: {end: 1, step: 1 ms}\nintegrator: {type: moreau-variational}\nbodies:\n  it: {type: rigid, shape: {type: "
      "box, size: [1, 1, 1]}, "
      "mass: "
      "1, inertia: [1, 1, 3, 0, 0, 0]}\n";
  try {
    simulation_of(scene);
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("bodies.it.inertia"), HasSubstr("no body")));
  }
}

TEST(ImportUrdf, BeginsWithinItsLimits) {
  const std::string scene = scene_of(
      "<robot name='r'><link name='base'/><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial></link><joint name='j' type='prismatic'><parent link='base'/><child link='a'/><axis xyz='0 "
      "0 "
      "2'/><limit lower='0.5' upper='2'/></joint></robot>");
  EXPECT_THAT(scene, HasSubstr("position: [0, 0, 0.5]"));
  EXPECT_THAT(scene, HasSubstr("limits: {lower: 0, upper: 1.5}"));
  simulation_of(scene);
}

TEST(ImportUrdf, HoldsTheBaseUnlessItIsFree) {
  const std::string text =
      "<robot name='r'><link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial><collision><geometry><sphere "
      "radius='1'/></geometry></collision></link></robot>";
  EXPECT_THAT(scene_of(text), HasSubstr("fixed: true"));
  EXPECT_THAT(scene_of(text, {.free_base = true}), Not(HasSubstr("fixed: true")));
}

TEST(ImportUrdf, MakesAFlangeWithoutMassPartOfItsArm) {
  const std::string scene = scene_of(
      "<robot name='r'><link name='base'/><link name='arm'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial></link><link name='tool'><collision><geometry><sphere "
      "radius='0.1'/></geometry></collision></link>"
      "<joint name='j' type='continuous'><parent link='base'/><child link='arm'/></joint><joint name='f' "
      "type='fixed'><parent link='arm'/><child link='tool'/><origin xyz='0 0 0.3'/></joint></robot>");
  EXPECT_THAT(scene, AllOf(HasSubstr("{type: compound"), Not(HasSubstr("tool"))));
  EXPECT_THAT(scene, Not(HasSubstr("centre_of_mass")));  // a tool adds no mass
  simulation_of(scene);
}

TEST(ImportUrdf, TellsWhatIsWrongAndWhere) {
  EXPECT_THAT(complaint("<robot>\n<link name='a'>\n</robot>"), AllOf(HasSubstr("robot.xml:"), HasSubstr("no XML")));
  EXPECT_THAT(complaint("<sdf/>"), HasSubstr("<robot> (URDF) or <mujoco> (MJCF), not <sdf>"));
  EXPECT_THAT(complaint("<robot>\n<link name='a'/>\n<joint name='j' type='fixed'>\n<parent link='a'/><child "
                        "link='b'/></joint></robot>"),
              AllOf(HasSubstr("robot.xml:4"), HasSubstr("'b' is no link")));
  EXPECT_THAT(
      complaint("<robot><link name='a'/><link name='b'/>\n<joint name='j' type='fixed'><parent link='a'/><child "
                "link='b'/></joint><joint name='k' type='fixed'><parent link='b'/><child "
                "link='a'/></joint></robot>"),
      HasSubstr("circle"));
  EXPECT_THAT(complaint("<robot><link name='a'/>\n<link name='b'/></robot>"),
              AllOf(HasSubstr("robot.xml:2"), HasSubstr("joined to nothing")));
  EXPECT_THAT(
      complaint("<robot><link name='a'/>\n<link name='b'/><joint name='j' type='continuous'><parent link='a'/><child "
                "link='b'/></joint></robot>"),
      AllOf(HasSubstr("robot.xml:2"), HasSubstr("no <inertial>")));
  EXPECT_THAT(complaint("<robot><link name='a'>\n<inertial><mass value='heavy'/></inertial></link></robot>"),
              AllOf(HasSubstr("robot.xml:2"), HasSubstr("must be numbers, not 'heavy'")));
  EXPECT_THAT(
      complaint("<robot><link name='a'><collision><geometry>\n<box size='1 2'/></geometry></collision></link></robot>"),
      AllOf(HasSubstr("robot.xml:2: <box> size"), HasSubstr("3 numbers, not 2")));
}

/// The case of the arm is what comes of its file, with motors and a plate.
TEST(ImportUrdf, MakesTheArmOfItsCase) {
  const std::string folder = ICTUS_SOURCE_DIR "/cases/joints/";
  const scene::Scene imported =
      scene::read_text(import_file(folder + "arm.urdf", folder, "arm", {}).scene, "arm-of-urdf.yaml").scene;
  const scene::Scene of_case = scene::read_file(folder + "arm.yaml").scene;
  for (const auto& [name, body] : imported.bodies) {
    ASSERT_TRUE(of_case.bodies.contains(name)) << name;
    EXPECT_EQ(*of_case.bodies.find(name), body) << name;
  }
  ASSERT_EQ(of_case.joints.size(), imported.joints.size());
  for (std::size_t i = 0; i < of_case.joints.size(); ++i) {
    EXPECT_EQ(scene::common(of_case.joints[i]).position, scene::common(imported.joints[i]).position) << i;
    EXPECT_EQ(scene::common(of_case.joints[i]).between, scene::common(imported.joints[i]).between) << i;
  }
}

TEST(ImportMjcf, AddsUpWhatIsWelded) {
  const Mechanism mechanism = read_mechanism(
      "<mujoco><worldbody><body name='a'><freejoint/><geom type='sphere' size='0.1' mass='1'/><body pos='0 0 1' "
      "quat='0 1 "
      "0 0'><geom type='sphere' size='0.1' mass='3'/></body></body></worldbody></mujoco>",
      "m.xml", {});
  ASSERT_EQ(mechanism.links.size(), 1u);
  const Inertia& own = *mechanism.links[0].inertia;
  EXPECT_NEAR(own.mass, 4, 1e-15);
  EXPECT_NEAR(own.centre.z(), 0.75, 1e-15);
  EXPECT_NEAR(own.tensor(0, 0), 4 * 0.4 * 0.01 + 1 * 0.75 * 0.75 + 3 * 0.25 * 0.25, 1e-14);
  EXPECT_NEAR(own.tensor(2, 2), 4 * 0.4 * 0.01, 1e-14);
}

/// A capsule from one point to another, in radians, and its own inertia.
TEST(ImportMjcf, ReadsCapsulesAndAngles) {
  const Mechanism mechanism = read_mechanism(
      "<mujoco><compiler angle='radian'/><worldbody><body name='a' pos='0 0 2' axisangle='0 0 1 1.5707963267948966'>"
      "<joint name='j' range='-1 1' springref='0.5' stiffness='3'/><geom type='capsule' fromto='0 0 0 1 0 0' "
      "size='0.05'/></body></worldbody></mujoco>",
      "m.xml", {});
  const Link& link = mechanism.links.at(0);
  const Pose pose = link.pose * link.shapes.at(0).pose;
  EXPECT_NEAR((pose.place - Vec3(0, 0.5, 2)).norm(), 0, 1e-15);
  EXPECT_NEAR(std::abs((pose.turn * Vec3::UnitZ()).y()), 1, 1e-15);
  EXPECT_NEAR(link.shapes[0].length, 1, 1e-15);
  const Connection& joint = mechanism.connections.at(0);
  EXPECT_EQ(joint.limits->at(1), 1);
  EXPECT_EQ(joint.rest, 0.5);
  EXPECT_NEAR(inertia_of(link.shapes[0])->mass,
              1000 * (std::numbers::pi * 0.0025 + 4 * std::numbers::pi / 3 * 0.000125), 1e-12);
}

TEST(ImportMjcf, JoinsSeveralHingesWhereTheyAreOneJoint) {
  const auto type = [](const std::string& joints) {
    return read_mechanism("<mujoco><worldbody><body name='a'>" + joints +
                              "<geom type='sphere' size='1'/></body></worldbody></mujoco>",
                          "m.xml", {})
        .connections.at(0)
        .type;
  };
  EXPECT_EQ(type("<joint axis='1 0 0'/><joint axis='0 1 0'/>"), ConnectionType::universal);
  EXPECT_EQ(type("<joint type='slide'/><joint/>"), ConnectionType::cylindrical);
  EXPECT_EQ(type("<joint axis='1 0 0'/><joint axis='0 1 0'/><joint/>"), ConnectionType::spherical);
  EXPECT_EQ(type("<joint type='ball'/>"), ConnectionType::spherical);
  EXPECT_THAT(complaint("<mujoco><worldbody>\n<body><joint/><joint/><geom size='1'/></body></worldbody></mujoco>"),
              AllOf(HasSubstr("robot.xml:2"), HasSubstr("several joints")));
}

TEST(ImportMjcf, KeepsApartWhatIsExcluded) {
  const std::string body = "<freejoint/><geom type='sphere' size='0.1' friction='0.5'/></body>";
  const std::string scene = scene_of(
      "<mujoco><worldbody><geom type='plane' size='1 1 1' friction='0.2'/><body name='a' pos='0 "
      "0 1'>" +
      body + "<body name='b' pos='0 0 2'>" + body + "<body name='c' pos='0 0 3'>" + body +
      "</worldbody><contact><exclude body1='a' body2='b'/></contact></mujoco>");
  EXPECT_THAT(scene, AllOf(HasSubstr("[a, c], friction: 0.5"), HasSubstr("[b, c]"), HasSubstr("[plane1, a]"),
                           Not(HasSubstr("[a, b]"))));
  simulation_of(scene);
}

TEST(ImportMjcf, ListsWhatIsNotUnderstood) {
  const Mechanism mechanism = read_mechanism(
      "<mujoco>\n<worldbody>\n<body name='a'><joint name='j' armature='1'/><geom size='1'/>\n<geom type='ellipsoid' "
      "size='1 2 "
      "3'/></body></worldbody>\n<tendon/>\n<actuator><motor joint='j'/><muscle joint='j'/></actuator></mujoco>",
      "m.xml", {});
  EXPECT_THAT(mechanism.notes, Contains(AllOf(Field(&Note::line, 3), Field(&Note::text, HasSubstr("armature")))));
  EXPECT_THAT(mechanism.notes, Contains(AllOf(Field(&Note::line, 4), Field(&Note::text, HasSubstr("ellipsoid")))));
  EXPECT_THAT(mechanism.notes, Contains(AllOf(Field(&Note::line, 5), Field(&Note::text, HasSubstr("<tendon>")))));
  EXPECT_THAT(mechanism.notes, Contains(AllOf(Field(&Note::line, 6), Field(&Note::text, HasSubstr("<muscle>")))));
}

}  // namespace
}  // namespace ictus::convert
