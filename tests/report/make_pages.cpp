// make_pages RUN_DIR...: writes the report of each run folder to RUN_DIR/report.html.
#include <fmt/format.h>

#include <fstream>
#include <ictus/base/error.hpp>
#include <ictus/observe/report_page.hpp>

int main(int argc, char** argv) {
  try {
    for (int i = 1; i < argc; ++i) {
      const std::filesystem::path folder = argv[i];
      std::ofstream(folder / "report.html", std::ios::binary) << ictus::observe::report_page(folder);
    }
  } catch (const ictus::base::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(ictus::base::ExitCode::input_error);
  }
}
