#include "other_program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ictus/base/error.hpp>
#include <thread>

extern char** environ;

namespace ictus::program {

namespace fs = std::filesystem;

std::optional<std::string> find_program(std::initializer_list<const char*> names) {
  const char* path = std::getenv("PATH");
  const std::string folders = path != nullptr ? path : "";
  for (const char* name : names) {
    for (std::size_t begin = 0; begin <= folders.size();) {
      const std::size_t end = std::min(folders.find(':', begin), folders.size());
      const fs::path program = fs::path(folders.substr(begin, end - begin)) / name;
      if (access(program.c_str(), X_OK) == 0) return program.string();
      begin = end + 1;
    }
  }
  return std::nullopt;
}

bool run_program(const std::vector<std::string>& command, const fs::path& output) {
  constexpr int max_tenths = 6000;
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = 0;
  const int failure = posix_spawn(&process, words.front(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return false;
  int status = 0;
  for (int tenths = 0; waitpid(process, &status, WNOHANG) == 0; ++tenths) {
    if (tenths > max_tenths) kill(process, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

ScratchFolder::ScratchFolder() {
  std::string name = (fs::temp_directory_path() / "ictus-render-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw base::InputError({name, 0, "", "cannot be made a folder"});
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace ictus::program
