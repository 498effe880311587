#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <ictus/geometry/mesh/edge_topology.hpp>
#include <ictus/geometry/subdivision/loop_patch.hpp>
#include <numbers>
#include <unit/mechanics/shell_samples.hpp>

namespace ictus::mechanics {
namespace {

using geometry::SphereBase;
using math::Vec3;

/// Closed, open, with a plane of symmetry, and with vertices held.
std::vector<ShellProperties> samples() {
  std::vector<ShellProperties> all;
  all.push_back(steel_like(geometry::sphere(1, SphereBase::octahedron, 1), 0.05));
  all.push_back(steel_like(geometry::box({1, 1, 1}, {2, 2, 2}), 0.05));
  all.push_back(steel_like(geometry::disc(1, 3), 0.02));
  all.push_back(steel_like(geometry::tube(1, 1.5, 9, 3), 0.05));
  // A half of a tube's wall that its mirror image completes; the free corners of both meet there.
  ShellProperties half = steel_like(geometry::plate(2, 1, 4, 3), 0.05);
  for (Vec3& x : half.mesh.positions) x = {x.x() + 1, x.y(), 0.3 * x.x() * x.x() - 0.2 * x.y() * x.x()};
  SymmetryPlane plane{0, 0, {}};
  for (int v = 0; v < static_cast<int>(half.mesh.positions.size()); ++v) {
    if (half.mesh.positions[static_cast<std::size_t>(v)].x() < 1e-12) plane.vertices.push_back(v);
  }
  half.symmetries = {plane};
  all.push_back(half);
  // One end of a tube clamped: beyond it ghosts of their own.
  ShellProperties clamped = steel_like(geometry::tube(1, 1.5, 9, 3), 0.05);
  const geometry::EdgeTopology topology(clamped.mesh);
  for (int v = 0; v < static_cast<int>(clamped.mesh.positions.size()); ++v) {
    if (topology.on_boundary(v) && clamped.mesh.positions[static_cast<std::size_t>(v)].z() > 0)
      clamped.clamped.push_back(v);
  }
  all.push_back(clamped);
  return all;
}

/// Moves as a whole at no cost.
bool is_free(const ShellProperties& shell) { return shell.symmetries.empty() && shell.clamped.empty(); }

TEST(LoopPatch, FunctionsArePartitionOfUnityAndReproduceQuadraticsByDerivatives) {
  double sum = 0, d1 = 0, d11 = 0, d12 = 0;
  for (const geometry::Jet& f : geometry::loop::at_barycentre) {
    sum += f.value;
    d1 += f.d1;
    d11 += f.d11;
    d12 += f.d12;
  }
  EXPECT_NEAR(sum, 1, 1e-15);
  EXPECT_NEAR(d1, 0, 1e-15);
  EXPECT_NEAR(d11, 0, 1e-14);
  EXPECT_NEAR(d12, 0, 1e-14);
}

TEST(LoopPatch, RefinementGivesTheRegularFunctionsBack) {
  const geometry::TriangleMesh mesh = geometry::plate(5, 5, 5, 5);
  const geometry::EdgeTopology topology(mesh);
  const int middle = 2 * (5 * 2 + 2);
  const geometry::Patch direct = barycentre_patch(mesh, topology, middle),
                        refined = refined_patch(mesh, topology, middle);
  ASSERT_TRUE(direct.regular);
  ASSERT_FALSE(refined.regular);
  ASSERT_EQ(refined.vertices.size(), 12U);
  for (std::size_t i = 0; i < 12; ++i) {
    const auto found = std::find(refined.vertices.begin(), refined.vertices.end(), direct.vertices[i]);
    ASSERT_NE(found, refined.vertices.end());
    const geometry::Jet& a = direct.functions[i];
    const geometry::Jet& b = refined.functions[static_cast<std::size_t>(found - refined.vertices.begin())];
    for (const auto member : {&geometry::Jet::value, &geometry::Jet::d1, &geometry::Jet::d2, &geometry::Jet::d11,
                              &geometry::Jet::d22, &geometry::Jet::d12})
      EXPECT_NEAR(a.*member, b.*member, 1e-14);
  }
}

TEST(Shell, ForceIsTheGradientOfTheEnergy) {
  for (const ShellProperties& properties : samples()) {
    const Shell shell("shell", properties, 0);
    const std::vector<double> q = disturbed(rest_of(shell), 0.05), f = force(shell, q);
    const double largest =
        std::abs(*std::max_element(f.begin(), f.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
    const double d = 1e-5;
    for (std::size_t k = 0; k < q.size(); k += 5) {
      std::vector<double> moved = q;
      const auto at = [&](double by) {
        moved[k] = q[k] + by;
        return energy(shell, moved);
      };
      // Fourth order in d: the error left is the round-off of the energy over d.
      const double slope = (8 * (at(d) - at(-d)) - (at(2 * d) - at(-2 * d))) / (12 * d);
      EXPECT_NEAR(-f[k], slope, 1e-7 * largest) << "unknown " << k;
    }
  }
}

TEST(Shell, StiffnessIsTheDerivativeOfTheForce) {
  for (const ShellProperties& properties : samples()) {
    const Shell shell("shell", properties, 3);  // dofs need not begin at zero
    const std::vector<double> q = disturbed(rest_of(shell), 0.05);
    const std::vector<double> direction = disturbed(std::vector<double>(q.size(), 0.0), 1);
    std::vector<StiffnessEntry> entries;
    shell.stiffness(q, entries);
    std::vector<double> product(q.size(), 0.0);
    for (const StiffnessEntry& entry : entries)
      product[static_cast<std::size_t>(entry.row)] += entry.value * direction[static_cast<std::size_t>(entry.column)];
    const double d = 1e-5;
    std::vector<double> forward = q, back = q;
    for (std::size_t k = 3; k < q.size(); ++k) forward[k] += d * direction[k], back[k] -= d * direction[k];
    const std::vector<double> f1 = force(shell, forward), f0 = force(shell, back);
    double largest = 0;
    for (const double value : product) largest = std::max(largest, std::abs(value));
    for (std::size_t k = 3; k < q.size(); ++k)
      EXPECT_NEAR(product[k], (f0[k] - f1[k]) / (2 * d), 1e-6 * largest) << "unknown " << k;
  }
}

TEST(Shell, RigidMotionCostsNothingAndForcesTurnWithTheShell) {
  const Eigen::AngleAxisd turn(2.1, Vec3(1, -2, 0.5).normalized());
  for (const ShellProperties& properties : samples()) {
    if (!is_free(properties)) continue;
    const Shell shell("shell", properties, 0);
    const auto moved = [&](const std::vector<double>& q) {
      std::vector<double> result = q;
      for (std::size_t k = 0; k < q.size(); k += 3)
        Vec3::Map(&result[k]) = turn * Vec3(Vec3::Map(&q[k])) + Vec3(3, 1, -2);
      return result;
    };
    const std::vector<double> rest = rest_of(shell), q = disturbed(rest, 0.05);
    const double scale = energy(shell, q);
    EXPECT_LT(energy(shell, moved(rest)), 1e-24 * scale);
    EXPECT_NEAR(energy(shell, moved(q)), scale, 1e-12 * scale);
    const std::vector<double> f = force(shell, q), turned = force(shell, moved(q));
    for (std::size_t k = 0; k < q.size(); k += 3)
      EXPECT_LT((turn * Vec3(Vec3::Map(&f[k])) - Vec3(Vec3::Map(&turned[k]))).norm(), 1e-11 * scale / 0.05);
  }
}

TEST(Shell, ForcesOfAFreeShellHaveNoResultant) {
  for (const ShellProperties& properties : samples()) {
    if (!is_free(properties)) continue;
    const Shell shell("shell", properties, 0);
    const std::vector<double> q = disturbed(rest_of(shell), 0.05), f = force(shell, q);
    const Momentum sum = shell.momentum(q, f);
    const double scale = shell.momentum_scale(f);
    EXPECT_LT(sum.linear.norm(), 1e-14 * scale);
    EXPECT_LT(sum.angular.norm(), 1e-14 * scale);
  }
}

TEST(Shell, MassIsThatOfTheLimitSurfaceAndPositive) {
  for (const ShellProperties& properties : samples()) {
    const Shell shell("shell", properties, 0);
    double area = 0;
    for (std::size_t e = 0; e < shell.elements().element_count(); ++e) area += shell.elements().rest_of(e).area();
    EXPECT_NEAR(shell.total_mass(), properties.density * properties.thickness * area, 1e-14 * shell.total_mass());
    for (const double mass : shell.mass()) EXPECT_GT(mass, 0);
  }
  // Octahedron of level 4: E0 = ½ m (150² + 50²) of the two spheres of cirak-2005 is 611.95.
  const Shell sphere("sphere", steel_like(geometry::sphere(1, SphereBase::octahedron, 4), 0.05), 0);
  EXPECT_NEAR(0.5 * sphere.total_mass() * 25000, 611.95, 0.005);
}

TEST(Shell, AMirroredHalfMovesAsTheWhole) {
  // A plate bent about y and its half x ≥ 0: the same energy and forces where both exist.
  const auto bend = [](geometry::TriangleMesh mesh) {
    for (Vec3& x : mesh.positions) x.z() = 0.2 * x.x() * x.x() + 0.1 * std::cos(2 * x.x()) * x.y();
    return mesh;
  };
  geometry::TriangleMesh half = geometry::plate(2, 1, 4, 2);
  for (Vec3& x : half.positions) x.x() += 1;
  geometry::TriangleMesh whole = half;
  std::vector<int> image(half.positions.size());
  SymmetryPlane plane{0, 0, {}};
  for (std::size_t v = 0; v < half.positions.size(); ++v) {
    image[v] = static_cast<int>(v);
    if (half.positions[v].x() < 1e-12) {
      plane.vertices.push_back(static_cast<int>(v));
      continue;
    }
    image[v] = static_cast<int>(whole.positions.size());
    whole.positions.emplace_back(-half.positions[v].x(), half.positions[v].y(), 0);
  }
  for (const geometry::Triangle& t : half.triangles) {
    whole.triangles.push_back({image[static_cast<std::size_t>(t[0])], image[static_cast<std::size_t>(t[2])],
                               image[static_cast<std::size_t>(t[1])]});
  }
  ShellProperties of_half = steel_like(bend(half), 0.05);
  of_half.symmetries = {plane};
  const Shell a("half", of_half, 0), b("whole", steel_like(bend(whole), 0.05), 0);
  std::vector<double> qa = rest_of(a), qb = rest_of(b);
  for (std::vector<double>* q : {&qa, &qb})
    for (std::size_t k = 0; k < q->size(); k += 3) (*q)[k + 2] += 0.02 * std::cos(3 * (*q)[k]) * (1 + (*q)[k + 1]);
  EXPECT_NEAR(2 * energy(a, qa), energy(b, qb), 1e-12 * energy(b, qb));
  const std::vector<double> fa = force(a, qa), fb = force(b, qb);
  // The image pushes along the normal of the mirror alone, and the half knows how much.
  const Momentum pushed = a.gravity_impulse(qa, 1), received = a.momentum(qa, fa);
  const double scale = a.momentum_scale(fa);
  EXPECT_LT((pushed.linear - received.linear).norm(), 1e-14 * scale);
  EXPECT_LT((pushed.angular - received.angular).norm(), 1e-14 * scale);
  EXPECT_GT(std::abs(pushed.linear.x()), 1e-3 * scale);
  EXPECT_LT(std::hypot(pushed.linear.y(), pushed.linear.z()), 1e-14 * scale);
  for (std::size_t v = 0; v < half.positions.size(); ++v) {
    const bool on_plane = image[v] == static_cast<int>(v);
    EXPECT_NEAR(b.mass()[3 * v], (on_plane ? 2 : 1) * a.mass()[3 * v], 1e-14);
    for (std::size_t c = on_plane ? 1 : 0; c < 3; ++c)
      EXPECT_NEAR(fb[3 * v + c], (on_plane ? 2 : 1) * fa[3 * v + c], 1e-9) << v;
  }
}

/// Rows of K u for vertices at least `rings` rows inside a plate of n × n squares.
double largest_inner_force(const Shell& shell, int n, int rings, const std::vector<double>& u) {
  std::vector<StiffnessEntry> entries;
  shell.stiffness(rest_of(shell), entries);
  std::vector<double> f(u.size(), 0.0);
  for (const StiffnessEntry& entry : entries)
    f[static_cast<std::size_t>(entry.row)] += entry.value * u[static_cast<std::size_t>(entry.column)];
  double largest = 0;
  for (int j = rings; j <= n - rings; ++j)
    for (int i = rings; i <= n - rings; ++i)
      largest = std::max(largest, Vec3::Map(&f[3 * static_cast<std::size_t>(j * (n + 1) + i)]).norm());
  return largest;
}

/// Constant membrane strain and constant curvature on a sheared regular mesh: every element sees them exactly, and
/// inside the plate they are in equilibrium.
TEST(Shell, PassesThePatchTestsOfMembraneAndBending) {
  const int n = 8;
  geometry::TriangleMesh mesh = geometry::plate(1, 1, n, n);
  for (Vec3& x : mesh.positions) x = {1.2 * x.x() + 0.3 * x.y(), 0.1 * x.x() + 0.9 * x.y(), 0};
  const Shell shell("plate", steel_like(mesh, 0.02), 0);
  const std::vector<double> rest = rest_of(shell);
  const double small = 1e-6;
  std::vector<double> stretched = rest, bent = rest, u_membrane(rest.size(), 0.0), u_bending(rest.size(), 0.0);
  for (std::size_t k = 0; k < rest.size(); k += 3) {
    const double x = rest[k], y = rest[k + 1];
    u_membrane[k] = 2 * x + 0.5 * y;
    u_membrane[k + 1] = 0.5 * x - y;
    u_bending[k + 2] = 0.5 * (3 * x * x - 1 * y * y + 2 * 0.7 * x * y);
    for (std::size_t c = 0; c < 3; ++c) {
      stretched[k + c] += small * u_membrane[k + c];
      bent[k + c] += small * u_bending[k + c];
    }
  }
  for (std::size_t e = 0; e < shell.elements().element_count(); ++e) {
    // Invariants do not depend on the element's own axes. Elements at the boundary bend less, their ghosts lie
    // straight.
    const auto at = [&](const std::vector<double>& q) {
      return shell_strain(shell.elements().rest_of(e), shell.elements().wall(),
                          shell.elements().derivatives(e, q.data()));
    };
    const auto m = at(stretched);
    EXPECT_NEAR((m.e11 + m.e22) / small, 2 - 1, 1e-5);
    EXPECT_NEAR((m.e11 * m.e22 - m.e12 * m.e12) / (small * small), -2 - 0.25, 1e-4);
    const int square = static_cast<int>(e) / 2, i = square % n, j = square / n;
    if (i == 0 || j == 0 || i == n - 1 || j == n - 1) continue;
    const auto b = at(bent);
    EXPECT_NEAR((b.k11 + b.k22) / small, 3 - 1, 1e-5);
    EXPECT_NEAR((b.k11 * b.k22 - b.k12 * b.k12) / (small * small), -3 - 0.49, 1e-4);
  }
  // The scale of a force is that of one stretched edge: membrane stiffness over strains of order one.
  EXPECT_LT(largest_inner_force(shell, n, 2, u_membrane), 1e-12 * shell.elements().wall().membrane);
  EXPECT_LT(largest_inner_force(shell, n, 3, u_bending), 1e-10 * shell.elements().wall().bending * n);
}

TEST(Shell, SameBitsOnTwoThreads) {
  const Shell shell("plate", steel_like(geometry::renumbered(geometry::plate(1, 1, 60, 60)), 0.02), 0);
  const std::vector<double> q = disturbed(rest_of(shell), 0.001);
  EXPECT_EQ(force(shell, q, 1), force(shell, q, 2));
  const exec::Executor one(1), two(2);
  EXPECT_EQ(shell.potential_energy(one, q).strain, shell.potential_energy(two, q).strain);
  const std::vector<double> p = disturbed(std::vector<double>(q.size(), 0.0), 1e-3);
  EXPECT_EQ(shell.interval_energy(one, q, p, 1e-5).strain, shell.interval_energy(two, q, p, 1e-5).strain);
}

TEST(Shell, IntervalEnergyIsWhatTheLeapfrogKeeps) {
  ShellProperties properties = steel_like(geometry::disc(1, 3), 0.05);
  properties.gravity = {0, 0, -10};
  properties.held = {0, 1};
  const Shell shell("disc", properties, 0);
  const exec::Executor exec(1);
  const std::vector<double> q = disturbed(rest_of(shell), 0.02), f = force(shell, q);
  const std::vector<double> p = disturbed(std::vector<double>(q.size(), 0.0), 1e-2);
  std::vector<double> end = q;
  double work = 0;
  const double h = 1e-3;
  for (std::size_t k = 0; k < q.size(); ++k) {
    const double v = k < 6 ? 0 : p[k] / shell.mass()[k];
    end[k] += h * v;
    work += h * f[k] * v;
  }
  const auto total = [](const PotentialEnergy& energy) { return energy.strain + energy.gravity; };
  const double start = total(shell.potential_energy(exec, q)), finish = total(shell.potential_energy(exec, end));
  EXPECT_NEAR(total(shell.interval_energy(exec, q, p, h)), start - 0.5 * work, 1e-12 * start);
  EXPECT_NEAR(total(shell.trapezoid_energy(exec, q, p, h)), 0.5 * (start + finish), 1e-12 * start);
  // What the chord has beyond the tangent is ¼ h² v·Kv; the odd part of the rest goes with the sign of h.
  constexpr double shift = 1e-5, small = 2e-5;
  std::vector<double> ahead = q, behind = q, v(q.size());
  for (std::size_t k = 6; k < q.size(); ++k) {
    v[k] = p[k] / shell.mass()[k];
    ahead[k] += shift * v[k];
    behind[k] -= shift * v[k];
  }
  const std::vector<double> further = force(shell, ahead), nearer = force(shell, behind);
  double stiffness = 0;
  for (std::size_t k = 0; k < q.size(); ++k) stiffness += v[k] * (nearer[k] - further[k]) / (2 * shift);
  const double chord = 0.5 * (shell.chord_energy(exec, q, p, small) + shell.chord_energy(exec, q, p, -small));
  EXPECT_NEAR(chord, 0.25 * small * small * stiffness, 1e-5 * std::abs(chord));
}

/// The clamp takes up a moment, which the shell tells as what its surroundings gave.
TEST(Shell, ClampsPushWhatTheShellSays) {
  const ShellProperties properties = samples().back();
  ASSERT_FALSE(properties.clamped.empty());
  const Shell shell("tube", properties, 0);
  const std::vector<double> q = disturbed(rest_of(shell), 0.05), f = force(shell, q);
  const Momentum pushed = shell.gravity_impulse(q, 1), received = shell.momentum(q, f);
  const double scale = shell.momentum_scale(f);
  EXPECT_LT((pushed.linear - received.linear).norm(), 1e-14 * scale);
  EXPECT_LT((pushed.angular - received.angular).norm(), 1e-14 * scale);
  EXPECT_GT(pushed.angular.norm(), 1e-4 * scale);
  EXPECT_EQ(shell.fixed().size(), 3 * properties.clamped.size());
}

const std::vector<double>& field_named(const Picture& picture, const std::string& name) {
  return std::find_if(picture.fields.begin(), picture.fields.end(), [&](const auto& f) { return f.name == name; })
      ->values;
}

/// A sphere blown up by a factor 1 + e: membrane force E h/(1 − ν) ε with ε = e + e²/2 in all directions, curvature
/// (1/R)(1 − (1 + e)) per rest length in the bending strain, everywhere the same on the round limit.
TEST(Shell, FieldsOfAnInflatedSphereAreThoseOfTheClosedForm) {
  const double e = 0.01, h = 0.05, young = 2.1e5, strain = e + e * e / 2;
  const Shell sphere("sphere", steel_like(geometry::sphere(1, SphereBase::octahedron, 4), h), 0);
  std::vector<double> q = rest_of(sphere);
  for (double& x : q) x *= 1 + e;
  const Picture picture = sphere.draw(q, std::vector<double>(q.size(), 0.0));
  const double force = young * h / 0.7 * strain, moment = young * h * h * h / 12 / 0.7 * e;
  const auto near = [&](const std::string& name, double value, double within_mean, double within) {
    double sum = 0;
    for (const double found : field_named(picture, name)) {
      EXPECT_NEAR(std::abs(found), value, within * value) << name;
      sum += std::abs(found);
    }
    EXPECT_NEAR(sum / static_cast<double>(field_named(picture, name).size()), value, within_mean * value) << name;
  };
  near("membrane_force", force, 1e-9, 1e-9);  // the same everywhere: the metric grows in proportion
  // Curvatures are those of the limit surface, which next to the six vertices of valence four is not round.
  near("bending_moment", moment, 0.01, 0.25);
  near("strain_energy_density", (strain * force + e * moment) / h, 1e-3, 1e-3);
  near("von_mises_stress", force / h + 6 * moment / (h * h), 2e-3, 0.02);
}

/// A plate bent to a small curvature k about y: m₁ = D k, m₂ = ν D k, stresses ± 6 m/h² in the outer fibres.
TEST(Shell, FieldsOfABentPlateAreThoseOfTheClosedForm) {
  const double k = 1e-4, h = 0.02, bending = 2.1e5 * h * h * h / 12 / 0.91;
  const int n = 8;
  const Shell plate("plate", steel_like(geometry::plate(1, 1, n, n), h), 0);
  std::vector<double> q = rest_of(plate);
  for (std::size_t i = 0; i < q.size(); i += 3) q[i + 2] = 0.5 * k * q[i] * q[i];
  const Picture picture = plate.draw(q, std::vector<double>(q.size(), 0.0));
  const double m1 = bending * k, m2 = 0.3 * m1, s1 = 6 * m1 / (h * h), s2 = 0.3 * s1;
  const std::vector<double>&moment = field_named(picture, "bending_moment"),
        &energy = field_named(picture, "strain_energy_density");
  const std::vector<double>& stress = field_named(picture, "von_mises_stress");
  for (int e = 0; e < 2 * n * n; ++e) {
    const int square = e / 2, i = square % n, j = square / n;
    if (i == 0 || j == 0 || i == n - 1 || j == n - 1) continue;  // ghosts of the boundary lie straight
    const auto at = static_cast<std::size_t>(e);
    // Membrane strains of (k x)²/2 are left: 1e-9 against fibre strains of 1e-6.
    EXPECT_NEAR(moment[2 * at], m1, 1e-6 * m1);
    EXPECT_NEAR(moment[2 * at + 1], m2, 1e-6 * m1);
    EXPECT_NEAR(energy[at], 0.5 * m1 * k / h, 1e-3 * m1 * k / h);
    EXPECT_NEAR(stress[at], std::sqrt(s1 * s1 + s2 * s2 - s1 * s2), 2e-3 * s1);
  }
}

TEST(Shell, PictureShowsTheLimitSurface) {
  const Shell shell("disc", steel_like(geometry::disc(1, 2), 0.05), 0);
  std::vector<double> q = rest_of(shell), v(q.size(), 0.0);
  for (std::size_t k = 2; k < q.size(); k += 3) q[k] += 0.5, v[k] = 3;
  const Picture picture = shell.draw(q, v);
  ASSERT_EQ(picture.points.size(), 19U);
  ASSERT_EQ(picture.cells.size(), 24U);
  // Vertex 8 lies on the rim between two corners of the hexagon: there the rim is a cubic spline.
  EXPECT_NEAR(std::hypot(picture.points[8].x(), picture.points[8].y()), (4 + std::sqrt(3.0)) / 6, 1e-14);
  EXPECT_NEAR(picture.points[0].z(), 0.5, 1e-14);
  EXPECT_NEAR(picture.fields[0].values[2], 0.5, 1e-14);
  EXPECT_NEAR(picture.fields[1].values[2], 3, 1e-14);
  for (const double density : picture.fields[2].values) EXPECT_NEAR(density, 0, 1e-20);
}

}  // namespace
}  // namespace ictus::mechanics
