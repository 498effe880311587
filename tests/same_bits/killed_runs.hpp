#pragma once

#include <chrono>
#include <random>

#include "same_bits/run_contents.hpp"

namespace ictus::testing {

/// A scene run once without disturbance, and then with kills.
class KilledRuns {
 public:
  explicit KilledRuns(const std::string& scene) : folder_("my.yaml", scene) {
    const Clock::time_point start = Clock::now();
    EXPECT_EQ(folder_.run({"run", "my.yaml", "--quiet", "--out", "whole"}).code, 0);
    seconds_ = std::chrono::duration<double>(Clock::now() - start).count();
  }

  /// Runs the scene, killed after random times of `share` of its duration on average and resumed each time, until it
  /// was killed `kills` times; where a run comes to its end before, the next one begins.
  void expect_same_bits_after(int kills, double share, unsigned seed) {
    std::mt19937 random(seed);
    std::exponential_distribution<double> delay(1 / (share * seconds_));
    while (kills > 0) {
      std::filesystem::remove_all(folder_ / "killed");
      while (kills > 0 && killed_after(delay(random))) --kills;
      if (kills == 0) go_on_to_the_end();
      expect_same_bits(folder_ / "killed", folder_ / "whole");
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// What goes on with the run; one that was killed before it wrote its scene is begun again.
  std::vector<std::string> arguments() const {
    if (std::filesystem::exists(folder_ / "killed/scene.yaml")) return {"run", "--resume", "killed", "--quiet"};
    return {"run", "my.yaml", "--quiet", "--out", "killed"};
  }
  /// False where the run ended before it could be killed.
  bool killed_after(double seconds) {
    Program program(arguments(), {folder_.path()});
    usleep(static_cast<useconds_t>(1e6 * seconds));
    program.kill(SIGKILL);
    const Ended ended = program.wait();
    if (ended.signal == SIGKILL) return true;
    EXPECT_EQ(ended.code, 0) << ended.err;
    return ended.code != 0;
  }
  void go_on_to_the_end() {
    const Ended ended = folder_.run(arguments());
    EXPECT_EQ(ended.code, 0) << ended.err;
  }

  RunFolder folder_;
  double seconds_ = 0;
};

}  // namespace ictus::testing
