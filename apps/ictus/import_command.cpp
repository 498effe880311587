#include <fmt/format.h>

#include <filesystem>
#include <ictus/convert/convert.hpp>
#include <ictus/files/atomic_file.hpp>
#include <memory>
#include <string>

#include "commands.hpp"

namespace ictus::program {

namespace {

struct ImportArguments {
  std::string file, out;
  bool force = false;
  convert::ImportOptions options;
};

void import_scene(const ImportArguments& arguments) {
  namespace fs = std::filesystem;
  if (!arguments.out.empty() && !arguments.force && fs::exists(arguments.out))
    throw base::InputError(base::Mistake{arguments.out, 0, {}, "is there already; --force replaces it"});
  const std::string folder = arguments.out.empty() ? std::string() : fs::path(arguments.out).parent_path().string();
  const convert::Imported imported = convert::import_file(arguments.file, folder, arguments.options);
  for (const convert::Note& note : imported.notes)
    fmt::print(stderr, "{}:{}: {}\n", arguments.file, note.line, note.text);
  if (arguments.out.empty()) {
    fmt::print("{}", imported.scene);
    return;
  }
  files::write_file(arguments.out, imported.scene);
  const std::size_t left = imported.notes.size();
  fmt::print("{}: {}; `ictus run {}` runs it\n", arguments.out,
             left == 0 ? "all was understood" : fmt::format("written without the {} above", left), arguments.out);
}

}  // namespace

void add_import(CLI::App& app) {
  CLI::App* command = app.add_subcommand("import", "Make a scene of a robot's or mechanism's URDF or MJCF file");
  const auto arguments = std::make_shared<ImportArguments>();
  command->add_option("FILE", arguments->file, "A URDF or MJCF file")->type_name("")->required();
  command->add_option("-o,--out", arguments->out, "The scene file to write; absent: the scene is printed")
      ->type_name("FILE");
  command->add_flag("--free-base", arguments->options.free_base,
                    "Of URDF: the first link moves freely and is not held");
  command->add_flag("--self-contact", arguments->options.self_contact,
                    "Of URDF: links touch each other, but those that a joint holds together");
  command->add_flag("--force", arguments->force, "Replace the scene file where it is there already");
  command->footer("Example:  ictus import arm.urdf -o arm.yaml");
  command->callback([arguments] { import_scene(*arguments); });
}

}  // namespace ictus::program
