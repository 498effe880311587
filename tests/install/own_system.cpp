// A mechanical system of one's own, outside the library: a double pendulum that swings against a wall and strikes a
// rigid ball. Its energies are written once, over any scalar type; dual numbers differentiate them.
#include "own_system.hpp"

#include <cmath>
#include <ictus/dynamics/generalised/variational_trapezoid.hpp>
#include <ictus/dynamics/scheme/newton_cone.hpp>
#include <ictus/mechanics/generalised/coordinate_body.hpp>
#include <ictus/mechanics/generalised/formula_body.hpp>
#include <ictus/mechanics/rigid/rigid_bodies.hpp>

namespace {

using ictus::math::Vec3;

/// q = (φ₁, φ₂): angles of two rods of length 1 m with masses of 1 kg at their ends, from straight down.
struct DoublePendulum {
  static constexpr std::size_t coordinates = 2;
  static constexpr std::size_t contacts = 1;
  static constexpr std::string_view quantities[] = {"angle1", "angle2", "angular_velocity1", "angular_velocity2"};
  double wall = -0.2;  ///< x of the wall, left of the lower mass

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
  /// How far the lower mass is from the wall (m).
  template <class S>
  S gap(std::size_t, const S* q) const {
    using std::sin;
    return sin(q[0]) + sin(q[1]) - wall;
  }
  /// The lower mass slides along the wall with ż = sin φ₁ φ̇₁ + sin φ₂ φ̇₂.
  int sliding(std::size_t, std::span<const double> q, ictus::mechanics::CoordinateVector& w) const {
    w[0] = std::sin(q[0]);
    w[1] = std::sin(q[1]);
    return 1;
  }
  Vec3 point(std::size_t, std::span<const double> q) const {
    return {std::sin(q[0]) + std::sin(q[1]), 0, -std::cos(q[0]) - std::cos(q[1])};
  }
  Vec3 push(std::size_t, std::span<const double>) const { return {1, 0, 0}; }

  /// Others meet the lower mass, a ball.
  static constexpr std::size_t links = 1;
  ictus::mechanics::LinkSkin skin() const {
    ictus::mechanics::LinkSkin ball;
    ball.radius = 0.1;
    return ball.add_point(0, {0, 0, 0});
  }
  template <class S>
  std::array<S, 3> place(std::size_t, const S* q) const {
    using std::cos;
    using std::sin;
    return {sin(q[0]) + sin(q[1]), S(0.0), -cos(q[0]) - cos(q[1])};
  }
};

}  // namespace

bool own_system_keeps_its_energy() {
  using namespace ictus;
  auto body = std::make_unique<mechanics::FormulaBody<DoublePendulum>>("double pendulum", DoublePendulum{},
                                                                       std::array{1.0, 0.5}, std::array{0.0, 0.0}, 0);
  // Contact 0 of the body with its surroundings: elastic, without friction.
  const contact::ContactPair wall{body->name(), "wall", &body->surface(), &body->surroundings(), 1.0, 0.0, 0, 0};
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::move(body));
  const dynamics::System system(std::move(bodies), {wall}, exec::Executor(1));

  dynamics::VariationalTrapezoid integrator(dynamics::ImpactLaw::momentum);
  const double h = 1e-3;
  model::State state = system.initial_state();
  integrator.prepare(system);
  integrator.start(system, h, state);
  const double initial = integrator.energy(system, h, state).total();
  int impacts = 0;
  double error = 0;
  while (state.time < 10) {
    impacts += integrator.step(system, h, state).closings;
    error = std::max(error, std::abs(integrator.energy(system, h, state).total() - initial));
  }
  return impacts > 5 && error < 1e-3 * std::abs(initial);
}

bool own_system_strikes_a_ball() {
  using namespace ictus;
  auto pendulum = std::make_unique<mechanics::CoordinateBody>(
      std::make_unique<mechanics::FormulaBody<DoublePendulum>>("double pendulum", DoublePendulum{},
                                                               std::array{1.0, 0.5}, std::array{0.0, 0.0}, 0),
      0);
  // It hangs in the way of the pendulum, and flies off without weight.
  auto ball = std::make_unique<mechanics::RigidBodies>(
      "ball",
      mechanics::RigidProperties{
          .shape = geometry::RigidShape::sphere(0.2), .mass = 2, .inertia = {0.032, 0.032, 0.032}},
      std::vector<mechanics::RigidStart>{{{0.1, 0, -1.95}, {}, {}, {}}}, pendulum->dofs().end(),
      mechanics::RigidBodies::Outside::skin);
  contact::ContactPair wall{pendulum->name(), "wall", &pendulum->surface(), &pendulum->surroundings(), 1.0, 0.0, 0, 0};
  contact::ContactPair met{pendulum->name(), ball->name(), &pendulum->skin(), &ball->skin(), 0.8, 0.3};
  wall.rigid = met.rigid = true;
  const std::size_t of_ball = ball->dofs().begin;
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::move(pendulum));
  bodies.push_back(std::move(ball));
  const dynamics::System system(std::move(bodies), {wall, met}, exec::Executor(1));

  dynamics::NewtonCone integrator;
  const double h = 1e-3;
  model::State state = system.initial_state();
  integrator.prepare(system);
  integrator.start(system, h, state);
  const double initial = integrator.energy(system, h, state).total();
  double lost = 0, error = 0;
  while (state.time < 2) {
    lost += integrator.step(system, h, state).lost.total();
    const double all = integrator.energy(system, h, state).total() + lost + integrator.quadrature(system, h, state);
    error = std::max(error, std::abs(all - initial));
  }
  return state.p[of_ball] < -1 && lost > 0.1 && error < 1e-10 * std::abs(initial);
}
