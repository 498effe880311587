#include <gtest/gtest.h>

#include <cmath>
#include <ictus/solve/bracketed_root.hpp>

namespace ictus::solve {
namespace {

struct Counted {
  double value;
  int evaluations;
  double last;
};

template <class F>
Counted find(F&& f, double a, double b, double tolerance) {
  Counted result{0.0, 0, 0.0};
  result.value = bracketed_root(
      [&](double x) {
        ++result.evaluations;
        result.last = x;
        return f(x);
      },
      a, f(a), b, f(b), tolerance);
  return result;
}

TEST(BracketedRoot, FindsRootsOfEitherSlopeInAFewEvaluations) {
  const Counted up = find([](double x) { return x * x - 2.0; }, 0.0, 2.0, 1e-15);
  EXPECT_NEAR(up.value, std::sqrt(2.0), 1e-15);
  EXPECT_LE(up.evaluations, 12);
  const Counted down = find([](double x) { return std::cos(x); }, 0.0, 3.0, 1e-15);
  EXPECT_NEAR(down.value, std::acos(0.0), 1e-15);
  EXPECT_LE(down.evaluations, 10);
}

TEST(BracketedRoot, DoesNotCrawlAlongAFlatEnd) {
  const Counted flat = find([](double x) { return std::pow(x, 9) - 1e-9; }, 0.0, 1.0, 1e-24);
  EXPECT_NEAR(flat.value, 0.1, 1e-15);
  EXPECT_LE(flat.evaluations, 40);
}

TEST(BracketedRoot, EndsWhereAJumpHasNoRoot) {
  const Counted jump = find([](double x) { return x < 0.3 ? 1.0 : -1.0; }, 0.0, 1.0, 0.0);
  EXPECT_NEAR(jump.value, 0.3, 1e-15);
}

TEST(BracketedRoot, EvaluatesLastWhatItReturns) {
  const Counted root = find([](double x) { return x - 0.7; }, 0.0, 1.0, 1e-16);
  EXPECT_EQ(root.value, root.last);
}

}  // namespace
}  // namespace ictus::solve
