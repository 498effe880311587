#include "same_bits/killed_runs.hpp"

namespace ictus {
namespace {

TEST(Kill, TwentyTimesLeavesTheSameBits) {
  testing::KilledRuns(testing::two_long_bars(10000, "cd-lagrange")).expect_same_bits_after(20, 0.04, 7);
}

}  // namespace
}  // namespace ictus
