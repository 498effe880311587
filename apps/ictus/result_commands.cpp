// Commands that read the results of a run.
#include <fmt/format.h>

#include <filesystem>
#include <ictus/build/session.hpp>
#include <ictus/observe/result_files.hpp>
#include <memory>
#include <string>

#include "commands.hpp"

namespace ictus::program {

namespace fs = std::filesystem;

void add_report(CLI::App& app) {
  CLI::App* command = app.add_subcommand("report", "Make the HTML report of a run again from its result files");
  auto folder = std::make_shared<std::string>();
  command->add_option("DIR", *folder, "Folder with the results of a run")->type_name("")->required();
  command->footer("Example:  ictus report runs/two-bars/steel");
  command->callback([folder] {
    build::write_report(*folder);
    fmt::print("{}\n", fs::absolute(fs::path(*folder) / observe::result_files::report).string());
  });
}

}  // namespace ictus::program
