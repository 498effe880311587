#include <ictus/observe/frames/vtu.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <ictus/files/vtu/vtk_cell.hpp>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace ictus::observe {

using mechanics::Picture;

namespace {

template <class T>
constexpr std::string_view vtk_type = "";
template <>
constexpr std::string_view vtk_type<double> = "Float64";
template <>
constexpr std::string_view vtk_type<std::int64_t> = "Int64";
template <>
constexpr std::string_view vtk_type<std::uint8_t> = "UInt8";

/// The arrays behind the XML, each preceded by its length in bytes, and the elements that point to them. Elements are
/// made from the last of the file to the first: meshio changes the offset of each array as it goes through the data and
/// finds the next one by its offset, which an element before it may have by then.
class AppendedData {
 public:
  template <class T>
  std::string element(std::string_view name, int components, const std::vector<T>& values,
                      std::string_view attributes = "") {
    const std::string xml = fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"{} format=\"appended\" offset=\"{}\"/>\n",
        vtk_type<T>, name, components, attributes, bytes_.size());
    const std::uint64_t length = values.size() * sizeof(T);
    append(&length, sizeof length);
    append(values.data(), length);
    return xml;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void append(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }

  std::string bytes_;
};

/// The grid itself: points, cells, and which part each cell is of.
struct Grid {
  std::vector<double> points;
  std::vector<std::int64_t> connectivity, offsets, body;
  std::vector<std::uint8_t> types;

  explicit Grid(std::span<const FramePart> parts) {
    for (std::size_t b = 0; b < parts.size(); ++b) add(parts[b].picture, static_cast<std::int64_t>(b));
  }
  std::size_t point_count() const { return points.size() / 3; }

 private:
  void add(const Picture& picture, std::int64_t number) {
    const auto first_point = static_cast<std::int64_t>(point_count());
    for (const math::Vec3& point : picture.points) points.insert(points.end(), point.begin(), point.end());
    for (const int point : picture.connectivity) connectivity.push_back(first_point + point);
    for (const Picture::Cell cell : picture.cells) {
      offsets.push_back((offsets.empty() ? 0 : offsets.back()) + files::corners_of(static_cast<files::VtkCell>(cell)));
      types.push_back(static_cast<std::uint8_t>(cell));
      body.push_back(number);
    }
  }
};

const Picture::Field* find(const Picture& picture, const Picture::Field& like) {
  const auto found = std::find_if(picture.fields.begin(), picture.fields.end(), [&](const Picture::Field& field) {
    return field.name == like.name && field.per_cell == like.per_cell;
  });
  return found == picture.fields.end() ? nullptr : &*found;
}

/// One field of each name that any part has, in the order in which they appear.
std::vector<const Picture::Field*> distinct_fields(std::span<const FramePart> parts, bool per_cell) {
  std::vector<const Picture::Field*> fields;
  for (const FramePart& part : parts) {
    for (const Picture::Field& field : part.picture.fields) {
      const auto same = [&](const Picture::Field* other) { return other->name == field.name; };
      const auto found = std::find_if(fields.begin(), fields.end(), same);
      if (field.per_cell != per_cell) continue;
      if (found == fields.end())
        fields.push_back(&field);
      else if ((*found)->components != field.components)
        throw std::logic_error("bodies disagree on the number of components of " + field.name);
    }
  }
  return fields;
}

double missing_value(const FramePart& part, std::string_view field) {
  const bool at_rest = !part.moves && (field == "displacement" || field == "velocity");
  return at_rest ? 0.0 : std::numeric_limits<double>::quiet_NaN();
}

std::string about_parts(std::span<const FramePart> parts, AppendedData& data) {
  std::vector<std::uint8_t> names;  // UTF-8, each ended by a zero; meshio knows no strings
  std::vector<std::uint8_t> unbounded;
  for (const FramePart& part : parts) {
    names.insert(names.end(), part.name.begin(), part.name.end());
    names.push_back(0);
    unbounded.push_back(part.unbounded);
  }
  const auto tuples = [](std::size_t count) { return fmt::format(" NumberOfTuples=\"{}\"", count); };
  const std::string last = data.element("body_unbounded", 1, unbounded, tuples(unbounded.size()));
  return data.element("body_names", 1, names, tuples(names.size())) + last;
}

std::string field_elements(std::span<const FramePart> parts, bool per_cell, AppendedData& data) {
  std::string xml;
  const std::vector<const Picture::Field*> fields = distinct_fields(parts, per_cell);
  for (auto it = fields.rbegin(); it != fields.rend(); ++it) {
    const Picture::Field* field = *it;
    std::vector<double> values;
    for (const FramePart& part : parts) {
      if (const Picture::Field* own = find(part.picture, *field)) {
        values.insert(values.end(), own->values.begin(), own->values.end());
      } else {
        const std::size_t count = per_cell ? part.picture.cells.size() : part.picture.points.size();
        values.insert(values.end(), count * static_cast<std::size_t>(field->components),
                      missing_value(part, field->name));
      }
    }
    xml.insert(0, data.element(field->name, field->components, values));
  }
  return xml;
}

}  // namespace

std::string vtu(std::span<const FramePart> parts, double time) {
  const Grid grid(parts);
  AppendedData data;
  // One element at a time, from the last to the first.
  std::string xml = "</CellData>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
  const auto before = [&](const std::string& text) { xml.insert(0, text); };
  before(field_elements(parts, true, data));
  before("</PointData>\n<CellData>\n" + data.element("body", 1, grid.body));
  before(field_elements(parts, false, data));
  before(data.element("types", 1, grid.types) + "</Cells>\n<PointData>\n");
  before(data.element("offsets", 1, grid.offsets));
  before("</Points>\n<Cells>\n" + data.element("connectivity", 1, grid.connectivity));
  before(data.element("Points", 3, grid.points));
  before(fmt::format("</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n", grid.point_count(),
                     grid.types.size()));
  before(about_parts(parts, data));
  before(data.element("TimeValue", 1, std::vector{time}, " NumberOfTuples=\"1\""));
  before(
      fmt::format("<?xml version=\"1.0\"?>\n"
                  "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\">\n"
                  "<UnstructuredGrid>\n<FieldData>\n",
                  std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian"));
  xml += data.bytes();
  xml += "\n</AppendedData>\n</VTKFile>\n";
  return xml;
}

}  // namespace ictus::observe
