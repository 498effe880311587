#include <gtest/gtest.h>

#include <cmath>
#include <ictus/mechanics/frame/beam_frame.hpp>
#include <numbers>
#include <random>

#include "unit/mechanics/serial.hpp"

namespace ictus::mechanics {
namespace {

using math::Vec3;

FrameMember member(std::size_t start, std::size_t end, std::size_t elements) {
  return {start, end, elements, model::box_section(0.3, 0.2, 0.02), 2.1e11, 8.0e10, 7800, Vec3(0, 0, 1)};
}

/// Two beams at an angle, one of them held: every dof and every direction takes part.
FrameProperties angle(FrameKind kind, bool shear) {
  FrameProperties frame;
  frame.kind = kind;
  frame.shear = shear;
  const double rise = kind == FrameKind::space ? 0.7 : 0;
  frame.joints = {{0.2, -0.3, 0.1}, {1.4, 0.6, 0.1 + rise}, {2.0, -0.8, 0.1 - rise}};
  frame.members = {member(0, 1, 3), member(1, 2, 70)};  // more elements than a block holds
  frame.gravity = {0.3, -0.2, -10};
  return frame;
}

std::vector<double> random_values(std::size_t n, double size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-size, size);
  std::vector<double> u(n);
  for (double& x : u) x = value(random);
  return u;
}

/// A square matrix of a few dozen dofs.
struct Matrix {
  std::size_t size;
  std::vector<double> values;

  explicit Matrix(std::size_t n) : size(n), values(n * n) {}
  double& operator()(std::size_t i, std::size_t j) { return values[i * size + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values[i * size + j]; }
};

Matrix stiffness(const BeamFrame& frame) {
  std::vector<StiffnessEntry> entries;
  frame.stiffness({}, entries);
  Matrix k(frame.dofs().size);
  const auto begin = static_cast<int>(frame.dofs().begin);
  for (const auto& [row, column, value] : entries)
    k(static_cast<std::size_t>(row - begin), static_cast<std::size_t>(column - begin)) += value;
  return k;
}

/// Gauss: the pivots of a symmetric matrix; a right side goes through the same steps.
std::vector<double> eliminate(Matrix& a, std::vector<double>& b) {
  std::vector<double> pivots;
  for (std::size_t i = 0; i < a.size; ++i) {
    pivots.push_back(a(i, i));
    for (std::size_t j = i + 1; j < a.size; ++j) {
      const double factor = a(j, i) / a(i, i);
      if (factor == 0) continue;
      for (std::size_t k = i; k < a.size; ++k) a(j, k) -= factor * a(i, k);
      b[j] -= factor * b[i];
    }
  }
  return pivots;
}

double energy(const BeamFrame& frame, std::span<const double> q) {
  const PotentialEnergy e = frame.potential_energy(serial, q);
  return e.strain + e.gravity;
}

class FrameEnergy : public ::testing::TestWithParam<std::pair<FrameKind, bool>> {
 protected:
  BeamFrame frame_{"frame", angle(GetParam().first, GetParam().second), 5};
  std::vector<double> zero_ = std::vector<double>(frame_.dofs().end());
};

TEST_P(FrameEnergy, ForceIsMinusTheGradientAndStiffnessItsSlope) {
  std::vector<double> q = random_values(zero_.size(), 1e-3, 1), force = zero_;
  frame_.kick(serial, q, 1.0, force);
  const Matrix k = stiffness(frame_);
  // f is linear: f(q) = f(0) − K q. Forces are sums of terms of this size; round-off is that of the largest.
  std::vector<double> at_zero = zero_;
  frame_.kick(serial, zero_, 1.0, at_zero);
  for (std::size_t i = frame_.dofs().begin; i < q.size(); ++i) {
    double expected = at_zero[i], size = std::abs(expected);
    for (std::size_t j = frame_.dofs().begin; j < q.size(); ++j) {
      const double entry = k(i - frame_.dofs().begin, j - frame_.dofs().begin);
      expected -= entry * q[j];
      size += std::abs(entry * q[j]);
      const std::size_t r = i - frame_.dofs().begin, c = j - frame_.dofs().begin;
      EXPECT_NEAR(entry, k(c, r), 1e-13 * std::sqrt(k(r, r) * k(c, c)));
    }
    EXPECT_NEAR(force[i], expected, 1e-13 * size) << "unknown " << i;
  }
  // V is quadratic: central differences are exact up to round-off 1e-16 V/d of the energy.
  const double d = 1e-4, size = energy(frame_, q);
  for (std::size_t i = frame_.dofs().begin; i < q.size(); i += 7) {
    const double kept = q[i];
    q[i] = kept + d;
    const double up = energy(frame_, q);
    q[i] = kept - d;
    const double down = energy(frame_, q);
    q[i] = kept;
    EXPECT_NEAR(force[i], -(up - down) / (2 * d), 1e-13 * size / d) << "unknown " << i;
  }
}

TEST_P(FrameEnergy, RigidMotionsHaveNoForces) {
  std::vector<double> q = zero_, force = zero_, weight = zero_;
  const Vec3 turn = GetParam().first == FrameKind::space ? Vec3(1e-3, -2e-3, 3e-3) : Vec3(1e-3, -2e-3, 0);
  for (std::size_t i = 0; i < frame_.nodes().size(); ++i) {
    const Vec3 u = Vec3(0.01, 0.02, 0.03) + turn.cross(frame_.nodes()[i]);
    const auto set = [&](std::size_t c, double value) { q[static_cast<std::size_t>(frame_.dof(i, c))] = value; };
    if (GetParam().first == FrameKind::grillage) {
      set(0, u.z());
      set(1, -turn.y());
      set(2, turn.x());
    } else {
      for (std::size_t c = 0; c < 3; ++c) set(c, u[static_cast<Eigen::Index>(c)]);
      for (std::size_t c = 0; c < 3; ++c) set(3 + c, turn[static_cast<Eigen::Index>(c)]);
    }
  }
  frame_.kick(serial, q, 1.0, force);
  frame_.kick(serial, zero_, 1.0, weight);
  // Round-off of the deformations, 1e-17 of displacements over an element of 20 mm, times EI/h² ~ 1e11 N.
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(force[i], weight[i], 1e-3);
  EXPECT_LT(frame_.potential_energy(serial, q).strain, 1e-12);
}

TEST_P(FrameEnergy, ForcesKeepMomentumAndAngularMomentum) {
  const std::vector<double> q = random_values(zero_.size(), 1e-3, 3);
  std::vector<double> p = zero_;
  frame_.kick(serial, q, 1.0, p);
  const Momentum got = frame_.momentum(q, p), gravity = frame_.gravity_impulse(q, 1.0);
  // Forces of 1e9 N cancel in pairs.
  EXPECT_LT((got.linear - gravity.linear).norm(), 1e-3);
  EXPECT_LT((got.angular - gravity.angular).norm(), 1e-3);
}

TEST_P(FrameEnergy, IntervalEnergyIsTheTrapezoidLessTheChord) {
  const std::vector<double> q = random_values(zero_.size(), 1e-3, 4), p = random_values(zero_.size(), 1.0, 5);
  const double h = 1e-6;
  const PotentialEnergy interval = frame_.interval_energy(serial, q, p, h),
                        mean = frame_.trapezoid_energy(serial, q, p, h);
  EXPECT_NEAR(mean.strain - interval.strain, frame_.chord_energy(serial, q, p, h), 1e-12 * mean.strain);
  EXPECT_NEAR(mean.gravity, interval.gravity, 1e-12 * std::abs(mean.gravity));
}

INSTANTIATE_TEST_SUITE_P(Kinds, FrameEnergy,
                         ::testing::Values(std::pair{FrameKind::grillage, false}, std::pair{FrameKind::grillage, true},
                                           std::pair{FrameKind::space, false}, std::pair{FrameKind::space, true}));

/// Deflection of the tip of a cantilever of length 2 m along y under a unit force along z at the tip.
double cantilever_tip(FrameKind kind, bool shear, std::size_t elements) {
  FrameProperties properties;
  properties.kind = kind;
  properties.shear = shear;
  properties.joints = {{0, 0, 0}, {0, 2, 0}};
  properties.members = {member(0, 1, elements)};
  properties.supports = {{0, {true, true, true, true, true, true}}};
  const BeamFrame frame("cantilever", properties, 0);
  Matrix k = stiffness(frame);
  for (const int held : frame.fixed()) {
    const auto h = static_cast<std::size_t>(held);
    for (std::size_t i = 0; i < k.size; ++i) k(h, i) = k(i, h) = 0;
    k(h, h) = 1;
  }
  // The tip's dof is made the last, where elimination leaves pivot and right side of the answer.
  const auto tip = static_cast<std::size_t>(frame.dof(1, kind == FrameKind::grillage ? 0 : 2)), last = k.size - 1;
  for (std::size_t i = 0; i < k.size; ++i) std::swap(k(tip, i), k(last, i));
  for (std::size_t i = 0; i < k.size; ++i) std::swap(k(i, tip), k(i, last));
  std::vector<double> force(k.size);
  force[last] = 1;
  const std::vector<double> pivots = eliminate(k, force);
  return force[last] / pivots[last];
}

TEST(BeamFrame, BendsLikeEulersAndTimoshenkosCantilever) {
  const FrameMember beam = member(0, 1, 1);
  const double bending = 8 / (3 * beam.youngs_modulus * beam.section.inertia_y);
  const double shear = 2 / (beam.shear_modulus * beam.section.shear_area_z);
  for (const FrameKind kind : {FrameKind::grillage, FrameKind::space}) {
    // The elements are exact between nodes; what differs is the conditioning (length/h)⁴ of the solution.
    for (const std::size_t elements : {1, 2, 8}) {
      EXPECT_NEAR(cantilever_tip(kind, false, elements), bending, 1e-10 * bending);
      EXPECT_NEAR(cantilever_tip(kind, true, elements), bending + shear, 1e-10 * bending);
    }
  }
}

/// Number of modes below ω, by Sylvester's law: negative pivots of K − ω²M. Held dofs have the pivot −ω².
int modes_below(const BeamFrame& frame, double omega_sq) {
  Matrix a = stiffness(frame);
  std::vector<double> scale(a.size), unused(a.size);
  for (std::size_t i = 0; i < a.size; ++i) scale[i] = 1 / std::sqrt(frame.mass()[i]);
  for (const int held : frame.fixed()) scale[static_cast<std::size_t>(held)] = 0;
  for (std::size_t i = 0; i < a.size; ++i) {
    for (std::size_t j = 0; j < a.size; ++j) a(i, j) *= scale[i] * scale[j];
    a(i, i) -= omega_sq;
  }
  int negative = -static_cast<int>(frame.fixed().size());
  for (const double pivot : eliminate(a, unused)) negative += pivot < 0 ? 1 : 0;
  return negative;
}

/// ω² of mode `number` (from 0), by bisection below a bound.
double mode(const BeamFrame& frame, int number, double bound) {
  double low = 0, high = bound;
  while (high - low > 1e-12 * high) (modes_below(frame, 0.5 * (low + high)) > number ? high : low) = 0.5 * (low + high);
  return high;
}

/// First frequency of a simply supported beam of 3 m in `elements` elements, Hz.
double first_frequency(std::size_t elements) {
  FrameProperties properties;
  properties.kind = FrameKind::grillage;
  properties.joints = {{0, 0, 0}, {3, 0, 0}};
  properties.members = {member(0, 1, elements)};
  properties.supports = {{0, {true, false, true}}, {1, {true, false, true}}};
  const BeamFrame frame("beam", properties, 0);
  return std::sqrt(mode(frame, 0, 1e7)) / (2 * std::numbers::pi);
}

TEST(BeamFrame, FirstFrequencyConvergesWithTheSquareOfTheMesh) {
  const FrameMember beam = member(0, 1, 1);
  const double exact = std::numbers::pi / 2 / 9 *
                       std::sqrt(beam.youngs_modulus * beam.section.inertia_y / (beam.density * beam.section.area));
  const double coarse = std::abs(first_frequency(8) / exact - 1), fine = std::abs(first_frequency(16) / exact - 1);
  EXPECT_LT(fine, 1e-2);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1);
}

TEST(BeamFrame, CriticalStepIsThatOfTheFastestMode) {
  FrameProperties properties = angle(FrameKind::space, false);
  properties.members[1].elements = 4;
  properties.supports = {{0, {true, true, true, true, true, true}}};
  const BeamFrame frame("frame", properties, 0);
  const double step = frame.critical_step().step;
  const int all = static_cast<int>(frame.dofs().size - frame.fixed().size());
  EXPECT_EQ(modes_below(frame, 4 / (step * step) * (1 + 1e-7)), all);
  EXPECT_EQ(modes_below(frame, 4 / (step * step) * (1 - 1e-7)), all - 1);
}

TEST(BeamFrame, LinesGoStraightThroughJoints) {
  FrameProperties frame;
  frame.kind = FrameKind::grillage;
  frame.joints = {{1, 0, 0}, {0, 0, 0}, {2, 0, 0}, {1, 1, 0}};
  frame.members = {member(0, 3, 2), member(0, 1, 2), member(0, 2, 2)};  // across; to the left; to the right
  const BeamFrame body("tee", frame, 11);
  // Nodes: the joints, then the middles of the members. From (1, 0) across to (1, 1), with the slope w_y before w_x;
  // then from (2, 0) to (0, 0), without the joint, which has its place.
  const std::vector<std::vector<std::size_t>> expected{{0, 14, 7, 4, 18, 11, 3, 17, 10},
                                                       {2, 9, 16, 6, 13, 20, 5, 12, 19, 1, 8, 15}};
  const std::vector<DofLine> lines = body.lines();
  ASSERT_EQ(lines.size(), 2u);
  for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(lines[i].dofs, expected[i]);
  EXPECT_EQ(lines[0].components, (std::vector<int>{0, 2, 1}));
  EXPECT_EQ(lines[1].components, (std::vector<int>{0, 1, 2}));
}

TEST(BeamFrame, MassesAddUp) {
  FrameProperties properties = angle(FrameKind::space, false);
  properties.point_masses = {{1, 100.0, 3.0}};
  const BeamFrame frame("frame", properties, 0);
  const FrameMember& m = properties.members[0];
  const double length =
      (properties.joints[1] - properties.joints[0]).norm() + (properties.joints[2] - properties.joints[1]).norm();
  EXPECT_NEAR(frame.total_mass(), m.density * m.section.area * length + 100, 1e-9);
  properties.rotary = RotaryMass::both;
  const BeamFrame heavier("frame", properties, 0);
  const auto slope = static_cast<std::size_t>(frame.dof(2, 3));
  EXPECT_GT(heavier.mass()[slope], frame.mass()[slope]);
}

/// The values of a field of a frame.
std::vector<double> field(const Picture& picture, std::string_view name) {
  for (const Picture::Field& field : picture.fields)
    if (field.name == name) return field.values;
  return {};
}

TEST(BeamFrame, ShowsEachMemberWithItsSectionAndTheEnergyOfAUniformStrain) {
  FrameProperties properties = angle(FrameKind::space, false);
  const BeamFrame frame("frame", properties, 0);
  const std::size_t n = frame.nodes().size();
  std::vector<double> q(frame.dofs().size), v(q.size());
  // The stretch ε along x: a member along d has the strain ε d_x².
  const double strain = 1e-4;
  for (std::size_t i = 0; i < n; ++i) q[i] = strain * frame.nodes()[i].x();
  const Picture shown = frame.draw(q, v);
  EXPECT_EQ(shown.points.size(), 4u + 71u) << "members share no points";
  EXPECT_EQ(shown.cells.size(), 73u);
  EXPECT_EQ(shown.connectivity[6], 4) << "the second member begins with a point of its own";
  EXPECT_EQ(field(shown, "section")[0], 0.2);
  EXPECT_EQ(field(shown, "section")[1], 0.3);
  const Vec3 along = (properties.joints[1] - properties.joints[0]).normalized();
  const double stretch = strain * along.x() * along.x();
  EXPECT_NEAR(field(shown, "strain_energy_density")[0], 0.5 * 2.1e11 * stretch * stretch,
              1e-9 * 2.1e11 * strain * strain);
  const std::vector<double> d1 = field(shown, "d1"), d2 = field(shown, "d2");
  for (std::size_t i = 0; i < shown.points.size(); ++i) {
    const Vec3 across(d1[3 * i], d1[3 * i + 1], d1[3 * i + 2]), up(d2[3 * i], d2[3 * i + 1], d2[3 * i + 2]);
    EXPECT_NEAR(across.dot(up), 0, 1e-15);
    EXPECT_NEAR(up.norm(), 1, 1e-15);
  }
  EXPECT_TRUE(field(shown, "radius").empty()) << "no member is round";
}

TEST(BeamFrame, TellsTheRadiusOfItsPipesAlone) {
  FrameProperties properties = angle(FrameKind::space, false);
  properties.members[0].section = model::pipe_section(0.1, 0.01);
  const BeamFrame frame("frame", properties, 0);
  const std::vector<double> q(frame.dofs().size);
  const std::vector<double> radius = field(frame.draw(q, q), "radius");
  ASSERT_EQ(radius.size(), 4u + 71u);
  EXPECT_EQ(radius[3], 0.05);
  EXPECT_TRUE(std::isnan(radius[4]));
}

}  // namespace
}  // namespace ictus::mechanics
