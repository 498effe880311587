#include <gtest/gtest.h>

#include <cmath>
#include <ictus/exec/executor.hpp>
#include <numeric>
#include <vector>

namespace ictus::exec {
namespace {

std::vector<double> numbers(std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = std::sin(static_cast<double>(i) * 0.7) * std::exp(static_cast<double>(i % 37));
  return x;
}

TEST(Executor, BlocksCoverEveryItemOnce) {
  for (const std::size_t n : {0u, 1u, 4095u, 4096u, 4097u, 100000u}) {
    std::vector<int> visits(n, 0);
    Executor(2).for_blocks(n, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
    EXPECT_EQ(std::accumulate(visits.begin(), visits.end(), std::size_t{0}), n);
    for (const int count : visits) ASSERT_EQ(count, 1);
  }
}

TEST(Executor, SumsHaveTheSameBitsOnAnyNumberOfThreads) {
  for (const std::size_t n : {7u, 5000u, 123457u}) {
    const std::vector<double> x = numbers(n);
    const auto sum = [&](int threads) { return Executor(threads).sum(n, [&](std::size_t i) { return x[i]; }); };
    const double one = sum(1);
    EXPECT_EQ(one, sum(2));
    EXPECT_EQ(one, sum(3));
    EXPECT_NEAR(one, std::accumulate(x.begin(), x.end(), 0.0), 1e-10 * std::abs(one) + 1e-3);
  }
}

TEST(Executor, LongLoopsStayWithinTheNumberOfBlocksThatSumsKeep) {
  const std::size_t n = Executor::block_size * Executor::max_blocks + 1;
  EXPECT_EQ(Executor(2).sum(n, [](std::size_t) { return 1.0; }), static_cast<double>(n));
}

}  // namespace
}  // namespace ictus::exec
