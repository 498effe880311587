#include <ictus/report/replay/replay.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/report/base64.hpp>
#include <ictus/report/replay/replay_codec.hpp>
#include <map>
#include <optional>

namespace ictus::report {

namespace {

/// Uncompressed bytes of a chunk, about: what a browser unpacks before it shows the first frame.
constexpr std::size_t bytes_per_chunk = 4'000'000;

/// Frames spread evenly over those listed, the first and the last among them.
std::vector<files::ListedFrame> spread(const std::vector<files::ListedFrame>& frames, std::size_t points) {
  const std::size_t limit = max_frames(points);
  if (frames.size() <= limit) return frames;
  std::vector<files::ListedFrame> kept;
  for (std::size_t i = 0; i < limit; ++i) kept.push_back(frames[i * (frames.size() - 1) / (limit - 1)]);
  return kept;
}

void append_words(const std::vector<std::uint32_t>& words, std::string& bytes) {
  for (const std::uint32_t word : words)
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(word >> shift & 0xff));
}

/// The step between positions along an axis: small displacements of long bodies keep their shape where they are across
/// them. Below a thousandth of the largest step there is only noise to be written.
float quantum(const BodyTrack& track, std::size_t axis, int levels) {
  const float longest = *std::max_element(track.extent.begin(), track.extent.end());
  return std::max(track.extent[axis], 1e-3F * longest) / static_cast<float>(levels);
}

/// Writes the frames of all bodies, positions in `levels` steps of each extent.
class Encoder {
 public:
  Encoder(const std::vector<BodyTrack>& tracks, std::size_t frames, int levels) : tracks_(tracks), levels_(levels) {
    std::size_t bytes_per_frame = 1;
    for (const BodyTrack& track : tracks) {
      channels_.emplace_back(3 + axes_of(track) + track.fields.size());
      bytes_per_frame += 2 * track.mesh.points.size() * channels_.back().size();
    }
    chunk_ = std::clamp<std::size_t>(bytes_per_chunk / bytes_per_frame, 1, frames);
    for (std::size_t frame = 0; frame < frames; ++frame) {
      add(frame);
      if ((frame + 1) % chunk_ == 0 || frame + 1 == frames) finish_chunk();
    }
  }

  std::size_t chunk() const { return chunk_; }
  const std::vector<std::string>& chunks() const { return chunks_; }
  std::size_t bytes() const {
    std::size_t total = 0;
    for (const std::string& chunk : chunks_) total += chunk.size();
    return total;
  }

 private:
  void add(std::size_t frame) {
    for (std::size_t b = 0; b < tracks_.size(); ++b) {
      const BodyTrack& track = tracks_[b];
      for (std::size_t c = 0; c < 3; ++c) {
        const float step = quantum(track, c, levels_), per_metre = step > 0 ? 1 / step : 0;
        append(track.from_origin[c], frame, channels_[b][c], [&](float away) { return away * per_metre; });
      }
      for (std::size_t c = 0; c < axes_of(track); ++c) {
        append(track.axes[c], frame, channels_[b][3 + c], [](float cosine) { return 32767.5F * (cosine + 1); });
      }
      for (std::size_t f = 0; f < track.fields.size(); ++f) {
        const FieldTrack& field = track.fields[f];
        const float scale = field.largest > 0 ? 1 / field.largest : 0;
        append(field.values, frame, channels_[b][3 + axes_of(track) + f],
               [&](float value) { return 255 * std::sqrt(value * scale); });
      }
    }
  }

  template <class Level>
  void append(const std::vector<float>& values, std::size_t frame, Channel& channel, Level level) {
    const std::size_t points = values.size() / tracks_.front().origins.size();
    words_.resize(points);
    for (std::size_t i = 0; i < points; ++i) {
      words_[i] = static_cast<std::uint16_t>(std::clamp(std::lround(level(values[frame * points + i])), 0L, 65535L));
    }
    channel.append(words_, block_);
  }

  static std::size_t axes_of(const BodyTrack& track) { return track.section.empty() ? 0 : track.axes.size(); }

  void finish_chunk() {
    chunks_.push_back(deflated(block_));
    block_.clear();
  }

  const std::vector<BodyTrack>& tracks_;
  int levels_;
  std::size_t chunk_ = 1;
  std::vector<std::vector<Channel>> channels_;
  std::vector<std::uint16_t> words_;
  std::string block_;
  std::vector<std::string> chunks_;
};

Document body_document(const BodyTrack& track, int levels) {
  std::vector<double> origins;
  for (const auto& origin : track.origins) origins.insert(origins.end(), origin.begin(), origin.end());
  Document fields = Document::array();
  for (const FieldTrack& field : track.fields) fields.push_back({{"name", field.name}, {"largest", field.largest}});
  return {{"name", track.name},
          {"unbounded", track.unbounded},
          {"points", track.mesh.points.size()},
          {"triangles", track.mesh.triangles.size() / 3},
          {"lines", track.mesh.lines.size() / 2},
          {"vertices", track.mesh.vertices.size()},
          {"radius", track.radius.empty() ? Document(nullptr) : packed(track.radius)},
          {"section", track.section.empty() ? Document(nullptr) : packed(track.section)},
          {"quantum", {quantum(track, 0, levels), quantum(track, 1, levels), quantum(track, 2, levels)}},
          {"origins", packed(origins)},
          {"fields", std::move(fields)}};
}

/// One impulse, or the sum of several of one pair: at their mean point, at the time of the first.
struct Impact {
  double pair = 0, time = 0, x = 0, y = 0, z = 0, impulse = 0;
};

/// Impulses of all pairs; those of one pair and one interval of time are one where there are too many.
std::vector<Impact> gather_impacts(const files::CsvTable& contacts, Document& pairs) {
  const auto column = [&](const char* name) -> const std::vector<double>& { return contacts.find(name)->numbers; };
  const files::CsvColumn &first = *contacts.find("first"), &second = *contacts.find("second");
  const std::vector<double>& times = column("time");
  const double begin = times.empty() ? 0 : times.front(), end = times.empty() ? 0 : times.back();
  const double width = (end - begin) / static_cast<double>(2 * max_replay_frames);
  const bool one_by_one = contacts.rows <= max_replay_impacts || !(width > 0);
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> numbers;
  std::map<std::pair<double, double>, std::size_t> open;  // pair and interval: index in `impacts`
  std::vector<Impact> impacts;
  for (std::size_t row = 0; row < contacts.rows; ++row) {
    const double impulse = column("normal_impulse")[row];
    if (!(impulse > 0)) continue;
    const auto [number, is_new] =
        numbers.try_emplace({first.text[row], second.text[row]}, static_cast<double>(pairs.size()));
    if (is_new) pairs.push_back({{"first", first.words[first.text[row]]}, {"second", second.words[second.text[row]]}});
    const double interval = one_by_one ? static_cast<double>(row) : std::floor((times[row] - begin) / width);
    const auto [entry, opened] = open.try_emplace({number->second, interval}, impacts.size());
    if (opened) impacts.push_back({number->second, times[row], 0, 0, 0, 0});
    Impact& impact = impacts[entry->second];
    impact.x += impulse * column("x")[row];
    impact.y += impulse * column("y")[row];
    impact.z += impulse * column("z")[row];
    impact.impulse += impulse;
  }
  for (Impact& impact : impacts) {
    for (double* coordinate : {&impact.x, &impact.y, &impact.z}) *coordinate /= impact.impulse;
  }
  return impacts;
}

Document impacts_document(const files::CsvTable& contacts) {
  Document pairs = Document::array();
  const std::vector<Impact> impacts = gather_impacts(contacts, pairs);
  Document document = {{"pairs", std::move(pairs)}};
  for (const auto& [name, member] :
       {std::pair{"pair", &Impact::pair}, std::pair{"time", &Impact::time}, std::pair{"x", &Impact::x},
        std::pair{"y", &Impact::y}, std::pair{"z", &Impact::z}, std::pair{"impulse", &Impact::impulse}}) {
    std::vector<double> values;
    for (const Impact& impact : impacts) values.push_back(impact.*member);
    document[name] = packed(values);
  }
  return document;
}

}  // namespace

std::size_t max_frames(std::size_t points) {
  const std::size_t each = std::max<std::size_t>(points, 1);
  const std::size_t cheap = std::clamp(few_replay_points / each, max_replay_frames, max_frames_of_few_points);
  return std::clamp<std::size_t>(max_replay_points / each, 2, cheap);
}

Document replay_document(std::span<const double> times, const std::vector<BodyTrack>& tracks,
                         const files::CsvTable& contacts) {
  std::string mesh;
  for (const BodyTrack& track : tracks)
    for (const auto* corners : {&track.mesh.triangles, &track.mesh.lines, &track.mesh.vertices})
      append_words(*corners, mesh);
  int levels = 65535;
  std::optional<Encoder> encoder(std::in_place, tracks, times.size(), levels);
  while (encoder->bytes() > max_replay_bytes && levels > 1023) {
    levels /= 4;
    encoder.emplace(tracks, times.size(), levels);
  }
  Document bodies = Document::array(), chunks = Document::array();
  for (const BodyTrack& track : tracks) bodies.push_back(body_document(track, levels));
  for (const std::string& chunk : encoder->chunks()) chunks.push_back(base64(chunk));
  return {{"times", packed(times)},    {"bodies", std::move(bodies)}, {"mesh", base64(deflated(mesh))},
          {"chunk", encoder->chunk()}, {"frames", std::move(chunks)}, {"impacts", impacts_document(contacts)}};
}

Document replay_document(const std::filesystem::path& run_dir, const files::CsvTable& contacts) {
  const std::vector<files::ListedFrame> listed = files::list_frames(run_dir);
  if (listed.empty()) return nullptr;
  const std::vector<files::ListedFrame> frames = spread(listed, files::VtuReader(listed.front().file).points());
  std::vector<double> times;
  for (const files::ListedFrame& frame : frames) times.push_back(frame.time);
  return replay_document(times, read_tracks(frames), contacts);
}

}  // namespace ictus::report
