#include <ictus/report/replay/replay_track.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <limits>

namespace ictus::report {

namespace {

struct FieldSource {
  std::string_view name;   // in the replay
  std::string_view array;  // in the frame
  int components;
};

constexpr std::array field_sources{FieldSource{"speed", "velocity", 3},
                                   FieldSource{"strain_energy_density", "strain_energy_density", 1},
                                   FieldSource{"plastic_strain", "plastic_strain", 1},
                                   FieldSource{"plastic_work", "plastic_work", 1},
                                   FieldSource{"thickness", "thickness", 1},
                                   FieldSource{"temperature", "temperature", 1},
                                   FieldSource{"contact_impulse", "contact_impulse", 1},
                                   FieldSource{"contact_pressure", "contact_pressure", 1}};

[[noreturn]] void refuse(const files::ListedFrame& frame, std::string_view reason) {
  throw base::InputError({frame.file.string(), 0, "", std::string(reason)});
}

FrameCells read_cells(files::VtuReader& reader, const files::ListedFrame& frame) {
  FrameCells cells{reader.bytes("Cells", "types"), reader.integers("Cells", "connectivity"),
                   reader.integers("Cells", "offsets"), reader.integers("CellData", "body")};
  if (cells.types.size() != reader.cells() || !cells.sound(reader.points())) refuse(frame, "has cells that do not fit");
  return cells;
}

std::vector<double> read_array(files::VtuReader& reader, const files::ListedFrame& frame, std::string_view section,
                               std::string_view name, int components) {
  std::vector<double> values = reader.numbers(section, name);
  const std::size_t count = section == "CellData" ? reader.cells() : reader.points();
  if (values.size() != count * static_cast<std::size_t>(components)) {
    refuse(frame, fmt::format("has {} numbers in {}", values.size(), name));
  }
  return values;
}

/// √(Σ component²) of each entry.
std::vector<double> magnitudes(std::vector<double> values, int components) {
  if (components == 1) return values;
  const auto n = static_cast<std::size_t>(components);
  for (std::size_t i = 0; i < values.size() / n; ++i) {
    double square = 0;
    for (std::size_t c = 0; c < n; ++c) square += values[n * i + c] * values[n * i + c];
    values[i] = std::sqrt(square);
  }
  values.resize(values.size() / n);
  return values;
}

/// A field of the frame at its points, whether it is kept there, in cells, or in both by different bodies.
struct FieldValues {
  std::vector<double> at_points, in_cells;

  /// NaN where the body has no such field.
  double at(const ReplayMesh& mesh, std::size_t index) const {
    if (!at_points.empty()) {
      const double value = at_points[mesh.points[index]];
      if (!std::isnan(value)) return value;
    }
    if (in_cells.empty()) return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    for (std::uint32_t k = mesh.first_cell[index]; k < mesh.first_cell[index + 1]; ++k) sum += in_cells[mesh.cells[k]];
    return sum / (mesh.first_cell[index + 1] - mesh.first_cell[index]);
  }
};

FieldValues read_field(files::VtuReader& reader, const files::ListedFrame& frame, const FieldSource& source) {
  FieldValues field;
  for (const auto& [section, values] :
       {std::pair{"PointData", &field.at_points}, std::pair{"CellData", &field.in_cells}}) {
    if (reader.has(section, source.array)) {
      *values = magnitudes(read_array(reader, frame, section, source.array, source.components), source.components);
    }
  }
  return field;
}

bool is_nan(double value) { return std::isnan(value); }

/// What the points of a mesh have of `values`; nothing where all of it is NaN.
std::vector<double> picked(const std::vector<double>& values, std::size_t components, const ReplayMesh& mesh) {
  std::vector<double> result;
  if (values.empty()) return result;
  for (const std::uint32_t point : mesh.points)
    for (std::size_t c = 0; c < components; ++c) result.push_back(values[components * point + c]);
  if (std::all_of(result.begin(), result.end(), is_nan)) result.clear();
  return result;
}

/// The axes of the sections of the bodies that have any.
void add_axes(files::VtuReader& reader, const files::ListedFrame& frame, std::vector<BodyTrack>& tracks) {
  if (!reader.has("PointData", "section")) return;
  const std::array arrays{read_array(reader, frame, "PointData", "d1", 3),
                          read_array(reader, frame, "PointData", "d2", 3)};
  for (BodyTrack& track : tracks) {
    if (track.section.empty()) continue;
    for (std::size_t c = 0; c < 6; ++c)
      for (const std::uint32_t point : track.mesh.points)
        track.axes[c].push_back(static_cast<float>(arrays[c / 3][3 * point + c % 3]));
  }
}

std::vector<BodyTrack> begin_tracks(files::VtuReader& reader, const files::ListedFrame& frame) {
  const FrameCells cells = read_cells(reader, frame);
  const std::vector<std::string> names = reader.words("FieldData", "body_names");
  const std::vector<std::uint8_t> unbounded = reader.bytes("FieldData", "body_unbounded");
  const bool all_named = std::all_of(cells.body.begin(), cells.body.end(),
                                     [&](std::int64_t body) { return static_cast<std::size_t>(body) < names.size(); });
  if (unbounded.size() != names.size() || !all_named) refuse(frame, "has cells of bodies that have no name");
  std::vector<ReplayMesh> meshes = replay_meshes(cells, names.size());
  const std::vector<double> radius =
      reader.has("PointData", "radius") ? read_array(reader, frame, "PointData", "radius", 1) : std::vector<double>();
  const std::vector<double> section =
      reader.has("PointData", "section") ? read_array(reader, frame, "PointData", "section", 2) : std::vector<double>();
  std::vector<BodyTrack> tracks(names.size());
  for (std::size_t b = 0; b < tracks.size(); ++b) {
    tracks[b].name = names[b];
    tracks[b].unbounded = unbounded[b] != 0;
    tracks[b].mesh = std::move(meshes[b]);
    tracks[b].radius = picked(radius, 1, tracks[b].mesh);
    // Of sections that are all round, the radius tells everything.
    if (tracks[b].radius.empty() || std::any_of(tracks[b].radius.begin(), tracks[b].radius.end(), is_nan))
      tracks[b].section = picked(section, 2, tracks[b].mesh);
  }
  return tracks;
}

void add_positions(const std::vector<double>& points, BodyTrack& track) {
  std::array<double, 3> origin;
  for (std::size_t c = 0; c < 3; ++c) {
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t point : track.mesh.points) least = std::min(least, points[3 * point + c]);
    origin[c] = std::isfinite(least) ? least : 0;
    for (const std::uint32_t point : track.mesh.points) {
      const auto away = static_cast<float>(points[3 * point + c] - origin[c]);
      track.from_origin[c].push_back(away);
      track.extent[c] = std::max(track.extent[c], away);
    }
  }
  track.origins.push_back(origin);
}

void add_field(const FieldValues& values, std::string_view name, bool first, BodyTrack& track) {
  if (track.mesh.points.empty()) return;
  if (first && !std::isnan(values.at(track.mesh, 0))) track.fields.push_back({std::string(name), {}, 0});
  for (FieldTrack& field : track.fields) {
    if (field.name != name) continue;
    for (std::size_t i = 0; i < track.mesh.points.size(); ++i) {
      const auto value = static_cast<float>(values.at(track.mesh, i));
      field.values.push_back(value > 0 ? value : 0);
      field.largest = std::max(field.largest, field.values.back());
    }
  }
}

}  // namespace

std::vector<BodyTrack> read_tracks(std::span<const files::ListedFrame> frames) {
  std::vector<BodyTrack> tracks;
  std::size_t point_count = 0, cell_count = 0;
  for (const files::ListedFrame& frame : frames) {
    files::VtuReader reader(frame.file);
    const bool first = &frame == &frames.front();
    if (first) {
      tracks = begin_tracks(reader, frame);
      point_count = reader.points();
      cell_count = reader.cells();
    }
    if (reader.points() != point_count || reader.cells() != cell_count)
      refuse(frame, "has another mesh than the first");
    const std::vector<double> points = read_array(reader, frame, "Points", "Points", 3);
    for (BodyTrack& track : tracks) add_positions(points, track);
    add_axes(reader, frame, tracks);
    for (const FieldSource& source : field_sources) {
      const FieldValues values = read_field(reader, frame, source);
      for (BodyTrack& track : tracks) add_field(values, source.name, first, track);
    }
  }
  return tracks;
}

}  // namespace ictus::report
