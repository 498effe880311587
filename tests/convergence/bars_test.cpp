#include <gtest/gtest.h>

#include <ictus/build/build.hpp>
#include <ictus/build/converge.hpp>

// Orders of the bar integrators after release, in the norm of fekak-2017 (94), with an element length of c·Δt.

namespace ictus::build {
namespace {

/// The steel bars of fekak-2017 at a Courant number of one, from 40 to 320 elements.
Convergence steel_bars(const char* integrators) {
  ConvergeOptions options;
  options.scene = {"two-bars/steel", {{"time.courant", "1"}}};
  options.integrators = parse_integrators(integrators);
  const double own_step = build(options.scene.load().document, 1).step;
  options.steps = {own_step, own_step / 2, own_step / 4, own_step / 8};
  options.mesh_follows = true;
  options.after_release = true;
  options.threads = 2;
  return converge(
      options, [] { return false; }, [](const ConvergeRun&) {});
}

double order(const Convergence& study, const std::string& column) {
  for (const ConvergeCurve& curve : study.curves) {
    if (study.quantities[curve.quantity].column == column) return curve.law.value().order;
  }
  throw std::logic_error("no such column: " + column);
}

TEST(BarConvergence, CdLagrangeIsOfFirstOrder) {
  const Convergence study = steel_bars("cd-lagrange");
  EXPECT_NEAR(order(study, "probe.left_tip.displacement"), 1.0, 0.15);
  EXPECT_NEAR(order(study, "probe.left_tip.velocity"), 1.0, 0.15);
}

// Backward Euler smears a front over a width of √h.
TEST(BarConvergence, MoreauJeanIsOfOrderOneHalf) {
  const Convergence study = steel_bars("moreau-jean:theta=1");
  EXPECT_NEAR(order(study, "probe.left_tip.displacement"), 0.5, 0.15);
  EXPECT_NEAR(order(study, "probe.left_tip.velocity"), 0.5, 0.15);
}

}  // namespace
}  // namespace ictus::build
