#include <gmock/gmock.h>
#include <zlib.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/files/atomic_file.hpp>
#include <ictus/files/run_files.hpp>
#include <ictus/observe/frames/nearest_point.hpp>
#include <ictus/observe/frames/vtu.hpp>
#include <ictus/report/base64.hpp>
#include <ictus/report/replay/replay.hpp>
#include <ictus/report/replay/replay_codec.hpp>
#include <random>
#include <utility>

#include "support/temporary_folder.hpp"
#include "unit/observe/recorded_run.hpp"
#include "unit/report/page_document.hpp"

namespace ictus::report {
namespace {

using ictus::testing::read;
using ictus::testing::RecordedRun;
using ictus::testing::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint8_t triangle = 5, quad = 9, tetrahedron = 10, hexahedron = 12;

TEST(Base64, FollowsTheStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("\xff\xfe\xfd\xfc"), "//79/A==");
  for (const char* bytes : {"", "f", "fo", "foo", "\xff\xfe\xfd\xfc"}) EXPECT_EQ(from_base64(base64(bytes)), bytes);
}

FrameCells cells_of(std::uint8_t type, std::size_t corners, std::vector<std::int64_t> connectivity) {
  FrameCells cells;
  const std::size_t count = connectivity.size() / corners;
  cells.types.assign(count, type);
  cells.body.assign(count, 0);
  for (std::size_t c = 1; c <= count; ++c) cells.offsets.push_back(static_cast<std::int64_t>(c * corners));
  cells.connectivity = std::move(connectivity);
  return cells;
}

TEST(ReplayMesh, QuadsAreTwoTriangles) {
  const ReplayMesh mesh = replay_meshes(cells_of(quad, 4, {4, 5, 6, 7}), 1)[0];
  EXPECT_THAT(mesh.points, ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(mesh.triangles, ElementsAre(0, 1, 2, 0, 2, 3));
}

TEST(ReplayMesh, TheFaceBetweenTwoSolidsIsInside) {
  EXPECT_EQ(replay_meshes(cells_of(tetrahedron, 4, {0, 1, 2, 3, 1, 2, 3, 4}), 1)[0].triangles.size(), 3u * 6);
  const auto bricks = cells_of(hexahedron, 8, {0, 1, 4, 3, 6, 7, 10, 9, 1, 2, 5, 4, 7, 8, 11, 10});
  EXPECT_EQ(replay_meshes(bricks, 1)[0].triangles.size(), 3u * 2 * 10);
}

/// Σ over the outside of (area vector · point) / 3 is the volume, if every face turns left around the way out.
TEST(ReplayMesh, FacesLookOut) {
  const std::vector<math::Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                           {0, 0, 2}, {1, 0, 2}, {1, 1, 2}, {0, 1, 2}};
  const auto volume = [&](const ReplayMesh& mesh) {
    double sum = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
      const auto at = [&](std::size_t k) { return corners[mesh.points[mesh.triangles[t + k]]]; };
      sum += at(0).dot(at(1).cross(at(2))) / 6;
    }
    return sum;
  };
  EXPECT_DOUBLE_EQ(volume(replay_meshes(cells_of(hexahedron, 8, {0, 1, 2, 3, 4, 5, 6, 7}), 1)[0]), 2);
  EXPECT_DOUBLE_EQ(volume(replay_meshes(cells_of(tetrahedron, 4, {0, 1, 3, 4}), 1)[0]), 1.0 / 3);
}

TEST(ReplayMesh, UnsoundCellsAreSeen) {
  FrameCells cells = cells_of(triangle, 3, {0, 1, 2, 1, 2, 3});
  EXPECT_TRUE(cells.sound(4));
  EXPECT_FALSE(cells.sound(3));
  cells.types[1] = 77;
  EXPECT_FALSE(cells.sound(4));
  cells.types[1] = quad;
  EXPECT_FALSE(cells.sound(4));
}

TEST(NearestPoint, IsTheNearest) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> at(-1, 1);
  std::vector<math::Vec3> points;
  for (int i = 0; i < 500; ++i) points.emplace_back(at(random), 0.1 * at(random), at(random));
  const observe::NearestPoint nearest(points);
  for (int i = 0; i < 200; ++i) {
    const math::Vec3 target(2 * at(random), at(random), at(random));
    const auto distance = [&](const math::Vec3& p) { return (p - target).squaredNorm(); };
    const auto closer = [&](const auto& a, const auto& b) { return distance(a) < distance(b); };
    const auto expected = std::min_element(points.begin(), points.end(), closer) - points.begin();
    EXPECT_EQ(nearest.to(target), static_cast<std::size_t>(expected));
  }
}

// Reading a replay back ------------------------------------------------------------------------------------------

std::string decoded(const std::string& stream) {
  static const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : stream) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    if ((count += 6) >= 8) bytes.push_back(static_cast<char>(bits >> (count -= 8) & 0xff));
  }
  return bytes;
}

std::string inflated(const std::string& stream) {
  const std::string bytes = decoded(stream);
  std::string result(20'000'000, '\0');
  uLongf size = result.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                       bytes.size()),
            Z_OK);
  result.resize(size);
  return result;
}

/// One channel over the frames, by the formula of replay_codec.hpp.
struct DecodedChannel {
  std::vector<std::uint16_t> now, before, twice_before;

  void read(const std::string& bytes, std::size_t& at, std::size_t points) {
    twice_before = std::exchange(before, now);
    for (auto* list : {&now, &before, &twice_before}) list->resize(points);
    const int mode = bytes[at++];
    std::uint16_t last = 0;
    for (std::size_t i = 0; i < points; ++i) {
      const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(bytes[at + k]); };
      const int word = byte(i) | byte(points + i) << 8;
      auto miss = static_cast<std::uint16_t>(word % 2 == 0 ? word / 2 : -(word + 1) / 2);
      if (mode >= 3) miss = static_cast<std::uint16_t>(miss + last);
      last = miss;
      const int guess = mode % 3 == 0 ? 0 : mode % 3 == 1 ? before[i] : 2 * before[i] - twice_before[i];
      now[i] = static_cast<std::uint16_t>(guess + miss);
    }
    at += 2 * points;
  }
};

TEST(ReplayCodec, EveryWordComesBack) {
  std::mt19937 random(1);
  Channel channel;
  DecodedChannel back;
  for (int frame = 0; frame < 12; ++frame) {
    std::vector<std::uint16_t> values(300);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double smooth = 30000 + 30000 * std::sin(0.01 * static_cast<double>(i) + 0.3 * frame);
      values[i] = frame % 3 == 0 ? static_cast<std::uint16_t>(random()) : static_cast<std::uint16_t>(smooth);
    }
    std::string block;
    channel.append(values, block);
    std::size_t at = 0;
    back.read(block, at, values.size());
    EXPECT_EQ(at, block.size());
    EXPECT_EQ(back.now, values) << "frame " << frame;
  }
}

TEST(ReplayCodec, EvenMotionCostsNothing) {
  Channel channel;
  std::string blocks;
  for (int frame = 0; frame < 50; ++frame) {
    std::vector<std::uint16_t> values(1000);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<std::uint16_t>(37 * i + 11 * frame * (i % 5));
    channel.append(values, blocks);
  }
  // Two frames cannot be guessed; the other 48 are zeros.
  EXPECT_LT(deflated(blocks).size(), 4000u);
}

/// Two bars that meet, with frames at every step; the folder is then as a run leaves it.
void record_bars(const std::filesystem::path& folder, std::int64_t steps) {
  RecordedRun run(folder);
  run.options.frames = run.h;
  observe::RunRecord record(run.options, run.system, run.integrator);
  run.begin(record);
  run.run_to(steps, record);
  record.finish(run.snapshot(), observe::RunStatus::completed);
}

TEST(Replay, PositionsComeBackWithinHalfAQuantum) {
  const TemporaryFolder folder;
  record_bars(folder.path(), 50);
  const files::CsvTable contacts = files::read_contacts(folder.path() / "contacts.csv");
  const Document replay = replay_document(folder.path(), contacts);
  const std::vector<files::ListedFrame> frames = files::list_frames(folder.path());
  ASSERT_EQ(unpacked(replay["times"]).size(), frames.size());
  ASSERT_EQ(frames.size(), 51u);
  EXPECT_EQ(replay["bodies"][0]["name"], "bar0");
  EXPECT_EQ(replay["bodies"][1]["lines"], 10);
  ASSERT_EQ(replay["frames"].size(), 1u);

  const std::string bytes = inflated(replay["frames"][0]);
  std::vector<std::vector<DecodedChannel>> channels(2, std::vector<DecodedChannel>(6));
  std::size_t at = 0;
  double largest_impulse = 0;
  for (std::size_t frame = 0; frame < frames.size(); ++frame) {
    const std::vector<double> points = files::VtuReader(frames[frame].file).numbers("Points", "Points");
    for (std::size_t b = 0; b < 2; ++b) {
      const Document& body = replay["bodies"][b];
      ASSERT_EQ(body["fields"].size(), 3u);
      for (DecodedChannel& channel : channels[b]) channel.read(bytes, at, 11);
      const std::vector<double> origins = unpacked(body["origins"]);
      for (std::size_t i = 0; i < 11; ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
          const double quantum = body["quantum"][c], x = origins[3 * frame + c] + quantum * channels[b][c].now[i];
          // Half a quantum, and what single precision adds to a length of 0.254 m.
          EXPECT_NEAR(x, points[3 * (11 * b + i) + c], 0.51 * quantum + 1e-7);
        }
      }
    }
    const double level = channels[0][5].now[10] / 255.0;
    largest_impulse =
        std::max(largest_impulse, replay["bodies"][0]["fields"][2]["largest"].get<double>() * level * level);
  }
  EXPECT_EQ(at, bytes.size());
  EXPECT_EQ(replay["bodies"][0]["fields"][2]["name"], "contact_impulse");
  // The tip that meets the other bar has received all there was.
  double total = 0;
  for (const double impulse : contacts.find("normal_impulse")->numbers) total += impulse;
  EXPECT_NEAR(largest_impulse, total, 1e-6 * total);
  double shown = 0;
  for (const double impulse : unpacked(replay["impacts"]["impulse"])) shown += impulse;
  EXPECT_NEAR(shown, total, 1e-12 * total);
}

TEST(Replay, FramesAreAsManyAsTheBodiesAllow) {
  EXPECT_EQ(max_frames(0), max_frames_of_few_points);
  EXPECT_EQ(max_frames(3), max_frames_of_few_points);
  EXPECT_EQ(max_frames(400), 500);
  EXPECT_EQ(max_frames(50'000), max_replay_frames);
  EXPECT_EQ(max_frames(100'000), 120);
  EXPECT_EQ(max_frames(10'000'000), 2);
}

TEST(Replay, LongRunsKeepTheirFirstAndLastFrame) {
  const TemporaryFolder folder;
  record_bars(folder.path(), 2050);
  const Document replay = replay_document(folder.path(), files::read_contacts(folder.path() / "contacts.csv"));
  const std::vector<double> times = unpacked(replay["times"]);
  const std::vector<files::ListedFrame> frames = files::list_frames(folder.path());
  EXPECT_EQ(times.size(), max_frames_of_few_points);
  EXPECT_EQ(times.front(), frames.front().time);
  EXPECT_EQ(times.back(), frames.back().time);
}

/// A line of two points with the sections given, 0.2 wide and 0.2 high, NaN as radius where they are not round.
mechanics::Picture beam(std::array<double, 2> radius) {
  mechanics::Picture picture;
  picture.points = {{0, 0, 0}, {1, 0, 0}};
  picture.cells = {mechanics::Picture::Cell::line};
  picture.connectivity = {0, 1};
  picture.fields = {{"section", 2, false, {0.2, 0.2, 0.2, 0.2}},
                    {"d1", 3, false, {0, 1, 0, 0, 1, 0}},
                    {"d2", 3, false, {0, 0, 1, 0, 0, 1}},
                    {"radius", 1, false, {radius[0], radius[1]}}};
  return picture;
}

TEST(Replay, SectionsThatAreAllRoundAreTubes) {
  const TemporaryFolder folder;
  const double none = std::numeric_limits<double>::quiet_NaN();
  const std::vector<observe::FramePart> parts{
      {beam({0.1, 0.1}), true, "pipe"}, {beam({none, none}), true, "box"}, {beam({none, 0.1}), true, "both"}};
  files::write_file(folder.path() / "frame.vtu", observe::vtu(parts, 0));
  const std::vector<files::ListedFrame> frames{{0, folder.path() / "frame.vtu"}};
  const std::vector<BodyTrack> tracks = read_tracks(frames);
  EXPECT_THAT(tracks[0].radius, ElementsAre(0.1, 0.1));
  EXPECT_TRUE(tracks[0].section.empty() && tracks[0].axes[0].empty());
  EXPECT_TRUE(tracks[1].radius.empty());
  EXPECT_THAT(tracks[1].section, ElementsAre(0.2, 0.2, 0.2, 0.2));
  EXPECT_TRUE(std::isnan(tracks[2].radius.front()));
  EXPECT_EQ(tracks[2].radius.back(), 0.1);
  EXPECT_THAT(tracks[2].axes[1], ElementsAre(1, 1));
}

TEST(Replay, ARunWithoutFramesHasNone) {
  const TemporaryFolder folder;
  EXPECT_TRUE(replay_document(folder.path(), files::CsvTable{}).is_null());
}

TEST(Replay, DamagedFramesAreNamed) {
  const TemporaryFolder folder;
  record_bars(folder.path(), 3);
  const files::CsvTable contacts = files::read_contacts(folder.path() / "contacts.csv");
  const std::filesystem::path file = folder.path() / "frames" / "frame_000002.vtu";
  const std::string whole = read(file);
  for (std::size_t size = 0; size < whole.size() - 30; size += 97) {
    files::write_file(file, whole.substr(0, size));
    EXPECT_THAT(complaint_of([&] { replay_document(folder.path(), contacts); }), HasSubstr("frame_000002.vtu"));
  }
  std::filesystem::remove(file);
  EXPECT_THAT(complaint_of([&] { replay_document(folder.path(), contacts); }), HasSubstr("frame_000002.vtu"));
  files::write_file(folder.path() / "frames.pvd", "<DataSet timestep=\"0\" part=\"0\" file=\"../secret.vtu\"/>");
  EXPECT_THAT(complaint_of([&] { replay_document(folder.path(), contacts); }), HasSubstr("frames.pvd"));
}

}  // namespace
}  // namespace ictus::report
