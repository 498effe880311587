// make_pages FOLDER NAME...: writes FOLDER/NAME/report.html for each result folder named, and FOLDER/compare.html and
// FOLDER/converge.html from the .json files of those names.
#include <fmt/format.h>

#include <fstream>
#include <ictus/base/error.hpp>
#include <ictus/observe/compare_page.hpp>
#include <ictus/observe/converge_page.hpp>
#include <ictus/observe/report_page.hpp>

namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& page) { std::ofstream(file, std::ios::binary) << page; }

nlohmann::json read_json(const fs::path& file) { return nlohmann::json::parse(std::ifstream(file)); }

}  // namespace

int main(int argc, char** argv) {
  try {
    const fs::path folder = argv[1];
    for (int i = 2; i < argc; ++i)
      write(folder / argv[i] / "report.html", ictus::observe::report_page(folder / argv[i]));
    write(folder / "compare.html", ictus::observe::compare_page(read_json(folder / "compare.json")));
    write(folder / "converge.html", ictus::observe::converge_page(read_json(folder / "converge.json")));
  } catch (const ictus::base::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(ictus::base::ExitCode::input_error);
  }
}
