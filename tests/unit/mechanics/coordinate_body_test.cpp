// Systems with coordinates of their own in the slots of bodies of all families.
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/mechanics/generalised/coordinate_body.hpp>
#include <ictus/mechanics/generalised/formula_body.hpp>
#include <ictus/mechanics/generalised/slider.hpp>
#include <ictus/mechanics/generalised/spring_pendulum.hpp>
#include <ictus/mechanics/generalised/woodpecker.hpp>

namespace ictus::mechanics {
namespace {

/// Two rods of 1 m with masses of 1 kg at their ends, free to turn about the origin; others meet the lower rod.
struct TwoRods {
  static constexpr std::size_t coordinates = 2, contacts = 0, links = 1;
  static constexpr std::string_view quantities[] = {"a", "b", "a_rate", "b_rate"};

  template <class S>
  S kinetic(const S* q, const S* v) const {
    using std::cos;
    return v[0] * v[0] + 0.5 * v[1] * v[1] + v[0] * v[1] * cos(q[0] - q[1]);
  }
  template <class S>
  S strain(const S*) const {
    return S(0.0);
  }
  template <class S>
  S gravity(const S* q) const {
    using std::cos;
    return -9.81 * (2.0 * cos(q[0]) + cos(q[1]));
  }
  template <class S>
  S gap(std::size_t, const S*) const {
    return S(1.0);
  }
  int sliding(std::size_t, std::span<const double>, CoordinateVector&) const { return 0; }
  math::Vec3 point(std::size_t, std::span<const double>) const { return math::Vec3::Zero(); }
  math::Vec3 push(std::size_t, std::span<const double>) const { return math::Vec3::UnitX(); }
  LinkSkin skin() const { return LinkSkin().add_line(0, math::Vec3::Zero(), {0, 0, -1}); }
  template <class S>
  std::array<S, 3> place(std::size_t, const S* q) const {
    using std::cos;
    using std::sin;
    return {sin(q[0]), S(0.0), -cos(q[0])};
  }
  template <class S>
  std::array<S, 4> turn(std::size_t, const S* q) const {
    using std::cos;
    using std::sin;
    return {cos(0.5 * q[1]), S(0.0), -sin(0.5 * q[1]), S(0.0)};
  }
};

std::unique_ptr<CoordinateBody> two_rods() {
  return std::make_unique<CoordinateBody>(
      std::make_unique<FormulaBody<TwoRods>>("rods", TwoRods{}, std::array{1.0, -0.4}, std::array{0.7, 2.0}, 0), 5);
}

std::unique_ptr<CoordinateBody> swinging_bob() {
  SpringPendulumProperties p;
  p.formula = {1.3, 100, 1, {0, 0, -9.81}};
  p.coordinates = {1.1, 0.6};
  p.rates = {0.5, -1.5};
  p.radius = 0.1;
  return std::make_unique<CoordinateBody>(std::make_unique<SpringPendulum>("bob", p, 0), 5);
}

std::unique_ptr<CoordinateBody> sliding_block() {
  SliderProperties p;
  p.mass = 2;
  p.slope = 0.4;
  p.position = {0.1, 0.2, 0.3};
  p.velocity = {1, 2, 3};
  p.size = {0.1, 0.2, 0.3};
  return std::make_unique<CoordinateBody>(std::make_unique<Slider>("block", p, 0), 5);
}

std::unique_ptr<CoordinateBody> pecking_bird() {
  WoodpeckerProperties p;
  p.coordinates = {0.1, -0.05, 0.2};
  p.rates = {0.3, 1, -5};
  return std::make_unique<CoordinateBody>(std::make_unique<Woodpecker>("bird", p, 0), 5);
}

struct InSlots {
  std::vector<double> q, p;
  explicit InSlots(const CoordinateBody& body) : q(body.dofs().end()), p(q.size()) { body.initialise(q, p); }
};

class CoordinateBodies : public ::testing::TestWithParam<std::unique_ptr<CoordinateBody> (*)()> {};

const exec::Executor one_thread(1);

double half_square(const std::vector<double>& p) {
  double sum = 0;
  for (const double one : p) sum += 0.5 * one * one;
  return sum;
}

TEST_P(CoordinateBodies, HaveTheKineticEnergyOfTheirSystem) {
  const auto body = GetParam()();
  const InSlots at(*body);
  const std::size_t n = body->system().coordinates();
  std::vector<double> x(n), v(n);
  body->system().start(x, v);
  EXPECT_NEAR(half_square(at.p), body->system().kinetic_energy(x, v), 1e-13 * half_square(at.p));
}

TEST_P(CoordinateBodies, FlyBackToWhereTheyCameFrom) {
  const auto body = GetParam()();
  InSlots at(*body);
  const InSlots start = at;
  const double gained = body->fly(one_thread, 0.01, at.q, at.p);
  EXPECT_NEAR(half_square(at.p) - half_square(start.p), gained, 1e-14 * half_square(start.p));
  EXPECT_NE(at.q, start.q);
  for (double& momentum : at.p) momentum = -momentum;
  body->fly(one_thread, 0.01, at.q, at.p);
  for (std::size_t k = 0; k < at.q.size(); ++k) {
    EXPECT_NEAR(at.q[k], start.q[k], 1e-12 * (1 + std::abs(start.q[k]))) << k;
    EXPECT_NEAR(at.p[k], -start.p[k], 1e-12 * (1 + std::abs(start.p[k]))) << k;
  }
}

/// The error of the flight falls with the third power of the step: half of it twice differs less and less from all.
TEST_P(CoordinateBodies, FlyToSecondOrder) {
  const auto body = GetParam()();
  const auto difference = [&](double h) {
    InSlots whole(*body), halves(*body);
    body->fly(one_thread, h, whole.q, whole.p);
    for (int half = 0; half < 2; ++half) body->fly(one_thread, h / 2, halves.q, halves.p);
    double sum = 0;
    for (std::size_t k = 0; k < whole.q.size(); ++k)
      sum += std::pow(whole.q[k] - halves.q[k], 2) + std::pow(whole.p[k] - halves.p[k], 2);
    return std::sqrt(sum);
  };
  const double coarse = difference(0.02), fine = difference(0.01);
  if (coarse < 1e-13) return;  // constant inertia: exact
  EXPECT_GT(std::log2(coarse / fine), 2.8);
}

/// Kicks are the derivative of the potential along the ways, rows that of the positions of the skin, and velocities of
/// the skin those rows times the momenta.
TEST_P(CoordinateBodies, KicksAndRowsAreDerivatives) {
  const auto body = GetParam()();
  const InSlots here(*body);
  const model::SurfaceMesh& mesh = *body->skin().mesh();
  const std::size_t n = body->system().coordinates(), first = body->dofs().begin;
  const double way = 3e-7;  // of a toy of grams, whose ways are short
  std::vector<double> kick(here.p.size());
  body->kick(one_thread, here.q, 1, kick);
  const math::Vec3 e = math::Vec3(0.3, -0.5, 0.8).normalized();
  for (std::size_t j = 0; j < n; ++j) {
    // A short flight with momentum j alone goes along way j.
    const auto there = [&](double sign) {
      InSlots at(*body);
      std::fill(at.p.begin(), at.p.end(), 0.0);
      at.p[first + j] = sign;
      body->fly(one_thread, way, at.q, at.p);
      return at.q;
    };
    const std::vector<double> above = there(1), below = there(-1);
    const auto potential = [&](const std::vector<double>& q) {
      const PotentialEnergy energy = body->potential_energy(one_thread, q);
      return energy.strain + energy.gravity;
    };
    EXPECT_NEAR(kick[first + j], (potential(below) - potential(above)) / (2 * way),
                1e-6 * (1 + std::abs(kick[first + j])));
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
      std::vector<model::RowEntry> row;
      mesh.pull_back(v, here.q, mesh.position(v, here.q), e, row);
      EXPECT_NEAR(row[j].weight, e.dot(mesh.position(v, above) - mesh.position(v, below)) / (2 * way),
                  1e-6 * (1 + std::abs(row[j].weight)))
          << v << ' ' << j;
    }
  }
  const std::vector<double> ones(here.p.size(), 1.0);
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    std::vector<model::RowEntry> row;
    mesh.pull_back(v, here.q, mesh.position(v, here.q), e, row);
    double rate = 0;
    for (const model::RowEntry& entry : row) rate += entry.weight * here.p[entry.index()];
    EXPECT_NEAR(rate, e.dot(mesh.velocity(v, here.q, here.p, ones)), 1e-12 * (1 + std::abs(rate)));
  }
}

INSTANTIATE_TEST_SUITE_P(Of, CoordinateBodies, ::testing::Values(two_rods, swinging_bob, sliding_block, pecking_bird));

TEST(CoordinateBody, ConstantInertiaAndQuadraticPotentialsAreLinear) {
  EXPECT_TRUE(sliding_block()->linear());
  EXPECT_TRUE(pecking_bird()->linear());
  EXPECT_FALSE(swinging_bob()->linear());
  EXPECT_FALSE(two_rods()->linear());
}

struct Drifting : TwoRods {
  template <class S>
  S kinetic(const S* q, const S* v) const {
    return TwoRods::kinetic(q, v) + v[0];
  }
};

TEST(CoordinateBody, RefusesKineticEnergiesThatAreNotQuadratic) {
  EXPECT_THROW(CoordinateBody(std::make_unique<FormulaBody<Drifting>>("drifting", Drifting{}, std::array{1.0, -0.4},
                                                                      std::array{0.7, 2.0}, 0),
                              0),
               base::InputError);
}

}  // namespace
}  // namespace ictus::mechanics
