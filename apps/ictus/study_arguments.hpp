#pragma once

#include <filesystem>
#include <ictus/exec/executor.hpp>
#include <string>

#include "command_line.hpp"
#include "json_output.hpp"
#include "scene_arguments.hpp"

namespace ictus::program {

/// What the commands that run a scene many times have in common.
struct StudyArguments {
  /// `suffix` is what the default folder has behind that of a run.
  StudyArguments(CLI::App& command, std::string suffix_of_folder)
      : scene(command), suffix(std::move(suffix_of_folder)) {
    integrator_option =
        command
            .add_option("--integrators", integrators,
                        "all, or names separated by commas, with options where wanted: cd-lagrange,moreau-jean:theta=1")
            ->type_name("A,B,...");
    command.add_option("--out", out, "Folder for the results [runs/<name>" + suffix + "]")->type_name("DIR");
    add_threads(command, threads, "Runs at a time; they do not change the results [auto]");
    command.add_flag("--force", force, "Replace results that the folder holds already");
    add_quiet(command, quiet);
    add_json(command, json);
  }

  std::filesystem::path folder() const {
    if (!out.empty()) return out;
    std::filesystem::path folder = scene.default_folder();
    folder += suffix;
    return folder;
  }

  SceneArguments scene;
  std::string suffix;
  std::string integrators;
  CLI::Option* integrator_option;
  std::string out;
  int threads = exec::available_cores();
  bool force = false;
  bool quiet = false;
  bool json = false;
};

}  // namespace ictus::program
