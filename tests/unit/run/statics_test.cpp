// Rest under loads, against closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/files/result_files.hpp>
#include <ictus/files/run_files.hpp>
#include <ictus/run/session.hpp>

#include "support/complaint_of.hpp"
#include "support/temporary_folder.hpp"

namespace ictus::run {
namespace {

nlohmann::ordered_json probes_of(const std::string& scene) {
  const testing::TemporaryFolder folder;
  const LoadedScene loaded{scene::read_text(scene, "scene.yaml"), ""};
  Session::begin(loaded, folder.path(), 1, true).run([] { return false; }, {});
  return files::read_summary(folder.path() / files::result_files::summary)["probes"];
}

/// Clamped at one end, propped in the middle, a force on the free end: with l the half length, the prop turns by
/// F l²/(4 EI), the end sinks by 7 F l³/(12 EI), and the clamp has half the moment over the prop, F l, the other way
/// round. Cubic elements have it exactly.
class ProppedBeam : public ::testing::TestWithParam<int> {};

TEST_P(ProppedBeam, IsExactWithAnyNumberOfElements) {
  const auto probes = probes_of(fmt::format(R"(
time: {{end: 0.02}}
integrator: {{type: cd-lagrange}}
initial: at-rest
bodies:
  beam:
    type: frame
    nodes: {{a: [0, 0, 0], m: [1, 0, 0], b: [2, 0, 0]}}
    sections: {{s: {{type: rectangle, height: 20 mm, width: 10 mm}}}}
    materials: {{m: {{youngs_modulus: 210 GPa, density: 7800}}}}
    members: [{{from: a, to: b, section: s, material: m, element_size: {}}}]
    supports: [{{node: a, type: clamped}}, {{node: m, type: pinned}}]
loads:
  - {{type: force, body: beam, node: b, direction: [0, 0, -1], signal: {{type: ramp, amplitude: 50}}}}
probes:
  clamp: {{body: beam, position: [0, 0, 0]}}
  prop: {{body: beam, node: m}}
  inside: {{body: beam, position: [1.3, 0, 0]}}
  end: {{body: beam, node: b}}
)",
                                            2.0 / GetParam()));
  const double stiffness = 210e9 * 0.01 * std::pow(0.02, 3) / 12, force = 50;
  const auto value = [&](const char* probe, const char* quantity) { return probes[probe][quantity].get<double>(); };
  const double tolerance = 1e-6;
  EXPECT_NEAR(value("end", "displacement_z") / (-7 * force / (12 * stiffness)), 1, tolerance);
  EXPECT_NEAR(value("prop", "rotation_y") / (force / (4 * stiffness)), 1, tolerance);
  EXPECT_NEAR(value("clamp", "moment_y") / (force / 2), 1, tolerance);
  EXPECT_NEAR(value("clamp", "shear_z") / (1.5 * force), 1, tolerance);
  EXPECT_NEAR(value("inside", "moment_y") / (-0.7 * force), 1, tolerance);
  EXPECT_NEAR(value("inside", "shear_z") / -force, 1, tolerance);
  EXPECT_NEAR(value("end", "velocity_z"), 0, 1e-9);  // it stays at rest
}

INSTANTIATE_TEST_SUITE_P(Elements, ProppedBeam, ::testing::Values(2, 4, 6, 10));

/// A moment on the end of a cantilever turns it by M L/(EI) and sinks it by M L²/(2 EI).
TEST(RestUnderLoads, TurnsTheEndOfABeam) {
  const auto probes = probes_of(R"(
time: {end: 0.001}
integrator: {type: cd-lagrange}
initial: at-rest
bodies:
  beam:
    type: frame
    nodes: {a: [0, 0, 0], b: [2, 0, 0]}
    sections: {s: {type: rectangle, height: 20 mm, width: 10 mm}}
    materials: {m: {youngs_modulus: 210 GPa, density: 7800}}
    members: [{from: a, to: b, section: s, material: m, element_size: 0.5}]
    supports: [{node: a, type: clamped}]
loads: [{type: moment, body: beam, node: b, direction: [0, 1, 0], signal: {type: ramp, amplitude: 7}}]
probes: {end: {body: beam, node: b}, inside: {body: beam, position: [0.7, 0, 0]}}
)");
  const double stiffness = 210e9 * 0.01 * std::pow(0.02, 3) / 12;
  EXPECT_NEAR(probes["end"]["rotation_y"].get<double>() / (7 * 2 / stiffness), 1, 1e-9);
  EXPECT_NEAR(probes["end"]["displacement_z"].get<double>() / (-7 * 4 / (2 * stiffness)), 1, 1e-9);
  EXPECT_NEAR(probes["inside"]["moment_y"].get<double>(), -7, 1e-7);
}

/// Uniaxial: a traction on a block whose sides may move, σ = E ε in small strain.
TEST(RestUnderLoads, PullsABlock) {
  const auto probes = probes_of(R"(
time: {end: 1.0e-5}
integrator: {type: cd-lagrange}
initial: at-rest
bodies:
  block: {type: solid, shape: {type: box, size: [0.1, 0.1, 0.4], cells: [2, 2, 4], element: hexahedron}, density: 2000,
          material: st-venant-kirchhoff, youngs_modulus: 1e9, poissons_ratio: 0.3,
          supports: [{box: {from: [-1, -1, -1], to: [1, 1, 1e-6]}, directions: z}, {box: {from: [-1, -1, -1], to: [1, 1e-6, 1]}, directions: y},
                  {box: {from: [-1, -1, -1], to: [1e-6, 1, 1]}, directions: x}]}
loads:
  - {type: traction, body: block, set: top, direction: [0, 0, 1], signal: {type: ramp, amplitude: 1000}}
probes:
  top: {body: block, position: [0.1, 0.1, 0.4]}
)");
  EXPECT_NEAR(probes["top"]["displacement_z"].get<double>(), 0.4e-6, 1e-11);
  EXPECT_NEAR(probes["top"]["displacement_x"].get<double>(), -0.03e-6, 1e-12);
}

TEST(ShellSupports, HoldSingleDirections) {
  const std::string plate = R"(
time: {end: 0.001, step: 1.0e-5}
gravity: [0, 3, 5]
bodies:
  plate: {type: shell, shape: {type: plate, size: [1, 1], cells: [4, 4]}, thickness: 0.01,
          youngs_modulus: 1e9, density: 1000, supports: [{type: KIND, box: {from: [-1, -1, -1], to: [1, 1, 1]}, directions: xz}]}
probes: {corner: {body: plate, position: [0.5, 0.5, 0]}}
)";
  const auto with = [&](const std::string& kind) {
    std::string scene = plate;
    return scene.replace(scene.find("KIND"), 4, kind);
  };
  const auto corner = probes_of(with("pinned"))["corner"];
  EXPECT_EQ(corner["displacement_x"].get<double>(), 0);
  EXPECT_EQ(corner["displacement_z"].get<double>(), 0);
  EXPECT_NEAR(corner["velocity_y"].get<double>(), 0.003, 1e-12);
  const std::string complaint = testing::complaint_of([&] { probes_of(with("clamped")); });
  EXPECT_NE(complaint.find("directions: goes with type: pinned"), std::string::npos) << complaint;
}

}  // namespace
}  // namespace ictus::run
