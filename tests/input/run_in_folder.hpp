#pragma once

#include <fstream>
#include <string_view>

#include "program.hpp"
#include "support/temporary_folder.hpp"

namespace ictus::testing {

/// Two bars and a wall in a row; every test that breaks something starts from it. The largest stable step is 0.25 s.
inline constexpr std::string_view bars_and_wall = R"(title: Bars and wall
time: {end: 2, step: 0.1}
integrator: {type: cd-lagrange}
bodies:
  left: {type: bar, length: 1, cells: 4, density: 1, youngs_modulus: 1, position: [-1.1, 0, 0], velocity: [1, 0, 0]}
  right: {type: bar, length: 1, cells: 4, density: 1, youngs_modulus: 1, position: [0.1, 0, 0]}
  wall: {type: plane, position: [1.5, 0, 0], normal: [-1, 0, 0]}
contacts:
  - {between: [left, right]}
  - {between: [right, wall]}
probes:
  tip: {body: left, at: end}
)";

/// A folder in which the program runs.
class RunFolder {
 public:
  RunFolder() = default;
  /// With `content` as the file `name`.
  RunFolder(const std::string& name, std::string_view content) { put(name, content); }

  const std::filesystem::path& path() const { return folder_.path(); }
  std::filesystem::path operator/(std::string_view name) const { return path() / name; }
  void put(const std::string& name, std::string_view content) const {
    std::filesystem::create_directories((path() / name).parent_path());
    std::ofstream(path() / name, std::ios::binary) << content;
  }
  Ended run(const std::vector<std::string>& arguments) const { return ictus(arguments, {path()}); }
  std::vector<std::string> names() const { return listing(path()); }

  /// The program refuses `arguments` with exactly `message`, and leaves the folder as it was.
  void expect_refused(const std::vector<std::string>& arguments, const std::string& message) const {
    const std::vector<std::string> before = everything();
    const Ended ended = run(arguments);
    EXPECT_EQ(ended.code, 2);
    EXPECT_EQ(ended.err, message);
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(everything(), before);
  }

 private:
  std::vector<std::string> everything() const {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path())) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
  }

  TemporaryFolder folder_;
};

}  // namespace ictus::testing
