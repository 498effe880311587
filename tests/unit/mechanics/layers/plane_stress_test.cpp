// Laws of layers in plane stress at one point, and the wall that layers make.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <ictus/mechanics/shell/layered_wall.hpp>
#include <random>

namespace ictus::mechanics {
namespace {

using math::Pack;
using Tensor = PlaneTensor<double>;

constexpr double youngs = 200, poissons = 0.3, yield = 1;
const PlaneElasticity elasticity{youngs, poissons};
const PlasticLayer<FlowByStrain<LinearHardening>> linear{elasticity, {{yield, 4}}};
const PlasticLayer<FlowByStrain<VoceHardening>> voce{elasticity, {{yield, 1, 0.5, 20}}};

TableHardening table_of_three() {
  TableHardening table;
  table.points = 3;
  table.strain = {0, 0.02, 0.1};
  table.value = {1, 1.2, 2.5};
  return table;
}
const PlasticLayer<FlowByStrain<TableHardening>> table{elasticity, {table_of_three()}};
const PlasticLayer<JohnsonCook> metal{elasticity, JohnsonCook{1, 2, 0.31, 0.025, 1}};

double von_mises(const Tensor& s) {
  return std::sqrt(0.25 * s.sum * s.sum + 0.75 * s.difference * s.difference + 3 * s.shear * s.shear);
}

/// E of some stretch, drawn by chance.
Tensor any_strain(std::mt19937& random, double size) {
  std::normal_distribution<double> normal(0, size);
  return {normal(random), normal(random), normal(random)};
}

TEST(LayerStrain, IsTheLogarithmOfTheStretch) {
  std::mt19937 random(3);
  for (const double size : {1e-8, 1e-4, 1e-2, 0.1, 0.2}) {
    for (int n = 0; n < 50; ++n) {
      const Tensor green = any_strain(random, size);
      Eigen::Matrix2d c;
      c << 1 + green.sum + green.difference, 2 * green.shear, 2 * green.shear, 1 + green.sum - green.difference;
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen(c);
      if (!(eigen.eigenvalues()[0] > 0.05)) continue;
      const Eigen::Matrix2d h = eigen.eigenvectors() * (0.5 * eigen.eigenvalues().array().log()).matrix().asDiagonal() *
                                eigen.eigenvectors().transpose();
      const LogarithmicStrain<double> strain(green);
      EXPECT_NEAR(strain.value.sum, h(0, 0) + h(1, 1), 2e-15);
      EXPECT_NEAR(strain.value.difference, h(0, 0) - h(1, 1), 2e-15);
      EXPECT_NEAR(strain.value.shear, h(0, 1), 1e-15);
      // Lanes answer as one number does, whatever their neighbours are.
      PlaneTensor<Pack> lanes{green.sum, green.difference, green.shear};
      lanes.difference.v[3] = 0.3;
      EXPECT_NEAR(LogarithmicStrain<Pack>(lanes).value.difference[0], strain.value.difference, 2e-15);
    }
  }
}

template <class Law>
using PointOf = typename Law::template Point<double>;

/// Φ at a strain, from a point that stays.
template <class Measure, class Law>
double potential(const Law& law, const Tensor& green, PointOf<Law> point) {
  const Measure measure(green);
  const PlaneResponse<double> response = law.template respond<false>(measure.value, 1, point);
  return response.stored + response.taken;
}

double& component(Tensor& t, int i) { return i == 0 ? t.sum : i == 1 ? t.difference : t.shear; }

/// The largest difference of S from ∂Φ/∂E, of differences of fourth order, over the yield stress.
template <class Measure, class Law>
double gradient_error(const Law& law, const Tensor& green, const PointOf<Law>& point) {
  constexpr double h = 2e-5;
  auto copy = point;
  const Measure measure(green);
  const Tensor stress = measure.to_green(law.template respond<false>(measure.value, 1, copy).stress);
  const double expected[3] = {0.5 * stress.sum, 0.5 * stress.difference, 2 * stress.shear};
  double worst = 0;
  for (int i = 0; i < 3; ++i) {
    const auto at = [&](double shift) {
      Tensor moved = green;
      component(moved, i) += shift;
      return potential<Measure>(law, moved, point);
    };
    const double slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    worst = std::max(worst, std::abs(slope - expected[i]) / yield);
  }
  return worst;
}

/// Along a random walk far into flow: whoever is within the differences of where flow begins is left out.
template <class Measure, class Law>
void expect_gradient(const Law& law, double steps_of) {
  std::mt19937 random(11);
  int flowing = 0;
  for (int walk = 0; walk < 20; ++walk) {
    PointOf<Law> point{};
    Tensor green{};
    for (int n = 0; n < 20; ++n) {
      const Tensor step = any_strain(random, steps_of);
      for (int i = 0; i < 3; ++i) component(green, i) += component(const_cast<Tensor&>(step), i);
      const Measure measure(green);
      auto trial = point;
      const double taken = law.template respond<false>(measure.value, 1, trial).taken;
      EXPECT_GE(taken, 0);
      if (taken > 0.02 * yield * steps_of) {
        ++flowing;
        EXPECT_LT((gradient_error<Measure>(law, green, point)), 1e-8);
      }
      law.template respond<true>(measure.value, 1, point);
    }
  }
  EXPECT_GT(flowing, 150);
}

TEST(PlaneStress, StressIsTheGradientOfThePotentialWhileItFlows) {
  expect_gradient<LogarithmicStrain<double>>(linear, 0.02);
  expect_gradient<GreenStrain<double>>(linear, 0.02);
  expect_gradient<LogarithmicStrain<double>>(voce, 0.02);
}

/// Pulled along one direction, with the strain across such that nothing pulls there.
template <class Law>
Tensor pull(const Law& law, double strain, PointOf<Law>& point, double time = 1) {
  double low = -strain, high = 0.5 * strain;
  for (int n = 0; n < 200; ++n) {
    const double across = 0.5 * (low + high);
    auto copy = point;
    const Tensor stress = law.template respond<false>(Tensor{strain + across, strain - across, 0}, time, copy).stress;
    (stress.sum - stress.difference > 0 ? high : low) = across;
  }
  const double across = 0.5 * (low + high);
  return law.template respond<true>(Tensor{strain + across, strain - across, 0}, time, point).stress;
}

TEST(PlaneStress, ABarIsPulledAlongItsCurve) {
  for (const int steps : {10, 100}) {
    PointOf<decltype(linear)> point{};
    Tensor stress;
    for (int n = 1; n <= steps; ++n) stress = pull(linear, 0.5 * n / steps, point);
    const double expected = (0.5 + yield / 4) / (1 / youngs + 1.0 / 4), alpha = (expected - yield) / 4;
    EXPECT_NEAR(von_mises(stress) / expected, 1, 1e-12);
    EXPECT_NEAR(point.memory.alpha / alpha, 1, 1e-11);  // the square of the return's last step, ten times over
    EXPECT_NEAR(linear.flow.work(point.memory) / ((yield + 2 * alpha) * alpha), 1, 1e-11);
  }
  PointOf<decltype(table)> point{};
  for (int n = 1; n <= 40; ++n) {
    const double q = von_mises(pull(table, 0.005 * n, point));
    if (point.memory.alpha > 0) {
      EXPECT_NEAR(q / table.flow.hardening.stress(point.memory.alpha), 1, 1e-11);
    }
  }
  EXPECT_GT(point.memory.alpha, 0.11);
}

TEST(PlaneStress, JohnsonCooksLayerFlowsAtItsStress) {
  for (const double rate : {1e-2, 1e2, 1e6}) {
    PointOf<decltype(metal)> point{};
    double alpha = 0;
    const int steps = 200;
    const double time = 0.2 / rate / steps;
    for (int n = 1; n <= steps; ++n) {
      const double q = von_mises(pull(metal, 0.2 * n / steps, point, time));
      const double flowed = (point.memory.alpha - alpha) / time;
      const double hard = 1 + 2 * std::pow(point.memory.alpha, 0.31);
      if (flowed > 0) {
        EXPECT_NEAR(q / (hard * (1 + 0.025 * std::max(0.0, std::log(flowed)))), 1, 1e-9);
      }
      alpha = point.memory.alpha;
    }
    EXPECT_GT(alpha, 0.17);
  }
}

template <class Law>
double least_work(const Law& law) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> decades(-9, -1.5);
  PointOf<Law> point{};
  Tensor strain;
  double least = 0;
  for (int n = 0; n < 100000; ++n) {
    Tensor step = any_strain(random, std::pow(10.0, decades(random)));
    if (n % 50 == 0) point = {}, strain = {};
    for (int i = 0; i < 3; ++i) component(strain, i) += component(step, i);
    const double before = law.flow.work(point.memory);
    law.template respond<true>(strain, 1e-6, point);
    least = std::min(least, law.flow.work(point.memory) - before);
  }
  return least;
}

TEST(PlaneStress, WorkIsNeverNegative) {
  EXPECT_EQ(least_work(linear), 0);
  EXPECT_EQ(least_work(voce), 0);
  EXPECT_GT(least_work(table), -1e-15);  // a sum over the lines of the table, rounded

  EXPECT_EQ(least_work(metal), 0);
}

TEST(PlaneStress, AnElasticCycleCloses) {
  PointOf<decltype(linear)> point{};
  for (int n = 0; n <= 100; ++n) {
    const double phase = std::sin(2 * M_PI * n / 100);
    linear.respond<true>(Tensor{4e-3 * phase, 2e-3 * phase, 1e-3 * phase * phase}, 1, point);
  }
  EXPECT_EQ(point.memory.alpha, 0);
  const Tensor rest = linear.respond<true>(Tensor{}, 1, point).stress;
  EXPECT_EQ(von_mises(rest), 0);
}

/// One element bent about one axis, free to curve across: M over the fully plastic moment.
class Bending {
 public:
  explicit Bending(int points) : rule_(points, thickness), history_(100, 0.0) {}

  double moment(double curvature) const {
    const PlasticLayer<FlowByStrain<LinearHardening>> ideal{elasticity, {{yield, 0}}};
    const LayerMemory<PlasticLayer<FlowByStrain<LinearHardening>>> memory{rule_.points, 0};
    double low = -curvature, high = 0, moment = 0;
    for (int n = 0; n < 100; ++n) {
      const double across = 0.5 * (low + high);
      const LayeredWall<false, std::decay_t<decltype(ideal)>, const double> wall(
          ideal, rule_, LayerStrain::green_lagrange, memory, history_.data(), 0);
      ShellStrain<double> s{};
      s.k11 = curvature, s.k22 = across;
      wall(0, s);
      moment = s.m11;
      (s.m22 > 0 ? high : low) = across;
    }
    return moment / plastic_moment;
  }

  static constexpr double thickness = 0.02, plastic_moment = yield * thickness * thickness / 4;
  static constexpr double first_yield = yield / youngs / (thickness / 2);

 private:
  LayerRule rule_;
  std::vector<double> history_;
};

TEST(LayerRule, BothEndsOfTheMomentCurveAreExact) {
  for (const auto& [points, expected] : {std::pair{4, 0.052}, std::pair{6, 0.035}}) {
    const Bending bending(points);
    const double elastic = bending.moment(0.1 * Bending::first_yield);
    EXPECT_NEAR(elastic, 0.1 * 2 / 3, 1e-12);
    EXPECT_NEAR(bending.moment(1000 * Bending::first_yield), 1, 1e-4);
    double largest = 0;
    for (double way = 0.5; way < 20; way *= 1.01) {
      const double exact = way < 1 ? way * 2 / 3 : 1 - 1 / (3 * way * way);
      largest = std::max(largest, std::abs(bending.moment(way * Bending::first_yield) - exact));
    }
    EXPECT_NEAR(largest, expected, 0.002);
  }
}

}  // namespace
}  // namespace ictus::mechanics
