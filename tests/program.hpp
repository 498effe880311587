#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ictus::testing {

/// How the program ended.
struct Ended {
  int code = -1;   ///< exit code; -1 where a signal ended it
  int signal = 0;  ///< the signal that did
  std::string out;
  std::string err;
};

struct Surroundings {
  std::filesystem::path folder;  ///< working folder
  rlim_t largest_file = RLIM_INFINITY;
  int out = -1;  ///< file for standard output; kept by the test unless given
};

/// The ictus program in a process of its own, killed with the object where it still runs. Permissions of files bind it
/// even if the tests run as root.
class Program {
 public:
  Program(const std::vector<std::string>& arguments, const Surroundings& surroundings)
      : out_(memfd_create("out", MFD_CLOEXEC)), err_(memfd_create("err", MFD_CLOEXEC)) {
    std::vector<char*> argv{const_cast<char*>("ictus")};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ < 0) throw std::runtime_error("no process");
    if (pid_ == 0) become(argv.data(), surroundings);
  }
  ~Program() {
    if (pid_ > 0) {
      kill(SIGKILL);
      wait();
    }
    close(out_);
    close(err_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void kill(int signal) const { ::kill(pid_, signal); }

  bool running() {
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    return info.si_pid == 0;
  }

  Ended wait() {
    int status = 0;
    waitpid(std::exchange(pid_, -1), &status, 0);
    Ended ended;
    if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
    ended.out = content(out_);
    ended.err = content(err_);
    return ended;
  }

 private:
  [[noreturn]] void become(char** argv, const Surroundings& surroundings) const {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
    std::signal(SIGXFSZ, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE);
    prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH);
    const rlimit limit{surroundings.largest_file, surroundings.largest_file};
    if (surroundings.largest_file != RLIM_INFINITY) setrlimit(RLIMIT_FSIZE, &limit);
    dup2(surroundings.out < 0 ? out_ : surroundings.out, STDOUT_FILENO);
    dup2(err_, STDERR_FILENO);
    if (chdir(surroundings.folder.c_str()) == 0) execv(ICTUS_PROGRAM, argv);
    _exit(127);
  }

  static std::string content(int file) {
    std::string text(static_cast<std::size_t>(lseek(file, 0, SEEK_END)), '\0');
    if (pread(file, text.data(), text.size(), 0) < 0) throw std::runtime_error("nothing to read");
    return text;
  }

  int out_;
  int err_;
  pid_t pid_ = -1;
};

/// Runs `ictus arguments...` to its end.
inline Ended ictus(const std::vector<std::string>& arguments, const Surroundings& surroundings) {
  return Program(arguments, surroundings).wait();
}

}  // namespace ictus::testing
