#include <ictus/geometry/formats/surface_formats.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <ictus/geometry/formats/text_words.hpp>

namespace ictus::geometry {

namespace {

/// 80 bytes of anything, the number of triangles, then normal, three corners and two bytes for each.
constexpr std::size_t stl_header = 84, stl_triangle = 50;

std::size_t triangles_in_bytes(std::string_view text) {
  std::uint32_t count = 0;
  if (text.size() >= stl_header) std::memcpy(&count, text.data() + 80, sizeof count);
  return count;
}

void add_triangle(TriangleMesh& mesh, const math::Vec3 (&corners)[3]) {
  const int first = static_cast<int>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(), std::begin(corners), std::end(corners));
  mesh.triangles.push_back({first, first + 1, first + 2});
}

TriangleMesh from_bytes(std::string_view text, std::size_t count) {
  TriangleMesh mesh;
  for (std::size_t t = 0; t < count; ++t) {
    float numbers[12];
    std::memcpy(numbers, text.data() + stl_header + t * stl_triangle, sizeof numbers);
    math::Vec3 corners[3];
    for (int k = 0; k < 3; ++k) corners[k] = {numbers[3 + 3 * k], numbers[4 + 3 * k], numbers[5 + 3 * k]};
    add_triangle(mesh, corners);
  }
  return mesh;
}

TriangleMesh from_words(std::string_view text, const std::string& file) {
  TriangleMesh mesh;
  TextWords words(text, file);
  const auto expect = [&](std::string_view wanted) {
    const std::string_view found = words.word_anywhere();
    if (found != wanted) words.fail(fmt::format("'{}' must stand here, not '{}'", wanted, found));
  };
  for (std::string_view word = words.word_anywhere(); !word.empty(); word = words.word_anywhere()) {
    if (word == "solid" || word == "endsolid") {  // with a name of any words
      if (!words.next_line()) break;
      continue;
    }
    if (word != "facet") words.fail(fmt::format("'facet' or 'endsolid' must stand here, not '{}'", word));
    expect("normal");
    for (int c = 0; c < 3; ++c) words.number(words.word_anywhere(), "a component of a normal");
    expect("outer");
    expect("loop");
    math::Vec3 corners[3];
    for (math::Vec3& corner : corners) {
      expect("vertex");
      for (int c = 0; c < 3; ++c) corner[c] = words.number(words.word_anywhere(), "a coordinate of a vertex");
    }
    expect("endloop");
    expect("endfacet");
    add_triangle(mesh, corners);
  }
  return mesh;
}

}  // namespace

TriangleMesh read_stl(std::string_view text, const std::string& file) {
  const std::size_t count = triangles_in_bytes(text);
  if (text.size() >= stl_header && text.size() == stl_header + count * stl_triangle) return from_bytes(text, count);
  if (TextWords(text.substr(0, stl_header), file).word_anywhere() == "solid") return from_words(text, file);
  throw base::InputError({file, 0, "",
                          fmt::format("is neither text that begins with 'solid' nor {} triangles in bytes, which would "
                                      "take {} bytes and not {}",
                                      count, stl_header + count * stl_triangle, text.size())});
}

}  // namespace ictus::geometry
