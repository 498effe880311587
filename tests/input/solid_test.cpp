// Mistakes that people make with solids, their meshes, and loads: what the program says.
#include <gmock/gmock.h>

#include <string_view>

#include "replaced.hpp"
#include "run_in_folder.hpp"

namespace ictus {
namespace {

using testing::Ended;
using ::testing::HasSubstr;
using testing::replaced;
using testing::RunFolder;

constexpr std::string_view block_scene = R"(time: {end: 1, courant: 0.5}
integrator: {type: central-difference}
bodies:
  block:
    type: solid
    shape: {type: mesh, file: block.inp}
    density: 1
    youngs_modulus: 1
    supports: [{set: foot}]
)";

constexpr std::string_view mesh = R"(*NODE
1, 0, 0, 0
2, 1, 0, 0
3, 0, 1, 0
4, 0, 0, 1
5, 1, 1, 1
*ELEMENT, TYPE=C3D4, ELSET=body
1, 1, 2, 3, 4
2, 2, 5, 3, 4
*NSET, NSET=foot
1, 2, 3
*NSET, NSET=head
2, 4, 5
)";

/// Checks a scene beside a mesh and expects a mistake with these words.
void expect_mistake(const std::string& scene, const std::string& file, const std::vector<std::string>& parts) {
  RunFolder folder("scene.yaml", scene);
  folder.put("block.inp", file);
  const Ended ended = folder.run({"check", "scene.yaml"});
  EXPECT_EQ(ended.code, 2) << ended.out;
  for (const std::string& part : parts) EXPECT_THAT(ended.err, HasSubstr(part));
}

std::string with_mesh(std::string_view what, std::string_view by) { return replaced(mesh, what, by); }
std::string with_loads(std::string_view loads) {
  return std::string(block_scene) + "loads:\n  - " + std::string(loads) + "\n";
}

/// Materials: each property is given once, names are known, and numbers that no metal has are refused.
TEST(Solid, MaterialsAreChecked) {
  constexpr std::string_view scene = R"(time: {end: 1, courant: 0.5}
integrator: {type: central-difference}
materials:
  soft: {law: j2, density: 8000, youngs_modulus: 100 GPa, yield_stress: 100 MPa, hardening: {type: linear, modulus: 1 GPa}}
bodies:
  block:
    type: solid
    shape: {type: box, size: [1, 1, 1], cells: [1, 1, 1], element: hexahedron}
    material: soft
)";
  const auto expect = [&](std::string_view what, std::string_view by, const std::vector<std::string>& parts) {
    RunFolder folder("scene.yaml", replaced(scene, what, by));
    const Ended ended = folder.run({"check", "scene.yaml"});
    EXPECT_EQ(ended.code, parts.empty() ? 0 : 2) << ended.out << ended.err;
    for (const std::string& part : parts) EXPECT_THAT(ended.err, HasSubstr(part));
  };
  expect("end: 1", "end: 1", {});
  expect("material: soft", "material: steel", {});
  expect("material: soft", "material: {law: j2, yield_stress: 1 MPa}\n    density: 1\n    youngs_modulus: 1 GPa", {});
  expect("material: soft", "material: sofd", {"scene.yaml:9", "bodies.block.material", "did you mean 'soft'?"});
  expect("material: soft", "material: j2", {"law j2 needs a yield_stress"});
  expect("material: soft", "material: soft\n    density: 1", {"bodies.block.density", "is given by the material too"});
  expect("material: soft", "material: neo-hookean\n    youngs_modulus: 1", {"bodies.block.density", "is missing"});
  expect("yield_stress: 100 MPa, ", "", {"materials.soft.yield_stress", "is missing"});
  expect("100 MPa", "100 GPa", {"at most a tenth of youngs_modulus"});
  expect("100 MPa", "0", {"materials.soft.yield_stress"});
  expect("modulus: 1 GPa", "modulus: -1 GPa", {"materials.soft.hardening.modulus"});
  expect("{type: linear, modulus: 1 GPa}", "{type: table, points: [[0, 1e8], [0.1, 2e8], [0.05, 3e8], [0.2, 1e8]]}",
         {"hardening.points.2", "plastic strain above 0.1", "hardening.points.3", "softens without bound"});
  expect("{type: linear, modulus: 1 GPa}", "{type: table, points: [[0, 2e8], [0.1, 3e8]]}",
         {"hardening.points.0", "must have the yield_stress"});
  constexpr std::string_view copper =
      "{type: johnson-cook, modulus: 292 MPa, exponent: 0.31, rate_factor: 0.025, "
      "softening: {melting: 1356 K, heat_capacity: 383 J/kg/K, exponent: 1.09}}";
  const auto expect_copper = [&](std::string_view by, const std::string& what, const std::vector<std::string>& parts) {
    std::string hardening(copper);
    if (!what.empty()) hardening.replace(hardening.find(what), what.size(), by);
    expect("{type: linear, modulus: 1 GPa}", hardening, parts);
  };
  expect_copper("", "", {});
  expect_copper("200 K", "1356 K", {"hardening.softening.melting", "must be above start, 293.15 K"});
  expect_copper("1356 m", "1356 K", {"hardening.softening.melting", "a temperature"});
  expect_copper("0", "383 J/kg/K", {"hardening.softening.heat_capacity"});
  expect_copper("exponent: 0", "exponent: 0.31", {"hardening.exponent"});
  expect_copper("reference_rate: 0, rate_factor", "rate_factor", {"hardening.reference_rate"});
  expect_copper("rate_facter", "rate_factor", {"rate_facter", "did you mean 'rate_factor'?"});
  expect("modulus: 1 GPa}", "modulus: 1 GPa, kinematic_modulus: 2 GPa}", {});
  expect("modulus: 1 GPa}", "modulus: 1 GPa, kinematic_modulus: -2 GPa}", {"hardening.kinematic_modulus"});
  expect("courant: 0.5", "follow: 0.9", {});
  expect("law: j2, ", "law: j2, failure: {type: plastic-strain, strain: 0.2}, ", {});
  expect("law: j2, ", "law: j2, failure: {type: plastic-strain, strain: 0}, ", {"failure.strain", "> 0"});
  expect("law: j2, ", "law: j2, failure: {type: johnson-cook, d1: 0}, ", {"failure.d1", "breaks at once"});
  expect("law: j2, ", "law: j2, failure: {type: johnson-cook, d1: 1, d3: 2}, ", {"failure.d3"});
  expect("law: j2, ", "law: j2, relaxation: [{shear_modulus: 1 MPa, time: 1 ms}], ",
         {"materials.soft.relaxation", "elastic laws alone"});
  expect(
      "{end: 1, courant: 0.5}\nintegrator: {type: central-difference}\nmaterials:\n  soft: {law: j2, density: 8000, "
      "youngs_modulus: 100 GPa, yield_stress: 100 MPa, hardening: {type: linear, modulus: 1 GPa}}",
      "{end: 1, follow: 0.5}\nintegrator: {type: central-difference}\nmaterials:\n  soft: {density: 8000, "
      "youngs_modulus: 100 GPa}",
      {"scene.yaml:1", "time.follow", "solids of law hencky or j2 do"});
  expect("courant: 0.5", "follow: 1.5", {"scene.yaml:1", "time.follow", "(0, 1]"});
  expect("courant: 0.5", "folow: 0.9", {"did you mean 'follow'?"});
  expect("{end: 1, courant: 0.5}\nintegrator: {type: central-difference}",
         "{end: 1, follow: 0.9}\nintegrator: {type: discrete-gradient}",
         {"time.follow", "discrete-gradient has steps of one length"});
  expect("law: j2", "law: neo-hookean", {"materials.soft.yield_stress", "has a meaning with law: j2 alone"});
  expect("element: hexahedron", "element: tetrahedron", {});
  expect("central-difference", "newmark", {"bodies.block.material", "does not know materials that yield or relax"});
}

TEST(Solid, TheMeshOfTheseTestsIsGood) {
  RunFolder folder("scene.yaml", block_scene);
  folder.put("block.inp", mesh);
  const Ended ended = folder.run({"check", "scene.yaml"});
  EXPECT_EQ(ended.code, 0) << ended.err;
}

TEST(Solid, MeshMistakesNameFileLineAndEntity) {
  expect_mistake(std::string(block_scene), with_mesh("C3D4", "C3D10"),
                 {"block.inp:7", "TYPE=C3D10 are not supported; allowed are C3D4, C3D8 and S3"});
  expect_mistake(std::string(block_scene), with_mesh("3, 0, 1, 0", "3, 0, one, 0"),
                 {"block.inp:4", "expected a coordinate, found 'one'"});
  expect_mistake(std::string(block_scene), with_mesh("1, 1, 2, 3, 4", "1, 1, 2, 3, 9"),
                 {"block.inp:8", "element 1 has node 9"});
  expect_mistake(std::string(block_scene), with_mesh("1, 1, 2, 3, 4", "1, 1, 3, 2, 4"),
                 {"bodies.block.shape", "element 1 is inverted"});
  expect_mistake(std::string(block_scene), with_mesh("5, 1, 1, 1", "5, 0.5, 0.25, 0.25"),
                 {"bodies.block.shape", "element 2 is degenerate"});
  expect_mistake(replaced(block_scene, "block.inp", "block.obj"), std::string(mesh), {"block.obj", ".msh", ".inp"});
  expect_mistake(replaced(block_scene, "block.inp", "other.inp"), std::string(mesh),
                 {"other.inp", "there is no such file"});
}

TEST(Solid, SetsThatThereAreNotAreNamed) {
  expect_mistake(replaced(block_scene, "set: foot", "set: foo"), std::string(mesh),
                 {"scene.yaml:9", "bodies.block.supports.0.set", "no set named 'foo'", "did you mean 'foot'?"});
  expect_mistake(with_loads("{type: pressure, body: block, set: haed, signal: {type: ramp, amplitude: 1}}"),
                 std::string(mesh), {"scene.yaml:11", "loads.0.set", "did you mean 'head'?"});
}

TEST(Solid, OnlyWhatIsHeldCanBeMoved) {
  expect_mistake(
      with_loads("{type: support-motion, body: block, at: [head], signal: {type: ramp, amplitude: 1, rise: 0.5}}"),
      std::string(mesh), {"loads.0.at", "node 3 along z of block is not held"});
  expect_mistake(replaced(with_loads("{type: support-motion, body: block, signal: {type: ramp, amplitude: 1}}"),
                          "    supports: [{set: foot}]\n", ""),
                 std::string(mesh), {"loads.0.body", "no support that could move that way"});
}

TEST(Solid, ATableThatEndsTooEarlyIsRefused) {
  const std::string motion =
      with_loads("{type: support-motion, body: block, at: [foot], signal: {type: file, file: motion.csv}}");
  RunFolder folder("scene.yaml", motion);
  folder.put("block.inp", mesh);
  folder.put("motion.csv", "time (ms), lift (mm)\n0, 0\n500, 1\n900, 0\n");
  const Ended early = folder.run({"check", "scene.yaml"});
  EXPECT_EQ(early.code, 2);
  EXPECT_THAT(early.err, HasSubstr("loads.0.signal"));
  EXPECT_THAT(early.err, HasSubstr("ends at 0.9 s, before time.end = 1 s"));
  EXPECT_EQ(folder.run({"check", "scene.yaml", "--set", "time.end=0.9"}).code, 0);
  folder.put("motion.csv", "time (s), lift (m/s)\n0, 0\n1, 1\n");
  const Ended unit = folder.run({"check", "scene.yaml"});
  EXPECT_EQ(unit.code, 2);
  EXPECT_THAT(unit.err, HasSubstr("motion.csv:1"));
}

TEST(Solid, IntegratorsThatCannotSaySo) {
  expect_mistake(replaced(replaced(block_scene, "central-difference", "dcr"),
                          "    supports:", "    damping: {mass: 1 1/s}\n    supports:"),
                 std::string(mesh), {"bodies.block.damping", "dcr knows no damping"});
  expect_mistake(replaced(with_loads("{type: support-motion, body: block, signal: {type: ramp, amplitude: 1}}"),
                          "central-difference", "dcr"),
                 std::string(mesh), {"dcr has no loads in time"});
}

TEST(Solid, ABodyThatNothingHoldsHasNoRest) {
  expect_mistake(replaced(std::string(block_scene) + "gravity: [0, 0, -1]\ninitial: at-rest\n",
                          "    supports: [{set: foot}]\n", ""),
                 std::string(mesh), {"start", "mechanism", "of block"});
}

}  // namespace
}  // namespace ictus
