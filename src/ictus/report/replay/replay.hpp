#pragma once

#include <filesystem>
#include <ictus/report/replay/replay_track.hpp>
#include <ictus/report/report_data.hpp>

namespace ictus::report {

/// Frames that a replay of a large mesh has; as few as fit where it would have more points times frames than the last
/// of these, and up to the second where its bodies have so few points that more frames cost nothing.
inline constexpr std::size_t max_replay_frames = 200;
inline constexpr std::size_t max_frames_of_few_points = 2000;
inline constexpr std::size_t few_replay_points = 200'000;
inline constexpr std::size_t max_replay_points = 12'000'000;
/// Compressed bytes that a replay stays below, at the price of coarser positions; in the page they are a third more.
inline constexpr std::size_t max_replay_bytes = 20'000'000;
/// Impulses beyond which those of a pair are summed over intervals, and the number of intervals.
inline constexpr std::size_t max_replay_impacts = 1000;

/// The most frames of a replay whose bodies have so many points.
std::size_t max_frames(std::size_t points);

/// The bodies over time, from frames.pvd, frames/*.vtu and contacts.csv of a run; null where it has no frames.
///   {"times": packed times of the frames kept,
///    "bodies": [{"name", "unbounded", "points", "triangles", "lines", "vertices": how many there are,
///                "radius": packed, of lines and single points, NaN where a section is not round, or null,
///                "section": packed width and height at each point, or null where all are round,
///                "quantum": [m along x, y, z], "origins": packed x, y, z of each frame,
///                "fields": [{"name", "largest"}]}],
///    "mesh": stream, "chunk": frames per chunk, "frames": [stream of each chunk],
///    "impacts": {"pairs": [{"first", "second"}], "pair", "time", "x", "y", "z", "impulse": packed}}
/// A stream is base64 of deflated bytes. "mesh" holds the indices of the corners as little-endian 32-bit words, body by
/// body: triangles, lines, vertices. A chunk holds, frame by frame and body by body, the blocks (replay_codec.hpp) of
/// x, y and z, of which a position is origin + quantum · word; where it has sections, of their axes d₁ and d₂, x, y and
/// z each word / 32767.5 − 1; and of each field, whose value is largest · (word / 255)². Throws base::InputError naming
/// the file that is damaged.
Document replay_document(const std::filesystem::path& run_dir, const files::CsvTable& contacts);
/// The same from bodies over `times`.
Document replay_document(std::span<const double> times, const std::vector<BodyTrack>& tracks,
                         const files::CsvTable& contacts);

}  // namespace ictus::report
