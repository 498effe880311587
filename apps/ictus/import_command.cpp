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
  const fs::path target = arguments.out.empty() ? fs::path(arguments.file).filename() : fs::path(arguments.out);
  const convert::Imported imported =
      convert::import_file(arguments.file, folder, target.stem().string(), arguments.options);
  if (arguments.out.empty() && !imported.files.empty())
    throw base::InputError(base::Mistake{
        arguments.file, 0, {}, "is a deck, whose meshes become files beside the scene: say where with --out FILE"});
  for (const convert::Note& note : imported.notes)
    fmt::print(stderr, "{}:{}: {}\n", arguments.file, note.line, note.text);
  if (arguments.out.empty()) {
    fmt::print("{}", imported.scene);
    return;
  }
  for (const auto& [name, text] : imported.files) {
    const fs::path mesh = fs::path(folder) / name;
    if (!arguments.force && fs::exists(mesh))
      throw base::InputError(base::Mistake{mesh.string(), 0, {}, "is there already; --force replaces it"});
    files::write_file(mesh.string(), text);
  }
  files::write_file(arguments.out, imported.scene);
  const std::size_t left = imported.notes.size();
  fmt::print("{}: {}; `ictus run {}` runs it\n", arguments.out,
             left == 0 ? "all was understood" : fmt::format("written without the {} above", left), arguments.out);
}

}  // namespace

void add_import(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("import", "Make a scene of a URDF or MJCF file, or of a deck of Abaqus or LS-DYNA");
  const auto arguments = std::make_shared<ImportArguments>();
  command
      ->add_option("FILE", arguments->file,
                   "A URDF or MJCF file, an input file of Abaqus (.inp) or a keyword file of LS-DYNA (.k)")
      ->type_name("")
      ->required();
  command->add_option("-o,--out", arguments->out, "The scene file to write; absent: the scene is printed")
      ->type_name("FILE");
  command->add_flag("--free-base", arguments->options.free_base,
                    "Of URDF: the first link moves freely and is not held");
  command->add_flag("--self-contact", arguments->options.self_contact,
                    "Of URDF: links touch each other, but those that a joint holds together");
  command->add_option("--units", arguments->options.units, "Of decks: their length, mass and time [m-kg-s]")
      ->type_name("UNITS")
      ->check([](const std::string& name) {
        return convert::deck_units(name) ? "" : "known units are " + convert::deck_unit_names();
      });
  command->add_flag("--force", arguments->force, "Replace the scene file where it is there already");
  command->footer(
      "Examples:  ictus import arm.urdf -o arm.yaml\n           ictus import crash.k --units mm-t-s -o crash.yaml");
  command->callback([arguments] { import_scene(*arguments); });
}

}  // namespace ictus::program
