#include <gtest/gtest.h>

#include <cmath>
#include <ictus/dynamics/beam/lie_beam_contact.hpp>
#include <ictus/mechanics/beam/lie_beam_layout.hpp>

namespace ictus::dynamics {
namespace {

using math::Vector3;
using math::Wrench;

// One section of a beam, turned, with a lever that makes sliding along x, y and z depend on one another.
struct Touched {
  mechanics::LieBeamModel model;
  std::vector<double> q;
  Vector3<double> lever{0.01, -0.02, -0.03};
  Wrench<double> momentum{{0.001, 0.004, -0.002}, {0.3, -0.2, -0.5}};

  Touched() {
    model.section = {.mass = 2.0, .inertia = {2e-3, 5e-4, 2.5e-3}, .stretch = {1, 1, 1}, .bend = {1, 1, 1}};
    model.nodes = 3;
    model.spacing = 0.1;
    q.resize(model.size());
    mechanics::LieBeamLayout::set_pose(q, 1, {math::cayley(Vector3<double>{0.3, 0.8, -0.4}), {}});
  }
  TouchedSection section() const { return {model, 1, q, lever}; }
  Vector3<double> velocity_with(const Vector3<double>& impulse) const {
    const Wrench<double> added = section().momentum(impulse);
    return section().velocity({momentum.m + added.m, momentum.n + added.n});
  }
};

constexpr Vector3<double> up{0.0, 0.0, 1.0};

Vector3<double> coulomb_impulse(const Touched& touched, double max_impulse) {
  const TouchedSection section = touched.section();
  return SlidingPoint(section, up).coulomb_impulse(section.velocity(touched.momentum), max_impulse);
}

TEST(LieBeamFriction, SticksWhereItCan) {
  const Touched touched;
  const Vector3<double> impulse = coulomb_impulse(touched, 10.0);
  const Vector3<double> after = touched.velocity_with(impulse);
  EXPECT_NEAR(std::hypot(after.x, after.y), 0.0, 1e-14);
  EXPECT_NEAR(impulse.z, 0.0, 1e-16);
}

TEST(LieBeamFriction, SlidesAgainstTheImpulseThatIsThere) {
  const Touched touched;
  for (const double max_impulse : {0.04, 0.01, 1e-3}) {
    const Vector3<double> impulse = coulomb_impulse(touched, max_impulse);
    EXPECT_NEAR(std::hypot(impulse.x, impulse.y), max_impulse, 1e-14 * max_impulse);
    const Vector3<double> after = touched.velocity_with(impulse);
    // Opposite: −cos of the angle between them.
    EXPECT_NEAR((after.x * impulse.x + after.y * impulse.y) / (max_impulse * std::hypot(after.x, after.y)), -1.0,
                1e-12);
  }
}

TEST(LieBeamFriction, NothingRubsWithoutPressure) {
  const Touched touched;
  EXPECT_EQ(coulomb_impulse(touched, 0.0), Vector3<double>{});
}

}  // namespace
}  // namespace ictus::dynamics
