// Commands that repeat the run of a beam in memory and look at its structure.
#include <fmt/format.h>

#include <ictus/study/beam/noether.hpp>
#include <ictus/study/beam/reconstruct.hpp>
#include <memory>
#include <string>

#include "command_line.hpp"
#include "commands.hpp"

namespace ictus::program {

namespace {

struct Arguments {
  std::string folder;
  std::string body;
  int rectangles = 200;
  int threads = 1;

  void add_to(CLI::App& command) {
    command.add_option("DIR", folder, "Folder with the results of a run")->type_name("")->required();
    add_threads(command, threads, "Threads to use; they do not change the results [1]");
  }
};

}  // namespace

void add_noether(CLI::App& app) {
  CLI::App* command = app.add_subcommand("noether", "Check what a beam keeps by Noether's theorem");
  const auto arguments = std::make_shared<Arguments>();
  arguments->add_to(*command);
  command->add_option("--rectangles", arguments->rectangles, "Rectangles of space-time watched at a time [200]")
      ->type_name("N")
      ->check(CLI::Range(1, 100000));
  command->footer(
      "The run is repeated in memory from the scene in DIR: momentum maps J_L (in time) or J_N (in space), the "
      "residual\n"
      "of the covariant law (34) of demoures-2014 on rectangles drawn at random, and the energies.\n"
      "Example:  ictus noether runs/beam/free-flight --rectangles 200");
  command->callback([arguments] {
    fmt::print("{}",
               study::to_text(study::check_noether(arguments->folder, arguments->rectangles, arguments->threads)));
  });
}

void add_reconstruct(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("reconstruct", "Integrate a run of a beam again along its length, and compare");
  const auto arguments = std::make_shared<Arguments>();
  arguments->add_to(*command);
  command->add_option("--body", arguments->body, "The beam, where the run has several")->type_name("NAME");
  command->footer(
      "The run in time is repeated in memory; its first two sections are the boundary data from which the others are\n"
      "found by a march in space. Both directions solve the same equations: only rounding sets them apart, which "
      "grows\n"
      "where waves need more than a time step to cross an element.\n"
      "Example:  ictus reconstruct runs/beam/there-and-back");
  command->callback([arguments] {
    fmt::print("{}", study::to_text(study::reconstruct(arguments->folder, arguments->body, arguments->threads)));
  });
}

}  // namespace ictus::program
