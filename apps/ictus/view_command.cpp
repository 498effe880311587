#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <ictus/files/result_files.hpp>
#include <memory>
#include <string>
#include <thread>

#include "command_line.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "run_server.hpp"

namespace ictus::program {

namespace fs = std::filesystem;

namespace {

void view(const fs::path& folder, int port) {
  if (!fs::exists(folder / files::result_files::scene)) {
    throw base::InputError({folder.string(), 0, "", "holds no run: there is no scene.yaml in it"});
  }
  RunServer server(folder, random_token());
  server.bind(port);
  fmt::print("{}\nShows {} as long as this goes on; Ctrl-C ends it.\n", server.address(), folder.string());
  std::fflush(stdout);
  const Interrupt interrupt;
  std::thread serving([&] { server.serve(); });
  while (!interrupt.requested()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  server.stop();
  serving.join();
}

}  // namespace

void add_view(CLI::App& app) {
  CLI::App* command = app.add_subcommand("view", "Show a run in the browser, also while it goes on");
  auto folder = std::make_shared<std::string>();
  auto port = std::make_shared<int>(0);
  command->add_option("DIR", *folder, "Folder with the results of a run")->type_name("")->required();
  command->add_option("--port", *port, "Port of 127.0.0.1 [any that is free]")
      ->type_name("N")
      ->check(whole_number(1, 65535));
  command->footer(
      "Prints the address to open; nobody else can see the page, whose address holds a secret.\n"
      "Example:  ictus view runs/beam");
  command->callback([folder, port] { view(*folder, *port); });
}

}  // namespace ictus::program
