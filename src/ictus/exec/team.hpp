#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace ictus::exec {

/// Threads that share the chunks of a loop with the thread that runs it. The loop never waits for a thread that has
/// taken no chunk: one to which the machine gives no core, or that sleeps, finds its share done by the others. A thread
/// that loses its core within a chunk does hold the loop up; where that happens the loops of some time run on the
/// calling thread alone, the longer the oftener it happens.
///
/// Each thread begins with a share of its own, the same in every loop of as many chunks, so that what it touches stays
/// in the cache of its core; then it takes from the ends of the others' shares. Threads without work look out for more
/// for a moment and then sleep; a loop wakes them once its chunks have shown that enough is left to do. Loops that were
/// done before another thread could have begun are not shared.
class Team {
 public:
  /// Most chunks of a loop.
  static constexpr std::size_t max_chunks = 65535;
  /// What a loop does with one of its chunks.
  using Work = void (*)(const void* context, std::size_t chunk);

  /// So many threads, the calling one among them.
  explicit Team(int threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int threads() const { return static_cast<int>(shares_.size()); }

  /// Calls work(context, chunk) once for each chunk in [0, chunks), on whatever threads; afterwards what they wrote is
  /// seen. Where chunks throw, the exception of the first of them goes on, and what is behind it may not have been
  /// done. Within a chunk, and while another thread runs a loop of the team, a loop runs on the calling thread alone.
  void run(std::size_t chunks, Work work, const void* context);

 private:
  using Clock = std::chrono::steady_clock;

  /// Chunks of a loop that nobody has taken, in one word that changes as one: the number of the loop, the next chunk,
  /// which the owner of the share takes, and the one behind the last, before which others take.
  struct alignas(64) Share {
    std::atomic<std::uint64_t> word = 0;
  };
  enum class End { front, back };

  /// How long a chunk took in past loops that did the same.
  struct Habit {
    Work work = nullptr;
    Clock::duration of_chunk{};
  };

  Habit& habit_of(Work work);
  std::size_t work_with_others(std::uint32_t chunks, Work work, const void* context, Clock::time_point begin);
  bool take_and_work(Share& share, End end);
  std::uint32_t take_from_others(std::size_t own);
  void wait_for_others(std::uint32_t chunks, Clock::time_point begin, Clock::time_point ready);
  void try_chunk(Work work, const void* context, std::size_t chunk);
  void help(std::size_t own);
  void wait_for_round(std::uint32_t seen);

  std::vector<Share> shares_;  // the first is that of the thread that runs the loop
  // What is read in each loop, and what is written.
  alignas(64) std::atomic<Work> work_ = nullptr;
  std::atomic<const void*> context_ = nullptr;
  std::atomic<std::uint32_t> round_ = 0;  // number of the loop
  std::atomic<bool> closing_ = false;
  std::atomic<std::uint32_t> sleepers_ = 0;
  alignas(64) std::atomic<std::uint32_t> done_ = 0;  // chunks that the helpers have done
  // The first exception of a loop.
  std::mutex failing_;
  std::size_t failed_chunk_ = 0;
  std::exception_ptr failure_;
  // Of the thread that runs the loop.
  std::atomic<bool> busy_ = false;
  std::array<Habit, 256> habits_;
  Clock::duration pause_{0};  // for which loops ran, or run, on it alone
  Clock::time_point pause_end_{};
  std::vector<std::jthread> helpers_;
};

}  // namespace ictus::exec
