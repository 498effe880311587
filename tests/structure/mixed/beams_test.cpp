// Geometrically exact beams among bodies of all families: flight, forces, contact of their sections, and the figures of
// the same beam on a plane.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <ictus/build/build.hpp>
#include <ictus/contact/audit/crossing_audit.hpp>
#include <ictus/math/convert.hpp>
#include <ictus/mechanics/beam/lie_beam.hpp>
#include <ictus/mechanics/beam/lie_beam_state.hpp>
#include <ictus/mechanics/beam/section_beam.hpp>
#include <ictus/scene/text/document.hpp>
#include <random>

#include "support/ledger_run.hpp"

namespace ictus {
namespace {

using mechanics::SectionBeam;

build::Simulation build_text(const std::string& text, int threads = 1) {
  return build::build(scene::read_text(text, "scene.yaml"), threads);
}

/// A state of one whose integrator has started.
model::State started(build::Simulation& simulation) {
  simulation.integrator->prepare(simulation.system);
  model::State state = simulation.system.initial_state();
  simulation.integrator->start(simulation.system, simulation.step, state);
  return state;
}

double total(const model::Stored& stored) {
  return stored[model::Store::kinetic] + stored[model::Store::strain] + stored[model::Store::potential];
}

std::string list(const std::vector<math::Twist<double>>& twists) {
  std::string text;
  for (const auto& [w, c] : twists)
    text += fmt::format("{}[{}, {}, {}, {}, {}, {}]", text.empty() ? "" : ", ", w.x, w.y, w.z, c.x, c.y, c.z);
  return text;
}

/// The beam of the figures below: it flies, turns and swings.
std::string free_beam(double courant) {
  const math::Vector3<double> axis{1, 2, 0.5};
  const double angle = 0.4, length = std::sqrt(norm_sq(axis));
  const math::Rotation<double> turn{std::cos(angle / 2), (std::sin(angle / 2) / length) * axis};
  const math::Vector3<double> turning = (angle / length) * axis, spin{4, -3, 8}, speed{0.3, 0.1, -0.2};
  std::vector<math::Twist<double>> velocities;
  for (int node = 0; node <= 10; ++node) {
    const double x = 0.1 * node;
    const math::Vector3<double> from_middle = rotate(turn, {0, 0, x - 0.5});
    const math::Vector3<double> v = speed + cross(spin, from_middle) +
                                    math::Vector3<double>{1.5 * std::cos(2 * M_PI * x), 0.7 * std::cos(M_PI * x), 0};
    velocities.push_back({rotate(inverse(turn), spin), rotate(inverse(turn), v)});
  }
  return fmt::format(
      "time: {{end: 2, courant: {}}}\nintegrator: {{type: central-difference}}\nbodies:\n  beam: {{type: beam, "
      "length: 1, cells: 10, section: {{type: circle, radius: 0.02}}, density: 1000, youngs_modulus: 2.0e+6, "
      "poissons_ratio: 0.3, rotation: [{}, {}, {}], velocities: [{}]}}\n",
      courant, turning.x, turning.y, turning.z, list(velocities));
}

struct Range {
  double energy = 0, linear = 0, angular = 0;
};

Range range_of_flight(double courant) {
  build::Simulation simulation = build_text(free_beam(courant));
  model::State state = started(simulation);
  const auto energy = [&] { return total(simulation.integrator->energy(simulation.system, simulation.step, state)); };
  const mechanics::Momentum before = simulation.system.momentum(state.q, state.p);
  const double first = energy();
  double low = first, high = first;
  Range range;
  for (std::int64_t n = 0; n < simulation.steps; ++n) {
    simulation.integrator->step(simulation.system, simulation.step, state);
    low = std::min(low, energy());
    high = std::max(high, energy());
    const mechanics::Momentum now = simulation.system.momentum(state.q, state.p);
    range.linear = std::max(range.linear, (now.linear - before.linear).norm() / before.linear.norm());
    range.angular = std::max(range.angular, (now.angular - before.angular).norm() / before.angular.norm());
  }
  range.energy = (high - low) / first;
  return range;
}

TEST(BeamOfSections, FliesFreelyWithTheEnergyOfTheNode) {
  const Range coarse = range_of_flight(0.2), fine = range_of_flight(0.1);
  EXPECT_NEAR(coarse.energy, 6.5e-5, 0.1 * 6.5e-5);
  EXPECT_NEAR(fine.energy, 1.36e-5, 0.1 * 1.36e-5);
  EXPECT_LE(coarse.linear, 1e-13);
  EXPECT_LE(coarse.angular, 1e-13);
}

/// K of an interval, ½ ξ·Jξ of the velocities by which its sections go from q to q⁺.
double kinetic_of_interval(const SectionBeam& beam, std::span<const double> q, std::span<const double> next, double h) {
  double sum = 0;
  for (std::size_t node = 0; node < beam.model().nodes; ++node) {
    const std::size_t k = beam.dofs().begin + SectionBeam::stride * node;
    const auto pose = [&](std::span<const double> at) {
      return math::Pose<double>{{at[k + 3], {at[k + 4], at[k + 5], at[k + 6]}}, {at[k], at[k + 1], at[k + 2]}};
    };
    const math::Twist<double> xi = (1 / h) * math::cayley_inverse(math::inverse(pose(q)) * pose(next));
    const double* mass = &beam.mass()[SectionBeam::stride * node];
    sum += 0.5 * (mass[0] * norm_sq(xi.c) + mass[3] * xi.w.x * xi.w.x + mass[4] * xi.w.y * xi.w.y +
                  mass[5] * xi.w.z * xi.w.z);
  }
  return sum;
}

/// The modified energy of the interval that begins at a state [eq. mixed-13].
double shadow_energy(const dynamics::System& system, const SectionBeam& beam, double h, const model::State& state) {
  std::vector<double> q = state.q, p = state.p;
  const auto of_forces = [&](std::span<const double> at, std::span<const double> momenta) {
    std::vector<double> f(momenta.size());
    system.kick(at, 1, f);
    double power = 0, square = 0;
    for (std::size_t k = 0; k < f.size(); ++k) {
      power += f[k] * system.inverse_mass()[k] * momenta[k];
      square += f[k] * system.inverse_mass()[k] * f[k];
    }
    return std::pair(power, square);
  };
  const auto potential = [&](std::span<const double> at) {
    const mechanics::PotentialEnergy energy = system.potential_energy(at);
    return energy.strain + energy.gravity;
  };
  const auto [power, square] = of_forces(q, p);
  double energy = system.kinetic_energy(p) / 3 + 0.5 * potential(q) - h / 6 * power + h * h / 24 * square;
  system.fly(h, q, p);
  const auto [next_power, next_square] = of_forces(q, p);
  energy += (system.kinetic_energy(p) + kinetic_of_interval(beam, state.q, q, h)) / 3 + 0.5 * potential(q);
  return energy + h / 6 * next_power + h * h / 24 * next_square;
}

TEST(BeamOfSections, HasAShadowEnergyOfFourthOrder) {
  for (const auto& [courant, expected] : {std::pair(0.2, 4.2e-6), {0.1, 2.46e-7}}) {
    build::Simulation simulation = build_text(free_beam(courant));
    const auto& beam = dynamic_cast<const SectionBeam&>(*simulation.system.bodies().front());
    model::State state = started(simulation);
    const double first = shadow_energy(simulation.system, beam, simulation.step, state);
    double low = first, high = first;
    for (std::int64_t n = 0; n < simulation.steps; ++n) {
      simulation.integrator->step(simulation.system, simulation.step, state);
      const double now = shadow_energy(simulation.system, beam, simulation.step, state);
      low = std::min(low, now);
      high = std::max(high, now);
    }
    EXPECT_NEAR((high - low) / first, expected, 0.1 * expected) << courant;
  }
}

/// A force that is wrong by one part in a thousand moves the energy by more than the scheme does.
TEST(BeamOfSections, ForcesAreGradientsOfTheEnergy) {
  build::Simulation simulation = build_text(free_beam(0.2));
  const auto& beam = dynamic_cast<const SectionBeam&>(*simulation.system.bodies().front());
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  model::State state = simulation.system.initial_state();
  for (double& p : state.p) p += 0.1 * uniform(random);
  const exec::Executor exec(1);
  beam.fly(exec, 0.02, state.q, state.p);  // to some strained configuration
  std::vector<double> force(state.p.size());
  beam.kick(exec, state.q, 1.0, force);
  std::vector<double> direction(state.p.size());
  for (double& d : direction) d = uniform(random);
  // Moves of a section: its position in space, its turn about its own axes.
  const auto energy_at = [&](double s) {
    std::vector<double> q = state.q;
    for (std::size_t k = 0; k < q.size(); k += SectionBeam::stride) {
      for (std::size_t c = 0; c < 3; ++c) q[k + c] += s * direction[k + c];
      const math::Rotation<double> turned =
          math::Rotation<double>{q[k + 3], {q[k + 4], q[k + 5], q[k + 6]}} *
          math::cayley(s * math::Vector3<double>{direction[k + 3], direction[k + 4], direction[k + 5]});
      q[k + 3] = turned.s;
      q[k + 4] = turned.v.x;
      q[k + 5] = turned.v.y;
      q[k + 6] = turned.v.z;
    }
    const mechanics::PotentialEnergy energy = beam.potential_energy(exec, q);
    return energy.strain + energy.gravity;
  };
  double work = 0;
  for (std::size_t k = 0; k < force.size(); k += SectionBeam::stride) {
    for (std::size_t c = 0; c < 6; ++c) work += force[k + c] * direction[k + c];
  }
  const double s = 1e-6;
  EXPECT_NEAR((energy_at(-s) - energy_at(s)) / (2 * s), work, 1e-7 * std::abs(work));
}

/// The beam that is thrown at a floor, with reflections at the times of the grid. Its velocities are those of the first
/// interval, as the papers start it.
TEST(BeamOfSections, BouncesOffAPlaneAsByItsOwnScheme) {
  const auto text = [](const std::string& integrator) {
    return fmt::format(
        "time: {{end: 0.5, step: 4.0e-5}}\nintegrator: {{type: {}}}\ngravity: [0, 0, -10]\nbodies:\n  beam: {{type: "
        "beam, length: 0.5, cells: 10, section: {{type: explicit, mass: 2.5, inertia: [0.0005208333333333334, "
        "0.0005208333333333334, 0.001041666666666667], stretch: [0.925925925925926, 0.925925925925926, 2.5], bend: "
        "[0.5208333333333334, 0.5208333333333334, 0.3858024691358025]}}, rotation: [0.5, 0, 0], strains: [[1, 4.5, 1, "
        "0, 0, 1]], moved: {{position: [0, -9.58851077208406e-06, 1.7551651237807457e-05], rotation: [0.5, 0, 0], "
        "strains: [[1.004, 4.522, 0.996, -0.004, 0, 1]], in: 4.0e-5}}}}\n  floor: {{type: plane, position: [0, 0, 0], "
        "normal: [0, 0, 1]}}\ncontacts:\n  - {{between: [beam, floor], restitution: 1}}\n",
        integrator);
  };
  build::Simulation own = build_text(text("multisymplectic-beam")), simulation = build_text(text("reflection"));
  const auto& lanes = dynamic_cast<const mechanics::LieBeam&>(*own.system.find_body("beam"));
  model::State interval = own.system.initial_state();
  mechanics::apply_legendre(lanes.model(), own.step, interval.q, interval.p);

  model::State state = started(simulation);
  for (std::size_t node = 0; node < lanes.model().nodes; ++node) {
    const auto [m, n] = mechanics::LieBeamLayout::momentum(interval.p, node);
    const math::Vector3<double> spin = rotate(inverse(mechanics::LieBeamLayout::pose(interval.q, node).q), m);
    const std::array<double, 6> p{n.x, n.y, n.z, spin.x, spin.y, spin.z};
    std::copy(p.begin(), p.end(), &state.p[SectionBeam::stride * node]);
  }
  const auto energy = [&] { return total(simulation.integrator->energy(simulation.system, simulation.step, state)); };
  const double first_energy = energy();
  double error = 0, impulse = 0, first_impulse = 0, first_time = 0;
  int contacts = 0;
  for (std::int64_t n = 0; n < simulation.steps; ++n) {
    const dynamics::StepReport report = simulation.integrator->step(simulation.system, simulation.step, state);
    for (const dynamics::Impulse& one : report.impulses) {
      if (contacts++ == 0) first_impulse = one.normal_impulse, first_time = one.time;
      impulse += one.normal_impulse;
    }
    error = std::max(error, std::abs(energy() / first_energy - 1));
  }
  EXPECT_NEAR(first_energy, 150.087992, 1e-6);
  EXPECT_NEAR(first_time, 0.00464, 1e-12);
  EXPECT_NEAR(first_impulse, 3.851207, 1e-6);
  EXPECT_EQ(contacts, 10);
  EXPECT_NEAR(impulse, 19.6903, 1e-4);
  EXPECT_NEAR(error, 2.7e-5, 0.05e-5);
}

struct BodyText {
  std::string name, text;
};

/// Bodies above z = 0 that fall.
const std::vector<BodyText>& falling() {
  static const std::vector<BodyText> all{
      {"round_beam",
       "type: beam, length: 0.3, cells: 10, section: {type: circle, radius: 0.012}, density: 2000, "
       "youngs_modulus: 2.0e+7, position: [-0.13, 0.013, 0.045], rotation: [0.02, 1.5, 0.1], velocity: [0.5, 0.2, -4]"},
      {"square_beam",
       "type: beam, length: 0.3, cells: 10, section: {type: rectangle, width: 0.02, height: 0.03}, density: "
       "2000, "
       "youngs_modulus: 2.0e+7, position: [-0.13, 0.013, 0.05], rotation: [0.3, 1.5, 0.2], velocity: [0.5, 0.2, -4]"}};
  return all;
}

/// Bodies below it, free to fly.
const std::vector<BodyText>& lying() {
  static const std::vector<BodyText> all{
      {"sphere", "type: rigid, shape: {type: sphere, radius: 0.04}, density: 1000, position: [0.01, 0, -0.04]"},
      {"box", "type: rigid, shape: {type: box, size: [0.1, 0.06, 0.04]}, density: 1000, position: [0.01, 0, -0.02]"},
      {"capsule",
       "type: rigid, shape: {type: capsule, radius: 0.02, length: 0.2}, density: 1000, rotation: [1.4, 0, 0], "
       "position: [0, 0, -0.045]"},
      {"shell",
       "type: shell, shape: {type: plate, size: [0.4, 0.3], cells: [8, 8]}, thickness: "
       "0.004, density: 1200, youngs_modulus: 3.0e+6, poissons_ratio: 0.3"},
      {"solid",
       "type: solid, shape: {type: box, size: [0.2, 0.2, 0.08], cells: [4, 4, 2]}, position: [-0.1, -0.1, "
       "-0.08], material: st-venant-kirchhoff, density: 1000, youngs_modulus: 1.0e+6, poissons_ratio: 0.3"},
      {"round_beam",
       "type: beam, length: 0.3, cells: 8, section: {type: circle, radius: 0.01}, density: 1500, "
       "youngs_modulus: 1.0e+7, position: [0.01, 0.15, -0.01], rotation: [1.5707963, 0, 0]"},
      {"square_beam",
       "type: beam, length: 0.3, cells: 8, section: {type: square, side: 0.02}, density: 1500, "
       "youngs_modulus: 1.0e+7, position: [0.01, 0.15, -0.015], rotation: [1.5707963, 0, 0]"}};
  return all;
}

const std::vector<std::string>& schemes_of_beams() {
  static const std::vector<std::string> all{"cd-lagrange", "reflection", "capture-return", "moreau-variational",
                                            "discrete-gradient"};
  return all;
}

struct Meeting {
  std::size_t above, below, scheme;
  double friction;
};

class BeamOnBody : public ::testing::TestWithParam<Meeting> {
 protected:
  build::Simulation simulation(int threads = 1, double courant = 0.3) const {
    const Meeting& mix = GetParam();
    return build_text(fmt::format("time: {{end: 0.02, courant: {}}}\nintegrator: {{type: {}}}\nbodies:\n  above: "
                                  "{{{}}}\n  below: {{{}}}\ncontacts:\n  - {{between: [above, below], friction: {}}}\n",
                                  courant, schemes_of_beams()[mix.scheme], falling()[mix.above].text,
                                  lying()[mix.below].text, mix.friction),
                      threads);
  }
};

TEST_P(BeamOnBody, KeepsMomentaAndAccountsForEnergyWithoutCrossing) {
  build::Simulation simulation = this->simulation();
  const contact::Skins skins(simulation.system.pairs());
  contact::CrossingAudit audit;
  std::vector<contact::Crossing> crossings;
  double impulse = 0;
  const auto look = [&](const auto&, model::State& state, const dynamics::StepReport& report) {
    for (const dynamics::Impulse& one : report.impulses) impulse += one.normal_impulse;
    audit.find(skins, state.q, crossings);
  };
  const testing::LedgerRun run = testing::run_with_ledger(simulation.system, *simulation.integrator, simulation.step,
                                                          static_cast<int>(simulation.steps), look);
  EXPECT_EQ(run.failure, "");
  EXPECT_GT(impulse, 0.05);  // N s: they have met
  EXPECT_LE(run.linear_drift, 1e-12);
  EXPECT_LE(run.angular_drift, 1e-12);
  EXPECT_LE(run.residual, 1e-12);
  EXPECT_LE(run.error, schemes_of_beams()[GetParam().scheme] == "reflection" ? 2e-2 : 5e-3);
  if (schemes_of_beams()[GetParam().scheme] == "discrete-gradient") {
    EXPECT_LE(run.extra("bank_max"), 0.01 * run.scale);
  }
  EXPECT_TRUE(crossings.empty());
}

TEST_P(BeamOnBody, HasTheSameBitsOnTwoThreads) {
  std::vector<model::State> ends;
  for (const int threads : {1, 2}) {
    build::Simulation simulation = this->simulation(threads);
    ends.push_back(started(simulation));
    for (std::int64_t n = 0; n < simulation.steps; ++n)
      simulation.integrator->step(simulation.system, simulation.step, ends.back());
  }
  EXPECT_EQ(ends[0].q, ends[1].q);
  EXPECT_EQ(ends[0].p, ends[1].p);
}

/// A state that is kept half-way, and a fresh integrator that goes on with it.
TEST_P(BeamOnBody, GoesOnFromAStateWithTheSameBits) {
  build::Simulation simulation = this->simulation(), other = this->simulation();
  model::State state = started(simulation), kept;
  other.integrator->prepare(other.system);
  for (std::int64_t n = 0; n < simulation.steps; ++n) {
    if (n == simulation.steps / 2) kept = state;
    simulation.integrator->step(simulation.system, simulation.step, state);
  }
  while (kept.step < state.step) other.integrator->step(other.system, other.step, kept);
  EXPECT_EQ(kept.q, state.q);
  EXPECT_EQ(kept.p, state.p);
}

std::vector<Meeting> every_meeting() {
  std::vector<Meeting> all;
  for (std::size_t above = 0; above < falling().size(); ++above) {
    for (std::size_t below = 0; below < lying().size(); ++below) {
      for (std::size_t scheme = 0; scheme < schemes_of_beams().size(); ++scheme) {
        for (const double friction : {0.0, 0.5}) all.push_back({above, below, scheme, friction});
      }
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Every, BeamOnBody, ::testing::ValuesIn(every_meeting()), [](const auto& instance) {
  const Meeting& mix = instance.param;
  std::string name = fmt::format("{}_on_{}_by_{}_{}", falling()[mix.above].name, lying()[mix.below].name,
                                 schemes_of_beams()[mix.scheme], mix.friction > 0 ? "rough" : "smooth");
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace ictus
