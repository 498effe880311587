#include <gmock/gmock.h>

#include <cmath>
#include <ictus/ictus.hpp>
#include <limits>

namespace ictus::testing {
namespace {

using ::testing::HasSubstr;

scene::Scene two_bars() {
  scene::Scene scene;
  scene.time = {.end = 20, .step = {}, .courant = 0.5};
  scene.integrator = scene::CdLagrangeSpec{};
  scene::BarSpec bar{.length = 10, .cells = 20, .density = 1, .youngs_modulus = 1};
  bar.position = {-10.005, 0, 0};
  bar.velocity = {0.1, 0, 0};
  scene.bodies.add("left", bar);
  bar.position = {0.005, 0, 0};
  bar.velocity = {-0.1, 0, 0};
  scene.bodies.add("right", bar);
  scene.contacts.push_back({.between = {"left", "right"}, .restitution = {}});
  return scene;
}

scene::Scene ball(double height = 1, double velocity = 0) {
  scene::Scene scene;
  scene.time = {.end = 1, .step = 1e-3, .courant = {}};
  scene.gravity = {0, 0, -10};
  scene.bodies.add("ball", scene::PointMassSpec{.mass = 2, .position = {0, 0, height}, .velocity = {velocity, 0, 0}});
  scene.bodies.add("floor", scene::PlaneSpec{});
  scene.contacts.push_back({.between = {"ball", "floor"}, .restitution = 0.5});
  return scene;
}

std::string mistakes_of(const auto& action) {
  try {
    action();
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no mistake";
}

TEST(Check, FindsTheMistakesOfAFileInAStruct) {
  scene::Scene scene = two_bars();
  scene.time.step = -1;  // and a Courant number
  std::get<scene::BarSpec>(*scene.bodies.find("left")).density = std::numeric_limits<double>::quiet_NaN();
  scene.contacts[0].between[1] = "rihgt";
  const std::string text = mistakes_of([&] { scene::check(scene); });
  EXPECT_EQ(text, mistakes_of([&] {
              scene::Scene again = scene;
              std::string yaml = scene::write_resolved(again), all;
              try {
                scene::read_text(yaml, "");
              } catch (const base::InputError& error) {
                for (base::Mistake mistake : error.mistakes()) {
                  mistake.line = 0;
                  all += (all.empty() ? "" : "\n") + to_string(mistake);
                }
              }
              throw base::InputError({"", 0, "", all});
            }));
  EXPECT_THAT(text, HasSubstr("time.step: must be a time > 0 (in s), not -1"));
  EXPECT_THAT(text, HasSubstr("time: must have only one of step or courant"));
  EXPECT_THAT(text, HasSubstr("bodies.left.density: must be"));
  EXPECT_THAT(text, HasSubstr("contacts.0.between.1: no body is named 'rihgt', did you mean 'right'?"));
}

TEST(Check, GivesAnEqualScene) {
  const scene::Scene scene = two_bars();
  EXPECT_EQ(scene::check(scene).scene, scene);
}

TEST(Simulation, StepsToTheBitsOfTheIntegrator) {
  run::Simulation simulation(two_bars());
  simulation.velocities();  // reading changes nothing
  simulation.step(7);
  simulation.gaps();
  simulation.run_until(20);
  build::Simulation plain = build::build(scene::check(two_bars()), 1);
  model::State state = plain.system.initial_state();
  plain.integrator->prepare(plain.system);
  plain.integrator->start(plain.system, plain.step, state);
  while (state.step < plain.steps) plain.integrator->step(plain.system, plain.step, state);
  EXPECT_TRUE(simulation.finished());
  EXPECT_EQ(simulation.state(), state);
}

TEST(Simulation, TellsGapsForcesAndEnergy) {
  run::Simulation simulation(two_bars());
  EXPECT_NEAR(simulation.gaps()[0], 0.01, 1e-14);
  double impulse = 0;
  while (!simulation.finished()) {
    simulation.step(3);
    impulse += 3 * simulation.step_size() * simulation.contact_forces()[0];
  }
  EXPECT_NEAR(impulse, 2 * 10 * 0.1, 0.05);  // each bar turns round
  EXPECT_NEAR(simulation.energies().error(), 0, 1e-12 * simulation.energies().initial);
  EXPECT_NEAR(simulation.momentum().linear.norm(), 0, 1e-12);
}

TEST(Simulation, GoesOnFromASavedState) {
  run::Simulation simulation(two_bars());
  simulation.step(30);
  const model::State saved = simulation.state();
  simulation.step(50);
  const model::State wanted = simulation.state();
  const double* where = simulation.positions().data();
  simulation.restore(saved);
  simulation.step(50);
  EXPECT_EQ(simulation.state(), wanted);
  EXPECT_EQ(simulation.positions().data(), where);
  model::State other = saved;
  other.q.pop_back();
  EXPECT_THAT(mistakes_of([&] { simulation.restore(other); }), HasSubstr("values of q, where this run has"));
}

TEST(Simulation, BeginsANewMotionFromWhatIsWritten) {
  run::Simulation simulation(ball());
  simulation.step(100);
  const double energy = simulation.energies().total(), before = simulation.velocities()[2];
  EXPECT_NEAR(before, -1, 1e-9);
  simulation.velocities()[0] = 3;
  simulation.positions()[2] += 1;
  simulation.step();
  // ½ m v² and m g h came from outside.
  EXPECT_NEAR(simulation.energies().total() - energy, 9 + 20, 0.02);
  EXPECT_NEAR(simulation.energies().external_work, 9 + 20, 0.02);
  EXPECT_NEAR(simulation.energies().error(), 0, 1e-9);
  EXPECT_NEAR(simulation.velocities()[0], 3, 1e-12);
  EXPECT_NEAR(simulation.velocities()[2], before - 0.01, 1e-9);
}

TEST(Simulation, RefusesToBeginFromWhatIsNotANumber) {
  run::Simulation simulation(ball());
  simulation.step(10);
  const model::State state = simulation.state();
  simulation.positions()[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(mistakes_of([&] { simulation.step(); }), HasSubstr("positions: must be finite numbers, not nan at"));
  EXPECT_EQ(simulation.state(), state);
  simulation.step();
  EXPECT_THAT(mistakes_of([&] { simulation.step(0); }), HasSubstr("step: must be at least 1, not 0"));
  EXPECT_THAT(mistakes_of([&] { simulation.dofs("bal"); }), HasSubstr("did you mean 'ball'?"));
}

/// F = −k x − c v.
struct Spring final : mechanics::Force {
  void add(const Motion& motion, std::span<double> force) const override {
    for (std::size_t k = 0; k < 3; ++k) force[k] += -200 * motion.q[k] - 1.5 * motion.v[k];
  }
};

TEST(Own, AForceMovesABodyAsItsEquationSays) {
  scene::Scene scene;
  scene.time = {.end = 1, .step = 1e-4, .courant = {}};
  scene.integrator = scene::CdLagrangeSpec{};
  scene.bodies.add("ball", scene::PointMassSpec{.mass = 2, .position = {0.1, 0, 0}});
  scene.loads.push_back(scene::OwnForceSpec{.name = "spring", .on = "ball"});
  const build::Own own{.bodies = {}, .forces = {{"spring", std::make_shared<Spring>()}}};
  run::Simulation simulation(scene, own);
  simulation.run_until(1);
  scene.time.step = 0.5e-4;
  run::Simulation finer(scene, own);
  finer.run_until(1);
  const double decay = 1.5 / 4, w = std::sqrt(100 - decay * decay);
  const double exact = 0.1 * std::exp(-decay) * (std::cos(w) + decay / w * std::sin(w));
  // The velocity that the force sees is half a step old.
  EXPECT_NEAR(simulation.positions()[0], exact, 1e-5);
  EXPECT_NEAR((simulation.positions()[0] - exact) / (finer.positions()[0] - exact), 2, 0.01);
  // From outside comes all that the ball has.
  EXPECT_NEAR(simulation.momentum().linear.x(), 2 * simulation.velocities()[0], 0.01);
  EXPECT_NEAR(simulation.energies().error(), 0, 1e-12);  // the work is that of the force as it acted
  EXPECT_THAT(mistakes_of([&] { run::Simulation other(scene); }),
              HasSubstr("loads.0.name: a program must bring a force named 'spring', and this one does not"));
}

TEST(Own, AControlIsReadEachStep) {
  struct Switch final : mechanics::Signal {
    double at(double) const override { return value; }
    double value = 0;
  };
  scene::Scene scene;
  scene.time = {.end = 1, .step = 1e-3, .courant = {}};
  scene.integrator = scene::CdLagrangeSpec{};
  scene.bodies.add("ball", scene::PointMassSpec{.mass = 2});
  scene.loads.push_back(
      scene::BodyForceSpec{.on = {"ball"}, .direction = {1, 0, 0}, .signal = scene::ControlSpec{"a"}});
  const auto control = std::make_shared<Switch>();
  run::Simulation simulation(scene, {.bodies = {}, .forces = {}, .controls = {{"a", control}}});
  simulation.step(100);
  EXPECT_EQ(simulation.positions()[0], 0);
  control->value = 4;
  simulation.step(100);
  EXPECT_NEAR(simulation.positions()[0], 0.5 * 4 * 0.01, 1e-3);
}

struct Bead {
  static constexpr std::size_t coordinates = 1, contacts = 0;
  static constexpr std::string_view quantities[] = {"x", "v"};
  template <class S>
  S kinetic(const S*, const S* v) const {
    return 0.5 * v[0] * v[0];
  }
  template <class S>
  S strain(const S* q) const {
    return 0.0 * q[0];
  }
  template <class S>
  S gravity(const S* q) const {
    return 0.0 * q[0];
  }
  template <class S>
  S gap(std::size_t, const S* q) const {
    return q[0];
  }
  int sliding(std::size_t, std::span<const double>, mechanics::CoordinateVector&) const { return 0; }
  math::Vec3 point(std::size_t, std::span<const double>) const { return {}; }
  math::Vec3 push(std::size_t, std::span<const double>) const { return {1, 0, 0}; }
};

TEST(Own, ABodyMustBeBrought) {
  scene::Scene scene;
  scene.time = {.end = 1, .step = 1e-3, .courant = {}};
  scene.bodies.add("mine", scene::OwnSystemSpec{});
  EXPECT_THAT(mistakes_of([&] { run::Simulation simulation(scene); }),
              HasSubstr("bodies.mine.type: a program must bring an own-system of this name"));
  const auto wrong = [](const std::string& name, std::size_t) -> dynamics::BodyPtr {
    return std::make_unique<mechanics::FormulaBody<Bead>>(name, Bead{}, std::array{0.0}, std::array{0.0}, 5);
  };
  EXPECT_THAT(mistakes_of([&] {
                run::Simulation simulation(scene, {.bodies = {{"mine", wrong}}});
              }),
              HasSubstr("must take the name and the first unknown that it is given, 'mine' and 0"));
}

TEST(Batch, HasTheBitsOfEachSimulationOnAnyNumberOfThreads) {
  std::vector<scene::Document> scenes;
  for (int i = 0; i < 37; ++i) scenes.push_back(scene::check(ball(1 + 0.1 * i, i)));
  run::Batch one(scenes, 1), three(scenes, 3);
  for (run::Batch* batch : {&one, &three}) {
    batch->positions();
    batch->velocities();
    batch->step(500);
    batch->velocities()[3 * 5] += 1;
    batch->step(500);
  }
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    run::Simulation alone(scenes[i]);
    alone.velocities();
    alone.step(500);
    if (i == 5) alone.velocities()[0] += 1;
    alone.step(500);
    EXPECT_EQ(one[i].state(), alone.state());
    EXPECT_EQ(three[i].state(), alone.state());
    EXPECT_EQ(one.positions()[3 * i], alone.positions()[0]);
    EXPECT_EQ(three.contact_forces()[i], alone.contact_forces()[0]);
  }
}

TEST(Batch, RefusesScenesThatDiffer) {
  EXPECT_THAT(mistakes_of([] {
                run::Batch batch(std::vector{scene::check(ball()), scene::check(two_bars())}, 1);
              }),
              HasSubstr("scene 1 has 42 and 1, the first 3 and 1"));
}

}  // namespace
}  // namespace ictus::testing
