#include <ictus/study/converge/converge.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ictus/build/build.hpp>
#include <ictus/dynamics/system/run_steps.hpp>
#include <ictus/exec/jobs.hpp>
#include <ictus/scene/schema/scalar_kinds.hpp>
#include <ictus/scene/text/number.hpp>
#include <ictus/study/converge/step_errors.hpp>
#include <mutex>

namespace ictus::study {

namespace {

using Changes = std::vector<scene::Override>;

constexpr std::string_view steps_option = "--steps";

[[noreturn]] void refuse(std::string_view key, std::string message) {
  throw base::InputError(base::Mistake{"", 0, std::string(key), std::move(message)});
}

std::vector<StudiedQuantity> quantities_of(const build::Simulation& simulation) {
  std::vector<StudiedQuantity> quantities;
  const observe::ProbeSet probes(simulation.probes);
  for (const observe::ProbeSet::Column& column : probes.columns()) {
    quantities.push_back({fmt::format("probe.{}.{}", column.probe, column.quantity),
                          fmt::format("{} {}", column.probe, column.quantity)});
  }
  const auto pairs = simulation.system.pairs();
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    quantities.push_back(
        {fmt::format("contact.{}.force", k), fmt::format("contact force {} - {}", pairs[k].first, pairs[k].second)});
  }
  return quantities;
}

/// Where the errors begin.
double window_start(const ConvergeOptions& options, const build::Simulation& own) {
  double from = options.from;
  if (options.after_release) {
    const std::optional<double> release = own.reference->release();
    if (!release)
      refuse("--after-release", fmt::format("the bodies of the exact solution do not touch and part before {:g} s; "
                                            "change time.end, or leave the option out",
                                            own.scene.time.end));
    from = std::max(from, *release);
  }
  if (from >= own.scene.time.end)
    refuse("--from",
           fmt::format("the window would begin at {:g} s, but the run ends at {:g} s", from, own.scene.time.end));
  return from;
}

std::vector<std::pair<std::string, int>> elements_of(const scene::Scene& scene) {
  std::vector<std::pair<std::string, int>> elements;
  for (const auto& [name, body] : scene.bodies) {
    if (const auto* bar = std::get_if<scene::BarSpec>(&body)) elements.emplace_back(name, bar->cells);
  }
  return elements;
}

/// The steps of the study with the meshes that belong to them.
std::vector<FollowedMesh> make_meshes(const ConvergeOptions& options, const build::Simulation& own) {
  std::vector<FollowedMesh> meshes;
  std::vector<base::Mistake> mistakes;
  for (const double asked : options.steps) {
    try {
      meshes.push_back(options.mesh_follows ? follow_mesh(own.scene, own.step, asked)
                                            : FollowedMesh{asked, elements_of(own.scene)});
      const auto is_same = [&](const FollowedMesh& other) { return other.step == meshes.back().step; };
      if (std::find_if(meshes.begin(), meshes.end() - 1, is_same) != meshes.end() - 1)
        refuse("--mesh-follows", fmt::format("the nearest step to {:g} s with whole elements, {:g} s, is that of "
                                             "another one; choose steps further apart",
                                             asked, meshes.back().step));
    } catch (const base::InputError& error) {
      mistakes.insert(mistakes.end(), error.mistakes().begin(), error.mistakes().end());
    }
  }
  if (!mistakes.empty()) throw base::InputError(std::move(mistakes));
  return meshes;
}

Changes step_changes(double step) {
  return {{"time.courant", "null"}, {"time.step", scene::format_number(step)}, {"reference", "exact"}};
}

void measure(const ConvergeOptions& options, const Changes& changes, double from, const std::function<bool()>& stop,
             ConvergeRun& run) {
  build::Simulation simulation = build::build(options.scene.load(changes).document, 1);
  run.steps = simulation.steps;
  simulation.integrator->prepare(simulation.system);
  model::State state = simulation.system.initial_state();
  simulation.integrator->start(simulation.system, simulation.step, state);
  StepErrors errors(simulation.reference, simulation.probes, simulation.system.pairs().size(), from);
  dynamics::Observer* const observers[] = {&errors};
  const dynamics::RunEnd end = dynamics::run_steps(simulation.system, *simulation.integrator, simulation.step,
                                                   simulation.steps, state, observers, stop);
  run.status = end == dynamics::RunEnd::completed ? ConvergeStatus::completed : ConvergeStatus::interrupted;
  if (run.status == ConvergeStatus::completed) run.errors = errors.errors();
}

void run_one(const ConvergeOptions& options, const Changes& integrator_changes, double from,
             const std::function<bool()>& stop, ConvergeRun& run) {
  const auto started = std::chrono::steady_clock::now();
  Changes changes = integrator_changes;
  for (const scene::Override& change : step_changes(run.step)) changes.push_back(change);
  for (const auto& [name, elements] : run.elements)
    changes.push_back({fmt::format("bodies.{}.cells", name), std::to_string(elements)});
  try {
    measure(options, changes, from, stop, run);
  } catch (const base::InputError& error) {
    run.status = ConvergeStatus::refused;
    run.reason = in_a_line(error);
  } catch (const base::NumericalFailure& failure) {
    run.status = ConvergeStatus::failed;
    run.reason = failure.what();
  }
  run.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

/// An exact result lies on no power law: only positive errors count.
ConvergeCurve make_curve(const Convergence& study, const std::string& integrator, std::size_t quantity) {
  std::vector<std::pair<double, double>> points;
  for (const ConvergeRun& run : study.runs) {
    if (run.integrator == integrator && run.errors[quantity].value_or(0) > 0)
      points.emplace_back(run.step, *run.errors[quantity]);
  }
  std::sort(points.rbegin(), points.rend());
  ConvergeCurve curve{integrator, quantity, {}, {}, {}, {}};
  for (const auto& [step, error] : points) curve.steps.push_back(step), curve.errors.push_back(error);
  curve.law = math::fit_power_law(curve.steps, curve.errors);
  curve.local_orders = math::local_orders(curve.steps, curve.errors);
  return curve;
}

void refuse_if_nothing_runs(const Convergence& study) {
  std::vector<base::Mistake> mistakes;
  for (const ConvergeRun& run : study.runs) {
    if (run.status != ConvergeStatus::refused) return;
    mistakes.push_back({"", 0, fmt::format("{} at {:g} s", run.integrator, run.step), run.reason});
  }
  throw base::InputError(std::move(mistakes));
}

/// Indices of the runs, those that take longest first.
std::vector<std::size_t> longest_first(const std::vector<ConvergeRun>& runs) {
  std::vector<std::size_t> order(runs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return runs[a].step < runs[b].step; });
  return order;
}

}  // namespace

std::vector<double> parse_steps(std::string_view text) {
  std::vector<double> steps;
  while (true) {
    const std::size_t end = std::min(text.find(','), text.size());
    const double step = scene::parse_quantity(text.substr(0, end), scene::quantity(scene::dimension::time).positive(),
                                              std::string(steps_option));
    if (std::find(steps.begin(), steps.end(), step) != steps.end())
      refuse(steps_option, fmt::format("{:g} s is given twice", step));
    steps.push_back(step);
    if (end == text.size()) return steps;
    text.remove_prefix(end + 1);
  }
}

std::string_view to_string(ConvergeStatus status) {
  switch (status) {
    case ConvergeStatus::completed:
      return "completed";
    case ConvergeStatus::failed:
      return "failed";
    case ConvergeStatus::refused:
      return "refused";
    case ConvergeStatus::interrupted:
      return "interrupted";
  }
  throw std::logic_error("unknown status");
}

Convergence converge(const ConvergeOptions& options, const std::function<bool()>& stop,
                     const std::function<void(const ConvergeRun&)>& progress) {
  const run::LoadedScene scene = options.scene.load({{"reference", "exact"}});
  const build::Simulation own = build::build(scene.document, 1);
  Convergence study{own.scene.title,
                    own.scene.source,
                    scene.case_name,
                    options.mesh_follows,
                    options.after_release,
                    window_start(options, own),
                    quantities_of(own),
                    {},
                    {},
                    {}};
  if (study.quantities.empty()) refuse("probes", "there is nothing to measure; add a probe to the scene");
  const std::vector<FollowedMesh> meshes = make_meshes(options, own);
  std::vector<SceneVariant> variants;
  for (const IntegratorChoice& choice : options.integrators) {
    variants.push_back(with_integrator(options.scene, choice));
    for (const std::string& note : variants.back().notes) study.notes.push_back(choice.label + ": " + note);
    for (std::size_t i = 0; i < meshes.size(); ++i) {
      ConvergeRun& run = study.runs.emplace_back();
      run.integrator = choice.label;
      run.step = meshes[i].step;
      run.asked_step = options.steps[i];
      run.elements = meshes[i].elements;
      run.errors.resize(study.quantities.size());
    }
  }

  std::mutex telling;
  exec::run_jobs(longest_first(study.runs), options.threads, [&](std::size_t i) {
    run_one(options, variants[i / meshes.size()].changes, study.from, stop, study.runs[i]);
    const std::lock_guard lock(telling);
    progress(study.runs[i]);
  });
  refuse_if_nothing_runs(study);
  for (const IntegratorChoice& choice : options.integrators) {
    for (std::size_t k = 0; k < study.quantities.size(); ++k)
      study.curves.push_back(make_curve(study, choice.label, k));
  }
  return study;
}

}  // namespace ictus::study
