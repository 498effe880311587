#include <ictus/exec/executor.hpp>

#include <ictus/exec/team.hpp>
#include <thread>
#if defined(__linux__)
#include <sched.h>
#endif

namespace ictus::exec {

int available_cores() {
#if defined(__linux__)
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return std::max(CPU_COUNT(&cores), 1);
#endif
  return static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
}

Executor::Executor(int threads) {
  static_assert(max_blocks <= Team::max_chunks);
  if (threads > 1) threads = std::min(threads, available_cores());
  if (threads > 1) team_ = std::make_shared<Team>(threads);
}

void Executor::share(std::size_t count, void (*work)(const void*, std::size_t), const void* context) const {
  if (team_) {
    team_->run(count, work, context);
  } else {
    for (std::size_t number = 0; number < count; ++number) work(context, number);
  }
}

}  // namespace ictus::exec
