#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/mechanics/solid/solid.hpp>
#include <numbers>
#include <random>

namespace ictus::mechanics {
namespace {

using geometry::VolumeElement;
using geometry::VolumeMesh;
using math::Vec3;

constexpr double density = 2, youngs_modulus = 7, poissons_ratio = 0.3;

/// A box of 2 × 2 × 3 cells, its inner nodes and, in their planes, its outer ones moved about.
VolumeMesh distorted_box(VolumeElement element) {
  const Vec3 size(1, 1.2, 1.5);
  VolumeMesh mesh = geometry::box_mesh(size, {2, 2, 3}, element);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> value(-0.05, 0.05);
  for (Vec3& x : mesh.nodes) {
    for (int c = 0; c < 3; ++c) {
      const double shift = value(random);
      if (x[c] > 1e-9 && x[c] < size[c] - 1e-9) x[c] += shift;
    }
  }
  return mesh;
}

struct Subject {
  SolidMaterial material;
  VolumeElement element;
  double ratio = poissons_ratio;  ///< above 0.45 tetrahedra keep the volume around their nodes
};

Solid make(const Subject& subject, const Vec3& gravity = Vec3::Zero(), std::size_t first_dof = 0) {
  SolidProperties properties;
  properties.material = subject.material;
  properties.lame = lame(youngs_modulus, subject.ratio);
  properties.density = density;
  properties.gravity = gravity;
  return {"block", distorted_box(subject.element), properties, first_dof};
}

class SolidTest : public ::testing::TestWithParam<Subject> {
 protected:
  exec::Executor exec;

  static std::vector<double> positions(const Solid& solid) {
    std::vector<double> q(solid.dofs().end()), p(q.size());
    solid.initialise(q, p);
    return q;
  }
  /// Every point moved a little, at random.
  static std::vector<double> shaken(const Solid& solid, double by = 0.02) {
    std::vector<double> q = positions(solid);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> value(-by, by);
    for (double& x : q) x += value(random);
    return q;
  }
  static void transform(std::vector<double>& q, const Eigen::Matrix3d& a, const Vec3& b) {
    for (std::size_t k = 0; k < q.size(); k += 3) {
      const Vec3 x = a * Vec3::Map(q.data() + k) + b;
      for (int c = 0; c < 3; ++c) q[k + static_cast<std::size_t>(c)] = x[c];
    }
  }
  std::vector<double> force(const Solid& solid, std::span<const double> q) const {
    std::vector<double> f(q.size(), 0.0);
    solid.kick(exec, q, 1.0, f);
    return f;
  }
  double energy(const Solid& solid, std::span<const double> q) const {
    const PotentialEnergy energy = solid.potential_energy(exec, q);
    return energy.strain + energy.gravity;
  }
};

TEST_P(SolidTest, LumpedMassIsThatOfTheBox) { EXPECT_NEAR(make(GetParam()).total_mass(), density * 1.8, 1e-13); }

/// An affine motion strains every element alike: inner nodes feel nothing, and the energy is that of one strain.
TEST_P(SolidTest, PassesThePatchTest) {
  const Solid solid = make(GetParam());
  std::vector<double> q = positions(solid);
  Eigen::Matrix3d a;
  a << 1.02, 0.01, -0.02, 0.015, 0.98, 0.01, 0.0, -0.01, 1.03;
  transform(q, a, Vec3(3, -1, 2));
  const std::vector<double> f = force(solid, q);
  const VolumeMesh box = geometry::box_mesh({1, 1.2, 1.5}, {2, 2, 3}, GetParam().element);
  int inner = 0;
  for (std::size_t k = 0; k < f.size(); k += 3) {
    const Vec3& x = box.nodes[k / 3];
    if ((x.array() < 1e-9).any() || ((Vec3(1, 1.2, 1.5) - x).array() < 1e-9).any()) continue;
    ++inner;
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(f[k + c], 0, GetParam().ratio > 0.45 ? 5e-14 : 1e-14);  // λ is 29 times
  }
  EXPECT_EQ(inner, 2);
  const VolumeMesh one = geometry::box_mesh({1, 1, 1}, {1, 1, 1}, GetParam().element);
  SolidProperties properties;
  properties.material = GetParam().material;
  properties.lame = lame(youngs_modulus, GetParam().ratio);
  properties.density = density;
  const Solid cell("cell", one, properties, 0);
  std::vector<double> corner = positions(cell);
  transform(corner, a, Vec3::Zero());
  EXPECT_NEAR(energy(solid, q), 1.8 * energy(cell, corner), 1e-14);
}

/// Turned by 90° and moved, a body is as unstressed as before; the linear law is for small rotations and is not.
TEST_P(SolidTest, RigidMotionLeavesItUnstressed) {
  const Solid solid = make(GetParam());
  std::vector<double> q = positions(solid);
  Eigen::Matrix3d a;
  a << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  transform(q, a, Vec3(0.5, 2, -1));
  double largest = 0;
  for (const double f : force(solid, q)) largest = std::max(largest, std::abs(f));
  if (GetParam().material == SolidMaterial::linear) {
    EXPECT_GT(largest, 0.1);
  } else {
    EXPECT_LT(largest, 1e-14);
    EXPECT_LT(std::abs(energy(solid, q)), 1e-15);
  }
}

TEST_P(SolidTest, ForcesAndMomentsComeInPairs) {
  const Solid solid = make(GetParam());
  const std::vector<double> q = shaken(solid), f = force(solid, q);
  const Momentum total = solid.momentum(q, f);
  EXPECT_LT(total.linear.norm(), 1e-14);
  const bool turns_freely = GetParam().material != SolidMaterial::linear;
  EXPECT_TRUE(!turns_freely || total.angular.norm() < 1e-14) << total.angular.norm();
}

TEST_P(SolidTest, ForceIsMinusTheGradient) {
  const Solid solid = make(GetParam(), Vec3(0.1, 0.2, -0.3), 6);
  std::vector<double> q = shaken(solid);
  const std::vector<double> f = force(solid, q);
  const double d = 1e-5;
  for (std::size_t k = 6; k < q.size(); k += 7) {
    const double at = q[k];
    q[k] = at + d;
    const double above = energy(solid, q);
    q[k] = at - d;
    const double below = energy(solid, q);
    q[k] = at;
    // Central differences: d² of the third derivative, and round-off of the energy over d.
    EXPECT_NEAR(f[k], -(above - below) / (2 * d), 1e-8);
  }
}

TEST_P(SolidTest, StiffnessIsTheHessian) {
  const Solid solid = make(GetParam(), Vec3::Zero(), 3);
  std::vector<double> q = shaken(solid);
  std::vector<StiffnessEntry> entries;
  solid.stiffness(q, entries);
  const std::size_t n = q.size();
  std::vector<double> k(n * n, 0.0);
  for (const auto& [row, column, value] : entries)
    k[static_cast<std::size_t>(row) * n + static_cast<std::size_t>(column)] += value;
  const double d = 1e-5;
  for (std::size_t j = 3; j < n; j += 5) {
    const double at = q[j];
    q[j] = at + d;
    const std::vector<double> above = force(solid, q);
    q[j] = at - d;
    const std::vector<double> below = force(solid, q);
    q[j] = at;
    for (std::size_t i = 3; i < n; ++i) {
      EXPECT_NEAR(k[i * n + j], -(above[i] - below[i]) / (2 * d), 2e-7);
      EXPECT_NEAR(k[i * n + j], k[j * n + i], 1e-12);
    }
  }
}

/// Damping by the stiffness: of the unloaded body K v itself; of a deformed one forces that take energy, come in pairs
/// and leave rigid motions alone.
TEST_P(SolidTest, DampsStrainRates) {
  const Solid solid = make(GetParam());
  const std::vector<double> rest = positions(solid);
  std::vector<double> v = shaken(solid, 0.3), expected(v.size()), p(v.size());
  for (std::size_t k = 0; k < v.size(); ++k) v[k] -= rest[k];
  std::vector<StiffnessEntry> entries;
  solid.stiffness(rest, entries);
  for (const auto& [row, column, value] : entries)
    expected[static_cast<std::size_t>(row)] -= 0.5 * value * v[static_cast<std::size_t>(column)];
  solid.apply_damping(exec, rest, v, 0.5, p);
  for (std::size_t k = 0; k < p.size(); ++k) EXPECT_NEAR(p[k], expected[k], 1e-13);

  const std::vector<double> q = shaken(solid, 0.05);
  std::fill(p.begin(), p.end(), 0.0);
  solid.apply_damping(exec, q, v, 1.0, p);
  double power = 0;
  for (std::size_t k = 0; k < p.size(); ++k) power += p[k] * v[k];
  EXPECT_LT(power, -0.1);
  const Momentum total = solid.momentum(q, p);
  EXPECT_LT(total.linear.norm(), 1e-13);
  const bool turns_freely = GetParam().material != SolidMaterial::linear;
  EXPECT_TRUE(!turns_freely || total.angular.norm() < 1e-13) << total.angular.norm();
  const Vec3 spin(0.3, -0.2, 0.5);
  for (std::size_t k = 0; k < v.size(); k += 3) {
    const Vec3 turning = Vec3(1, 2, 3) + spin.cross(Vec3::Map((turns_freely ? q : rest).data() + k));
    for (std::size_t c = 0; c < 3; ++c) v[k + c] = turning[static_cast<int>(c)];
  }
  std::fill(p.begin(), p.end(), 0.0);
  solid.apply_damping(exec, q, v, 1.0, p);
  for (const double impulse : p) EXPECT_NEAR(impulse, 0, 1e-13);
}

/// Energies of an interval agree with what they are defined by.
TEST_P(SolidTest, IntervalEnergiesAreConsistent) {
  const Solid solid = make(GetParam(), Vec3(0, 0, -1));
  const std::vector<double> q = shaken(solid), mass(solid.mass().begin(), solid.mass().end());
  std::vector<double> p(q.size()), next(q);
  const double h = 0.01;
  double power = 0;
  const std::vector<double> f = force(solid, q);
  for (std::size_t k = 0; k < q.size(); ++k) {
    p[k] = mass[k] * std::sin(static_cast<double>(k));
    next[k] += h * std::sin(static_cast<double>(k));
    power += f[k] * std::sin(static_cast<double>(k));
  }
  const PotentialEnergy interval = solid.interval_energy(exec, q, p, h),
                        trapezoid = solid.trapezoid_energy(exec, q, p, h);
  EXPECT_NEAR(interval.strain + interval.gravity, energy(solid, q) - 0.5 * h * power, 1e-14);
  EXPECT_NEAR(trapezoid.strain + trapezoid.gravity, 0.5 * (energy(solid, q) + energy(solid, next)), 1e-14);
  EXPECT_NEAR(solid.chord_energy(exec, q, p, h), trapezoid.strain - interval.strain, 1e-14);
}

/// The bound by elements lies below the critical step of the mesh, and not far below.
TEST_P(SolidTest, CriticalStepBoundsTheFastestMode) {
  const Solid solid = make(GetParam());
  const std::vector<double> q = positions(solid);
  std::vector<StiffnessEntry> entries;
  solid.stiffness(q, entries);
  std::vector<double> x(q.size()), y(q.size());
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::sin(1.0 + 3.7 * static_cast<double>(k * k));
  double omega_sq = 0;
  for (int n = 0; n < 2000; ++n) {  // power iteration on M⁻¹K
    std::fill(y.begin(), y.end(), 0.0);
    for (const auto& [row, column, value] : entries)
      y[static_cast<std::size_t>(row)] +=
          value * x[static_cast<std::size_t>(column)] / solid.mass()[static_cast<std::size_t>(row)];
    double norm = 0;
    for (const double value : y) norm = std::max(norm, std::abs(value));
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = y[k] / norm;
    omega_sq = norm;
  }
  const double critical = 2 / std::sqrt(omega_sq);
  EXPECT_LE(solid.critical_step().step, critical * (1 + 1e-6));
  // Volumes around nodes resist less than those of elements, which the bound is of.
  EXPECT_GE(solid.critical_step().step, (GetParam().ratio > 0.45 ? 0.4 : 0.6) * critical);
}

TEST_P(SolidTest, FrameShowsUniaxialStress) {
  const Solid solid = make(GetParam());
  std::vector<double> q = positions(solid);
  const double strain = 1e-6;
  Eigen::Matrix3d a = Eigen::Matrix3d::Identity() * (1 - GetParam().ratio * strain);
  a(0, 0) = 1 + strain;
  transform(q, a, Vec3::Zero());
  const Picture picture = solid.draw(q, q);
  EXPECT_EQ(picture.points.size(), solid.node_count());
  const auto check = [&](std::string_view name, double expected) {
    const auto same = [&](const Picture::Field& field) { return field.name == name; };
    const auto found = std::find_if(picture.fields.begin(), picture.fields.end(), same);
    ASSERT_NE(found, picture.fields.end());
    for (const double value : found->values) EXPECT_NEAR(value, expected, 1e-4 * expected);
  };
  check("von_mises", youngs_modulus * strain);
  check("strain_energy_density", 0.5 * youngs_modulus * strain * strain);
}

INSTANTIATE_TEST_SUITE_P(All, SolidTest,
                         ::testing::Values(Subject{SolidMaterial::linear, VolumeElement::tetrahedron},
                                           Subject{SolidMaterial::linear, VolumeElement::tetrahedron, 0.49},
                                           Subject{SolidMaterial::st_venant_kirchhoff, VolumeElement::tetrahedron,
                                                   0.49},
                                           Subject{SolidMaterial::neo_hookean, VolumeElement::tetrahedron, 0.49},
                                           Subject{SolidMaterial::linear, VolumeElement::hexahedron},
                                           Subject{SolidMaterial::st_venant_kirchhoff, VolumeElement::tetrahedron},
                                           Subject{SolidMaterial::st_venant_kirchhoff, VolumeElement::hexahedron},
                                           Subject{SolidMaterial::neo_hookean, VolumeElement::tetrahedron},
                                           Subject{SolidMaterial::neo_hookean, VolumeElement::hexahedron}));

TEST(Solid, TwoThreadsGiveTheSameBitsAsOne) {
  for (const auto& [element, ratio] : {std::pair{VolumeElement::tetrahedron, poissons_ratio},
                                       {VolumeElement::tetrahedron, 0.49},
                                       {VolumeElement::hexahedron, poissons_ratio}}) {
    SolidProperties properties;
    properties.lame = lame(youngs_modulus, ratio);
    properties.density = density;
    const Solid solid("block", geometry::box_mesh({1, 1, 1}, {24, 24, 24}, element), properties, 0);
    std::vector<double> q(solid.dofs().size), p(q.size());
    solid.initialise(q, p);
    for (std::size_t k = 0; k < q.size(); ++k) q[k] += 1e-3 * std::sin(static_cast<double>(k));
    std::vector<double> one(q.size(), 0.0), three(q.size(), 0.0);
    solid.kick(exec::Executor(1), q, 0.1, one);
    solid.kick(exec::Executor(3), q, 0.1, three);
    EXPECT_EQ(one, three);
    EXPECT_EQ(solid.potential_energy(exec::Executor(1), q).strain, solid.potential_energy(exec::Executor(3), q).strain);
  }
}

TEST(Solid, NamesAnInvertedElement) {
  SolidProperties properties;
  properties.lame = lame(youngs_modulus, poissons_ratio);
  properties.density = density;
  const Solid solid("block", geometry::box_mesh({1, 1, 1}, {2, 2, 2}, VolumeElement::hexahedron), properties, 0);
  std::vector<double> q(solid.dofs().size), p(q.size());
  solid.initialise(q, p);
  q[0] += 0.9;
  q[1] += 0.9;
  q[2] += 0.9;
  try {
    solid.kick(exec::Executor(1), q, 0.1, p);
    FAIL() << "node 0 is beyond the opposite corner";
  } catch (const base::NumericalFailure& failure) {
    EXPECT_NE(failure.where().find("element 0 of block"), std::string::npos) << failure.where();
  }
}

/// The resultant of a pressure on one face is pressure times area, and turns the other way on the opposite one.
TEST(Solid, PressurePushesInwards) {
  const VolumeMesh mesh = geometry::box_mesh({1, 2, 3}, {2, 2, 2}, VolumeElement::tetrahedron);
  SolidProperties properties;
  properties.lame = lame(youngs_modulus, poissons_ratio);
  properties.density = density;
  SolidPressure top{{}, 5.0};
  for (const geometry::OuterFace& face : geometry::outer_faces(mesh)) {
    const bool on_top = std::all_of(face.begin(), face.end(),
                                    [&](int i) { return i < 0 || mesh.nodes[static_cast<std::size_t>(i)].z() == 3; });
    if (on_top) top.faces.push_back(face);
  }
  properties.pressures = {top};
  const Solid solid("block", mesh, properties, 0);
  std::vector<double> q(solid.dofs().size), p(q.size());
  solid.initialise(q, p);
  solid.kick(exec::Executor(1), q, 1.0, p);
  const Momentum total = solid.momentum(q, p), from_outside = solid.gravity_impulse(q, 1.0);
  EXPECT_NEAR((total.linear - Vec3(0, 0, -10)).norm(), 0, 1e-13);
  EXPECT_NEAR((total.linear - from_outside.linear).norm() + (total.angular - from_outside.angular).norm(), 0, 1e-13);
}

/// A pressure on all faces of a hexahedron that is no box: its forces are those of uniform stress, σ = −p I, which the
/// elements balance with F = I + εI.
TEST(Solid, UniformPressureIsUniformStress) {
  VolumeMesh mesh = geometry::box_mesh({1, 2, 3}, {2, 3, 2}, VolumeElement::hexahedron);
  for (Vec3& x : mesh.nodes) x += 0.1 * Vec3(std::sin(x.y() + x.z()), std::sin(2 * x.x()), std::cos(x.x() + x.y()));
  SolidProperties properties;
  properties.material = SolidMaterial::linear;
  properties.lame = lame(youngs_modulus, poissons_ratio);
  properties.density = density;
  const double strain = 1e-3, pressure = 3 * strain * (properties.lame.lambda + 2 * properties.lame.mu / 3);
  properties.pressures = {{geometry::outer_faces(mesh), pressure}};
  const Solid solid("block", mesh, properties, 0);
  std::vector<double> q(solid.dofs().size), p(q.size());
  solid.initialise(q, p);
  for (double& x : q) x *= 1 - strain;
  solid.kick(exec::Executor(1), q, 1.0, p);
  for (const double force : p) EXPECT_NEAR(force, 0, 1e-12 * pressure);
}

}  // namespace
}  // namespace ictus::mechanics
