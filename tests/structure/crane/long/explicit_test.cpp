// The coupled crane against the explicit one, to the first time that a wheel strikes the girder again.
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/dynamics/coupled/coupled.hpp>
#include <ictus/dynamics/scheme/cd_lagrange.hpp>

#include "../../../crane.hpp"

namespace ictus::testing {
namespace {

constexpr double fine = 2.85e-7;
constexpr double end = 0.234;  // wheels lift off at 0.1532 s and are back at 0.2350 s
constexpr int sample = 100;    // fine steps

struct Course {
  std::vector<double> girder, trolley;
};

template <class Scheme>
Course run(const dynamics::System& system, Scheme scheme, std::string_view bridge) {
  const int stride = scheme.stride();
  const double h = stride * fine;
  const auto dof = [&](std::string_view body) {
    return static_cast<std::size_t>(dynamic_cast<const mechanics::BeamFrame&>(*system.find_body(body)).dof(0, 0));
  };
  const std::size_t girder = dof(bridge), trolley = dof("trolley");
  model::State state = system.initial_state();
  Course result{};
  scheme.prepare(system);
  scheme.start(system, h, state);
  while (state.time < end) {
    for (int i = 0; i < sample / stride; ++i) scheme.step(system, h, state);
    result.girder.push_back(state.q[girder]);
    result.trolley.push_back(state.q[trolley]);
  }
  return result;
}

double l1_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference += std::abs(a[i] - b[i]), size += std::abs(b[i]);
  return difference / size;
}

TEST(CoupledCrane, FollowsTheExplicitOne) {
  const dynamics::System whole = Crane::whole(), divided = Crane::divided();
  const Course reference = run(whole, dynamics::CdLagrange(), "bridge");
  for (const int ratio : {100, 10}) {
    const Course coupled = run(divided, dynamics::Coupled({{{"rest"}, ratio}}), "middle");
    ASSERT_EQ(coupled.girder.size(), reference.girder.size());
    EXPECT_LT(l1_difference(coupled.girder, reference.girder), 1e-3) << "ratio " << ratio;
    EXPECT_LT(l1_difference(coupled.trolley, reference.trolley), 1e-3) << "ratio " << ratio;
  }
}

}  // namespace
}  // namespace ictus::testing
