// Deliberate faults in bodies of lumped masses and in what schemes say of them, each of which the ledger must show.
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/dynamics/coupled/coupled.hpp>
#include <ictus/dynamics/dcr/dcr.hpp>
#include <ictus/dynamics/explicit/central_difference.hpp>
#include <ictus/dynamics/implicit/newmark.hpp>
#include <ictus/dynamics/scheme/capture_return.hpp>
#include <ictus/dynamics/scheme/cd_lagrange.hpp>
#include <ictus/dynamics/scheme/reflection.hpp>
#include <ictus/dynamics/system/step_limit.hpp>
#include <ictus/geometry/mesh/mesh_generators.hpp>
#include <ictus/mechanics/bar/bar.hpp>
#include <ictus/mechanics/frame/beam_frame.hpp>
#include <ictus/mechanics/shell/shell.hpp>
#include <ictus/mechanics/solid/solid.hpp>
#include <memory>
#include <ostream>

#include "support/faulty_body.hpp"
#include "support/ledger_run.hpp"

namespace ictus {
namespace {

using dynamics::StepReport;
using dynamics::System;
using math::Vec3;
using mechanics::NodalBody;
using testing::BodyFault;
using testing::FaultyBody;
using testing::LedgerRun;
using testing::ReportFault;

/// A body of length 1, mass per length and stiffness near 1, held at x = 0, that moves at 0.02 elsewhere at first.
using MakeBody = std::function<std::unique_ptr<NodalBody>()>;

constexpr double speed = 0.02;

std::unique_ptr<NodalBody> bar(mechanics::BarMaterial material) {
  mechanics::BarProperties properties{};
  properties.length = 1;
  properties.elements = 10;
  properties.mass_per_length = 1;
  properties.stiffness = 1;
  properties.direction = {1, 0, 0};
  properties.material = material;
  properties.fixed_start = true;
  properties.velocity = speed;
  return std::make_unique<mechanics::Bar>("bar", properties, 0);
}

std::unique_ptr<NodalBody> solid(mechanics::SolidMaterial material) {
  mechanics::SolidProperties properties;
  properties.material = material;
  properties.lame = mechanics::lame(1.0, 0.3);
  properties.density = 1;
  properties.velocity = {speed, 0, 0};
  const auto mesh = geometry::box_mesh({1, 0.3, 0.2}, {5, 2, 2}, geometry::VolumeElement::tetrahedron);
  for (const int node : mesh.node_sets.at("left")) properties.held.push_back({node, {true, true, true}});
  return std::make_unique<mechanics::Solid>("solid", mesh, properties, 0);
}

std::unique_ptr<NodalBody> shell() {
  mechanics::ShellProperties properties;
  properties.mesh = geometry::sphere(0.5, geometry::SphereBase::octahedron, 2);
  properties.thickness = 0.05;
  properties.youngs_modulus = 1;
  properties.poissons_ratio = 0.3;
  properties.density = 1;
  properties.velocity = {speed, 0, 0};
  for (std::size_t i = 0; i < properties.mesh.positions.size(); ++i) {
    if (properties.mesh.positions[i].x() < -0.3) properties.held.push_back(static_cast<int>(i));
  }
  return std::make_unique<mechanics::Shell>("shell", std::move(properties), 0);
}

std::unique_ptr<NodalBody> frame() {
  const model::Section section{.area = 0.01,
                               .inertia_y = 1e-5,
                               .inertia_z = 2e-5,
                               .torsion = 1e-5,
                               .shear_area_y = 0.008,
                               .shear_area_z = 0.008};
  mechanics::FrameProperties properties;
  properties.joints = {{0, 0, 0}, {1, 0, 0}};
  properties.members = {{0, 1, 6, section, 100.0, 40.0, 100.0}};
  properties.supports = {{0, {true, true, true, true, true, true}}};
  return std::make_unique<mechanics::BeamFrame>("frame", properties, 0);
}

using MakeScheme = std::function<std::unique_ptr<dynamics::Integrator>()>;

struct Subject {
  std::string name;
  MakeBody body;
  MakeScheme scheme;
  double courant;  ///< the step over the critical one
  double own;      ///< the scheme's error without any fault, at most

  friend void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.name; }
};

template <class Scheme, class... Options>
MakeScheme scheme(Options... options) {
  return [=] { return std::make_unique<Scheme>(options...); };
}

std::vector<Subject> subjects() {
  using mechanics::BarMaterial;
  using mechanics::SolidMaterial;
  const std::vector<std::pair<std::string, MakeBody>> linear{
      {"LinearBar", [] { return bar(BarMaterial::linear); }},
      {"LinearSolid", [] { return solid(SolidMaterial::linear); }},
      {"Frame", frame}};
  const std::vector<std::pair<std::string, MakeBody>> nonlinear{
      {"NonlinearBar", [] { return bar(BarMaterial::st_venant_kirchhoff); }},
      {"Rubber", [] { return solid(SolidMaterial::neo_hookean); }},
      {"Shell", shell}};
  const std::vector<std::pair<std::string, MakeScheme>> schemes{
      {"CentralDifference", scheme<dynamics::CentralDifference>()},
      {"CaptureReturn", scheme<dynamics::CaptureReturn>()},
      {"Dcr", scheme<dynamics::Dcr>(false)},
      {"Newmark", scheme<dynamics::Newmark>(dynamics::NewmarkOptions{})}};
  std::vector<Subject> all;
  for (const auto& [scheme_name, make] : schemes) {
    const bool oscillates = scheme_name == "Dcr";  // T + V at one instant, also of linear bodies
    for (const auto& [name, body] : linear) {
      if (name == "Frame" && scheme_name == "Dcr") continue;  // it begins at rest, and that scheme takes no loads
      all.push_back({name + scheme_name, body, make, 0.2, oscillates ? 1e-3 : 1e-11});
    }
    for (const auto& [name, body] : nonlinear)
      all.push_back({name + scheme_name, body, make, 0.2, name == "Shell" ? 1e-2 : 1e-3});  // the shell is soft
  }
  for (const auto& [name, body] : nonlinear) {
    if (name == "Shell") continue;
    const std::string only = name == "Rubber" ? "solid" : "bar";
    all.push_back(
        {name + "Explicit", body, scheme<dynamics::Coupled>(std::vector<dynamics::ImplicitBodies>{}), 0.2, 1e-3});
    all.push_back({name + "Implicit", body,
                   scheme<dynamics::Coupled>(std::vector<dynamics::ImplicitBodies>{{{only}, 1}}), 0.2, 1e-3});
  }
  return all;
}

/// The body with loads on its last point and a support that moves, as far as the scheme can honour them.
System make_system(const Subject& subject, const BodyFault& fault) {
  const dynamics::Capabilities can = subject.scheme()->capabilities();
  std::unique_ptr<NodalBody> body = subject.body();
  std::vector<mechanics::Load> loads;
  std::vector<mechanics::SupportMotion> motions;
  if (can.loads) {
    const auto pull = std::make_shared<mechanics::HalfSine>(0.1, 0.1, 2.0);
    loads.push_back(mechanics::inertial_load(*body, pull, Vec3(1, 0.3, 0.2).normalized(), 1.0));
  }
  if (can.moving_supports) {
    mechanics::SupportMotion motion{std::make_shared<mechanics::HalfSine>(0.01, 0.2, 2.5), {}};
    for (const int k : body->fixed()) {
      if (body->name() != "frame" || k == body->fixed()[0]) motion.entries.push_back({k, k % 3 == 0 ? 1.0 : 0.3});
    }
    motions.push_back(std::move(motion));
  }
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<FaultyBody>(std::move(body), fault));
  return {std::move(bodies), {}, exec::Executor(1), std::move(loads), {}, std::move(motions)};
}

constexpr double duration = 3;

LedgerRun run(const Subject& subject, const BodyFault& fault = {}, const ReportFault& report_fault = {},
              double factor = 1, const std::function<void(int)>& before_step = {}) {
  const System system = make_system(subject, fault);
  const double h = factor * subject.courant * dynamics::explicit_step_limit(system).step;
  const auto integrator = subject.scheme();
  const int steps = std::max(400, static_cast<int>(duration / h));
  return testing::run_with_ledger(system, *integrator, h, steps, report_fault, before_step);
}

class NodalFaults : public ::testing::TestWithParam<Subject> {
 protected:
  dynamics::Capabilities capabilities() const { return GetParam().scheme()->capabilities(); }
};

TEST_P(NodalFaults, NoneLeavesTheErrorOfTheScheme) {
  const LedgerRun sound = run(GetParam());
  EXPECT_EQ(sound.failure, "");
  EXPECT_LT(sound.error, GetParam().own);
  EXPECT_LT(sound.residual, 1e-11);
  EXPECT_EQ(sound.fallbacks, 0);
}

TEST_P(NodalFaults, TheErrorOfTheSchemeFallsWithTheSquareOfTheStep) {
  const LedgerRun whole = run(GetParam()), half = run(GetParam(), {}, {}, 0.5);
  if (whole.error < 1e-11) GTEST_SKIP() << "exact on linear bodies";
  EXPECT_LT(half.error, whole.error / 3);
}

/// Where the body alone is after some vibrations of its stiffest part, in steps of 1/`refinement` of the coarsest.
std::vector<double> position_after(const Subject& subject, int refinement) {
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(subject.body());
  const System system(std::move(bodies), {}, exec::Executor(1));
  const auto integrator = subject.scheme();
  const double h = subject.courant * dynamics::explicit_step_limit(system).step / refinement;
  model::State state = system.initial_state();
  for (std::size_t k = 0; k < state.p.size(); ++k)
    state.p[k] =
        system.inverse_mass()[k] > 0 ? speed * std::sin(0.7 * static_cast<double>(k)) / system.inverse_mass()[k] : 0;
  integrator->prepare(system);
  integrator->start(system, h, state);
  for (int n = 0; n < 20 * refinement; ++n) integrator->step(system, h, state);
  return state.q;
}

/// No scheme, the usual one among them, moves a body other than with the second order in the step.
TEST_P(NodalFaults, MotionConvergesWithTheSquareOfTheStep) {
  const auto distance = [](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
    return std::sqrt(sum);
  };
  const std::vector<double> coarse = position_after(GetParam(), 1), middle = position_after(GetParam(), 2),
                            fine = position_after(GetParam(), 4);
  EXPECT_GT(distance(middle, fine), 1e-9);
  EXPECT_NEAR(std::log2(distance(coarse, middle) / distance(middle, fine)), 2, 0.15);
}

TEST_P(NodalFaults, AForceOnePerCentWrong) {
  const LedgerRun wrong = run(GetParam(), {.force = 1.01});
  EXPECT_GT(wrong.error, 2e-3);
  EXPECT_GT(wrong.error, 2 * run(GetParam()).error);
}

TEST_P(NodalFaults, AnImpulseThatIsLost) {
  bool mute = false;
  const auto once = [&](int step) { mute = step == 30; };
  const LedgerRun lost = run(GetParam(), {.mute = &mute}, {}, 1, once), sound = run(GetParam());
  EXPECT_GT(std::max(lost.error, lost.residual), 5e-5);
  EXPECT_GT(lost.error + lost.residual, 3 * (sound.error + sound.residual));
}

TEST_P(NodalFaults, ALoadBookedTwice) {
  if (!capabilities().loads) GTEST_SKIP() << "no loads";
  const LedgerRun twice =
      run(GetParam(), {}, [](const System&, model::State&, StepReport& report) { report.external_work *= 2; });
  EXPECT_TRUE(twice.residual > 1e-2 || !twice.failure.empty()) << twice.residual;
}

TEST_P(NodalFaults, TheWorkOfLoadsAndSupportsLeftOut) {
  if (!capabilities().moving_supports) GTEST_SKIP() << "no supports that move";
  const LedgerRun without =
      run(GetParam(), {}, [](const System&, model::State&, StepReport& report) { report.external_work = 0; });
  EXPECT_TRUE(without.residual > 1e-2 || !without.failure.empty()) << without.residual;
}

TEST_P(NodalFaults, AStepAboveTheCriticalOne) {
  const System system = make_system(GetParam(), {});
  const auto integrator = GetParam().scheme();
  if (integrator->step_limit(system).step > 1e10) GTEST_SKIP() << "stable at any step";
  const LedgerRun unstable = run(GetParam(), {}, {}, 1.6 / GetParam().courant);
  EXPECT_FALSE(unstable.failure.empty());
  EXPECT_LT(unstable.error, 0.1) << "what is kept is the last good state";
}

TEST_P(NodalFaults, ASolverThatStopsEarly) {
  const bool is_coupled = GetParam().name.find("Implicit") != std::string::npos;
  if (!is_coupled && GetParam().name.find("Newmark") == std::string::npos) GTEST_SKIP() << "nothing is solved for";
  if (GetParam().body()->linear()) GTEST_SKIP() << "solved at once";
  EXPECT_EQ(run(GetParam()).fallbacks, 0);
  const LedgerRun early = run(GetParam(), {.noise = is_coupled ? 1e-9 : 1e-8});
  EXPECT_GT(early.fallbacks, 0);
  EXPECT_GT(early.fallback_error, 1e-12);
  EXPECT_LT(early.fallback_error, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(All, NodalFaults, ::testing::ValuesIn(subjects()),
                         [](const auto& subject) { return subject.param.name; });

}  // namespace
}  // namespace ictus
