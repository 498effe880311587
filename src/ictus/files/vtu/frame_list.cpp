#include <ictus/files/vtu/frame_list.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/base/text_file.hpp>
#include <ictus/files/result_files.hpp>
#include <string_view>

namespace ictus::files {

namespace fs = std::filesystem;

std::vector<ListedFrame> list_frames(const fs::path& run_dir) {
  const fs::path list = run_dir / result_files::frames;
  std::vector<ListedFrame> frames;
  if (!fs::exists(list)) return frames;
  const auto refuse = [&] {
    throw base::InputError({list.string(), 0, "", fmt::format("entry {} is none that Ictus wrote", frames.size())});
  };
  static constexpr std::string_view before_time = "<DataSet timestep=\"";
  const std::string text = base::read_whole_file(list);
  for (std::size_t at = text.find(before_time); at != std::string::npos; at = text.find(before_time, at)) {
    at += before_time.size();
    double time = 0;
    const auto [end, failure] = std::from_chars(text.data() + at, text.data() + text.size(), time);
    if (failure != std::errc{} || !std::isfinite(time)) refuse();
    if (!frames.empty() && time < frames.back().time) refuse();
    // Files are found by their number, so that a list cannot lead out of the folder.
    const fs::path file = fs::path(result_files::frame_folder) / result_files::frame(frames.size());
    const std::string rest = fmt::format("\" part=\"0\" file=\"{}\"/>", file.generic_string());
    if (!std::string_view(text).substr(static_cast<std::size_t>(end - text.data())).starts_with(rest)) refuse();
    frames.push_back({time, run_dir / file});
  }
  return frames;
}

}  // namespace ictus::files
