#include <unit/scene/scene_texts.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ictus::scene {
namespace {

using test::full_scene;
using test::mistakes_of;
using test::scene_of;
using test::small_scene;
using ::testing::ElementsAre;

const BarSpec& bar_of(const Scene& scene, std::string_view name) { return std::get<BarSpec>(*scene.bodies.find(name)); }

TEST(Override, ChangesAKey) {
  EXPECT_EQ(bar_of(scene_of(small_scene, {"bodies.bar.cells=400"}), "bar").cells, 400);
  EXPECT_EQ(bar_of(scene_of(small_scene, {"bodies.bar.length=12 mm"}), "bar").length, 0.012);
  EXPECT_EQ(bar_of(scene_of(small_scene, {"bodies.bar.velocity=[1, 2 km/h, 3]"}), "bar").velocity[0], 1);
  EXPECT_EQ(scene_of(small_scene, {"title=a = b"}).title, "a = b") << "only the first '=' divides";
}

TEST(Override, TheLastOneWins) {
  EXPECT_EQ(bar_of(scene_of(small_scene, {"bodies.bar.cells=5", "bodies.bar.cells=6"}), "bar").cells, 6);
}

TEST(Override, ReachesIntoLists) {
  EXPECT_EQ(scene_of(small_scene, {"contacts.0.friction=0.3"}).contacts[0].friction, 0.3);
  const Scene scene = scene_of(small_scene, {"bodies.wall.position.0=7"});
  EXPECT_EQ(std::get<PlaneSpec>(*scene.bodies.find("wall")).position, (Vec3{7, 0, 0}));
}

TEST(Override, MakesKeysThatAreNotThere) {
  const Scene scene = scene_of(
      small_scene, {"output.history_every=0.5", "integrator.type=cd-lagrange", "probes.tip={body: bar, at: end}",
                    "bodies.floor={type: plane, position: [0, 0, 0], normal: [0, 0, 1]}",
                    "contacts.1={between: [bar, floor]}", "contacts.1.friction=0.1"});
  EXPECT_EQ(scene.output.history_every, 0.5);
  EXPECT_TRUE(scene.integrator.has_value());
  EXPECT_EQ(scene.probes.find("tip")->body, "bar");
  EXPECT_THAT(scene.bodies.names(), ElementsAre("bar", "wall", "floor"));
  EXPECT_EQ(scene.contacts.at(1), (ContactSpec{{"bar", "floor"}, std::nullopt, 0.1}));
}

TEST(Override, ReachesExpectationsThroughTheirDots) {
  const Scene scene =
      scene_of(full_scene, {"expect.energy.error.max=1e-3", "expect.energy.residual_max={max: 5}",
                            "expect.probes.tip.velocity.near=1", "expect.probes.tip.velocity.within=0.1",
                            "expect.contact.first_time.equals=null", "expect.extra.max={min: 3}"});
  const auto find = [&](std::string_view path) -> Condition {
    for (const Expectation& expectation : scene.expect)
      if (expectation.path == path) return expectation.condition;
    ADD_FAILURE() << "no " << path;
    return {};
  };
  EXPECT_EQ(find("energy.error").max, 1e-3);
  EXPECT_EQ(find("energy.residual_max").max, 5);
  EXPECT_EQ(find("probes.tip.velocity"), (Condition{{}, {}, 1.0, 0.1, {}}));
  EXPECT_EQ(find("contact.first_time").equals, Scalar(std::monostate{}));
  EXPECT_EQ(find("extra.max").min, 3) << "a map is the whole condition, even under a path that ends like a key of one";
}

TEST(Override, NullTakesAKeyAway) {
  const Scene scene = scene_of(full_scene, {"time.courant=null", "time.step=1 ms", "integrator=null", "contacts.0=null",
                                            "expect.status=null", "expect.contact.events.max=null", "probes.tip=null",
                                            "limits.wall_time=null", "output.frames_every=null"});
  EXPECT_EQ(scene.time.step, 1e-3);
  EXPECT_EQ(scene.time.courant, std::nullopt);
  EXPECT_FALSE(scene.integrator);
  EXPECT_EQ(scene.contacts.size(), 1u);
  EXPECT_EQ(scene.expect.size(), 7u);
  EXPECT_EQ(scene.expect[2].condition, (Condition{1.0, {}, {}, {}, {}}));
  EXPECT_FALSE(scene.probes.contains("tip"));
  EXPECT_EQ(scene.limits.wall_time, std::nullopt);
  EXPECT_EQ(scene.output.frames_every, std::nullopt);
  EXPECT_EQ(scene_of(small_scene, {"output.history_every=null"}), scene_of(small_scene))
      << "also one that is not there";
}

TEST(Override, MendsAMistakeOfTheFile) {
  EXPECT_TRUE(mistakes_of(test::replaced(small_scene, "length: 2", "length: -2"), {"bodies.bar.length=2"}).empty());
}

TEST(Override, MistakesNameIt) {
  EXPECT_THAT(mistakes_of(small_scene, {"bodies.bar.cells=0"}),
              ElementsAre("--set bodies.bar.cells=0: bodies.bar.cells: must be an integer ≥ 1, not 0"));
  EXPECT_THAT(mistakes_of(small_scene, {"bodies.bar.celsl=3"}),
              ElementsAre("--set bodies.bar.celsl=3: bodies.bar.celsl: unknown key, did you mean 'cells'?"));
  EXPECT_THAT(mistakes_of(small_scene, {"body.bar.cells=3"}),
              ElementsAre("--set body.bar.cells=3: body: unknown key, did you mean 'bodies'?"));
  EXPECT_THAT(
      mistakes_of(small_scene, {"colour.red=3"}),
      ElementsAre(
          "--set colour.red=3: colour: unknown key, the keys of scene are version, title, source, about, time, "
          "integrator, gravity, materials, bodies, contacts, joints, ties, loads, initial, probes, output, limits, "
          "reference, expect, published, refinements"));
  EXPECT_THAT(
      mistakes_of(small_scene, {"colour=null"}),
      ElementsAre(
          "--set colour=null: colour: unknown key, the keys of scene are version, title, source, about, time, "
          "integrator, gravity, materials, bodies, contacts, joints, ties, loads, initial, probes, output, limits, "
          "reference, expect, published, refinements"));
  EXPECT_THAT(mistakes_of(small_scene, {"bodies.bra.cells=3"}),
              ElementsAre("--set bodies.bra.cells=3: bodies.bra: bodies has no 'bra', did you mean 'bar'?"));
  EXPECT_THAT(mistakes_of(small_scene, {"probes.tip.body=bar"}),
              ElementsAre("--set probes.tip.body=bar: probes.tip: probes has no 'tip', it is empty"));
  EXPECT_THAT(mistakes_of(small_scene, {"contacts.1.friction=0"}),
              ElementsAre("--set contacts.1.friction=0: contacts.1: contacts has 1 item, numbered from 0"));
  EXPECT_THAT(mistakes_of(small_scene, {"contacts.5={between: [bar, wall]}"}),
              ElementsAre("--set contacts.5={between: [bar, wall]}: contacts.5: contacts has 1 item, numbered from 0"));
  EXPECT_THAT(
      mistakes_of(small_scene, {"contacts.first.friction=0"}),
      ElementsAre(
          "--set contacts.first.friction=0: contacts.first: contacts is a list, its items are numbered from 0"));
  EXPECT_THAT(mistakes_of(small_scene, {"time.end.unit=3"}),
              ElementsAre("--set time.end.unit=3: time.end.unit: time.end is 1, which has no keys"));
  EXPECT_THAT(
      mistakes_of(small_scene, {"time.courant=1"}),
      ElementsAre("scene.yaml:1: time: must have only one of step or courant (--set key=null takes a key away)"));
  EXPECT_THAT(mistakes_of(small_scene, {"bodies=null"}),
              ElementsAre("scene.yaml: bodies: is missing, must be a map from names to a map with type: " +
                          test::body_choice() + ", at least 1"));
  EXPECT_THAT(
      mistakes_of(small_scene, {"contacts.0.between.1=rod"}),
      ElementsAre("--set contacts.0.between.1=rod: contacts.0.between.1: no body is named 'rod', the bodies are bar, "
                  "wall"));
}

TEST(Override, MalformedOnesAreRefused) {
  EXPECT_THAT(mistakes_of(small_scene, {"time.end"}),
              ElementsAre("--set time.end: must be path=value, such as time.end=2.5"));
  EXPECT_THAT(mistakes_of(small_scene, {"=3"}),
              ElementsAre("--set =3: the path before '=' must be keys joined by '.', such as time.end"));
  EXPECT_THAT(mistakes_of(small_scene, {"time..end=3"}),
              ElementsAre("--set time..end=3: the path before '=' must be keys joined by '.', such as time.end"));
  EXPECT_THAT(mistakes_of(small_scene, {"time.end= "}),
              ElementsAre("--set time.end= : has no value after '='; null takes a key away"));
  EXPECT_THAT(
      mistakes_of(small_scene, {"bodies.wall.position=[1, 2"}),
      ElementsAre("--set bodies.wall.position=[1, 2: not valid YAML, column 1: a '[' is not closed by ']', or a ',' is "
                  "missing"));
  EXPECT_THAT(mistakes_of(small_scene, {"title=\x04"}),
              ElementsAre("--set title=\x04: is not a text file in UTF-8 (byte 0x04)"));
}

TEST(Override, MistakesOfFileAndOverridesComeTogether) {
  EXPECT_THAT(mistakes_of(test::replaced(small_scene, "length: 2", "length: -2"), {"bodies.bra.area=1", "time.end=0"}),
              ElementsAre("scene.yaml:3: bodies.bar.length: must be a length > 0 (in m), not -2",
                          "--set bodies.bra.area=1: bodies.bra: bodies has no 'bra', did you mean 'bar'?",
                          "--set time.end=0: time.end: must be a time > 0 (in s), not 0"));
}

}  // namespace
}  // namespace ictus::scene
