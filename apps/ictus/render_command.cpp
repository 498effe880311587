#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ictus/observe/report_page.hpp>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"

extern char** environ;

namespace ictus::program {

namespace fs = std::filesystem;

namespace {

struct RenderArguments {
  std::string folder;
  std::string out;
  std::optional<double> time;
  std::string colour;
  std::string view = "oblique";
  int width = 1280;
  int height = 720;
  bool dark = false;
};

/// A folder that goes with the object.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "ictus-render-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw base::InputError({name, 0, "", "cannot be made a folder"});
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// ICTUS_CHROMIUM, or the first browser of the search path that draws pages without a screen.
std::string find_browser() {
  if (const char* chosen = std::getenv("ICTUS_CHROMIUM")) return chosen;
  const char* path = std::getenv("PATH");
  const std::string folders = path != nullptr ? path : "";
  for (const char* name : {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}) {
    for (std::size_t begin = 0; begin <= folders.size();) {
      const std::size_t end = std::min(folders.find(':', begin), folders.size());
      const fs::path program = fs::path(folders.substr(begin, end - begin)) / name;
      if (access(program.c_str(), X_OK) == 0) return program.string();
      begin = end + 1;
    }
  }
  throw base::InputError({"", 0, "",
                          "pictures are drawn by Chromium, which is not installed: `apt-get install chromium`, or name "
                          "one in the variable ICTUS_CHROMIUM"});
}

/// The part of an address behind '#' that asks the page for a picture instead of a report.
std::string wish(const RenderArguments& arguments) {
  std::string text = fmt::format("picture&view={}", arguments.view);
  if (arguments.time) text += fmt::format("&time={}", *arguments.time);
  if (!arguments.colour.empty()) text += fmt::format("&colour={}", arguments.colour);
  return text;
}

/// Runs a program to its end, silent; false when it fails or takes longer than two minutes.
bool run_quietly(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
  pid_t process = 0;
  const int failure = posix_spawn(&process, words.front(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return false;
  int status = 0;
  for (int tenths = 0; waitpid(process, &status, WNOHANG) == 0; ++tenths) {
    if (tenths > 1200) kill(process, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void render(const RenderArguments& arguments) {
  const std::string browser = find_browser();
  const observe::Document run = observe::report_document(arguments.folder, observe::RunState::finished);
  if (run["replay"].is_null()) {
    throw base::InputError({arguments.folder, 0, "", "has no frames to draw; run the scene with output.frames set"});
  }
  const ScratchFolder scratch;
  const fs::path page = scratch.path() / "page.html", picture = scratch.path() / "picture.png";
  std::ofstream(page, std::ios::binary) << observe::report_page(arguments.folder);
  std::vector<std::string> command{browser,
                                   "--headless",
                                   "--disable-gpu",
                                   "--enable-unsafe-swiftshader",
                                   "--hide-scrollbars",
                                   "--no-first-run",
                                   "--force-device-scale-factor=1",
                                   "--virtual-time-budget=20000",
                                   fmt::format("--user-data-dir={}", (scratch.path() / "profile").string()),
                                   fmt::format("--window-size={},{}", arguments.width, arguments.height),
                                   fmt::format("--screenshot={}", picture.string())};
  if (geteuid() == 0) command.emplace_back("--no-sandbox");  // Chromium refuses its sandbox to root
  if (arguments.dark) command.emplace_back("--blink-settings=preferredColorScheme=0");
  command.push_back(fmt::format("file://{}#{}", page.string(), wish(arguments)));
  if (!run_quietly(command) || !fs::exists(picture)) {
    throw base::InputError({browser, 0, "", "did not draw the picture"});
  }
  const fs::path aside = arguments.out + ".part";
  std::error_code error;
  fs::copy_file(picture, aside, fs::copy_options::overwrite_existing, error);
  if (!error) fs::rename(aside, arguments.out, error);
  if (error) throw base::InputError({arguments.out, 0, "", fmt::format("cannot be written: {}", error.message())});
  fmt::print("{}\n", fs::absolute(arguments.out).string());
}

}  // namespace

void add_render(CLI::App& app) {
  CLI::App* command = app.add_subcommand("render", "Draw a picture of a run as a PNG file");
  const auto arguments = std::make_shared<RenderArguments>();
  command->add_option("DIR", arguments->folder, "Folder with the results of a run")->type_name("")->required();
  command->add_option("--out", arguments->out, "The file to write")->type_name("FILE")->required();
  command->add_option("--time", arguments->time, "Time to show, in s [the end]")->type_name("SECONDS");
  command->add_option("--colour", arguments->colour, "What the colours show [speed]")
      ->type_name("FIELD")
      ->check(CLI::IsMember({"body", "displacement", "speed", "strain_energy_density", "contact_impulse"}));
  command->add_option("--view", arguments->view, "Where to look from [oblique]")
      ->type_name("VIEW")
      ->check(CLI::IsMember({"oblique", "front", "side", "top"}));
  command->add_option("--width", arguments->width, "Pixels [1280]")->type_name("N")->check(whole_number(100, 8000));
  command->add_option("--height", arguments->height, "Pixels [720]")->type_name("N")->check(whole_number(100, 8000));
  command->add_flag("--dark", arguments->dark, "On a dark ground");
  command->footer(
      "Needs Chromium, but no screen.\n"
      "Example:  ictus render runs/bars/cradle --time 4e-4 --colour strain_energy_density --out cradle.png");
  command->callback([arguments] { render(*arguments); });
}

}  // namespace ictus::program
