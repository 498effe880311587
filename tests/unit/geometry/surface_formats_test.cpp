#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <ictus/base/error.hpp>
#include <ictus/geometry/formats/surface_formats.hpp>
#include <random>

namespace ictus::geometry {
namespace {

using math::Vec3;
using testing::HasSubstr;

using Format = TriangleMesh (*)(std::string_view, const std::string&);

/// The message with which a text is refused; "" where it is read.
std::string refused(Format read, std::string_view text) {
  try {
    read(text, "mesh");
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

Vec3 area_vector_of(const TriangleMesh& mesh) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) sum += mesh.area_vector(t) / 2;
  return sum;
}

template <class T>
void put_bytes(std::string& bytes, T value, bool swapped = false) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  if (swapped) std::reverse(raw, raw + sizeof value);
  bytes.append(raw, sizeof value);
}

std::string ply_header(const std::string& format, int vertices, int faces) {
  return "ply\nformat " + format + " 1.0\ncomment made here\nelement vertex " + std::to_string(vertices) +
         "\nproperty double x\nproperty double y\nproperty double z\nproperty uchar red\nelement face " +
         std::to_string(faces) + "\nproperty list uchar int vertex_indices\nend_header\n";
}

std::string ply_in_bytes(bool big) {
  std::string bytes = ply_header(big ? "binary_big_endian" : "binary_little_endian", 4, 1);
  const bool swapped = big == (std::endian::native == std::endian::little);
  for (const auto& [x, y] : {std::pair{0.1, 0.0}, {1.1, 0.0}, {1.1, 1.0}, {0.1, 1.0}}) {
    for (const double c : {x, y, 0.25}) put_bytes(bytes, c, swapped);
    put_bytes(bytes, std::uint8_t{7});
  }
  put_bytes(bytes, std::uint8_t{4});
  for (const std::int32_t v : {0, 1, 2, 3}) put_bytes(bytes, v, swapped);
  return bytes;
}

std::string stl_in_bytes() {
  std::string bytes(80, 's');
  bytes.replace(0, 5, "solid");  // as some programs write, though bytes follow
  put_bytes(bytes, std::uint32_t{1});
  for (const float c : {0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 2.F, 0.F, 0.F, 0.F, 3.F, 0.F}) put_bytes(bytes, c);
  put_bytes(bytes, std::uint16_t{0});
  return bytes;
}

constexpr const char* stl_in_words =
    "solid a name of words\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 2 0 0\n   vertex 0 3e0 0\n"
    "  endloop\n endfacet\nendsolid a name of words\n";

TEST(ObjFile, KeepsDoublePrecisionAndReadsCornersOfEveryForm) {
  const TriangleMesh mesh = read_obj(
      "# comment\nmtllib none.mtl\no thing\nv 0.1234567890123456 0 0\nv 1 0 0 1.0\nv 1 1 0\nvt 0 0\nvn 0 0 1\n"
      "f 1/1/1 2//1 \\\n 3/1\nv 0 1 0\nf -4 -2 -1\n",
      "mesh");
  ASSERT_EQ(mesh.triangles.size(), 2U);
  EXPECT_EQ(mesh.positions[0].x(), 0.1234567890123456);
  EXPECT_EQ(mesh.triangles[0], (Triangle{0, 1, 2}));
  EXPECT_EQ(mesh.triangles[1], (Triangle{0, 2, 3}));
}

TEST(ObjFile, MistakesNameTheLine) {
  EXPECT_THAT(refused(read_obj, "v 0 0 0\nv 1 0 x\n"),
              HasSubstr("mesh:2: a coordinate of a vertex must be a number, not 'x'"));
  EXPECT_THAT(refused(read_obj, "v 0 0\n"), HasSubstr("mesh:1:"));
  EXPECT_THAT(refused(read_obj, "v 0 0 0\nf 1 2 3\n"),
              HasSubstr("mesh:2: a face names vertex 2, and 1 vertices stand"));
  EXPECT_THAT(refused(read_obj, "v 0 0 0\nf 0 1 1\n"), HasSubstr("vertex 0"));
  EXPECT_THAT(refused(read_obj, "v 0 0 0\nf -2 1 1\n"), HasSubstr("vertex -2"));
  EXPECT_THAT(refused(read_obj, "v 0 0 0\nf 1 99999999999999999999 1\n"), HasSubstr("must be the number of a vertex"));
  EXPECT_THAT(refused(read_obj, "v 0 0 0\nf 1 1\n"), HasSubstr("three corners"));
}

TEST(StlFile, ReadsWordsAndBytes) {
  for (const std::string& text : {std::string(stl_in_words), stl_in_bytes()}) {
    const TriangleMesh mesh = read_stl(text, "mesh");
    ASSERT_EQ(mesh.triangles.size(), 1U);
    EXPECT_EQ(area_vector_of(mesh), Vec3(0, 0, 3));
  }
}

TEST(StlFile, MistakesSayWhatWasExpected) {
  EXPECT_THAT(refused(read_stl, ""), HasSubstr("neither text that begins with 'solid'"));
  EXPECT_THAT(refused(read_stl, stl_in_bytes().substr(0, 120)), HasSubstr("mesh"));
  EXPECT_THAT(refused(read_stl, "solid\nfacet normal 0 0 1 outer vertex"), HasSubstr("mesh:2: 'loop' must stand here"));
  EXPECT_THAT(refused(read_stl, "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0"), HasSubstr("must be a number"));
}

TEST(PlyFile, ReadsWordsAndBothOrdersOfBytesInDoublePrecision) {
  const std::string words =
      ply_header("ascii", 4, 1) + "0.1 0 0.25 7\n1.1 0 0.25 7\n1.1 1 0.25 7\n0.1 1 0.25 7\n4 0 1 2 3\n";
  for (const std::string& text : {words, ply_in_bytes(false), ply_in_bytes(true)}) {
    const TriangleMesh mesh = read_ply(text, "mesh");
    ASSERT_EQ(mesh.triangles.size(), 2U);
    EXPECT_EQ(mesh.positions[0], Vec3(0.1, 0, 0.25));
    EXPECT_NEAR(area_vector_of(mesh).z(), 1, 1e-15);
  }
}

TEST(PlyFile, MistakesAreAnsweredAndNeverRead) {
  EXPECT_THAT(refused(read_ply, "ply\nformat ascii 1.0\nelement vertex 1\n"), HasSubstr("'end_header' is missing"));
  EXPECT_THAT(refused(read_ply, "ply\nend_header\n"), HasSubstr("no line 'format'"));
  EXPECT_THAT(refused(read_ply, ply_header("ascii", 1, 1) + "0 0 0 7\n3 0 1 2\n"),
              HasSubstr("face 0 names vertex 1 of 1"));
  EXPECT_THAT(refused(read_ply, ply_header("ascii", 1, 1) + "0 0 0 7\n3 0 -1 2\n"),
              HasSubstr("face 0 names vertex -1"));
  EXPECT_THAT(refused(read_ply, ply_header("ascii", 2000000000, 1)), HasSubstr("do not fit into the file"));
  EXPECT_THAT(refused(read_ply, ply_header("ascii", 1, 1) + "0 0 0 7\n1e9 0\n"), HasSubstr("more than the file holds"));
  EXPECT_THAT(refused(read_ply, ply_header("ascii", 1, 1) + "0 0 0 7\n2 0 0\n"), HasSubstr("face 0 has 2 corners"));
  EXPECT_THAT(refused(read_ply, "ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\nend_header\n"),
              HasSubstr("mesh:4: 'quad' is no type"));
}

/// Whatever byte is cut off or changed, a file is read or refused.
TEST(SurfaceFiles, DamagedBytesAreReadOrRefused) {
  const std::pair<Format, std::string> whole[] = {
      {read_obj, "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1 2/2 3/3 4\n"},
      {read_stl, stl_in_words},
      {read_stl, stl_in_bytes()},
      {read_ply, ply_in_bytes(false)},
      {read_ply, ply_in_bytes(true)},
  };
  std::mt19937 random(7);
  int were_refused = 0;
  for (const auto& [read, text] : whole) {
    for (std::size_t end = 0; end < text.size(); ++end) were_refused += !refused(read, text.substr(0, end)).empty();
    for (int i = 0; i < 3000; ++i) {
      std::string damaged = text;
      for (int k = 0; k <= i % 4; ++k) damaged[random() % damaged.size()] = static_cast<char>(random());
      were_refused += !refused(read, damaged).empty();
    }
  }
  EXPECT_GT(were_refused, 1000);
}

TEST(CutPolygon, KeepsAreaAndSenseOfConcaveShapes) {
  TriangleMesh mesh;  // an L
  for (const auto& [x, y] : {std::pair{0., 0.}, {3., 0.}, {3., 1.}, {1., 1.}, {1., 4.}, {0., 4.}})
    mesh.positions.emplace_back(x, y, 2.0);
  cut_polygon(std::vector<int>{0, 1, 2, 3, 4, 5}, mesh);
  ASSERT_EQ(mesh.triangles.size(), 4U);
  EXPECT_NEAR(area_vector_of(mesh).z(), 6, 1e-14);
  for (std::size_t t = 0; t < 4; ++t) EXPECT_GT(mesh.area_vector(t).z(), 0);
  TriangleMesh dart;  // a quadrilateral with an inward corner: the shorter diagonal lies outside
  for (const auto& [x, y] : {std::pair{0., 0.}, {2., 1.}, {0., 2.}, {1., 1.}}) dart.positions.emplace_back(x, y, 0.0);
  cut_polygon(std::vector<int>{0, 1, 2, 3}, dart);
  ASSERT_EQ(dart.triangles.size(), 2U);
  for (std::size_t t = 0; t < 2; ++t) EXPECT_GT(dart.area_vector(t).z(), 0);
}

}  // namespace
}  // namespace ictus::geometry
