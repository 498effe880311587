#include <gtest/gtest.h>

#include <atomic>
#include <ictus/exec/jobs.hpp>
#include <numeric>
#include <stdexcept>

namespace ictus::exec {
namespace {

std::vector<std::size_t> up_to(std::size_t n) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

TEST(Jobs, EachIsDoneOnceWhateverTheNumberOfThreads) {
  for (const int threads : {0, 1, 3, 50}) {
    std::vector<int> visits(20);
    run_jobs(up_to(20), threads, [&](std::size_t i) { ++visits[i]; });
    for (const int count : visits) EXPECT_EQ(count, 1);
  }
}

TEST(Jobs, OneThreadKeepsTheOrder) {
  std::vector<std::size_t> done;
  const std::vector<std::size_t> order{2, 0, 1};
  run_jobs(order, 1, [&](std::size_t i) { done.push_back(i); });
  EXPECT_EQ(done, order);
}

TEST(Jobs, NoMoreRunAtATimeThanAllowed) {
  std::atomic<int> running = 0, largest = 0;
  run_jobs(up_to(40), 2, [&](std::size_t) {
    const int now = ++running;
    int seen = largest;
    while (now > seen && !largest.compare_exchange_weak(seen, now)) {
    }
    std::this_thread::yield();
    --running;
  });
  EXPECT_LE(largest, 2);
}

TEST(Jobs, AFailureWaitsForTheOthersAndTheFirstInOrderGoesOn) {
  std::atomic<int> done = 0;
  try {
    run_jobs(up_to(8), 4, [&](std::size_t i) {
      if (i == 3 || i == 5) throw std::runtime_error(std::to_string(i));
      ++done;
    });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "3");
  }
  EXPECT_EQ(done, 6);
}

}  // namespace
}  // namespace ictus::exec
