#include <ictus/exec/team.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace ictus::exec {

namespace {

using namespace std::chrono_literals;

/// Shorter loops are done before another thread has begun.
constexpr auto worth_sharing = 6us;
/// For how long a thread without work looks out for more before it sleeps.
constexpr auto lookout = 60us;
/// Work that is worth waking a thread for, which takes some microseconds here and some tens there.
constexpr auto worth_waking = 40us;
/// How long a loop looks out for the last chunks before it sleeps, which may leave its core to who works on them.
constexpr auto patience = 20us;
/// A loop that waits for longer was held up by a thread that had lost its core.
constexpr auto hold_up = 300us;
/// Longest time for which loops run alone before they try to share again.
constexpr auto longest_pause = 200ms;

void rest_a_moment() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Looks whether done() for a time; returns the last answer.
template <class Done>
bool look_out(std::chrono::steady_clock::duration time, Done&& done) {
  constexpr int looks = 64;  // between looks at the clock
  const auto try_some = [&] {
    for (int k = 0; k < looks; ++k) {
      if (done()) return true;
      rest_a_moment();
    }
    return false;
  };
  if (try_some()) return true;
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
    if (try_some()) return true;
  }
  return done();
}

constexpr int end_bits = 16, round_bits = 32;

constexpr std::uint64_t word_of(std::uint32_t round, std::size_t next, std::size_t end) {
  return (std::uint64_t{round} << round_bits) | (std::uint64_t{next} << end_bits) | std::uint64_t{end};
}

}  // namespace

Team::Team(int threads) : shares_(static_cast<std::size_t>(std::max(threads, 1))) {
  for (std::size_t own = 1; own < shares_.size(); ++own) helpers_.emplace_back([this, own] { help(own); });
}

Team::~Team() {
  closing_ = true;
  ++round_;
  round_.notify_all();
}

void Team::run(std::size_t chunks, Work work, const void* context) {
  if (chunks < 2 || shares_.size() == 1 || busy_.exchange(true, std::memory_order_acquire)) {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) work(context, chunk);
    return;
  }
  Clock::duration& of_chunk = habit_of(work).of_chunk;
  const Clock::time_point begin = Clock::now();
  const bool alone = begin < pause_end_ || of_chunk * chunks < worth_sharing;
  std::size_t done = 0;
  if (alone) {
    for (; done < chunks; ++done) try_chunk(work, context, done);
  } else {
    done = work_with_others(static_cast<std::uint32_t>(chunks), work, context, begin);
  }
  const Clock::time_point ready = Clock::now();
  if (done > 0) of_chunk = (of_chunk + (ready - begin) / done) / 2;
  if (!alone) wait_for_others(static_cast<std::uint32_t>(chunks - done), begin, ready);
  const std::exception_ptr failure = std::exchange(failure_, nullptr);
  busy_.store(false, std::memory_order_release);
  if (failure) std::rethrow_exception(failure);
}

/// What is known of loops that do this; nothing at first, and after loops that do something else took the place.
Team::Habit& Team::habit_of(Work work) {
  Habit& habit = habits_[std::hash<Work>()(work) / sizeof(Habit) % habits_.size()];
  if (habit.work != work) habit = {work, worth_sharing};
  return habit;
}

/// Returns how many chunks were left to the calling thread. A thread that reads the word of a share sees the loop to
/// which it belongs, and takes from it only while it does: the word changes before that loop ends. Hence it needs not
/// know whether it is late.
std::size_t Team::work_with_others(std::uint32_t chunks, Work work, const void* context, Clock::time_point begin) {
  work_.store(work, std::memory_order_relaxed);
  context_.store(context, std::memory_order_relaxed);
  done_.store(0, std::memory_order_relaxed);
  const std::uint32_t round = round_.load(std::memory_order_relaxed) + 1;
  const std::size_t threads = shares_.size();
  for (std::size_t t = 0; t < threads; ++t)
    shares_[t].word.store(word_of(round, chunks * t / threads, chunks * (t + 1) / threads), std::memory_order_release);
  round_.store(round);
  bool may_wake = sleepers_.load() > 0;
  std::uint32_t done = 0;
  while (take_and_work(shares_[0], End::front)) {
    ++done;
    // What the chunks done so far took says what the others are worth.
    if (!may_wake || (Clock::now() - begin) * (chunks - done) < worth_waking * done) continue;
    round_.notify_all();
    may_wake = false;
  }
  return done + take_from_others(0);
}

/// Takes a chunk of a share and works on it; returns whether there was one.
bool Team::take_and_work(Share& share, End end) {
  std::uint64_t word = share.word.load(std::memory_order_acquire);
  for (;;) {
    constexpr std::uint64_t mask = (std::uint64_t{1} << end_bits) - 1;
    const std::size_t next = (word >> end_bits) & mask, last = word & mask;
    if (next == last) return false;
    const Work work = work_.load(std::memory_order_relaxed);
    const void* const context = context_.load(std::memory_order_relaxed);
    const std::uint64_t left = end == End::front ? word + (std::uint64_t{1} << end_bits) : word - 1;
    if (!share.word.compare_exchange_weak(word, left, std::memory_order_acq_rel, std::memory_order_acquire)) continue;
    try_chunk(work, context, end == End::front ? next : last - 1);
    return true;
  }
}

void Team::try_chunk(Work work, const void* context, std::size_t chunk) {
  try {
    work(context, chunk);
  } catch (...) {
    const std::lock_guard lock(failing_);
    if (failure_ && failed_chunk_ < chunk) return;
    failure_ = std::current_exception();
    failed_chunk_ = chunk;
  }
}

/// Returns how many chunks of the others' shares were left to this thread.
std::uint32_t Team::take_from_others(std::size_t own) {
  std::uint32_t done = 0;
  for (std::size_t k = 1; k < shares_.size(); ++k) {
    Share& share = shares_[(own + k) % shares_.size()];
    while (take_and_work(share, End::back)) ++done;
  }
  return done;
}

/// For so many chunks. A wait that is long beside the work of the loop says that a thread had lost its core.
void Team::wait_for_others(std::uint32_t chunks, Clock::time_point begin, Clock::time_point ready) {
  const auto all_done = [&] { return done_.load(std::memory_order_acquire) == chunks; };
  if (all_done()) return;
  if (!look_out(patience, all_done)) {
    for (std::uint32_t done = done_.load(); done != chunks; done = done_.load()) done_.wait(done);
  }
  const Clock::time_point now = Clock::now();
  if (now - ready > hold_up + 2 * (ready - begin)) {
    pause_ = std::min<Clock::duration>(2 * std::max(pause_, now - ready), longest_pause);
    pause_end_ = now + pause_;
  } else if (now > pause_end_ + pause_) {
    pause_ = 0s;  // for as long as that nobody has been held up
  }
}

void Team::help(std::size_t own) {
  for (std::uint32_t seen = 0; !closing_;) {
    wait_for_round(seen);
    seen = round_.load(std::memory_order_acquire);
    std::uint32_t done = 0;
    while (take_and_work(shares_[own], End::front)) ++done;
    done += take_from_others(own);
    if (done == 0) continue;
    done_.fetch_add(done);
    done_.notify_one();
  }
}

void Team::wait_for_round(std::uint32_t seen) {
  if (look_out(lookout, [&] { return round_.load(std::memory_order_acquire) != seen; })) return;
  ++sleepers_;
  round_.wait(seen);
  --sleepers_;
}

}  // namespace ictus::exec
