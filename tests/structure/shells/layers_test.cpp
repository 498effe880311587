// Shells whose layers yield: what their motion keeps, the step that follows, and a strip that others have computed.
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/dynamics/explicit/central_difference.hpp>
#include <ictus/dynamics/system/step_limit.hpp>
#include <ictus/geometry/mesh/curve_order.hpp>
#include <ictus/geometry/mesh/mesh_generators.hpp>
#include <ictus/mechanics/shell/shell.hpp>
#include <random>

namespace ictus {
namespace {

using math::Vec3;
using mechanics::LayerProperties;
using mechanics::LayerStrain;
using mechanics::Plasticity;
using mechanics::Shell;
using mechanics::ShellProperties;

/// A metal in units in which numbers are near one: Young's modulus 200, flow from 1 on. A sphere with irregular
/// vertices, or an open tube whose free edges have ghosts.
ShellProperties soft_shell(geometry::TriangleMesh mesh, const LayerProperties& layers) {
  ShellProperties shell;
  shell.mesh = geometry::renumbered(mesh);
  shell.thickness = 0.06;
  shell.youngs_modulus = 200;
  shell.poissons_ratio = 0.3;
  shell.density = 1;
  shell.layers = layers;
  return shell;
}
LayerProperties linear_layers(LayerStrain strain = LayerStrain::logarithmic, int points = 4) {
  return {Plasticity{mechanics::LinearHardening{1, 4}}, strain, points};
}
std::vector<LayerProperties> all_layers() {
  mechanics::TableHardening table;
  table.points = 3;
  table.strain = {0, 0.02, 0.1};
  table.value = {1, 1.2, 2.5};
  return {linear_layers(),
          linear_layers(LayerStrain::green_lagrange, 6),
          {Plasticity{mechanics::VoceHardening{1, 1, 0.5, 20}}, LayerStrain::logarithmic, 6},
          {Plasticity{table}, LayerStrain::logarithmic, 4},
          {std::nullopt, LayerStrain::logarithmic, 4}};
}
std::vector<geometry::TriangleMesh> meshes() {
  return {geometry::sphere(1, geometry::SphereBase::octahedron, 2), geometry::tube(1, 1.5, 12, 5)};
}

/// A shell on its own with its numbers: positions, then what it remembers.
struct Alone {
  explicit Alone(const ShellProperties& properties) : shell("shell", properties, 0) {
    q.resize(shell.dofs().size + shell.history());
    std::vector<double> p(shell.dofs().size);
    shell.initialise(q, p);
    shell.begin_history(q);
  }
  void move(std::mt19937& random, double size) {
    std::normal_distribution<double> normal(0, size);
    for (std::size_t k = 0; k < shell.dofs().size; ++k) q[k] += normal(random);
  }
  std::vector<double> force(int threads = 1) const {
    std::vector<double> f(q.size(), 0.0);
    shell.kick(exec::Executor(threads), q, 1, f);
    return f;
  }
  std::vector<double> advance(int threads = 1) {
    std::vector<double> f(q.size(), 0.0);
    shell.advance(exec::Executor(threads), 1, q, 1, f);
    return f;
  }
  double taken() const {
    const mechanics::Dissipated lost = shell.dissipated(exec::Executor(1), q);
    return lost.heat + lost.hardening;
  }

  Shell shell;
  std::vector<double> q;
};

TEST(ShellLayers, ForceIsTheGradientOfThePotentialAfterARandomHistory) {
  for (const geometry::TriangleMesh& mesh : meshes()) {
    for (const LayerProperties& layers : all_layers()) {
      Alone alone(soft_shell(mesh, layers));
      std::mt19937 random(3);
      for (int n = 0; n < 8; ++n) {
        alone.move(random, 0.01);
        alone.advance();
      }
      if (layers.plasticity) {
        EXPECT_GT(alone.taken(), 0);
      }
      alone.move(random, 0.01);  // flows, and has not been taken there
      const std::vector<double> f = alone.force();
      std::normal_distribution<double> normal;
      std::vector<double> along(alone.shell.dofs().size);
      for (double& d : along) d = normal(random);
      const auto potential = [&](double t) {
        std::vector<double> moved = alone.q;
        for (std::size_t k = 0; k < along.size(); ++k) moved[k] += t * along[k];
        return alone.shell.potential_energy(exec::Executor(1), moved).strain;
      };
      constexpr double h = 2e-6;
      const double slope = (8 * (potential(h) - potential(-h)) - (potential(2 * h) - potential(-2 * h))) / (12 * h);
      double work = 0, scale = 0;
      for (std::size_t k = 0; k < along.size(); ++k) work += f[k] * along[k], scale += std::abs(f[k] * along[k]);
      EXPECT_LT(std::abs(slope + work) / scale, 2e-9);
    }
  }
}

TEST(ShellLayers, ForcesHaveNoResultantAndTurnWithTheShell) {
  for (const geometry::TriangleMesh& mesh : meshes()) {
    Alone alone(soft_shell(mesh, linear_layers())), turned(soft_shell(mesh, linear_layers()));
    std::mt19937 random(5);
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(1.1, Vec3(1, 2, -1).normalized()).toRotationMatrix();
    double largest = 0;
    for (int n = 0; n < 10; ++n) {
      alone.move(random, 0.008);
      for (std::size_t k = 0; k < alone.shell.dofs().size; k += 3)
        Vec3::Map(&turned.q[k]) = (n % 2 == 0 ? turn : turn.transpose()) * Vec3::Map(&alone.q[k]) + Vec3(1, 2, 3);
      const std::vector<double> f = alone.advance(), g = turned.advance();
      Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
      double scale = 0;
      for (std::size_t k = 0; k < alone.shell.dofs().size; k += 3) {
        const Vec3 one = Vec3::Map(&f[k]);
        force += one;
        moment += Vec3::Map(&alone.q[k]).cross(one);
        scale += one.norm();
        const Vec3 expected = (n % 2 == 0 ? turn : turn.transpose()) * one;
        largest = std::max(largest, (Vec3::Map(&g[k]) - expected).norm());
      }
      EXPECT_LT(force.norm(), 1e-13 * scale);
      EXPECT_LT(moment.norm(), 1e-13 * scale);
      EXPECT_LT(largest, 1e-11 * scale);
    }
    EXPECT_GT(alone.taken(), 0);
  }
}

TEST(ShellLayers, ThreadsDoNotChangeABit) {
  Alone one(soft_shell(geometry::tube(1, 3, 40, 60), linear_layers()));
  Alone two = Alone(soft_shell(geometry::tube(1, 3, 40, 60), linear_layers()));
  std::mt19937 random(7), again(7);
  for (int n = 0; n < 3; ++n) {
    one.move(random, 1e-3);
    two.move(again, 1e-3);
    EXPECT_EQ(one.advance(1), two.advance(2));
  }
  EXPECT_EQ(one.q, two.q);
  EXPECT_EQ(one.taken(), two.taken());
  EXPECT_GT(one.taken(), 0);
}

TEST(ShellLayers, ElasticLayersAreKoitersWallForSmallStrains) {
  ShellProperties koiter = soft_shell(geometry::tube(1, 1.5, 12, 5), {});
  ShellProperties layered = koiter;
  koiter.layers.reset();
  layered.layers->strain = LayerStrain::green_lagrange;
  const Alone one(koiter), two(layered);
  std::vector<double> q = one.q;
  std::mt19937 random(9);
  std::normal_distribution<double> normal(0, 0.01);
  for (double& x : q) x += normal(random);
  std::vector<double> f(q.size(), 0.0), g = f;
  one.shell.kick(exec::Executor(1), q, 1, f);
  two.shell.kick(exec::Executor(1), q, 1, g);
  for (std::size_t k = 0; k < f.size(); ++k) EXPECT_NEAR(f[k], g[k], 1e-11);  // the same energy to round-off
}

struct Spin {
  double angular = 0;  ///< largest change of the angular momentum, of itself
  double error = 0;    ///< T + V + D − what they were, over the energy at the start
  double taken = 0;    ///< D over the same
};

/// A sphere that spins and is squeezed so fast that it yields.
Spin spin(double share) {
  ShellProperties properties = soft_shell(meshes()[0], linear_layers());
  properties.spin = {0.3, 0.5, 1.7};
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<Shell>("shell", properties, 0));
  const dynamics::System system(std::move(bodies), {}, exec::Executor(1));
  dynamics::CentralDifference scheme;
  scheme.prepare(system);
  model::State state = system.initial_state();
  for (std::size_t k = 0; k < state.p.size(); k += 3) state.p[k] -= 0.8 * state.q[k] / system.inverse_mass()[k];
  const double h = share * dynamics::explicit_step_limit(system).step, end = 1.5;
  scheme.start(system, h, state);
  const double begin = scheme.energy(system, h, state).total();
  const Vec3 angular = system.momentum(state.q, state.p).angular;
  Spin result;
  while (state.time < end - h / 2) {
    scheme.step(system, h, state);
    result.angular =
        std::max(result.angular, (system.momentum(state.q, state.p).angular - angular).norm() / angular.norm());
  }
  result.taken = system.dissipated(state.q).total() / begin;
  result.error = (scheme.energy(system, h, state).total() - begin) / begin + result.taken;
  return result;
}

TEST(ShellLayers, ASpinningShellThatYieldsKeepsItsAngularMomentum) {
  const Spin coarse = spin(0.4), middle = spin(0.2), fine = spin(0.05);
  EXPECT_LT(coarse.angular, 1e-12);
  EXPECT_GT(coarse.taken, 0.2);
  EXPECT_LT(std::abs(coarse.error), 5e-3);
  EXPECT_LT(std::abs(middle.error), std::abs(coarse.error) / 2.5);
  EXPECT_LT(std::abs(fine.error), std::abs(coarse.error) / 30);
}

TEST(ShellLayers, AStateInTheMiddleOfFlowContinuesToTheSameBits) {
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::make_unique<Shell>("shell", soft_shell(meshes()[1], linear_layers()), 0));
  const dynamics::System system(std::move(bodies), {}, exec::Executor(1));
  const double h = 0.4 * dynamics::explicit_step_limit(system).step;
  const auto run = [&](model::State& state, int steps) {
    dynamics::CentralDifference scheme;
    scheme.prepare(system);
    if (state.step == 0) scheme.start(system, h, state);
    for (int n = 0; n < steps; ++n) scheme.step(system, h, state);
  };
  model::State whole = system.initial_state();
  for (std::size_t k = 0; k < whole.p.size(); k += 3) whole.p[k] = -0.8 * whole.q[k] / system.inverse_mass()[k];
  model::State parts = whole;
  run(whole, 100);
  run(parts, 40);
  run(parts, 60);
  EXPECT_GT(system.dissipated(whole.q).total(), 0);
  EXPECT_EQ(whole, parts);
}

/// Half a strip in plane strain, clamped at one end, with a mirror at the other, that moves at 60 m/s.
class Strip {
 public:
  Strip(int cells, const std::optional<LayerProperties>& layers) {
    const double length = 0.05, width = 2 * length / cells;
    ShellProperties shell;
    shell.mesh = geometry::plate(length, width, cells, 2);
    for (Vec3& x : shell.mesh.positions) x.x() += length / 2;
    shell.thickness = 2e-3;
    shell.youngs_modulus = 69e9;
    shell.poissons_ratio = 0.33;
    shell.density = 2700;
    shell.velocity = {0, 0, -60};
    shell.layers = layers;
    mechanics::SymmetryPlane end{0, length, {}}, low{1, -width / 2, {}}, high{1, width / 2, {}};
    for (int v = 0; v < static_cast<int>(shell.mesh.positions.size()); ++v) {
      const Vec3& x = shell.mesh.positions[static_cast<std::size_t>(v)];
      if (x.x() < 1e-9) shell.clamped.push_back(v);
      if (x.x() > length - 1e-9) {
        end.vertices.push_back(v);
        if (std::abs(x.y()) < 1e-9) middle_ = static_cast<std::size_t>(v);
      }
      if (x.y() < -width / 2 + 1e-9) low.vertices.push_back(v);
      if (x.y() > width / 2 - 1e-9) high.vertices.push_back(v);
    }
    shell.symmetries = {end, low, high};
    std::vector<dynamics::BodyPtr> bodies;
    bodies.push_back(std::make_unique<Shell>("strip", shell, 0));
    system_ =
        std::make_unique<dynamics::System>(std::move(bodies), std::vector<contact::ContactPair>{}, exec::Executor(1));
  }

  struct Blow {
    double deflection = 0;  ///< largest, of the middle (m)
    double time = 0;        ///< of it (s)
    double error = 0;       ///< of the energy at 150 µs, over that at the start
    double growth = 0;      ///< of the stable step at the end
  };
  Blow strike(double h) const {
    const auto& shell = dynamic_cast<const Shell&>(*system_->bodies().front());
    dynamics::CentralDifference scheme;
    scheme.prepare(*system_);
    model::State state = system_->initial_state();
    scheme.start(*system_, h, state);
    const double begin = scheme.energy(*system_, h, state).total();
    Blow blow;
    while (state.time < 150e-6) {
      scheme.step(*system_, h, state);
      const double z = shell.limit(std::span(state.q).first(shell.dofs().size), true)[middle_].z();
      if (-z > blow.deflection) blow.deflection = -z, blow.time = state.time;
    }
    blow.error = (scheme.energy(*system_, h, state).total() + system_->dissipated(state.q).total()) / begin - 1;
    blow.growth = shell.stable_step(system_->exec(), state.q) / shell.critical_step().step;
    return blow;
  }

 private:
  std::unique_ptr<dynamics::System> system_;
  std::size_t middle_ = 0;
};

LayerProperties aluminium(LayerStrain strain = LayerStrain::logarithmic, int points = 4) {
  return {Plasticity{mechanics::LinearHardening{286e6, 500e6}}, strain, points};
}

/// Hexahedra, 100 × 4 of them along and through the same strip, deflect by 8.176 mm at 144.6 µs.
TEST(ShellStrip, DeflectsLikeOneOfHexahedra) {
  const Strip strip(50, aluminium());
  const Strip::Blow coarse = strip.strike(100e-9), middle = strip.strike(50e-9), fine = strip.strike(25e-9);
  EXPECT_NEAR(fine.deflection, 8.176e-3, 0.01 * 8.176e-3);
  EXPECT_NEAR(fine.deflection, 8.245e-3, 0.005 * 8.245e-3);  // the same layers and cells, computed elsewhere
  EXPECT_NEAR(fine.time, 145.4e-6, 1e-6);
  EXPECT_LT(std::abs(coarse.error), 6e-4);
  EXPECT_NEAR(std::log2(coarse.error / middle.error), 2, 0.25);
  EXPECT_NEAR(std::log2(middle.error / fine.error), 2, 0.4);
  EXPECT_GT(fine.growth, 0.75);  // the inner layers of its hinge are pressed
  EXPECT_LT(fine.growth, 1);
  const double green = Strip(50, aluminium(LayerStrain::green_lagrange)).strike(50e-9).deflection;
  EXPECT_NEAR(green / fine.deflection, 0.985, 0.003);  // a measure that stiffens with the stretch
  const double six = Strip(50, aluminium(LayerStrain::logarithmic, 6)).strike(50e-9).deflection;
  EXPECT_NEAR(six, 8.271e-3, 0.005 * 8.271e-3);
}

TEST(ShellStrip, SpringsLikeKoitersWhileElastic) {
  LayerProperties elastic;
  EXPECT_NEAR(Strip(50, std::nullopt).strike(50e-9).deflection, 6.066e-3, 0.003 * 6.066e-3);
  EXPECT_NEAR(Strip(50, elastic).strike(50e-9).deflection, 6.119e-3, 0.003 * 6.119e-3);
}

}  // namespace
}  // namespace ictus
