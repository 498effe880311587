#include <gtest/gtest.h>

#include <ictus/exec/device/tile_steps.hpp>
#include <ictus/mechanics/shell/shell.hpp>

#include "shell_samples.hpp"

namespace ictus::mechanics {
namespace {

struct SteppedSample {
  const char* name;
  ShellProperties properties;
};

std::vector<SteppedSample> stepped_samples() {
  ShellProperties sphere = steel_like(geometry::sphere(1, geometry::SphereBase::icosahedron, 3), 0.02);
  sphere.gravity = {0.3, -0.2, -9.81};
  ShellProperties plate = steel_like(geometry::plate(2, 1, 20, 11), 0.01);
  plate.held = {0, 20, 21 * 11};
  return {{"sphere", std::move(sphere)}, {"plate", std::move(plate)}};
}

/// A device runs functions that are constexpr, and calls any other without a word, to no effect: here the compiler says
/// which is not.
constexpr bool is_for_devices() {
  const ShellRest<double> rest{1, 0, 1, 0.1, 0.2, 0.3};
  const ShellDerivatives<double> d{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 1}, {1, 0, 1}};
  const ShellGradient<double> g = shell_gradient(rest, shell_strain(rest, ShellWall{3, 2, 0.3}, d));
  return g.z1.x == g.z1.x;
}
static_assert(is_for_devices());

class ShellStepsTest : public ::testing::TestWithParam<int> {
 protected:
  ShellStepsTest()
      : sample_(stepped_samples()[static_cast<std::size_t>(GetParam())]), shell_("shell", sample_.properties, 0) {
    q_ = disturbed(rest_of(shell_), 1e-3);
    p_ = disturbed(std::vector<double>(q_.size()), 1e-4);
    for (const int k : shell_.fixed()) p_[static_cast<std::size_t>(k)] = 0;
    h_ = 0.5 * shell_.critical_step().step;
    for (std::size_t k = 0; k < q_.size(); ++k) inverse_mass_.push_back(1 / shell_.mass()[k]);
    for (const int k : shell_.fixed()) inverse_mass_[static_cast<std::size_t>(k)] = 0;
  }

  SteppedSample sample_;
  Shell shell_;
  std::vector<double> q_, p_, inverse_mass_;
  double h_ = 0;
};

/// The same motion as drift and kick of the body itself make, but for rounding.
TEST_P(ShellStepsTest, AreThoseOfTheBody) {
  const exec::Executor exec(1);
  std::vector<double> q = q_, p = p_;
  Momentum held, gravity;
  double work = 0;
  for (int n = 0; n < 5; ++n) {
    for (std::size_t k = 0; k < q.size(); ++k) q[k] += h_ * inverse_mass_[k] * p[k];
    const std::vector<double> before = p;
    shell_.kick(exec, q, h_, p);
    gravity += shell_.gravity_impulse(q, h_);
    for (const int dof : shell_.fixed()) {
      const auto k = static_cast<std::size_t>(dof);
      held += shell_.support_impulse(dof, -p[k], q);
      p[k] = 0;
    }
    for (std::size_t k = 0; k < q.size(); ++k) work += 0.5 * inverse_mass_[k] * (p[k] - before[k]) * (p[k] + before[k]);
  }

  const auto leapfrog = shell_.free_steps(exec);
  leapfrog->set(q_, p_, h_);
  leapfrog->run(h_, 2);
  leapfrog->run(h_, 3);
  std::vector<double> x(q.size()), momenta(q.size());
  const exec::FreeSums sums = leapfrog->get(x, momenta);

  double largest = 0;
  for (const double value : p) largest = std::max(largest, std::abs(value));
  for (std::size_t k = 0; k < q.size(); ++k) {
    ASSERT_NEAR(x[k], q[k], 1e-13) << k;
    ASSERT_NEAR(momenta[k], p[k], 1e-11 * largest) << k;
  }
  EXPECT_NEAR(sums.work, work, 1e-11 * std::abs(work));
  for (int c = 0; c < 3; ++c) {
    const auto i = static_cast<std::size_t>(c);
    EXPECT_NEAR(sums.held[i], held.linear[c], 1e-10 * largest);
    EXPECT_NEAR(sums.held_moment[i], held.angular[c], 1e-10 * largest);
    EXPECT_NEAR(sums.gravity[i], gravity.linear[c], 1e-10 * largest);
    EXPECT_NEAR(sums.gravity_moment[i], gravity.angular[c], 1e-10 * largest);
  }
}

TEST_P(ShellStepsTest, HaveTheSameBitsOnAnyNumberOfThreadsAndHoweverTheyAreCut) {
  std::vector<std::vector<double>> results;
  for (const int threads : {1, 2, 3}) {
    const auto leapfrog = shell_.free_steps(exec::Executor(threads));
    leapfrog->set(q_, p_, h_);
    leapfrog->run(h_, 4 + threads);
    std::vector<double> x(q_.size()), momenta(q_.size());
    leapfrog->get(x, momenta);
    leapfrog->set(x, momenta, h_);
    leapfrog->run(h_, 6 - threads);
    leapfrog->get(x, momenta);
    x.insert(x.end(), momenta.begin(), momenta.end());
    results.push_back(std::move(x));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

INSTANTIATE_TEST_SUITE_P(Shells, ShellStepsTest, ::testing::Values(0, 1),
                         [](const ::testing::TestParamInfo<int>& given) {
                           return std::string(stepped_samples()[static_cast<std::size_t>(given.param)].name);
                         });

TEST(ShellSteps, EdgesThatMirrorAreNamed) {
  ShellProperties properties = steel_like(geometry::plate(2, 1, 6, 5), 0.01);
  EXPECT_EQ(Shell("plate", properties, 0).free_steps_obstacle(), "");
  ShellProperties layered = properties;
  layered.layers.emplace();
  EXPECT_EQ(Shell("plate", layered, 0).free_steps_obstacle(), "walls of layers");
  properties.clamped = {0, 1, 2, 3, 4, 5, 6};
  EXPECT_EQ(Shell("plate", properties, 0).free_steps_obstacle(), "clamped edges");
}

}  // namespace
}  // namespace ictus::mechanics
