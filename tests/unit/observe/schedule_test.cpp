#include <gtest/gtest.h>

#include <ictus/observe/history/schedule.hpp>

namespace ictus::observe {
namespace {

TEST(Schedule, TellsHowManyStepsItCanWait) {
  for (const double every : {0.1, 0.25, 1.0, 7.3}) {
    for (const double h : {0.1, 0.03, 0.7}) {
      Schedule schedule(every);
      schedule.advance(0, h);
      std::int64_t step = 0;
      for (int times = 0; times < 50; ++times) {
        std::int64_t first = step + 1;
        while (!schedule.due(static_cast<double>(first) * h, h)) ++first;
        EXPECT_EQ(schedule.steps_until_due(step, h), first - step) << every << " " << h << " " << step;
        if (first - step > 2) {
          EXPECT_EQ(schedule.steps_until_due(step + 2, h), first - step - 2);
        }
        step = first;
        schedule.advance(static_cast<double>(step) * h, h);
      }
    }
  }
}

}  // namespace
}  // namespace ictus::observe
