#include <fmt/format.h>
#include <array>

#include <ictus/base/error.hpp>
#include <ictus/observe/result_files.hpp>
#include <system_error>

namespace ictus::observe {

namespace fs = std::filesystem;

namespace {

constexpr std::array all_names{result_files::scene,      result_files::summary, result_files::history,
                               result_files::contacts,   result_files::frames,  result_files::frame_folder,
                               result_files::checkpoint, result_files::report};

[[noreturn]] void refuse(const fs::path& path, std::string_view what, const std::error_code& reason) {
  throw base::InputError(base::Mistake{path.string(), 0, "", fmt::format("{}: {}", what, reason.message())});
}

}  // namespace

std::vector<std::string> existing_results(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const std::string_view name : all_names) {
    if (fs::exists(fs::symlink_status(folder / name, ignored))) found.emplace_back(name);
  }
  return found;
}

void remove_results(const fs::path& folder) {
  for (const std::string& name : existing_results(folder)) {
    std::error_code error;
    fs::remove_all(folder / name, error);
    if (error) refuse(folder / name, "cannot be removed", error);
  }
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) refuse(folder, "cannot be made a folder", error);
}

}  // namespace ictus::observe
