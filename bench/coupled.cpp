// The bridge crane of fekak-2017 with one explicit step for all of it, and with long implicit steps away from the
// wheels: time of a fine step without output, of its parts, and of a whole run to the first time that a wheel strikes
// the girder again.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <ictus/dynamics/coupled/coupled.hpp>
#include <ictus/run/session.hpp>

namespace ictus {
namespace {

void fine_steps(benchmark::State& state, const std::string& name) {
  build::Simulation simulation = build::build(run::load(name, {}).document, 1);
  model::State now = simulation.system.initial_state();
  simulation.integrator->prepare(simulation.system);
  simulation.integrator->start(simulation.system, simulation.step, now);
  for (auto _ : state) {
    benchmark::DoNotOptimize(simulation.integrator->step(simulation.system, simulation.step, now));
  }
  state.counters["per fine step"] = benchmark::Counter(
      simulation.integrator->stride(), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// crane/coupled, taken apart.
struct Parts {
  Parts() {
    const auto& scheme = dynamic_cast<const dynamics::Coupled&>(*simulation.integrator);
    std::vector<const mechanics::NodalBody*> near;
    for (const mechanics::NodalBody* body : system.nodal_bodies())
      (scheme.is_implicit(body->name()) ? far : near).push_back(body);
    fine = simulation.step / scheme.stride();
    stepper = dynamics::LinearStepper(system, near);
    stepper.set_step(system, fine);
    stepper.begin(system, now);
  }

  build::Simulation simulation = build::build(run::load("crane/coupled", {}).document, 1);
  const dynamics::System& system = simulation.system;
  model::State now = system.initial_state();
  std::vector<const mechanics::NodalBody*> far;
  double fine = 0;
  dynamics::LinearStepper stepper;
};

/// Of each fine step: motion and forces of the explicit part.
void explicit_steps(benchmark::State& state) {
  Parts crane;
  const std::vector<double> loads(crane.system.loads().size(), 1e-9);
  for (auto _ : state) {
    crane.stepper.drift();
    crane.stepper.kick(crane.system.exec(), loads, loads);
  }
}

/// Of each implicit step: the signal of the loads at all its fine steps.
void load_signal(benchmark::State& state) {
  Parts crane;
  std::vector<double> values(static_cast<std::size_t>(crane.simulation.integrator->stride()));
  double time = 0;
  for (auto _ : state) {
    crane.system.loads()[0].signal->sample(time += crane.simulation.step, crane.fine, values);
    benchmark::DoNotOptimize(values.data());
  }
}

/// Of each fine step: rates at the ties before and after their forces, and products with their operators.
void ties(benchmark::State& state) {
  Parts crane;
  const std::size_t count = crane.system.ties().size(), lanes = math::Pack::lanes;
  const dynamics::DomainRows rows(crane.system.ties(), crane.system.inverse_mass(),
                                  [&](std::size_t k) { return crane.stepper.slot(k); });
  const dynamics::SmallSymmetric matrix(
      Eigen::MatrixXd::Identity(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(count)));
  std::vector<double> x((count + lanes - 1) / lanes * lanes), y(x.size());
  for (auto _ : state) {
    for (std::size_t r = 0; r < count; r += lanes) rows.rates(crane.stepper.p(), r).store(&x[r]);
    matrix.multiply(x, y);
    rows.pull(y, 1e-9, crane.stepper.p());
    matrix.multiply(y, x);
    for (std::size_t r = 0; r < count; r += lanes) rows.rates(crane.stepper.p(), r).store(&x[r]);
    benchmark::DoNotOptimize(x.data());
  }
}

/// Of each implicit step: all of it.
void implicit_step(benchmark::State& state) {
  Parts crane;
  dynamics::ImplicitDomain domain(crane.system, crane.far);
  domain.factor(crane.system, crane.simulation.step, crane.now.q);
  const std::vector<double> loads(crane.system.loads().size()), lambda(crane.system.ties().size());
  std::vector<double> acceleration(crane.system.dofs()), free_rates(lambda.size() + math::Pack::lanes);
  for (auto _ : state) {
    domain.begin(crane.system, loads, lambda, crane.now, acceleration, {}, free_rates);
    benchmark::DoNotOptimize(domain.finish(crane.system, lambda, lambda, loads, loads, crane.now, acceleration));
  }
}

/// What a person waits for: building the scene, every file and the report included.
void whole_run(benchmark::State& state, const std::string& name) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "ictus-bench-coupled";
  const run::LoadedScene scene = run::load(name, {{"time.end", "0.235"}});
  for (auto _ : state) {
    run::Session session = run::Session::begin(scene, folder, 1, true);
    session.run([] { return false; }, {});
  }
  std::filesystem::remove_all(folder);
}

BENCHMARK_CAPTURE(fine_steps, explicit, "crane/explicit");
BENCHMARK_CAPTURE(fine_steps, coupled_10, "crane/coupled-10");
BENCHMARK_CAPTURE(fine_steps, coupled_100, "crane/coupled");
BENCHMARK(explicit_steps);
BENCHMARK(ties);
BENCHMARK(load_signal);
BENCHMARK(implicit_step);
BENCHMARK_CAPTURE(whole_run, explicit, "crane/explicit")->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(whole_run, coupled_100, "crane/coupled")->Unit(benchmark::kMillisecond)->Iterations(3);

}  // namespace
}  // namespace ictus
