#include <ictus/geometry/formats/surface_formats.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <ictus/geometry/formats/text_words.hpp>
#include <vector>

namespace ictus::geometry {

namespace {

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

struct PlyTypeName {
  std::string_view name;
  PlyType type;
};
constexpr PlyTypeName ply_types[] = {
    {"char", PlyType::int8},       {"int8", PlyType::int8},       {"uchar", PlyType::uint8},
    {"uint8", PlyType::uint8},     {"short", PlyType::int16},     {"int16", PlyType::int16},
    {"ushort", PlyType::uint16},   {"uint16", PlyType::uint16},   {"int", PlyType::int32},
    {"int32", PlyType::int32},     {"uint", PlyType::uint32},     {"uint32", PlyType::uint32},
    {"float", PlyType::float32},   {"float32", PlyType::float32}, {"double", PlyType::float64},
    {"float64", PlyType::float64},
};

struct PlyProperty {
  std::string name;
  PlyType type;
  bool is_list = false;
  PlyType count_type = PlyType::uint8;
};

struct PlyElement {
  std::string name;
  std::size_t count = 0;
  std::vector<PlyProperty> properties;
};

enum class PlyFormat { words, little_endian, big_endian };

struct PlyHeader {
  PlyFormat format = PlyFormat::words;
  std::vector<PlyElement> elements;
};

PlyType read_type(std::string_view word, const TextWords& words) {
  for (const auto& [name, type] : ply_types) {
    if (word == name) return type;
  }
  words.fail(fmt::format("'{}' is no type of a property; char, short, int (u before it), float and double are", word));
}

PlyFormat read_format(std::string_view word, const TextWords& words) {
  if (word == "ascii") return PlyFormat::words;
  if (word == "binary_little_endian") return PlyFormat::little_endian;
  if (word == "binary_big_endian") return PlyFormat::big_endian;
  words.fail(fmt::format("the format must be ascii, binary_little_endian or binary_big_endian, not '{}'", word));
}

/// Up to and with the line end_header, at whose end `words` stays.
PlyHeader read_header(TextWords& words) {
  PlyHeader header;
  bool has_format = false;
  if (!words.next_line() || words.word() != "ply") words.fail("a PLY file must begin with 'ply'");
  while (words.next_line()) {
    const std::string_view key = words.word();
    if (key == "end_header") {
      if (!has_format) words.fail("the header has no line 'format'");
      return header;
    }
    if (key == "format") {
      header.format = read_format(words.word(), words);
      has_format = true;
    } else if (key == "element") {
      PlyElement element{std::string(words.word()), 0, {}};
      const std::string_view count = words.word();
      const auto number = TextWords::parsed<std::uint32_t>(count);
      if (!number) words.fail(fmt::format("the number of elements must be a whole number, not '{}'", count));
      element.count = *number;
      header.elements.push_back(std::move(element));
    } else if (key == "property") {
      if (header.elements.empty()) words.fail("a property stands before the first element");
      PlyProperty property;
      std::string_view type = words.word();
      property.is_list = type == "list";
      if (property.is_list) {
        property.count_type = read_type(words.word(), words);
        type = words.word();
      }
      property.type = read_type(type, words);
      property.name = std::string(words.word());
      header.elements.back().properties.push_back(std::move(property));
    } else if (key != "comment" && key != "obj_info" && !key.empty()) {
      words.fail(fmt::format("'{}' is no line of a PLY header", key));
    }
  }
  words.fail("the header has no end: 'end_header' is missing");
}

/// The values behind the header, as words or as bytes.
class PlyValues {
 public:
  PlyValues(std::string_view text, TextWords& words, PlyFormat format)
      : text_(text), words_(words), format_(format), at_(std::min(words.after_line(), text.size())) {}

  double next(PlyType type) {
    if (format_ == PlyFormat::words) return words_.number(words_.word_anywhere(), "a value");
    switch (type) {
      case PlyType::int8:
        return take<std::int8_t>();
      case PlyType::uint8:
        return take<std::uint8_t>();
      case PlyType::int16:
        return take<std::int16_t>();
      case PlyType::uint16:
        return take<std::uint16_t>();
      case PlyType::int32:
        return take<std::int32_t>();
      case PlyType::uint32:
        return take<std::uint32_t>();
      case PlyType::float32:
        return take<float>();
      case PlyType::float64:
        return take<double>();
    }
    return 0;
  }
  /// Values left at most: no list is longer, no element more frequent.
  std::size_t max_left() const { return text_.size() - (format_ == PlyFormat::words ? 0 : at_); }

 private:
  template <class T>
  double take() {
    if (text_.size() - at_ < sizeof(T)) words_.fail("the file ends before its last element");
    const bool is_swapped = (format_ == PlyFormat::big_endian) == (std::endian::native == std::endian::little);
    char raw[sizeof(T)];
    for (std::size_t k = 0; k < sizeof(T); ++k) raw[k] = text_[at_ + (is_swapped ? sizeof(T) - 1 - k : k)];
    at_ += sizeof(T);
    T value;
    std::memcpy(&value, raw, sizeof value);
    return static_cast<double>(value);
  }

  std::string_view text_;
  TextWords& words_;
  PlyFormat format_;
  std::size_t at_;
};

/// Reads one element of a PLY file after the other, of which vertices and faces are kept.
class PlyReader {
 public:
  PlyReader(TextWords& words, PlyValues values) : words_(words), values_(values) {}

  TriangleMesh read(const std::vector<PlyElement>& elements) {
    for (const PlyElement& element : elements) {
      if (!element.properties.empty() && element.count > values_.max_left())
        words_.fail(fmt::format("{} elements '{}' do not fit into the file", element.count, element.name));
      if (element.name == "vertex") check_vertex(element);
      for (std::size_t i = 0; i < element.count && !element.properties.empty(); ++i) read_one(element, i);
    }
    // Faces may stand before the vertices that they name.
    for (std::size_t first = 0, f = 0; f < face_ends_.size(); first = face_ends_[f++]) {
      const std::span<const int> corners(corners_.data() + first, face_ends_[f] - first);
      for (const int v : corners) {
        if (v >= static_cast<int>(mesh_.positions.size()))
          words_.fail(fmt::format("face {} names vertex {} of {}", f, v, mesh_.positions.size()));
      }
      cut_polygon(corners, mesh_);
    }
    return std::move(mesh_);
  }

 private:
  void check_vertex(const PlyElement& element) const {
    for (const std::string_view axis : {"x", "y", "z"}) {
      const auto is_it = [&](const PlyProperty& p) { return p.name == axis && !p.is_list; };
      if (std::none_of(element.properties.begin(), element.properties.end(), is_it))
        words_.fail(fmt::format("the vertices have no property '{}'", axis));
    }
  }
  void read_one(const PlyElement& element, std::size_t number) {
    math::Vec3 x = math::Vec3::Zero();
    const bool is_vertex = element.name == "vertex", is_face = element.name == "face";
    for (const PlyProperty& property : element.properties) {
      if (!property.is_list) {
        const double value = values_.next(property.type);
        for (int c = 0; is_vertex && c < 3; ++c) {
          if (property.name.size() == 1 && property.name[0] == "xyz"[c]) x[c] = value;
        }
        continue;
      }
      const double length = values_.next(property.count_type);
      if (!(length >= 0 && length <= static_cast<double>(values_.max_left())))
        words_.fail(
            fmt::format("a list of {} {} has {} values, more than the file holds", element.name, number, length));
      const bool has_corners = is_face && (property.name == "vertex_indices" || property.name == "vertex_index");
      for (std::size_t k = 0; k < static_cast<std::size_t>(length); ++k) {
        const double value = values_.next(property.type);
        if (has_corners) add_corner(value, number);
      }
      if (has_corners) end_face(static_cast<std::size_t>(length), number);
    }
    if (is_vertex) mesh_.positions.push_back(x);
  }
  void add_corner(double value, std::size_t face) {
    if (!(value >= 0 && value < 2147483647.0 && value == static_cast<double>(static_cast<int>(value))))
      words_.fail(fmt::format("face {} names vertex {}", face, value));
    corners_.push_back(static_cast<int>(value));
  }
  void end_face(std::size_t corners, std::size_t face) {
    if (corners < 3) words_.fail(fmt::format("face {} has {} corners", face, corners));
    face_ends_.push_back(corners_.size());
  }

  TextWords& words_;
  PlyValues values_;
  TriangleMesh mesh_;
  std::vector<int> corners_;
  std::vector<std::size_t> face_ends_;
};

}  // namespace

TriangleMesh read_ply(std::string_view text, const std::string& file) {
  TextWords words(text, file);
  const PlyHeader header = read_header(words);
  return PlyReader(words, {text, words, header.format}).read(header.elements);
}

}  // namespace ictus::geometry
