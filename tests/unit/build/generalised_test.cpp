// What a scene with generalised bodies becomes, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ictus/base/error.hpp>
#include <ictus/build/build.hpp>
#include <ictus/mechanics/generalised/generalised_body.hpp>
#include <ictus/scene/text/document.hpp>

namespace ictus::build {
namespace {

using ::testing::HasSubstr;

const std::string head = "title: Toys\ntime: {end: 1, step: 0.001}\ngravity: [0, 0, -9.81]\n";
const std::string ground = "  ground: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}\n";

std::string refusal_of_text(const std::string& text) {
  try {
    build(scene::read_text(text, "toys.yaml"), 1);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(GeneralisedScene, OwnContactsBecomePairsAfterThoseOfTheScene) {
  const Simulation run = build(scene::read_text(head + "bodies:\n" + ground + R"(
  pecker: {type: woodpecker, restitution: [0.5, 0.1, 0], friction: 0.3}
  ball: {type: point-mass, mass: 1, position: [0, 0, 1]}
contacts:
  - {between: [ground, ball], restitution: 0.7, friction: 0.2, friction_across: 0.4, friction_direction: [0, 1, 0.3]}
)",
                                                "toys.yaml"),
                               1);
  EXPECT_EQ(run.integrator->name(), "moreau-variational");
  const auto pairs = run.system.pairs();
  ASSERT_EQ(pairs.size(), 4u);
  EXPECT_EQ(pairs[0].first, "ball");
  EXPECT_EQ(pairs[0].second, "ground");
  EXPECT_EQ(pairs[0].friction_across, 0.4);
  EXPECT_EQ(pairs[1].restitution, 0.5);
  EXPECT_EQ(pairs[2].restitution, 0.1);
  EXPECT_EQ(pairs[3].first_point, 2u);
}

/// `all` stands for point masses and every plane: the pairs and the planes of a mass are in one order.
TEST(GeneralisedScene, AllStandsForPointMasses) {
  const Simulation run = build(scene::read_text(head + "bodies:\n" + ground + R"(
  wall: {type: plane, position: [3, 0, 0], normal: [-1, 0, 0]}
  a: {type: point-mass, mass: 1, position: [0, 0, 1]}
  b: {type: point-mass, mass: 1, position: [1, 0, 1]}
contacts:
  - {between: [all, all], restitution: 0.5}
  - {between: [b, ground], restitution: 0.7}
)",
                                                "toys.yaml"),
                               1);
  const auto pairs = run.system.pairs();
  ASSERT_EQ(pairs.size(), 4u);
  for (const contact::ContactPair& pair : pairs) {
    const auto& mass = dynamic_cast<const mechanics::GeneralisedBody&>(*run.system.find_body(pair.first));
    std::vector<double> gaps(2);
    mass.gaps(mass.part(std::span<const double>(run.system.initial_state().q)), gaps);
    const double expected = pair.second == "ground" ? 1 : pair.first == "a" ? 3 : 2;
    EXPECT_EQ(gaps[pair.first_point], expected) << pair.first << ' ' << pair.second;
    EXPECT_EQ(pair.restitution, pair.first == "b" && pair.second == "ground" ? 0.7 : 0.5);
  }
}

TEST(GeneralisedScene, MistakesAreNamed) {
  const std::string pendulum = "  bob: {type: spring-pendulum, mass: 1, stiffness: 100, rest_length: 1";
  EXPECT_THAT(refusal_of_text(head + "bodies:\n" + pendulum + ", angle: -0.1}\n"),
              HasSubstr("bodies.bob.angle: bob and wall"));
  EXPECT_THAT(refusal_of_text(head + "bodies:\n" + pendulum + ", restitution: 1.2}\n"),
              HasSubstr("bodies.bob.restitution"));
  EXPECT_THAT(refusal_of_text(head + "integrator: {type: moreau}\nbodies:\n" + pendulum + "}\n" + ground +
                              "contacts: [{between: [bob, ground]}]\n"),
              HasSubstr("bob, a spring-pendulum, meets its surroundings alone with this integrator"));
  EXPECT_THAT(refusal_of_text(head + "integrator: {type: dcr}\nbodies:\n" + pendulum + "}\n"),
              HasSubstr("dcr does not know how to move bob, a spring-pendulum"));
  EXPECT_THAT(refusal_of_text(head + "reference: exact\nbodies:\n" + pendulum + "}\n"), HasSubstr("for bars only"));
  EXPECT_THAT(refusal_of_text("title: T\ntime: {end: 1, courant: 0.5}\nbodies:\n  ball: {type: point-mass, mass: 1}\n"),
              HasSubstr("time.courant: these bodies have no largest stable step"));
  const std::string masses =
      "bodies:\n  a: {type: point-mass, mass: 1}\n  b: {type: point-mass, mass: 1}\ncontacts: [{between: [a, b]}]\n";
  EXPECT_THAT(refusal_of_text(head + masses), HasSubstr("a and b are points, which have no size and never meet"));
  EXPECT_THAT(refusal_of_text(head + "integrator: {type: moreau}\n" + masses),
              HasSubstr("a is a point-mass, which meets planes only with this integrator"));
  EXPECT_THAT(refusal_of_text(head + "bodies:\n  a: {type: point-mass, mass: 1, position: [0, 0, -2]}\n" + ground +
                              "contacts: [{between: [a, ground]}]\n"),
              HasSubstr("bodies.a.position: a and ground overlap at the start by 2"));
}

}  // namespace
}  // namespace ictus::build
