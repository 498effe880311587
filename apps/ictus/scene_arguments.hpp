#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <ictus/study/study_scene.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ictus::program {

/// The arguments by which a command is given a scene: SCENE|CASE and --set.
class SceneArguments {
 public:
  explicit SceneArguments(CLI::App& command, bool required = true) {
    CLI::Option* option =
        command
            .add_option("SCENE", scene_, "Scene file, the name of a case (see `ictus cases`), or - for standard input")
            ->type_name("");
    if (required) option->required();
    command.add_option("--set", overrides_, "Change a key of the scene, e.g. --set time.step=1e-6; may be given again")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
  }

  const std::string& scene() const { return scene_; }
  bool has_overrides() const { return !overrides_.empty(); }

  study::SceneSource source() const {
    std::vector<scene::Override> overrides;
    for (const std::string& text : overrides_) overrides.push_back(scene::parse_override(text));
    return {scene_, std::move(overrides)};
  }
  run::LoadedScene load() const { return source().load(); }

  /// Where results go unless told otherwise: runs/<name>.
  std::filesystem::path default_folder() const {
    const std::filesystem::path name = scene_ == run::from_standard_input ? "stdin" : scene_;
    return std::filesystem::path("runs") / (name.is_absolute() || name.has_extension() ? name.stem() : name);
  }

 private:
  std::string scene_;
  std::vector<std::string> overrides_;
};

}  // namespace ictus::program
