#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ictus/base/error.hpp>
#include <ictus/build/build.hpp>
#include <ictus/scene/text/document.hpp>

namespace ictus::build {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* jointed_bodies =
    "time: {end: 1, step: 1 ms}\nbodies:\n  arm: {type: rigid, shape: {type: box, size: [1, 0.1, 0.1]}}\n  other: "
    "{type: rigid, shape: {type: box, size: [1, 0.1, "
    "0.1]}, position: [1, 0, 0]}\n  ground: {type: rigid, shape: {type: box, size: [1, 1, 1]}, position: [0, 0, -3], "
    "fixed: true}\n  rubber: "
    "{type: solid, shape: {type: box, size: [1, 1, 1], cells: [2, 2, 2]}, position: [3, 0, 0], material: linear, "
    "density: "
    "1000, youngs_modulus: 1.0e+5, poissons_ratio: 0.3}\njoints:\n";

std::string joint_complaint(const std::string& joint) {
  try {
    build(scene::read_text(jointed_bodies + joint, "scene.yaml"), 1);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(JointScene, IsBuilt) {
  EXPECT_EQ(joint_complaint("  - {name: hinge, type: revolute, between: [arm, other], position: [0.5, 0, 0]}\n"),
            "no complaint");
  EXPECT_EQ(joint_complaint("  - {name: ball, type: spherical, between: [rubber, arm], position: [3, 0, 0]}\n"),
            "no complaint");
}

TEST(JointScene, NamesABodyThatIsNotThere) {
  EXPECT_THAT(joint_complaint("  - {name: a, type: fixed, between: [arm, othr]}\n"),
              AllOf(HasSubstr("joints.0.between.1"), HasSubstr("no body is named 'othr'"), HasSubstr("other")));
}

TEST(JointScene, RefusesAMotorWhereNothingIsFree) {
  EXPECT_THAT(joint_complaint("  - {name: a, type: fixed, between: [arm, other], motor: {type: torque}}\n"),
              HasSubstr("joints.0.motor"));
}

TEST(JointScene, RefusesAnAxisWithoutALength) {
  EXPECT_THAT(joint_complaint("  - {name: a, type: revolute, between: [arm, other], axis: [0, 0, 0]}\n"),
              HasSubstr("joints.0.axis"));
}

TEST(JointScene, RefusesLimitsInTheWrongOrder) {
  EXPECT_THAT(joint_complaint("  - {name: a, type: revolute, between: [arm, other], limits: {lower: 1, upper: -1}}\n"),
              AllOf(HasSubstr("joints.0.limits.upper"), HasSubstr("above lower")));
  EXPECT_THAT(joint_complaint("  - {name: a, type: revolute, between: [arm, other], limits: {lower: 1, upper: 2}}\n"),
              HasSubstr("joints.0.limits.lower"));
}

TEST(JointScene, RefusesASignalThatEndsEarly) {
  EXPECT_THAT(
      joint_complaint("  - {name: a, type: revolute, between: [arm, other], motor: {type: torque, signal: {type: "
                      "table, times: [0, 0.5], values: [0, 1]}}}\n"),
      AllOf(HasSubstr("joints.0.motor.signal"), HasSubstr("ends at 0.5 s")));
}

TEST(JointScene, RefusesAMotorThatLeadsFromElsewhere) {
  EXPECT_THAT(
      joint_complaint("  - {name: a, type: revolute, between: [arm, other], motor: {type: angle, signal: {type: "
                      "table, times: [0, 2], values: [0.5, 1]}}}\n"),
      AllOf(HasSubstr("joints.0.motor.signal"), HasSubstr("let it begin at 0")));
}

TEST(JointScene, RefusesAJointThatCannotClose) {
  EXPECT_THAT(joint_complaint("  - {name: a, type: spherical, between: [rubber, arm], position: [3.1, 0, 0]}\n"),
              AllOf(HasSubstr("joints.0.position"), HasSubstr("cannot close"), HasSubstr("(3, 0, 0)")));
}

TEST(JointScene, RefusesAHingeToNodes) {
  EXPECT_THAT(joint_complaint("  - {name: a, type: revolute, between: [rubber, arm], position: [3, 0, 0]}\n"),
              AllOf(HasSubstr("joints.0.type"), HasSubstr("do not turn")));
}

TEST(JointScene, SaysWhyAFixedJointHasNoMotor) {
  EXPECT_THAT(joint_complaint("  - {name: a, type: fixed, between: [arm, world], motor: {type: torque, signal: {type: "
                              "ramp, amplitude: 1}}}\n"),
              AllOf(HasSubstr("joints.0.motor"), HasSubstr("leaves no motion free"), HasSubstr("revolute")));
}

TEST(JointScene, RefusesAMotorWithoutStrength) {
  EXPECT_THAT(
      joint_complaint("  - {name: a, type: prismatic, between: [arm, world], motor: {type: speed, max_force: 0, "
                      "signal: {type: ramp, amplitude: 1}}}\n"),
      HasSubstr("joints.0.motor.max_force"));
}

TEST(JointScene, SaysWhereABodyCanBeHeld) {
  EXPECT_THAT(joint_complaint("  - {name: a, type: fixed, between: [arm, other], first: {node: tip}}\n"),
              AllOf(HasSubstr("joints.0.first.node"), HasSubstr("arm is rigid")));
  EXPECT_THAT(
      joint_complaint("  - {name: a, type: fixed, between: [arm, rubber], second: {box: {from: [7, 7, 7], to: [8, "
                      "8, 8]}}}\n"),
      AllOf(HasSubstr("joints.0.second.box"), HasSubstr("holds no node of rubber")));
}

TEST(JointScene, RefusesAJointBetweenWhatCannotMove) {
  EXPECT_THAT(joint_complaint("  - {name: a, type: fixed, between: [ground, world]}\n"),
              HasSubstr("neither side can move"));
  EXPECT_THAT(joint_complaint("  - {name: a, type: fixed, between: [world, world]}\n"), HasSubstr("twice"));
}

TEST(JointScene, RefusesTwoJointsOfOneName) {
  EXPECT_THAT(joint_complaint("  - {name: a, type: fixed, between: [arm, other]}\n  - {name: a, type: fixed, between: "
                              "[arm, world]}\n"),
              AllOf(HasSubstr("joints.1.name"), HasSubstr("already the name of joints.0")));
}

TEST(JointScene, RefusesAxesOfACrossThatAreNotPerpendicular) {
  EXPECT_THAT(
      joint_complaint("  - {name: a, type: universal, between: [arm, other], axis: [0, 0, 1], second_axis: [1, 0, "
                      "1]}\n"),
      AllOf(HasSubstr("joints.0.second_axis"), HasSubstr("45 degrees")));
}

TEST(JointScene, RefusesSchemesWithoutJoints) {
  const std::string text = std::string(jointed_bodies) + "  - {name: a, type: fixed, between: [arm, other]}\n" +
                           "integrator: {type: newmark}\n";
  try {
    build(scene::read_text(text, "scene.yaml"), 1);
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("knows no joints"));
  }
}

TEST(JointScene, RefusesVelocitiesThatDoNotFit) {
  std::string text = std::string(jointed_bodies) + "  - {name: a, type: spherical, between: [world, arm]}\n";
  text.insert(text.find("}\n  other"), ", velocity: [0, 0, 2]");
  try {
    build(scene::read_text(text, "scene.yaml"), 1);
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("joints.0"), HasSubstr("2 m/s")));
  }
}

/// Neighbours in a mechanism lie in each other; `all` does not mean them.
TEST(JointScene, LetsJoinedBodiesLieInEachOther) {
  const std::string text = std::string(jointed_bodies) +
                           "  - {name: a, type: revolute, between: [arm, other], position: [0.5, 0, 0]}\n"
                           "contacts:\n  - {between: [all, all]}\n";
  const Simulation simulation = build(scene::read_text(text, "scene.yaml"), 1);
  for (const contact::ContactPair& pair : simulation.system.pairs())
    EXPECT_FALSE(pair.first == "arm" && pair.second == "other");
}

}  // namespace
}  // namespace ictus::build
