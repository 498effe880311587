// What engineers plot: forces of supports and sections, points, energies of bodies, filtered signals.
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/files/result_files.hpp>
#include <ictus/files/run_files.hpp>
#include <ictus/math/cfc_filter.hpp>
#include <ictus/run/session.hpp>

#include "support/complaint_of.hpp"
#include "support/temporary_folder.hpp"

namespace ictus::run {
namespace {

/// The tables of a run of a scene.
class Plotted {
 public:
  explicit Plotted(const std::string& scene) {
    const LoadedScene loaded{scene::read_text(scene, "scene.yaml"), ""};
    Session::begin(loaded, folder_.path(), 1, true).run([] { return false; }, {});
    history_ = files::read_history(folder_.path() / files::result_files::history);
  }

  const std::vector<double>& column(std::string_view name) const {
    const files::CsvColumn* found = history_.find(name);
    if (!found) throw std::invalid_argument("no column " + std::string(name));
    return found->numbers;
  }
  double last(std::string_view name) const { return column(name).back(); }
  files::CsvTable filtered() const { return files::read_history(folder_.path() / files::result_files::filtered); }
  /// Of a mean between rows.
  double integral(std::string_view name) const {
    const std::vector<double>&t = column("time"), &mean = column(name);
    double sum = 0;
    for (std::size_t i = 1; i < t.size(); ++i) sum += (t[i] - t[i - 1]) * mean[i];
    return sum;
  }

 private:
  testing::TemporaryFolder folder_;
  files::CsvTable history_;
};

constexpr const char* hanging_beam = R"(
time: {end: 0.01}
integrator: {type: cd-lagrange}
gravity: [2, 0, -10]
initial: at-rest
bodies:
  beam:
    type: frame
    nodes: {a: [0, 0, 0], b: [1, 0, 0]}
    sections: {s: {type: rectangle, height: 10 mm, width: 20 mm}}
    materials: {m: {youngs_modulus: 210 GPa, density: 5000}}
    members: [{from: a, to: b, section: s, material: m, element_size: 0.25}]
    supports: [{node: a, type: clamped}]
probes:
  inside: {body: beam, position: [0.35, 0.1, 0]}
  root: {body: beam, position: [0, 0, 0], member: [a, b]}
)";

/// Lumped masses of 1/4 kg, the last of them half: what is beyond a section it carries.
TEST(PlottedForces, OfSupportsAndSectionsOfABeamThatHangs) {
  const Plotted run(hanging_beam);
  const double beyond = 0.25 + 0.25 + 0.125, moment = 10 * (0.25 * 0.15 + 0.25 * 0.4 + 0.125 * 0.65);
  EXPECT_NEAR(run.last("probe.inside.axial_force"), 2 * beyond, 1e-9);
  EXPECT_NEAR(run.last("probe.inside.shear_z"), -10 * beyond, 1e-9);
  EXPECT_NEAR(run.last("probe.inside.moment_y"), -moment, 1e-9);  // it hogs
  EXPECT_NEAR(run.last("probe.inside.shear_y"), 0, 1e-12);
  EXPECT_NEAR(run.last("probe.root.shear_z"), -10 * 0.875, 1e-9);
  EXPECT_NEAR(run.last("support.beam.force.x"), -2, 1e-8);
  EXPECT_NEAR(run.last("support.beam.force.z"), 10, 1e-8);
  EXPECT_NEAR(run.last("support.beam.moment.y"), -10 * 0.5, 1e-8);
  // Deflection under four point masses, w = Σ F (3 L a² − a³)/(6 EI) and the like, at 0.35 m.
  const double stiffness = 210e9 * 0.02 * std::pow(0.01, 3) / 12, x = 0.35;
  double deflection = 0;
  for (int i = 1; i <= 4; ++i) {
    const double at = 0.25 * i, force = 10 * (i == 4 ? 0.125 : 0.25);
    deflection -= force * (at < x ? at * at * (3 * x - at) : x * x * (3 * at - x)) / (6 * stiffness);
  }
  EXPECT_NEAR(run.last("probe.inside.displacement_z"), deflection, 1e-9 * std::abs(deflection));
}

/// Without gravity what the supports give is what the momentum changes by; the ball meets held nodes too.
TEST(PlottedForces, OfSupportsAddUpToTheChangeOfMomentum) {
  for (const char* scheme : {"capture-return", "cd-lagrange", "moreau-variational"}) {
    const Plotted run(std::string(R"(
time: {end: 0.004, step: 2.0e-6}
bodies:
  block: {type: solid, shape: {type: box, size: [0.1, 0.1, 0.1], cells: [2, 2, 2]}, density: 2000,
          material: st-venant-kirchhoff, youngs_modulus: 1e8, poissons_ratio: 0.2, damping: {stiffness: 1e-6},
          supports: [{box: {from: [-1, -1, -1], to: [0.01, 1, 1]}}]}
  ball: {type: rigid, shape: {type: sphere, radius: 0.05}, position: [0.02, 0.05, 0.152], velocity: [0, 0, -3], density: 3000}
contacts: [{between: [block, ball], friction: 0.3}]
integrator: {type: )") +
                      scheme + "}\n");
    const double change = run.last("momentum.z") - run.column("momentum.z").front();
    EXPECT_GT(change, 1) << scheme;
    for (const char* axis : {"x", "y", "z"}) {
      const std::string momentum = std::string("momentum.") + axis;
      EXPECT_NEAR(run.integral(std::string("support.block.force.") + axis),
                  run.last(momentum) - run.column(momentum).front(), 1e-10 * change)
          << scheme << ' ' << axis;
      const std::string angular = "angular_" + momentum;
      EXPECT_NEAR(run.integral(std::string("support.block.moment.") + axis),
                  run.last(angular) - run.column(angular).front(), 1e-10 * change)
          << scheme << ' ' << axis;
    }
  }
}

TEST(PlottedPoints, MoveWithARigidBody) {
  const Plotted run(R"(
time: {end: 0.1, step: 0.001}
bodies:
  ball: {type: rigid, shape: {type: sphere, radius: 0.5}, mass: 3, position: [1, 0, 0], velocity: [0, 0, 2], angular_velocity: [0, 0, 5]}
probes:
  rim: {body: ball, position: [1.5, 0, 0]}
output: {body_energies: true, history_every: 0.001}
)");
  const double angle = 0.5;
  EXPECT_NEAR(run.last("probe.rim.displacement_x"), 0.5 * (std::cos(angle) - 1), 1e-6);
  EXPECT_NEAR(run.last("probe.rim.displacement_y"), 0.5 * std::sin(angle), 1e-6);
  EXPECT_NEAR(run.last("probe.rim.displacement_z"), 0.2, 1e-12);
  EXPECT_NEAR(run.last("probe.rim.velocity_y"), 2.5 * std::cos(angle), 1e-5);
  EXPECT_NEAR(run.last("probe.rim.acceleration_x"), -12.5 * std::cos(angle - 0.0025), 1e-3);  // of the mean
  EXPECT_TRUE(std::isnan(run.column("probe.rim.acceleration_x").front()));
  EXPECT_NEAR(run.last("body.ball.energy.kinetic"), 0.5 * 3 * 4 + 0.5 * 0.4 * 3 * 0.25 * 25, 1e-12);
}

TEST(PlottedPoints, OnShellsAndSolidsMoveAsTheseDo) {
  const Plotted run(R"(
time: {end: 0.001}
bodies:
  plate: {type: shell, shape: {type: plate, size: [1, 1], cells: [4, 4]}, thickness: 0.01,
          youngs_modulus: 1e9, density: 1000, velocity: [1, 0, 2]}
  block: {type: solid, shape: {type: box, size: [1, 1, 1], cells: [2, 2, 2]}, density: 1000, position: [0, 0, 3],
          material: st-venant-kirchhoff, youngs_modulus: 1e8, velocity: [0, 3, 0]}
probes:
  corner: {body: plate, position: [0.4, 0.4, 0]}
  top: {body: block, position: [1, 1, 9]}
)");
  const double time = run.last("time");
  EXPECT_NEAR(run.last("probe.corner.displacement_x"), time, 1e-9);
  EXPECT_NEAR(run.last("probe.corner.displacement_z"), 2 * time, 1e-9);
  EXPECT_NEAR(run.last("probe.corner.velocity_z"), 2, 1e-9);
  EXPECT_NEAR(run.last("probe.top.displacement_y"), 3 * time, 1e-9);
}

TEST(PlottedPoints, AreRefusedWhereThereAreNone) {
  const auto complaint = [](const std::string& probe) {
    return testing::complaint_of([&] {
      std::string scene = hanging_beam;
      scene.replace(scene.find("  inside:"), std::string::npos, "  p: " + probe + "\n  q: {body: rod, at: end}\n");
      scene.replace(scene.find("probes:"), 0,
                    "  rod: {type: bar, length: 1, cells: 4, density: 1, youngs_modulus: 1}\n"
                    "  balls: {type: rigid, shape: {type: sphere, radius: 0.1}, copies: {type: grid, count: [2, 1, 1], "
                    "spacing: [1, 1, 1]}}\n");
      scene.replace(scene.find("initial: at-rest\n"), 17, "");
      const Plotted run(scene);
    });
  };
  EXPECT_NE(complaint("{body: rod, position: [0, 0, 0]}").find("rod is probed along its length: use `at`"),
            std::string::npos);
  EXPECT_NE(complaint("{body: beam, position: [0, 0, 0], member: [a, c]}").find("no node is named 'c'"),
            std::string::npos);
  EXPECT_NE(complaint("{body: rod, at: end, member: [a, b]}").find("probes.p.member"), std::string::npos);
  EXPECT_NE(complaint("{body: balls, position: [0, 0, 0]}").find("balls are 2 bodies"), std::string::npos);
  EXPECT_NE(complaint("{body: beam}").find("position"), std::string::npos);
}

TEST(PlottedFilters, AreThoseOfTheClass) {
  std::string scene = hanging_beam;
  scene.replace(scene.find("initial: at-rest"), 16, "output: {filter: cfc-600}");
  const Plotted run(scene);
  const files::CsvTable filtered = run.filtered();
  const std::vector<double>&t = run.column("time"), &force = run.column("support.beam.force.z");
  ASSERT_LE(t[1], 1.0 / 6000);
  const files::CsvColumn* smooth = filtered.find("cfc600.support.beam.force.z");
  ASSERT_NE(smooth, nullptr);
  ASSERT_NE(filtered.find("cfc600.probe.inside.acceleration_z"), nullptr);
  EXPECT_EQ(filtered.find("cfc600.probe.inside.displacement_z"), nullptr);
  EXPECT_TRUE(std::isnan(smooth->numbers.front()));
  const std::size_t rows = t.size() - (std::isnan(smooth->numbers.back()) ? 1 : 0);
  const std::vector<double> expected = math::CfcFilter(600, t[1] - t[0]).apply(std::span(force).subspan(1, rows - 1));
  for (std::size_t i = 1; i < rows; ++i) ASSERT_EQ(smooth->numbers[i], expected[i - 1]);
}

TEST(PlottedFilters, NeedRowsThatAreNearEnough) {
  const auto complaint = [](const std::string& output) {
    return testing::complaint_of([&] {
      std::string scene = hanging_beam;
      scene.replace(scene.find("initial: at-rest"), 16, "output: " + output);
      const Plotted run(scene);
    });
  };
  EXPECT_NE(complaint("{filter: cfc-600, history_every: 1 ms}").find("output.history_every"), std::string::npos);
  EXPECT_NE(complaint("{filter: cfc-100}").find("cfc-60, cfc-180, cfc-600 or cfc-1000"), std::string::npos);
}

}  // namespace
}  // namespace ictus::run
