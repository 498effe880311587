#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <ictus/exec/team.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace ictus::exec {
namespace {

using namespace std::chrono_literals;

template <class Work>
void run(Team& team, std::size_t chunks, Work work) {
  team.run(
      chunks, [](const void* context, std::size_t chunk) { (*static_cast<const Work*>(context))(chunk); }, &work);
}

/// More threads than cores, so that they lose theirs now and then; chunks that last, so that loops are shared.
TEST(Team, EachChunkIsDoneOnceAndSeenAfterwards) {
  for (const int threads : {1, 2, 3, 8}) {
    Team team(threads);
    std::vector<int> visits(40, 0);
    for (int loop = 0; loop < 40; ++loop) {
      const std::size_t chunks = loop % 3 == 0 ? visits.size() : static_cast<std::size_t>(loop % 7);
      run(team, chunks, [&](std::size_t chunk) {
        std::this_thread::sleep_for(10us);
        ++visits[chunk];
      });
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) ASSERT_EQ(visits[chunk], 1) << threads << ' ' << loop;
      std::fill(visits.begin(), visits.end(), 0);
    }
  }
}

TEST(Team, ShortLoopsAreDoneOnceToo) {
  Team team(2);
  std::vector<int> visits(5, 0);
  for (int loop = 1; loop <= 1000; ++loop) {
    run(team, visits.size(), [&](std::size_t chunk) { ++visits[chunk]; });
    for (const int count : visits) ASSERT_EQ(count, loop);
  }
}

/// Chunks of a loop that others than the calling thread have done.
int done_by_others(Team& team, std::size_t chunks, std::chrono::microseconds length) {
  std::atomic<int> count = 0;
  const auto caller = std::this_thread::get_id();
  run(team, chunks, [&](std::size_t) {
    if (std::this_thread::get_id() != caller) ++count;
    std::this_thread::sleep_for(length);
  });
  return count;
}

TEST(Team, ThreadsAreWokenForALongLoop) {
  Team team(2);
  std::this_thread::sleep_for(20ms);  // the other thread sleeps
  EXPECT_GT(done_by_others(team, 50, 1ms), 10);
}

/// A chunk that takes much longer on another thread looks like one whose thread has lost its core.
TEST(Team, LoopsRunAloneForSomeTimeAfterOneWasHeldUp) {
  Team team(2);
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> held_up = false;
  for (int loop = 0; loop < 1000 && !held_up; ++loop) {
    run(team, 200, [&](std::size_t) {
      if (std::this_thread::get_id() == caller) return std::this_thread::sleep_for(2us);
      if (!held_up.exchange(true)) std::this_thread::sleep_for(100ms);
    });
  }
  ASSERT_TRUE(held_up);
  EXPECT_EQ(done_by_others(team, 20, 100us), 0);
  std::this_thread::sleep_for(300ms);
  EXPECT_GT(done_by_others(team, 50, 1ms), 0);
}

/// A loop within a chunk, and one that another thread runs meanwhile, do not wait for the team.
TEST(Team, LoopsWithinLoopsRunOnTheirThread) {
  Team team(2);
  std::atomic<int> visits = 0;
  run(team, 8, [&](std::size_t) {
    const auto own = std::this_thread::get_id();
    run(team, 8, [&](std::size_t) {
      EXPECT_EQ(std::this_thread::get_id(), own);
      ++visits;
    });
  });
  EXPECT_EQ(visits, 64);
}

TEST(Team, TheFirstChunkThatThrowsIsHeard) {
  Team team(3);
  for (int loop = 0; loop < 200; ++loop) {
    std::atomic<int> visits = 0;
    const auto fail = [](std::size_t chunk) {
      if (chunk % 10 == 3) throw std::runtime_error(std::to_string(chunk));
    };
    try {
      run(team, 40, fail);
      FAIL();
    } catch (const std::runtime_error& error) {
      ASSERT_STREQ(error.what(), "3");
    }
    run(team, 40, [&](std::size_t) { ++visits; });
    ASSERT_EQ(visits, 40);
  }
}

}  // namespace
}  // namespace ictus::exec
