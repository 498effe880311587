// Steps on a GPU beside the same steps on the host: not a bit differs.
#include <gtest/gtest.h>

#include <cstring>
#include <ictus/exec/device/tile_steps.hpp>
#include <ictus/mechanics/shell/shell.hpp>
#include <random>

#include "support/tangled.hpp"

namespace ictus::mechanics {
namespace {

struct Scene {
  std::string name;
  ShellProperties properties;
};

ShellProperties shell_of(geometry::TriangleMesh mesh) {
  ShellProperties properties;
  properties.mesh = std::move(mesh);
  properties.thickness = 0.01;
  properties.youngs_modulus = 2.1e5;
  properties.poissons_ratio = 0.3;
  properties.density = 0.0785;
  properties.gravity = {0.1, 0.2, -9.81};
  return properties;
}

std::vector<Scene> scenes() {
  std::vector<Scene> all;
  for (const int level : {1, 3, 5, 7})
    all.push_back(
        {"sphere" + std::to_string(level), shell_of(geometry::sphere(1, geometry::SphereBase::icosahedron, level))});
  all.push_back({"tangled", shell_of(testing::tangled(geometry::sphere(1, geometry::SphereBase::icosahedron, 6)))});
  all.push_back({"plate", shell_of(geometry::plate(2, 1, 120, 61))});
  all.back().properties.held = {0, 60, 120, 121 * 61};
  return all;
}

class FreeSteps : public ::testing::TestWithParam<int> {};

/// How many numbers of two lists have different bits.
std::size_t differences(const std::vector<double>& a, const std::vector<double>& b) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < a.size(); ++k) count += std::memcmp(&a[k], &b[k], sizeof(double)) != 0 ? 1 : 0;
  return count;
}

TEST_P(FreeSteps, HaveTheBitsOfTheHost) {
  const Shell shell("shell", scenes()[static_cast<std::size_t>(GetParam())].properties, 0);
  std::vector<double> q(shell.dofs().size), p(q.size());
  shell.initialise(q, p);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-1, 1);
  for (std::size_t k = 0; k < q.size(); ++k) p[k] = 0.1 * shell.mass()[k] * any(random);
  for (const int k : shell.fixed()) p[static_cast<std::size_t>(k)] = 0;
  const double h = 0.5 * shell.critical_step().step;
  std::vector<std::vector<double>> results;
  std::vector<exec::FreeSums> sums;
  for (const bool on_device : {false, true, true}) {
    const exec::Executor host(2);
    const auto steps = shell.free_steps(on_device ? host.on(exec::Device::open()) : host);
    steps->set(q, p, h);
    steps->run(h, 50);
    std::vector<double> x(q.size()), momenta(q.size());
    sums.push_back(steps->get(x, momenta));
    x.insert(x.end(), momenta.begin(), momenta.end());
    results.push_back(std::move(x));
  }
  ASSERT_GT(differences(results[0],
                        [&] {
                          std::vector<double> start = q;
                          start.insert(start.end(), p.begin(), p.end());
                          return start;
                        }()),
            q.size());
  EXPECT_EQ(differences(results[0], results[1]), 0U);
  EXPECT_EQ(differences(results[1], results[2]), 0U);
  EXPECT_EQ(sums[0].work, sums[1].work);
  EXPECT_EQ(sums[0].held, sums[1].held);
  EXPECT_EQ(sums[0].held_moment, sums[1].held_moment);
  EXPECT_EQ(sums[0].gravity_moment, sums[1].gravity_moment);
}

INSTANTIATE_TEST_SUITE_P(Shells, FreeSteps, ::testing::Range(0, 6), [](const ::testing::TestParamInfo<int>& given) {
  return scenes()[static_cast<std::size_t>(given.param)].name;
});

}  // namespace
}  // namespace ictus::mechanics
