// Impacts of jointed bodies: a double pendulum whose end meets a plane.
#include <gmock/gmock.h>

#include <ictus/dynamics/scheme/capture_return.hpp>
#include <ictus/dynamics/scheme/cd_lagrange.hpp>
#include <ictus/dynamics/scheme/discrete_gradient.hpp>
#include <ictus/dynamics/scheme/reflection.hpp>
#include <numbers>

#include "allocation_count.hpp"
#include "structure/joints/mechanism.hpp"
#include "support/ledger_run.hpp"

namespace ictus::testing {
namespace {

using dynamics::Integrator;

std::unique_ptr<Integrator> scheme(const std::string& name) {
  if (name == "cd-lagrange") return std::make_unique<dynamics::CdLagrange>();
  if (name == "reflection") return std::make_unique<dynamics::Reflection>();
  if (name == "capture-return") return std::make_unique<dynamics::CaptureReturn>();
  if (name == "discrete-gradient") return std::make_unique<dynamics::DiscreteGradient>();
  return std::make_unique<dynamics::NewtonCone>();
}

const std::vector<std::string> schemes{"cd-lagrange", "reflection", "capture-return", "discrete-gradient",
                                       "moreau-variational"};

dynamics::System pendulum_and_plane(double restitution, double friction = 0, int threads = 1) {
  Mechanism m = double_pendulum();
  m.add_plane({0.25, -0.6, 0}, {0.8, 0.6, 0}, restitution, friction);
  return m.system(threads);
}

/// Change of the kinetic energy at the node by the impulses of the first impact, the joints' with them.
double change_in_first_impact(double h) {
  const dynamics::System system = pendulum_and_plane(1);
  dynamics::NewtonCone integrator;
  integrator.prepare(system);
  model::State state = system.initial_state();
  integrator.start(system, h, state);
  for (int n = 0; n < 1000; ++n) {
    const dynamics::StepReport report = integrator.step(system, h, state);
    if (report.contacts > 0) return report.lost[model::Loss::restitution];
  }
  return NAN;
}

TEST(DoublePendulum, IsReflectedWithoutLossWhateverTheStep) {
  for (const double h : {4e-3, 2e-3, 1e-3, 5e-4}) EXPECT_LE(std::abs(change_in_first_impact(h)), 4e-13) << h;
}

class JointedImpact : public ::testing::TestWithParam<std::string> {};

TEST_P(JointedImpact, KeepsTheAccountAndTheJoints) {
  for (const double friction : {0.0, 0.3}) {
    const dynamics::System system = pendulum_and_plane(1, friction);
    const auto integrator = scheme(GetParam());
    double gap = 0, impulse = 0;
    const auto look = [&](const auto&, auto&, const dynamics::StepReport& report) {
      for (const dynamics::JointReaction& joint : report.joints) gap = std::max(gap, joint.gap);
      for (const dynamics::Impulse& one : report.impulses) impulse += one.normal_impulse;
    };
    const LedgerRun run = run_with_ledger(system, *integrator, 1e-3, 2000, look);
    EXPECT_EQ(run.failure, "");
    EXPECT_GT(impulse, 0.5);
    EXPECT_LE(gap, 4e-15);
    EXPECT_LE(run.residual, 1e-12);
    EXPECT_LE(run.error, 2e-3);
    EXPECT_LE(run.linear_drift, 1e-12);
    EXPECT_LE(run.angular_drift, 1e-12);
  }
}

TEST_P(JointedImpact, GoesOnFromAStateWithTheSameBitsOnAnyThreads) {
  const dynamics::System system = pendulum_and_plane(0.7, 0.3), other = pendulum_and_plane(0.7, 0.3, 2);
  const auto first = scheme(GetParam()), second = scheme(GetParam());
  first->prepare(system);
  second->prepare(other);
  model::State state = system.initial_state(), kept;
  first->start(system, 1e-3, state);
  for (int n = 0; n < 1000; ++n) {
    if (n == 600) kept = state;
    first->step(system, 1e-3, state);
  }
  while (kept.step < state.step) second->step(other, 1e-3, kept);
  EXPECT_EQ(kept.q, state.q);
  EXPECT_EQ(kept.p, state.p);
}

TEST_P(JointedImpact, AllocatesNothingOnceWarm) {
  const dynamics::System system = pendulum_and_plane(0.7, 0.3);
  const auto integrator = scheme(GetParam());
  integrator->prepare(system);
  model::State state = system.initial_state();
  integrator->start(system, 1e-3, state);
  for (int n = 0; n < 1500; ++n) integrator->step(system, 1e-3, state);
  const auto before = allocation_count();
  for (int n = 0; n < 500; ++n) integrator->step(system, 1e-3, state);
  EXPECT_EQ(allocation_count(), before);
}

INSTANTIATE_TEST_SUITE_P(Schemes, JointedImpact, ::testing::ValuesIn(schemes), [](const auto& one) {
  std::string name = one.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// An impulse of a joint that is lost shows in the ledger.
TEST(JointFaults, ShowInTheLedger) {
  Mechanism m = double_pendulum();
  const dynamics::System system = m.system();
  dynamics::NewtonCone integrator;
  const auto drop = [](const dynamics::System&, model::State& state, dynamics::StepReport& report) {
    if (state.step == 50) state.p[8] -= report.joints[1].impulse.y();
  };
  const LedgerRun run = run_with_ledger(system, integrator, 1e-3, 100, drop);
  EXPECT_GT(run.residual, 1e-4);
  EXPECT_GT(run.linear_drift, 1e-4);
}

/// A box that hangs from an edge: T = 2π √(I/(m g l)) · (1 + a²/16 + 11 a⁴/3072).
TEST(PhysicalPendulum, HasItsPeriod) {
  const auto period_error = [](double h) {
    Mechanism m;
    m.gravity = {0, -9.81, 0};
    const double amplitude = 0.5, l = 0.25, inertia = 1.0 / 3 * (0.25 * 0.25 + 0.02 * 0.02) + l * l;
    const Vec3 middle = l * Vec3(std::sin(amplitude), -std::cos(amplitude), 0);
    const int box = m.add_box(1, {0.25, 0.02, 0.015}, middle, amplitude - std::numbers::pi / 2);
    m.join(JointType::revolute, -1, box, Vec3::Zero(), axes_about(Vec3::UnitZ()));
    const dynamics::System system = m.system();
    dynamics::NewtonCone integrator;
    integrator.prepare(system);
    model::State state = system.initial_state();
    integrator.start(system, h, state);
    double before = 0, first = NAN;
    for (int n = 0; n < 100000; ++n) {
      const double time = state.time;
      const double angle = integrator.step(system, h, state).joints[0].angle + amplitude;
      if (before > 0 && angle <= 0) {
        const double crossing = time + h * before / (before - angle);
        if (std::isnan(first)) {
          first = crossing;
        } else {
          const double a = amplitude,
                       series = 1 + a * a / 16 + 11 * std::pow(a, 4) / 3072 + 173 * std::pow(a, 6) / 737280;
          return (crossing - first) / (2 * std::numbers::pi * std::sqrt(inertia / (9.81 * l)) * series) - 1;
        }
      }
      before = angle;
    }
    return static_cast<double>(NAN);
  };
  const double coarse = period_error(4e-3), fine = period_error(2e-3);
  EXPECT_LE(std::abs(fine), 2e-5);
  EXPECT_NEAR(std::log2(std::abs(coarse / fine)), 2, 0.3);
}

}  // namespace
}  // namespace ictus::testing
