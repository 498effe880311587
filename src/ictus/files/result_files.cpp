#include <ictus/files/result_files.hpp>

#include <fmt/format.h>

#include <array>
#include <ictus/base/error.hpp>
#include <ictus/files/atomic_file.hpp>
#include <system_error>

namespace ictus::files {

namespace fs = std::filesystem;

namespace {

constexpr std::array all_names{result_files::scene,      result_files::summary, result_files::history,
                               result_files::contacts,   result_files::frames,  result_files::frame_folder,
                               result_files::checkpoint, result_files::report,  result_files::exported,
                               result_files::filtered};

[[noreturn]] void refuse(const fs::path& path, std::string_view what, const std::error_code& reason) {
  throw base::InputError(base::Mistake{path.string(), 0, "", fmt::format("{}: {}", what, reason.message())});
}

constexpr std::string_view frame_prefix = "frame_", frame_suffix = ".vtu";

std::vector<fs::path> frames_in(const fs::path& folder) {
  std::vector<fs::path> frames;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(frame_prefix) && name.ends_with(frame_suffix)) frames.push_back(entry.path());
  }
  return frames;
}

void remove_or_refuse(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) refuse(path, "cannot be removed", error);
}

}  // namespace

std::string result_files::frame(std::size_t number) {
  return fmt::format("{}{:06}{}", frame_prefix, number, frame_suffix);
}

std::vector<std::string> existing_files(const fs::path& folder, std::span<const std::string_view> names) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const std::string_view name : names) {
    const bool exists = name == result_files::frame_folder ? !frames_in(folder / name).empty()
                                                           : fs::exists(fs::symlink_status(folder / name, ignored));
    if (exists) found.emplace_back(name);
  }
  return found;
}

void remove_files(const fs::path& folder, std::span<const std::string_view> names) {
  for (const std::string& name : existing_files(folder, names)) remove_or_refuse(folder / name);
}

std::vector<std::string> existing_results(const fs::path& folder) { return existing_files(folder, all_names); }

void remove_results(const fs::path& folder) {
  const fs::path frame_folder = folder / result_files::frame_folder;
  remove_leftovers(folder);
  remove_leftovers(frame_folder);
  for (const fs::path& frame : frames_in(frame_folder)) remove_or_refuse(frame);
  remove_files(folder, all_names);
  std::error_code not_empty;
  fs::remove(frame_folder, not_empty);
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) refuse(folder, "cannot be made a folder", error);
}

}  // namespace ictus::files
