#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ictus/base/version.hpp>

int main(int argc, char** argv) {
  CLI::App app{"Ictus simulates impacts of elastic and rigid bodies."};
  app.set_version_flag("--version", fmt::format("ictus {}", ictus::base::version));
  CLI11_PARSE(app, argc, argv);
}
