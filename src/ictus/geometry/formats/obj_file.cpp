#include <ictus/geometry/formats/surface_formats.hpp>

#include <fmt/format.h>

#include <ictus/geometry/formats/text_words.hpp>
#include <vector>

namespace ictus::geometry {

namespace {

/// A corner is "v", "v/vt", "v//vn" or "v/vt/vn"; v counts from 1, or backwards from the last vertex with −1.
int corner_of(std::string_view word, std::size_t vertices, const TextWords& words) {
  const std::string_view first = word.substr(0, word.find('/'));
  const auto number = TextWords::parsed<long long>(first);
  if (!number) words.fail(fmt::format("a corner of a face must be the number of a vertex, not '{}'", word));
  const auto count = static_cast<long long>(vertices);
  const long long index = *number < 0 ? count + *number : *number - 1;
  if (*number == 0 || index < 0 || index >= count)
    words.fail(fmt::format("a face names vertex {}, and {} vertices stand before it", *number, vertices));
  return static_cast<int>(index);
}

}  // namespace

TriangleMesh read_obj(std::string_view text, const std::string& file) {
  TriangleMesh mesh;
  TextWords words(text, file);
  std::vector<int> corners;
  while (words.next_line()) {
    const std::string_view kind = words.word();
    if (kind == "v") {
      math::Vec3 x;
      for (int c = 0; c < 3; ++c) x[c] = words.number(words.word(), "a coordinate of a vertex");
      mesh.positions.push_back(x);
    } else if (kind == "f") {
      corners.clear();
      for (std::string_view word = words.word(); !word.empty(); word = words.word()) {
        if (word == "\\") {  // the face goes on in the next line
          if (!words.next_line()) break;
          continue;
        }
        corners.push_back(corner_of(word, mesh.positions.size(), words));
      }
      if (corners.size() < 3) words.fail("a face must have three corners at least");
      cut_polygon(corners, mesh);
    }
  }
  return mesh;
}

}  // namespace ictus::geometry
