#include <gtest/gtest.h>

#include <algorithm>
#include <ictus/build/build.hpp>
#include <ictus/study/converge/converge.hpp>

// Orders of the bar integrators after release, in the norm of fekak-2017 (94), with an element length of c·Δt.

namespace ictus::build {
namespace {

/// The steel bars of fekak-2017 from 40 elements on, 320 with four steps.
study::Convergence steel_bars(const char* integrators, const char* courant = "1", int refinements = 4) {
  study::ConvergeOptions options;
  options.scene = {"two-bars/steel", {{"time.courant", courant}}};
  options.integrators = study::parse_integrators(integrators);
  const double own_step = build(options.scene.load().document, 1).step;
  for (int i = 0; i < refinements; ++i) options.steps.push_back(own_step / (1 << i));
  options.mesh_follows = true;
  options.after_release = true;
  options.threads = 2;
  return study::converge(
      options, [] { return false; }, [](const study::ConvergeRun&) {});
}

const study::ConvergeCurve& curve_of(const study::Convergence& study, const std::string& column) {
  for (const study::ConvergeCurve& curve : study.curves) {
    if (study.quantities[curve.quantity].column == column) return curve;
  }
  throw std::logic_error("no such column: " + column);
}

double order(const study::Convergence& study, const std::string& column) {
  return curve_of(study, column).law.value().order;
}

TEST(BarConvergence, CdLagrangeIsOfFirstOrder) {
  const study::Convergence study = steel_bars("cd-lagrange");
  EXPECT_NEAR(order(study, "probe.left_tip.displacement"), 1.0, 0.15);
  EXPECT_NEAR(order(study, "probe.left_tip.velocity"), 1.0, 0.15);
}

// Backward Euler smears a front over a width of √h.
TEST(BarConvergence, ThetaMethodIsOfOrderOneHalf) {
  const study::Convergence study = steel_bars("moreau-jean:theta=1");
  EXPECT_NEAR(order(study, "probe.left_tip.displacement"), 0.5, 0.15);
  EXPECT_NEAR(order(study, "probe.left_tip.velocity"), 0.5, 0.15);
}

// The wave that parts the tips arrives at a node of time, so that rounding decides which of two neighbouring steps
// returns the energy: on some meshes nothing is wrong then, on the others the share of one element, 0.707/elements.
TEST(BarConvergence, CaptureReturnIsOfFirstOrder) {
  const study::Convergence study = steel_bars("capture-return");
  EXPECT_NEAR(order(study, "probe.left_tip.displacement"), 1.0, 0.15);
  const study::ConvergeCurve& velocity = curve_of(study, "probe.left_tip.velocity");
  const double elements_times_step = 40 * velocity.steps.front();
  for (std::size_t i = 0; i < velocity.steps.size(); ++i) {
    EXPECT_LT(velocity.errors[i], 0.72 * velocity.steps[i] / elements_times_step) << "step " << velocity.steps[i];
  }
}

struct Dispersed {
  const char* integrator;
  const char* courant;
};

class DispersedBars : public ::testing::TestWithParam<Dispersed> {};

// Below a Courant number of one dispersion spreads a front over a width of h^{2/3}, whatever the contact: so much the
// displacement is off, and the velocity behind the front rings. The far end feels what contact sent there; tips without
// mass ring by themselves.
TEST_P(DispersedBars, FrontsConvergeAsTheyDisperse) {
  const study::Convergence study = steel_bars(GetParam().integrator, GetParam().courant, 5);
  EXPECT_NEAR(order(study, "probe.left_far_end.displacement"), 2.0 / 3, 0.15);
  EXPECT_NEAR(order(study, "probe.left_far_end.velocity"), 0.42, 0.08);
}

INSTANTIATE_TEST_SUITE_P(BarConvergence, DispersedBars,
                         ::testing::Values(Dispersed{"capture-return", "0.5"}, Dispersed{"cd-lagrange", "0.5"},
                                           Dispersed{"reflection", "0.5"}, Dispersed{"discrete-gradient", "0.5"},
                                           Dispersed{"dcr", "0.5"}, Dispersed{"multisymplectic", "0.05"},
                                           Dispersed{"multisymplectic-prolonged", "0.1"}),
                         [](const auto& scheme) {
                           std::string name = scheme.param.integrator;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace ictus::build
