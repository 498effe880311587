#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ictus/base/error.hpp>
#include <ictus/study/converge/mesh_follows.hpp>

namespace ictus::study {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

scene::Scene scene_of_bars(std::vector<int> elements) {
  scene::Scene scene;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    scene::BarSpec bar;
    bar.cells = elements[i];
    scene.bodies.add("bar" + std::to_string(i), bar);
  }
  scene.bodies.add("wall", scene::PlaneSpec{});
  return scene;
}

std::string refusal(const scene::Scene& scene, double own, double asked) {
  try {
    follow_mesh(scene, own, asked);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MeshFollows, HalfTheStepTakesTwiceTheElements) {
  const FollowedMesh mesh = follow_mesh(scene_of_bars({40, 50}), 1e-3, 0.5e-3);
  EXPECT_DOUBLE_EQ(mesh.step, 0.5e-3);
  EXPECT_THAT(mesh.elements, ElementsAre(Pair("bar0", 80), Pair("bar1", 100)));
}

TEST(MeshFollows, TheStepOfTheSceneKeepsItsMesh) {
  const FollowedMesh mesh = follow_mesh(scene_of_bars({7, 3}), 0.3, 0.3);
  EXPECT_EQ(mesh.step, 0.3);
  EXPECT_THAT(mesh.elements, ElementsAre(Pair("bar0", 7), Pair("bar1", 3)));
}

// 40 and 50 have the divisor 10, so that steps are own·10/k.
TEST(MeshFollows, TheStepGivesWayAndTheCourantNumbersDoNot) {
  const double own = 1e-3, asked = 0.63e-3;
  const FollowedMesh mesh = follow_mesh(scene_of_bars({40, 50}), own, asked);
  EXPECT_DOUBLE_EQ(mesh.step, own * 10 / 16);
  EXPECT_THAT(mesh.elements, ElementsAre(Pair("bar0", 64), Pair("bar1", 80)));
  for (std::size_t i = 0; i < 2; ++i) {
    const double scene_elements = i == 0 ? 40 : 50;
    EXPECT_DOUBLE_EQ(mesh.step * mesh.elements[i].second, own * scene_elements);
  }
}

TEST(MeshFollows, CoarserStepsTakeFewerElements) {
  const FollowedMesh mesh = follow_mesh(scene_of_bars({40}), 1e-3, 8e-3);
  EXPECT_DOUBLE_EQ(mesh.step, 8e-3);
  EXPECT_THAT(mesh.elements, ElementsAre(Pair("bar0", 5)));
}

TEST(MeshFollows, AStepFarFromWholeElementsIsRefusedWithTheNearest) {
  EXPECT_THAT(refusal(scene_of_bars({40, 41}), 1, 0.7), HasSubstr("1 s and 0.5 s do"));
  EXPECT_THAT(refusal(scene_of_bars({4}), 1, 100), HasSubstr("4 s and 2 s do"));
}

TEST(MeshFollows, WithoutBarsOrWithMoreElementsThanAnIntegerHoldsItIsRefused) {
  EXPECT_THAT(refusal(scene_of_bars({}), 1, 0.5), HasSubstr("no bar"));
  EXPECT_THAT(refusal(scene_of_bars({1000000}), 1, 1e-6), HasSubstr("more elements"));
}

}  // namespace
}  // namespace ictus::study
