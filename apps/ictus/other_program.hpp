#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace ictus::program {

/// The first of these programs that the search path has.
std::optional<std::string> find_program(std::initializer_list<const char*> names);

/// Runs a program to its end, silent but for what it prints, which goes to `output`; false when it fails or takes
/// longer than ten minutes.
bool run_program(const std::vector<std::string>& command, const std::filesystem::path& output = "/dev/null");

/// A folder that goes with the object.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace ictus::program
