// Mistakes that people make with what shells are made of: what the program says.
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

constexpr std::string_view plate_scene = R"(time: {end: 1 ms, courant: 0.5}
integrator: {type: central-difference}
materials:
  soft: {law: j2, density: 8000, youngs_modulus: 100 GPa, yield_stress: 100 MPa, hardening: {type: linear, modulus: 1 GPa}}
bodies:
  plate: {type: shell, shape: {type: plate, size: [1, 1], cells: [4, 4]}, thickness: 10 mm, material: soft}
)";

void expect_plate(std::string_view what, std::string_view by, const std::vector<std::string>& parts) {
  RunFolder folder("scene.yaml", replaced(plate_scene, what, by));
  const Ended ended = folder.run({"check", "scene.yaml"});
  EXPECT_EQ(ended.code, parts.empty() ? 0 : 2) << ended.out << ended.err;
  for (const std::string& part : parts) EXPECT_THAT(ended.err, HasSubstr(part));
}

TEST(ShellMaterial, IsChecked) {
  expect_plate("material: soft", "material: soft", {});
  expect_plate("material: soft", "material: steel", {});
  expect_plate("material: soft", "material: glass", {});
  expect_plate("material: soft", "material: sofd", {"scene.yaml:6", "bodies.plate.material", "did you mean 'soft'?"});
  expect_plate("material: soft", "material: soft, density: 1",
               {"bodies.plate.density", "is given by the material too"});
  expect_plate("material: soft", "density: 1", {"bodies.plate.youngs_modulus", "is missing"});
  expect_plate("material: soft", "youngs_modulus: 1, density: 1, material: neo-hookean",
               {"bodies.plate.material", "is not for shells"});
  expect_plate("material: soft", "youngs_modulus: 1, density: 1, material: hencky", {});
  expect_plate("modulus: 1 GPa}", "modulus: 1 GPa, kinematic_modulus: 1 GPa}",
               {"bodies.plate.material", "harden isotropically alone"});
  expect_plate("law: j2", "law: own", {"bodies.plate.material"});
}

TEST(ShellMaterial, LayersAreChecked) {
  expect_plate("material: soft", "material: soft, layers: {points: 6, strain: green-lagrange}", {});
  expect_plate("material: soft", "material: soft, layers: {points: 5}",
               {"bodies.plate.layers.points", "must be 4 or 6"});
  expect_plate("material: soft", "material: soft, layers: {strain: log}", {"bodies.plate.layers.strain"});
  expect_plate("material: soft", "youngs_modulus: 1, density: 1, layers: {points: 4}",
               {"bodies.plate.layers", "law hencky and j2 alone"});
}

TEST(ShellMaterial, SchemesThatDoNotRememberRefuseIt) {
  expect_plate("central-difference", "newmark", {"bodies.plate.material", "does not know materials that yield"});
  expect_plate("courant: 0.5", "follow: 0.5", {});
}

}  // namespace
}  // namespace ictus
