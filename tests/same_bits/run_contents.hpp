#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <ictus/files/result_files.hpp>
#include <ictus/observe/checkpoint/checkpoint.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "input/run_in_folder.hpp"

namespace ictus::testing {

/// Two bars that meet, are pressed together and part, of `elements` elements each; the run takes 4·elements steps.
inline std::string two_long_bars(int elements, const std::string& integrator) {
  const double element = 1.0 / elements;
  const auto bar = [&](const char* name, double start, double velocity) {
    return fmt::format(
        "  {}: {{type: bar, length: 1, cells: {}, density: 1, youngs_modulus: 1, position: [{:.17g}, 0, 0], "
        "velocity: [{}, 0, 0]}}\n",
        name, elements, start, velocity);
  };
  return fmt::format("title: Two long bars\ntime: {{end: 3.2, step: {:.17g}}}\nintegrator: {{type: {}}}\nbodies:\n",
                     0.8 * element, integrator) +
         bar("left", -1.01, 0.1) + bar("right", 0.01, -0.1) +
         "contacts:\n  - {between: [left, right]}\n"
         "probes:\n  tip: {body: left, at: end}\n"
         "output: {history_every: 0.002, frames_every: 0.1, checkpoint_every: 0.01, report: false}\n"
         "limits: {energy_error: 1000}\n";  // collisions between steps want a tenth of this step
}

/// What is the same in every run of a scene: all of its files, hidden ones included, but for the wall time.
inline std::map<std::string, std::string> contents(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = std::filesystem::relative(entry.path(), folder);
    if (name != files::result_files::checkpoint) files[name] = read(entry.path());
  }
  auto summary = nlohmann::ordered_json::parse(files.at("summary.json"));
  summary["time"].erase("wall_seconds");
  files["summary.json"] = summary.dump(2);
  return files;
}

/// Whether two runs of a scene have the same bits: files, last state and what their records remember.
inline void expect_same_bits(const std::filesystem::path& one, const std::filesystem::path& other) {
  const auto first = contents(one), second = contents(other);
  std::vector<std::string> names, other_names, different;
  for (const auto& [name, text] : first) names.push_back(name);
  for (const auto& [name, text] : second) other_names.push_back(name);
  EXPECT_EQ(names, other_names);
  for (const auto& [name, text] : first) {
    if (second.contains(name) && second.at(name) != text) different.push_back(name);
  }
  EXPECT_EQ(different, std::vector<std::string>());

  auto checkpoint = [](const std::filesystem::path& folder) {
    observe::Checkpoint result = observe::read_checkpoint(folder / files::result_files::checkpoint);
    std::erase_if(result.record, [](const model::Memory& memory) { return memory.name == "wall_seconds"; });
    return result;
  };
  const observe::Checkpoint a = checkpoint(one), b = checkpoint(other);
  EXPECT_EQ(a.scene, b.scene);
  EXPECT_TRUE(a.state == b.state);
  EXPECT_TRUE(a.record == b.record);
}

}  // namespace ictus::testing
