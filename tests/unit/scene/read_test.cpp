#include <unit/scene/scene_texts.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace ictus::scene {
namespace {

using test::full_scene;
using test::scene_of;
using test::small_scene;
using ::testing::ElementsAre;

TEST(Read, DefaultsAreThoseOfTheStructs) {
  const Scene scene = scene_of(small_scene);
  EXPECT_EQ(scene.time.end, 1);
  EXPECT_EQ(scene.time.step, 0.1);
  EXPECT_EQ(scene.time.courant, std::nullopt);
  EXPECT_FALSE(scene.integrator);
  EXPECT_EQ(scene.output, OutputSpec{});
  EXPECT_EQ(scene.limits, LimitsSpec{});
  EXPECT_EQ(scene.gravity, (Vec3{0, 0, 0}));
  BarSpec bar;
  bar.length = 2;
  bar.cells = 4;
  bar.density = 1;
  bar.youngs_modulus = 1;
  EXPECT_EQ(std::get<BarSpec>(*scene.bodies.find("bar")), bar);
  EXPECT_EQ(scene.contacts.at(0), (ContactSpec{{"bar", "wall"}, std::nullopt, 0}));
  EXPECT_TRUE(scene.expect.empty());
}

TEST(Read, EveryKeyArrivesInSiUnits) {
  const Scene scene = scene_of(full_scene);
  EXPECT_EQ(scene.title, "Bar, wall: all keys");
  EXPECT_EQ(scene.about, "First line.\n\nThird line.\n");
  EXPECT_EQ(scene.time, (TimeSpec{0.01, std::nullopt, 0.8, std::nullopt, true}));
  EXPECT_EQ(scene.gravity, (Vec3{0, 0, -9.81}));
  EXPECT_TRUE(std::holds_alternative<CdLagrangeSpec>(scene.integrator.value()));
  EXPECT_THAT(scene.bodies.names(), ElementsAre("left", "right", "wall"));
  const BarSpec& left = std::get<BarSpec>(*scene.bodies.find("left"));
  EXPECT_EQ(left, (BarSpec{0.254,
                           40,
                           7847,
                           2.1e11,
                           645e-6,
                           {-0.2542, 0, 0},
                           {0, 3, 4},
                           {5, 0, 0},
                           {{End::start}},
                           BarMaterial::st_venant_kirchhoff}));
  EXPECT_EQ(std::get<PlaneSpec>(*scene.bodies.find("wall")), (PlaneSpec{{3, 0, 0.1}, {-1, 0, 1e-3}}));
  EXPECT_THAT(scene.contacts,
              ElementsAre(ContactSpec{{"left", "right"}, 0.5, 0.3}, ContactSpec{{"right", "wall"}, std::nullopt, 0}));
  EXPECT_EQ(*scene.probes.find("tip"), (ProbeSpec{"left", 1, std::nullopt}));
  EXPECT_EQ(*scene.probes.find("inside"), (ProbeSpec{"right", 0.3, std::nullopt}));
  EXPECT_EQ(scene.output, (OutputSpec{1e-6, 0, 120, 7, std::nullopt, ContactRows::merged, false, true, 180}));
  EXPECT_EQ(scene.limits, (LimitsSpec{0.05, 0.01, 3600}));
  EXPECT_EQ(scene.reference, Reference::exact);
}

TEST(Read, ConditionsKeepTheTypeOfTheValue) {
  const Scene scene = scene_of(full_scene);
  ASSERT_EQ(scene.expect.size(), 8u);
  EXPECT_EQ(scene.expect[0].path, "status");
  EXPECT_EQ(scene.expect[0].condition.equals, Scalar(std::string("completed")));
  EXPECT_EQ(scene.expect[2].condition, (Condition{{}, {}, 20.07, 0.3, {}}));
  EXPECT_EQ(scene.expect[3].condition, (Condition{1.0, 3.0, {}, {}, {}}));
  EXPECT_EQ(scene.expect[4].condition.equals, Scalar(std::monostate{}));
  EXPECT_EQ(scene.expect[5].condition.equals, Scalar(true));
  EXPECT_EQ(scene.expect[6].condition.equals, Scalar(1.0));
  EXPECT_EQ(scene.expect[7].condition.equals, Scalar(std::string("1")));
}

TEST(Read, AUnitGivesTheBitsOfThePlainNumber) {
  const Scene units = scene_of(test::replaced(small_scene, "length: 2", "length: 645.3 mm"));
  const Scene plain = scene_of(test::replaced(small_scene, "length: 2", "length: 0.6453"));
  EXPECT_EQ(units, plain);
}

TEST(Read, NumbersOfEveryForm) {
  for (const char* text : {"1000", "1e3", "1.0e3", "1.0e+3", "+1000.", "\"1000\"", "'1 km'", "1  km"}) {
    const Scene scene = scene_of(test::replaced(small_scene, "length: 2", std::string("length: ") + text));
    EXPECT_EQ(std::get<BarSpec>(*scene.bodies.find("bar")).length, 1000) << text;
  }
  const Scene scene = scene_of(test::replaced(small_scene, "cells: 4", "cells: 1e3"));
  EXPECT_EQ(std::get<BarSpec>(*scene.bodies.find("bar")).cells, 1000);
}

TEST(Read, MergeKeysYieldToTheMapsOwnKeys) {
  const Scene scene = scene_of(full_scene);
  const BarSpec& left = std::get<BarSpec>(*scene.bodies.find("left"));
  BarSpec expected = left;
  expected.position = {0, 0, 0.3333333333333333};
  expected.supports = {{End::end}};
  EXPECT_EQ(std::get<BarSpec>(*scene.bodies.find("right")), expected);
}

TEST(Read, EarlierMapsOfAMergeListWin) {
  const Scene scene = scene_of(R"(time: {end: 1, step: 1}
bodies:
  a: &a {type: plane, position: [1, 0, 0], normal: [0, 0, 1]}
  b: &b {type: plane, position: [2, 0, 0], normal: [0, 1, 0]}
  c: {<<: [*b, *a]}
)");
  EXPECT_EQ(*scene.bodies.find("c"), *scene.bodies.find("b"));
}

TEST(Read, LocatesEveryKey) {
  const Document document = read_text(full_scene, "scene.yaml", {parse_override("bodies.left.cells=7")});
  EXPECT_EQ(document.file, "scene.yaml");
  EXPECT_EQ(document.where.find("title").line, 1);
  EXPECT_EQ(document.where.find("bodies.left").line, 11);
  EXPECT_EQ(document.where.find("bodies.left.density").line, 15);
  EXPECT_EQ(document.where.find("bodies.right.density").line, 15) << "a merged key stands where it was written";
  EXPECT_EQ(document.where.find("bodies.right.supports").line, 23);
  EXPECT_EQ(document.where.find("contacts.1.between").line, 27);
  EXPECT_TRUE(document.where.contains("contacts.0.friction"));
  EXPECT_FALSE(document.where.contains("contacts.1.friction")) << "a default was not written";
  EXPECT_EQ(document.where.find("contacts.1.friction").line, 27) << "the closest place that was written";
  EXPECT_EQ(document.where.find("bodies.left.cells").file, "--set bodies.left.cells=7");
  EXPECT_EQ(base::to_string(document.mistake("bodies.left.area", "is odd")), "scene.yaml:17: bodies.left.area: is odd");
  EXPECT_EQ(base::to_string(document.mistake("bodies.left.cells", "are few")),
            "--set bodies.left.cells=7: bodies.left.cells: are few");
  EXPECT_EQ(base::to_string(document.mistake("colour", "is unknown")), "scene.yaml: colour: is unknown");
}

TEST(Read, NamesItsTypes) {
  EXPECT_EQ(type_name(Body(PlaneSpec{})), "plane");
  EXPECT_EQ(type_name(Body(BarSpec{})), "bar");
  EXPECT_EQ(type_name(Integrator(CdLagrangeSpec{})), "cd-lagrange");
}

/// A folder that goes with the test.
class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = test::own_folder();
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, std::string_view content) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  static std::string message_of(const std::string& path) {
    try {
      read_file(path);
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_;
};

TEST_F(Files, AreRead) {
  EXPECT_EQ(read_file(write("a.yaml", full_scene)).scene, scene_of(full_scene));
  const std::string with_mark = "\xEF\xBB\xBF" + std::string(small_scene);
  EXPECT_EQ(read_file(write("bom.yaml", with_mark)).scene, scene_of(small_scene)) << "a byte order mark is allowed";
  std::string windows;
  for (const char c : full_scene) windows += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(read_file(write("windows.yaml", windows)).scene, scene_of(full_scene)) << "so are Windows line ends";
}

TEST_F(Files, OfTheWrongKindAreRefused) {
  EXPECT_EQ(message_of(folder_.string()), folder_.string() + ": is a directory, not a scene file");
  EXPECT_EQ(message_of("no/such.yaml"), "no/such.yaml: cannot be opened: No such file or directory");
  const std::string empty = write("empty.yaml", "");
  EXPECT_EQ(message_of(empty), empty + ": is empty; a scene needs at least time and bodies");
  const std::string binary = write("binary.yaml", std::string_view("a: 1\nb\0c", 8));
  EXPECT_EQ(message_of(binary), binary + ":2: is not a text file in UTF-8 (byte 0x00)");
  EXPECT_EQ(message_of("/dev/zero"), "/dev/zero: is a pipe or a device, not a plain file");
  const std::string large = write("large.yaml", std::string(1 << 21, '#'));
  EXPECT_EQ(message_of(large), large + ": is too large; a scene may have at most 1048576 bytes");
}

TEST_F(Files, OfFiftyMegabytesAreRefusedUnread) {
  const std::string path = write("noise.yaml", "a: [");
  std::filesystem::resize_file(path, 50'000'000);
  EXPECT_EQ(message_of(path), path + ": is too large; a scene may have at most 1048576 bytes");
}

TEST(Read, TextOverTheLimitIsRefused) {
  const std::string text = std::string(small_scene) + std::string(max_scene_bytes, '#');
  EXPECT_THAT(test::mistakes_of(text),
              ElementsAre("scene.yaml: has 1048781 bytes; a scene may have at most 1048576 bytes"));
  const std::string comment = std::string(small_scene) + std::string(max_scene_bytes - small_scene.size(), '#');
  EXPECT_EQ(scene_of(comment), scene_of(small_scene)) << "the limit itself is allowed";
}

}  // namespace
}  // namespace ictus::scene
