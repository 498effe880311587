// GCC 12 takes members of std::regex's automaton for uninitialised when it instruments them (GCC bug 105562).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ictus/files/atomic_file.hpp>
#include <ictus/mechanics/obstacle/obstacle.hpp>
#include <ictus/observe/frames/frame_series.hpp>
#include <ictus/observe/frames/vtu.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "support/temporary_folder.hpp"
#include "unit/observe/recorded_run.hpp"

namespace ictus::observe {
namespace {

using ictus::testing::listing;
using ictus::testing::read;
using ictus::testing::RecordedRun;
using ictus::testing::TemporaryFolder;
using mechanics::Picture;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The arrays of a .vtu by name, read strictly: they must lie without a gap in the reverse order of their elements, of
/// which meshio needs the order.
struct ParsedVtu {
  template <class T>
  std::vector<T> array(const std::string& name) const {
    const std::string& bytes = arrays.at(name);
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  explicit ParsedVtu(const std::string& text) {
    const std::size_t underscore = text.find("<AppendedData encoding=\"raw\">\n_");
    const std::string xml = text.substr(0, underscore);
    const std::string data = text.substr(underscore + std::strlen("<AppendedData encoding=\"raw\">\n_"));
    const std::regex element(
        "<DataArray type=\"(\\w+)\" Name=\"(\\w+)\" NumberOfComponents=\"(\\d)\"( NumberOfTuples="
        "\"\\d+\")? format=\"appended\" offset=\"(\\d+)\"/>");
    std::vector<std::smatch> elements(std::sregex_iterator(xml.begin(), xml.end(), element), std::sregex_iterator());
    std::reverse(elements.begin(), elements.end());
    std::size_t offset = 0;
    for (const std::smatch& found : elements) {
      EXPECT_EQ(std::stoul(found[5]), offset) << found[2];
      std::uint64_t length = 0;
      std::memcpy(&length, data.data() + offset, sizeof length);
      arrays[found[2]] = data.substr(offset + sizeof length, length);
      types[found[2]] = found[1].str() + found[3].str();
      offset += sizeof length + length;
    }
    EXPECT_EQ(data.substr(offset), "\n</AppendedData>\n</VTKFile>\n");
  }

  std::map<std::string, std::string> arrays, types;
};

Picture one_triangle() {
  Picture picture;
  picture.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  picture.cells = {Picture::Cell::triangle};
  picture.connectivity = {0, 1, 2};
  picture.fields = {{"displacement", 3, false, std::vector<double>(9, 0.5)}, {"stress", 1, true, {7}}};
  return picture;
}

Picture segment() {
  Picture picture;
  picture.points = {{0, 0, 1}, {0, 0, 2}};
  picture.cells = {Picture::Cell::vertex, Picture::Cell::line};
  picture.connectivity = {1, 0, 1};
  return picture;
}

TEST(Vtu, PartsFollowEachOther) {
  const FramePart parts[] = {{one_triangle(), true}, {segment(), true}};
  const std::string text = vtu(parts, 0.25);
  EXPECT_THAT(text, HasSubstr("<Piece NumberOfPoints=\"5\" NumberOfCells=\"3\">"));
  const ParsedVtu parsed(text);
  EXPECT_THAT(parsed.array<double>("TimeValue"), ElementsAre(0.25));
  EXPECT_THAT(parsed.array<double>("Points"), ElementsAre(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 2));
  EXPECT_THAT(parsed.array<std::int64_t>("connectivity"), ElementsAre(0, 1, 2, 4, 3, 4));
  EXPECT_THAT(parsed.array<std::int64_t>("offsets"), ElementsAre(3, 4, 6));
  EXPECT_THAT(parsed.array<std::uint8_t>("types"), ElementsAre(5, 1, 3));
  EXPECT_THAT(parsed.array<std::int64_t>("body"), ElementsAre(0, 1, 1));
  EXPECT_EQ(parsed.types.at("Points"), "Float643");
  EXPECT_EQ(parsed.types.at("types"), "UInt81");
  EXPECT_EQ(parsed.types.at("connectivity"), "Int641");
}

TEST(Vtu, AFieldThatAPartDoesNotHaveIsNaN) {
  const FramePart parts[] = {{segment(), true}, {one_triangle(), true}, {segment(), false}};
  const ParsedVtu parsed(vtu(parts, 0));
  const std::vector<double> displacement = parsed.array<double>("displacement"),
                            stress = parsed.array<double>("stress");
  ASSERT_EQ(displacement.size(), 21u);
  EXPECT_TRUE(std::isnan(displacement[0]));
  EXPECT_TRUE(std::isnan(displacement[5]));
  EXPECT_EQ(displacement[6], 0.5);
  EXPECT_EQ(displacement[15], 0);  // does not move
  ASSERT_EQ(stress.size(), 5u);
  EXPECT_TRUE(std::isnan(stress[1]));
  EXPECT_EQ(stress[2], 7);
  EXPECT_TRUE(std::isnan(stress[4]));  // a rigid part has no stress
}

TEST(Vtu, PartsMustAgreeOnAField) {
  FramePart parts[] = {{one_triangle(), true}, {one_triangle(), true}};
  parts[1].picture.fields[0] = {"displacement", 1, false, {1, 2, 3}};
  EXPECT_THROW(vtu(parts, 0), std::logic_error);
}

/// Two bars and a wall, in three frames.
void write_frames(const std::filesystem::path& folder, std::vector<double>& displacements) {
  RecordedRun run(folder);
  const auto bars = testing::steel_bars(10);
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<mechanics::Bar>("left", bars[0], 0));
  bodies.push_back(std::make_unique<mechanics::Obstacle>("wall", model::Plane{{1, 0, 0}, {-1, 0, 0}}));
  bodies.push_back(std::make_unique<mechanics::Bar>("right", bars[1], 11));
  const dynamics::System system(std::move(bodies), {}, exec::Executor(1));
  model::State state = system.initial_state();
  run.integrator.prepare(system);
  run.integrator.start(system, run.h, state);
  const dynamics::Snapshot snapshot{system, run.integrator, run.h, state};
  FrameSeries frames(folder, 2 * run.h);
  for (int step = 0; step < 6; ++step) {
    if (frames.due(snapshot)) {
      frames.write_frame(snapshot);
      displacements.push_back(state.q[3]);
    }
    run.integrator.step(system, run.h, state);
  }
  frames.publish();
}

TEST(FrameSeries, ListsItsFramesWithTheirTimes) {
  const TemporaryFolder folder;
  std::vector<double> displacements;
  write_frames(folder.path(), displacements);
  EXPECT_THAT(listing(folder.path()), ElementsAre("frames", "frames.pvd"));
  EXPECT_THAT(listing(folder.path() / "frames"),
              ElementsAre("frame_000000.vtu", "frame_000001.vtu", "frame_000002.vtu"));
  const std::string pvd = read(folder.path() / "frames.pvd");
  for (std::size_t i = 0; i < 3; ++i) {
    const ParsedVtu frame(read(folder.path() / "frames" / ("frame_00000" + std::to_string(i) + ".vtu")));
    EXPECT_EQ(frame.array<double>("displacement")[9], displacements[i]);
    EXPECT_THAT(pvd, HasSubstr("timestep=\"" + fmt::format("{}", frame.array<double>("TimeValue")[0]) +
                               "\" part=\"0\" file=\"frames/frame_00000" + std::to_string(i) + ".vtu\""));
  }
}

TEST(FrameSeries, HandsManyImpulsesOverBeforeTheNextFrame) {
  const TemporaryFolder folder;
  RecordedRun run(folder.path());
  const auto bars = testing::steel_bars(10);
  std::vector<dynamics::BodyPtr> bodies;
  for (std::size_t i = 0; i < 2; ++i)
    bodies.push_back(std::make_unique<mechanics::Bar>(run.system.bodies()[i]->name(), bars[i], 11 * i));
  std::vector<contact::ContactPair> pairs{run.system.pairs()[0]};
  pairs[0].direction.reset();  // they touch anywhere
  const dynamics::System system(std::move(bodies), std::move(pairs), exec::Executor(1));
  const std::vector<dynamics::Impulse> impulses(50'000, {.normal_impulse = 1});
  dynamics::StepReport report;
  report.impulses = impulses;
  model::State state = system.initial_state();
  run.integrator.prepare(system);
  run.integrator.start(system, run.h, state);
  const dynamics::Snapshot snapshot{system, run.integrator, run.h, state};
  FrameSeries frames(folder.path(), 1);
  int settled = 0;
  for (int step = 0; step < 100; ++step) {
    frames.observe(system, report);
    if (!frames.is_full()) continue;
    frames.settle(snapshot);
    EXPECT_FALSE(frames.is_full());
    ++settled;
  }
  EXPECT_GT(settled, 0);
  frames.write_frame(snapshot);
  frames.publish();
  const ParsedVtu frame(read(folder.path() / "frames/frame_000000.vtu"));
  double received = 0;
  for (const double impulse : frame.array<double>("contact_impulse")) received += std::isnan(impulse) ? 0 : impulse;
  EXPECT_EQ(received, 2 * 100 * 50'000.0);  // by both bodies
}

/// What a Python module of Debian makes of the frames of a folder.
void expect_read_by(const std::string& reader, const std::string& module, const std::string& package) {
  const std::string python = "/usr/bin/python3";  // where Debian puts its modules
  if (std::system(fmt::format("{} -c 'import {}' 2>/dev/null", python, module).c_str()) != 0)
    GTEST_SKIP() << package << " is not installed";
  const TemporaryFolder folder;
  std::vector<double> displacements;
  write_frames(folder.path(), displacements);
  const auto listing = folder.path() / "told.json";
  ASSERT_EQ(std::system(fmt::format("{} {}/tests/unit/observe/read_frames.py {} {} > {}", python, ICTUS_SOURCE_DIR,
                                    reader, folder.path().string(), listing.string())
                            .c_str()),
            0);
  const auto frames = nlohmann::json::parse(read(listing));
  ASSERT_EQ(frames.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(frames[i]["points"], 11 + 4 + 11);
    EXPECT_EQ(frames[i]["cells"], 10 + 1 + 10);
    EXPECT_EQ(frames[i]["timestep"], frames[i]["time"]);
    EXPECT_EQ(frames[i]["bodies"], nlohmann::json({0, 1, 2}));
    EXPECT_EQ(frames[i]["point_fields"], nlohmann::json({"displacement", "velocity", "radius", "contact_impulse"}));
    EXPECT_EQ(frames[i]["cell_fields"], nlohmann::json({"body", "axial_force", "strain_energy_density"}));
    EXPECT_EQ(frames[i]["body_names"], nlohmann::json({"left", "wall", "right"}));
    EXPECT_EQ(frames[i]["body_unbounded"], nlohmann::json({0, 1, 0}));
    EXPECT_EQ(frames[i]["displacement_of_point_3"][0], displacements[i]);
  }
}

TEST(FrameSeries, VtkReadsTheFrames) { expect_read_by("vtk", "vtkmodules.vtkIOXML", "python3-vtk9"); }

TEST(FrameSeries, MeshioReadsTheFrames) { expect_read_by("meshio", "meshio", "python3-meshio"); }

}  // namespace
}  // namespace ictus::observe
