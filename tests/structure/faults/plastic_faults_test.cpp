// Deliberate faults in the flow of a metal, each of which the ledger must show.
#include <gtest/gtest.h>

#include <ictus/dynamics/explicit/central_difference.hpp>
#include <ictus/dynamics/scheme/capture_return.hpp>
#include <ictus/dynamics/scheme/cd_lagrange.hpp>
#include <ictus/dynamics/system/step_limit.hpp>

#include "support/faulty_body.hpp"
#include "support/ledger_run.hpp"
#include "support/plastic_block.hpp"

namespace ictus {
namespace {

using testing::BodyFault;
using testing::FaultyBody;
using testing::LedgerRun;

/// A bar of metal that is held at one end and flies apart at the other.
std::unique_ptr<mechanics::NodalBody> bar() {
  mechanics::SolidProperties properties = testing::soft_metal();
  properties.velocity = {0.9, 0.1, 0};
  const auto mesh = geometry::box_mesh({1, 0.3, 0.2}, {5, 2, 2}, geometry::VolumeElement::hexahedron);
  for (const int node : mesh.node_sets.at("left")) properties.held.push_back({node, {true, true, true}});
  return std::make_unique<mechanics::Solid>("bar", mesh, properties, 0);
}

template <class Scheme>
LedgerRun run(const BodyFault& fault, double factor = 1, const testing::ReportFault& report_fault = {}) {
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<FaultyBody>(bar(), fault));
  const dynamics::System system(std::move(bodies), {}, exec::Executor(1));
  const double h = 0.1 * factor * dynamics::explicit_step_limit(system).step;
  Scheme scheme;
  return testing::run_with_ledger(system, scheme, h, static_cast<int>(0.3 / h), report_fault);
}

template <class Scheme>
class PlasticFaults : public ::testing::Test {};
using Schemes = ::testing::Types<dynamics::CentralDifference, dynamics::CdLagrange, dynamics::CaptureReturn>;
TYPED_TEST_SUITE(PlasticFaults, Schemes);

TYPED_TEST(PlasticFaults, NoneLeavesTheErrorOfTheScheme) {
  const LedgerRun sound = run<TypeParam>({}), half = run<TypeParam>({}, 0.5);
  EXPECT_EQ(sound.failure, "");
  EXPECT_LT(sound.error, 2e-4);
  EXPECT_LT(half.error, sound.error / 2.5);
  EXPECT_LT(sound.residual, 1e-11);
  EXPECT_GT(sound.lost[model::Loss::heat], 0.1 * sound.scale);
  EXPECT_GT(sound.lost[model::Loss::hardening], 1e-3 * sound.scale);
}

TYPED_TEST(PlasticFaults, AForceOnePerCentWrong) {
  EXPECT_GT(run<TypeParam>({.force = 1.01}).error, 10 * run<TypeParam>({}).error);
}

/// The elastic shape goes nine tenths of the way back to the flow stress only, while the plastic strain is that of all.
TYPED_TEST(PlasticFaults, AReturnMappingThatStopsEarly) {
  constexpr std::size_t numbers = 7, lanes = math::Pack::lanes;
  std::vector<double> before;
  const auto stop_early = [&](const dynamics::System& system, model::State& state, dynamics::StepReport&) {
    if (before.empty()) before = system.initial_state().q;
    for (std::size_t k = system.dofs(); k < state.q.size(); ++k) {
      const bool is_strain = (k - system.dofs()) / lanes % numbers == numbers - 1;
      if (!is_strain) state.q[k] = before[k] + 0.9 * (state.q[k] - before[k]);
    }
    before = state.q;
  };
  EXPECT_GT(run<TypeParam>({}, 1, stop_early).error, 10 * run<TypeParam>({}).error);
}

TYPED_TEST(PlasticFaults, PlasticWorkBookedTwice) {
  const LedgerRun twice = run<TypeParam>({.taken = 2});
  EXPECT_TRUE(twice.error > 0.05 || !twice.failure.empty()) << twice.error;
}

TYPED_TEST(PlasticFaults, PlasticWorkLeftOut) {
  const LedgerRun without = run<TypeParam>({.taken = 0});
  EXPECT_TRUE(without.error > 0.05 || !without.failure.empty()) << without.error;
}

}  // namespace
}  // namespace ictus
