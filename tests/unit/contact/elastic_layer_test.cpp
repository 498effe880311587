#include <gtest/gtest.h>

#include <cmath>
#include <ictus/contact/law/elastic_layer.hpp>
#include <random>

namespace ictus::contact {
namespace {

std::vector<ElasticLayer> layers() {
  std::vector<ElasticLayer> all;
  for (const double stiffness : {0.1, 1.0, 1e6}) {
    for (const double thickness : {0.0, 0.1}) {
      for (const double returned : {1.0, 0.3, 0.0}) all.push_back({stiffness, thickness, returned});
    }
  }
  return all;
}

/// (φ(G) − φ(a))/(G − a) to round-off of φ, or φ′(a) where both are one.
double slope(const ElasticLayer& layer, double a, double next) {
  return next == a ? 0 : (layer.energy(next) - layer.energy(a)) / (next - a);
}

/// The impulse satisfies its own equation, whatever the layer did before and would do: it presses with the full slope,
/// opens with the share that is returned, or stands still with a force in between; it never pulls.
TEST(ElasticLayer, ImpulseIsTheDiscreteGradientOfTheEnergy) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(0, 1);
  const double h = 0.1, inertia = 2;
  for (const ElasticLayer& layer : layers()) {
    for (int n = 0; n < 300; ++n) {
      // Barriers were never closed; a free motion may lead anywhere.
      const double a = layer.thickness > 0 ? 0.3 * any(random) - 0.999 * layer.thickness : any(random) - 0.5;
      const double free = 2 * any(random) - 1;
      const double lambda = layer.impulse(a, free, h, inertia), next = free + h * inertia * lambda;
      ASSERT_GE(lambda, 0);
      if (layer.thickness > 0) {
        ASSERT_GT(next, -layer.thickness);
      }
      if (next == a || std::abs(next - a) < 1e-6) continue;  // the slope of a short difference is round-off
      const double share = next > a && a < 0 ? layer.returned : 1;
      const double expected = -h * share * slope(layer, a, next);
      const double noise = h * 1e-14 * (layer.energy(a) + layer.energy(next)) / std::abs(next - a);
      // A gap that is left out of a difference of large gaps is known to its round-off, which a stiff layer feels.
      const double stiff =
          h * layer.stiffness * 1e-14 *
          (layer.thickness > 0 ? std::pow(layer.thickness / (std::min(a, next) + layer.thickness), 3) : 1);
      EXPECT_NEAR(lambda, expected, 1e-9 * expected + noise + stiff) << a << ' ' << free << ' ' << next;
    }
  }
}

/// So that the run that led there ends with a message: no such push is left out in silence.
TEST(ElasticLayer, AGapThatIsNotFiniteGivesNoFiniteImpulse) {
  for (const ElasticLayer& layer : layers()) {
    for (const double before : {-0.01, 0.01}) {
      EXPECT_TRUE(std::isnan(layer.impulse(before, std::nan(""), 1e-3, 2.0))) << before;
    }
  }
}

/// What an impulse does is paid by its layer, whatever the layer did before. One that is wrong by 1 %, or one of
/// another layer, is not.
TEST(ElasticLayer, PaysForItsOwnImpulseAndNoOther) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(0, 1);
  const double h = 0.1, inertia = 2;
  for (const ElasticLayer& layer : layers()) {
    if (layer.stiffness > 1) continue;  // energies of 1e6 J and more have their own round-off
    ElasticLayer other = layer;
    other.stiffness *= 1.01;
    for (int n = 0; n < 200; ++n) {
      const double a = layer.thickness > 0 ? 0.3 * any(random) - 0.9 * layer.thickness : any(random) - 0.5;
      const double free = 2 * any(random) - 1;
      const double lambda = layer.impulse(a, free, h, inertia), next = free + h * inertia * lambda;
      const double scale = layer.energy(a) + layer.energy(next) + std::abs(lambda * (next - a)) / h;
      EXPECT_NEAR(layer.unpaid(a, next, h, lambda), 0, 1e-9 * scale) << a << ' ' << free;
      const double moved = 0.5 * std::abs(lambda * (next - a)) / h;
      if (moved < 1e-3 * scale) continue;
      EXPECT_NEAR(std::abs(layer.unpaid(a, next, h, 1.01 * lambda)), 0.01 * moved, 1e-9 * scale);
      EXPECT_NEAR(std::abs(other.unpaid(a, next, h, lambda)), 0.01 * moved, 1e-9 * scale);
    }
  }
}

/// Two masses that meet through a layer part at e times the speed at which they came, for any step and stiffness.
TEST(ElasticLayer, MassesPartAtTheRestitutionTimesTheirSpeed) {
  for (const double thickness : {0.0, 0.1}) {
    for (const double e : {1.0, 0.6}) {
      for (const double h : {1e-3, 1e-2, 0.03}) {
        const ElasticLayer layer{300, thickness, e * e};
        double before = 0.2, gap = 0.2 - h, rate = -1, lost = 0;
        for (int n = 0; n < 3000; ++n) {
          const double lambda = layer.impulse(before, gap + h * rate, h, 1);
          const double next = gap + h * (rate + lambda);
          if (next > before && before < 0)
            lost += 0.5 * (1 - layer.returned) * (layer.energy(before) - layer.energy(next));
          rate += lambda;
          before = gap;
          gap = next;
        }
        EXPECT_GT(gap, 0);
        EXPECT_NEAR(0.5 * rate * rate + lost, 0.5, 1e-12);
        EXPECT_NEAR(rate, e, e == 1 ? 1e-12 : 2 * h) << "step " << h;  // gaps turn within a step
      }
    }
  }
}

}  // namespace
}  // namespace ictus::contact
