// The command that rewrites scenes of earlier versions.
#include <fmt/format.h>

#include <filesystem>
#include <ictus/base/text_file.hpp>
#include <ictus/files/atomic_file.hpp>
#include <ictus/scene/text/document.hpp>
#include <ictus/scene/upgrade/upgrade.hpp>
#include <iostream>
#include <iterator>
#include <memory>

#include "commands.hpp"

namespace ictus::program {

namespace {

namespace fs = std::filesystem;

/// Rewrites one file if it has anything to rewrite; the mistakes that the scene then has are told by their new lines.
void upgrade_file(const std::string& name) {
  const std::string text = base::read_whole_file(name, scene::max_scene_bytes);
  const scene::Upgraded upgraded = scene::upgrade(text, name);
  if (upgraded.text == text) {
    fmt::print("{}: is in the words of version {} already\n", name, scene::scene_version);
  } else {
    // A link goes on pointing at the file.
    files::write_file(fs::canonical(name), upgraded.text);
    fmt::print("{}: rewritten, {} old word{}\n", name, upgraded.words, upgraded.words == 1 ? "" : "s");
  }
  scene::read_text(upgraded.text, name);
}

}  // namespace

void add_upgrade(CLI::App& app) {
  CLI::App* command = app.add_subcommand("upgrade", "Rewrite scene files in the words of this version, comments kept");
  auto files = std::make_shared<std::vector<std::string>>();
  command->add_option("FILE", *files, "Scene files to rewrite in place; - : standard input to standard output")
      ->type_name("")
      ->required();
  command->footer("Example:  ictus upgrade my.yaml");
  command->callback([files] {
    std::vector<base::Mistake> mistakes;
    for (const std::string& name : *files) {
      try {
        if (name == "-") {
          const std::string text(std::istreambuf_iterator<char>(std::cin), {});
          fmt::print("{}", scene::upgrade(text, "stdin").text);
        } else {
          upgrade_file(name);
        }
      } catch (const base::InputError& error) {
        mistakes.insert(mistakes.end(), error.mistakes().begin(), error.mistakes().end());
      }
    }
    if (!mistakes.empty()) throw base::InputError(std::move(mistakes));
  });
}

}  // namespace ictus::program
