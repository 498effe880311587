#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <ictus/base/error.hpp>
#include <ictus/build/build.hpp>
#include <ictus/dynamics/rigid/rigid_system.hpp>
#include <ictus/scene/text/document.hpp>

namespace ictus::build {
namespace {

using ::testing::HasSubstr;

std::string scene_with(const std::string& bodies, const std::string& contacts = "") {
  return "time: {end: 1, step: 1 ms}\ngravity: [0, 0, -9.81]\nbodies:\n  floor: {type: plane, position: [0, 0, 0], "
         "normal: [0, 0, 1]}\n" +
         bodies + (contacts.empty() ? "" : "contacts:\n" + contacts);
}

Simulation make_rigid(const std::string& text) { return build(scene::read_text(text, "scene.yaml"), 1); }

std::string rigid_refusal(const std::string& text) {
  try {
    make_rigid(text);
    return "";
  } catch (const base::InputError& error) {
    return error.what();
  }
}

TEST(RigidScene, GetsTheVariationalIntegrator) {
  const Simulation simulation =
      make_rigid(scene_with("  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, position: [0, 0, 1]}\n"));
  EXPECT_EQ(simulation.integrator->name(), "moreau-variational");
  EXPECT_EQ(simulation.system.dofs(), mechanics::RigidBodies::stride);
}

TEST(RigidScene, PlacesGridsAndRandomBodiesBySeed) {
  const auto first_x = [](const std::string& seed) {
    const Simulation simulation =
        make_rigid(scene_with("  balls: {type: rigid, shape: {type: sphere, radius: 0.1}, copies: {type: random, "
                              "count: 50, from: [-1, -1, 0.2], to: [1, 1, 2], seed: " +
                              seed + "}}\n"));
    EXPECT_EQ(simulation.system.dofs(), 50 * mechanics::RigidBodies::stride);
    return simulation.system.initial_state().q[0];
  };
  EXPECT_EQ(first_x("5"), first_x("5"));
  EXPECT_NE(first_x("5"), first_x("6"));
  const Simulation grid =
      make_rigid(scene_with("  boxes: {type: rigid, shape: {type: box, size: [1, 1, 1]}, position: [0, 0, 1], copies: "
                            "{type: grid, count: [2, 3, 4], spacing: [2, 3, 4]}}\n"));
  const std::vector<double> q = grid.system.initial_state().q;
  EXPECT_EQ(q.size(), 24 * mechanics::RigidBodies::stride);
  EXPECT_EQ(q[23 * mechanics::RigidBodies::stride + 2], 1 + 3 * 4.0);
}

/// A convex body given off its centre and axes starts with its centre of mass where its vertices put it.
TEST(RigidScene, FindsTheCentreOfMassOfAConvexBody) {
  const Simulation simulation =
      make_rigid(scene_with("  wedge: {type: rigid, shape: {type: convex, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], "
                            "[0, 0, 1]]}, position: [1, "
                            "2, 3], mass: 2}\n"));
  const std::vector<double> q = simulation.system.initial_state().q;
  EXPECT_NEAR(q[0], 1.25, 1e-14);
  EXPECT_NEAR(q[1], 2.25, 1e-14);
  EXPECT_NEAR(q[2], 3.25, 1e-14);
  const auto& body = dynamic_cast<const mechanics::RigidBodies&>(*simulation.system.find_body("wedge"));
  EXPECT_EQ(body.properties().mass, 2);
}

TEST(RigidScene, RefusesWhatCannotBe) {
  const std::string on_floor = "  - {between: [ball, floor]}\n";
  EXPECT_THAT(rigid_refusal(scene_with(
                  "  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.05]}\n", on_floor)),
              HasSubstr("bodies.ball.position: ball and floor overlap at the start by 0.05 m; move ball by 0.05 m "
                        "along (0, 0, 1), or "
                        "give the contact `overlap: part`"));
  EXPECT_THAT(
      rigid_refusal(scene_with("  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.05]}\n",
                               "  - {between: [floor, ball]}\n")),
      HasSubstr("ball and floor overlap at the start by 0.05 m"));
  EXPECT_THAT(rigid_refusal(scene_with("  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, mass: 0}\n")),
              HasSubstr("bodies.ball.mass"));
  EXPECT_THAT(rigid_refusal(scene_with("  boxes: {type: rigid, shape: {type: box, size: [1, 1, 1]}, position: [0, 0, "
                                       "1], copies: {type: grid, count: [2, 1, 1], "
                                       "spacing: [0.5, 0, 0]}}\n",
                                       "  - {between: [boxes, boxes]}\n")),
              HasSubstr("boxes number 0 and boxes number 1 overlap at the start by 0.5 m"));
  EXPECT_THAT(rigid_refusal(scene_with("  balls: {type: rigid, shape: {type: sphere, radius: 0.1}, copies: {type: "
                                       "random, count: 500, from: [0, 0, 1], to: [1, 1, "
                                       "1.1]}}\n")),
              HasSubstr("found room without touching"));
  EXPECT_THAT(
      rigid_refusal(scene_with(
          "  flat: {type: rigid, shape: {type: convex, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}}\n")),
      HasSubstr("bodies.flat.shape.vertices: the points have no volume"));
  EXPECT_THAT(
      rigid_refusal(scene_with(
          "  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, copies: {type: file, file: nowhere.txt}}\n")),
      HasSubstr("nowhere.txt: there is no such file"));
}

std::vector<std::string> names_of_pairs(const std::string& bodies, const std::string& contacts) {
  std::vector<std::string> names;
  const Simulation simulation = make_rigid(scene_with(bodies, contacts));
  for (const contact::ContactPair& pair : simulation.system.pairs()) names.push_back(pair.first + "-" + pair.second);
  return names;
}

TEST(RigidScene, AllStandsForEveryBody) {
  using ::testing::UnorderedElementsAre;
  const std::string bodies =
      "  balls: {type: rigid, shape: {type: sphere, radius: 0.1}, position: [0, 0, 1], copies: {type: grid, count: [2, "
      "1, 1], spacing: [1, 0, 0]}}\n"
      "  box: {type: rigid, shape: {type: box, size: [0.1, 0.1, 0.1]}, position: [0, 0, 2]}\n";
  EXPECT_THAT(names_of_pairs(bodies, "  - {between: [all, floor]}\n"),
              UnorderedElementsAre("floor-balls", "floor-box"));
  EXPECT_THAT(names_of_pairs(bodies, "  - {between: [all, all]}\n"),
              UnorderedElementsAre("floor-balls", "floor-box", "balls-balls", "balls-box"));
  // A contact that names a pair, or says `all` once, comes before one that says it twice.
  EXPECT_THAT(names_of_pairs(bodies,
                             "  - {between: [all, all]}\n  - {between: [floor, all]}\n  - {between: [balls, "
                             "box]}\n"),
              UnorderedElementsAre("floor-balls", "floor-box", "balls-balls", "balls-box"));
  EXPECT_THAT(rigid_refusal("time: {end: 1, step: 1 ms}\nbodies:\n  ball: {type: rigid, shape: {type: sphere, radius: "
                            "0.1}}\ncontacts:\n  - "
                            "{between: [all, all]}\n"),
              HasSubstr("contacts.0.between: no two bodies of the scene can meet by this contact"));
}

TEST(RigidScene, AllStandsForBarsAndBeamsToo) {
  using ::testing::ElementsAre;
  const std::string bar = "type: bar, length: 1, cells: 2, density: 1, youngs_modulus: 1";
  EXPECT_THAT(names_of_pairs("  upper: {" + bar + ", position: [0, 0, 3], direction: [0, 0, -1]}\n  lower: {" + bar +
                                 ", position: [0, 0, 0.5], direction: [0, 0, 1]}\n  aside: {" + bar +
                                 ", position: [5, 0, 1]}\n",
                             "  - {between: [all, all]}\n"),
              ElementsAre("floor-upper", "floor-lower", "upper-lower"));
  EXPECT_THAT(names_of_pairs("  beam: {type: beam, length: 1, cells: 4, section: {type: square, side: 0.05}, "
                             "density: 1000, youngs_modulus: 1000, position: [0, 0, 1]}\n",
                             "  - {between: [all, floor]}\n"),
              ElementsAre("floor-beam"));
}

TEST(RigidScene, RefusesKeysThatItsBodiesCannotHonour) {
  const std::string ball = "  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, position: [0, 0, 1]}\n";
  const auto with = [&](const std::string& key) {
    return scene_with(ball, "  - {between: [ball, floor], " + key + "}\n");
  };
  EXPECT_THAT(rigid_refusal(with("gap: 1 mm")), HasSubstr("contacts.0.gap: is for triangulated surfaces"));
  EXPECT_THAT(rigid_refusal(with("continuous: true")),
              HasSubstr("contacts.0.continuous: is for triangulated surfaces"));
  EXPECT_THAT(rigid_refusal(with("closed_below: 1 mm")), HasSubstr("contacts.0.closed_below: is for ends and nodes"));
  EXPECT_THAT(
      rigid_refusal(scene_with(
          "  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, mass: 1, density: 2, position: [0, 0, 1]}\n")),
      HasSubstr("bodies.ball.density: has no meaning beside mass"));
  for (const char* key : {"mass", "density"})
    EXPECT_THAT(rigid_refusal(scene_with("  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, fixed: true, " +
                                         std::string(key) + ": 2, position: [0, 0, 1]}\n")),
                HasSubstr("bodies.ball." + std::string(key) + ": has no meaning for a body that is fixed"));
  const std::string grid =
      "  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, copies: {type: grid, count: [2, 1, 1], spacing: [1, "
      "1, 1], seed: 7}}\n";
  EXPECT_THAT(rigid_refusal(scene_with(grid)),
              HasSubstr("bodies.ball.copies.seed: has no meaning where nothing is random"));
}

/// Files lie beside the scene, wherever the program is called from.
TEST(RigidScene, FindsItsFilesBesideTheScene) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "rigid-files";
  std::filesystem::create_directories(folder / "parts");
  std::ofstream(folder / "parts/places.txt") << "0 0 1\n0 0 2\n";
  std::ofstream(folder / "parts/wedge.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                               "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const std::string text = scene_with(
      "  wedge: {type: rigid, shape: {type: convex, file: parts/wedge.obj}, copies: {type: file, file: "
      "parts/places.txt}}\n");
  const Simulation simulation = build(scene::read_text(text, (folder / "scene.yaml").string()), 1);
  EXPECT_EQ(simulation.system.dofs(), 2 * mechanics::RigidBodies::stride);
  const auto& wedge = std::get<scene::RigidSpec>(*simulation.scene.bodies.find("wedge"));
  EXPECT_EQ(*std::get<scene::ConvexSpec>(wedge.shape).file, (folder / "parts/wedge.obj").lexically_normal().string());
  EXPECT_EQ(std::get<scene::RigidFileSpec>(*wedge.copies).file,
            (folder / "parts/places.txt").lexically_normal().string());
}

TEST(RigidScene, KnowsTheDirectionOfFriction) {
  const Simulation on_plane = make_rigid(
      scene_with("  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, position: [0, 0, 1]}\n",
                 "  - {between: [ball, floor], friction: 0.4, friction_across: 0.1, friction_direction: [0, 2, 0]}\n"));
  const contact::ContactPair& pair = on_plane.system.pairs()[0];
  EXPECT_EQ(pair.friction, 0.4);
  EXPECT_EQ(pair.friction_across, 0.1);
  EXPECT_EQ(pair.friction_direction, math::Vec3(0, 1, 0)) << "fixed in space";

  // The wedge's principal axes are not those of its vertices.
  const Simulation on_wedge = make_rigid(
      scene_with("  wedge: {type: rigid, shape: {type: convex, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, "
                 "1]]}, rotation: [0, 0, "
                 "1.5707963267948966], "
                 "position: [0, 0, 3]}\n"
                 "  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, position: [0, 0, 1]}\n",
                 "  - {between: [wedge, ball], friction: 0.4, friction_across: 0.1, friction_direction: [1, 0, 0]}\n"));
  const model::State state = on_wedge.system.initial_state();
  const auto& wedge = dynamic_cast<const mechanics::RigidBodies&>(*on_wedge.system.find_body("wedge"));
  const math::Vec3 own = *on_wedge.system.pairs()[0].friction_direction;
  const math::Vector3<double> in_space =
      rotate(mechanics::rigid_orientation(&state.q[wedge.dofs().begin]), math::Vector3<double>{own[0], own[1], own[2]});
  // x of the wedge as the scene turns it, by a quarter about z.
  EXPECT_NEAR(in_space.x, 0, 1e-14);
  EXPECT_NEAR(in_space.y, 1, 1e-14);
  EXPECT_NEAR(in_space.z, 0, 1e-14);
}

TEST(RigidScene, RefusesDirectionsOfFrictionThatMeanNothing) {
  const std::string ball = "  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, position: [0, 0, 1]}\n";
  const std::string law = "friction: 0.4, friction_across: 0.1, friction_direction: ";
  EXPECT_THAT(rigid_refusal(scene_with(ball, "  - {between: [ball, floor], " + law + "[0, 0, -3]}\n")),
              HasSubstr("contacts.0.friction_direction: is normal to the plane; give one that lies along it"));
  EXPECT_THAT(
      rigid_refusal(scene_with("  balls: {type: rigid, shape: {type: sphere, radius: 0.1}, position: [0, 0, 1], "
                               "copies: {type: grid, count: [2, 1, 1], spacing: "
                               "[1, 0, 0]}}\n",
                               "  - {between: [balls, balls], " + law + "[1, 0, 0]}\n")),
      HasSubstr("contacts.0.friction_direction: moves with the first body of a pair; where two of balls touch there is "
                "no first"));
  EXPECT_THAT(
      rigid_refusal(scene_with("  bar: {type: bar, length: 1, cells: 2, density: 1, youngs_modulus: 1, position: "
                               "[0, 0, 1], direction: [0, 0, 1]}\n",
                               "  - {between: [bar, floor], " + law + "[1, 0, 0]}\n")),
      HasSubstr("contacts.0.friction_across: only point masses and rigid bodies have friction that depends on "
                "the direction"));
}

}  // namespace
}  // namespace ictus::build
