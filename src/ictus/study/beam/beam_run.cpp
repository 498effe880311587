#include <ictus/study/beam/beam_run.hpp>

#include <fmt/format.h>

#include <ictus/build/bodies/lie_beam.hpp>
#include <ictus/dynamics/system/run_steps.hpp>
#include <ictus/files/result_files.hpp>

namespace ictus::study {

namespace fs = std::filesystem;

namespace {

scene::Document read_scene(const fs::path& folder, const BeamRun::Change& change) {
  const fs::path file = folder / files::result_files::scene;
  if (!fs::exists(file)) throw base::InputError({folder.string(), 0, "", "holds no run: there is no scene.yaml in it"});
  scene::Document document = scene::read_file(file.string());
  auto* spec =
      document.scene.integrator ? std::get_if<scene::MultisymplecticBeamSpec>(&*document.scene.integrator) : nullptr;
  if (!spec) {
    throw base::InputError(
        {folder.string(), 0, "", "holds no run of a beam: its integrator is not multisymplectic-beam"});
  }
  change(*spec);
  return document;
}

}  // namespace

BeamRun::BeamRun(const fs::path& folder, const Change& change, int threads)
    : simulation_(build::build(read_scene(folder, change), threads)) {}

bool BeamRun::in_space() const { return build::runs_in_space(simulation_.scene); }

void BeamRun::run_steps(std::span<dynamics::Observer* const> observers) {
  dynamics::Integrator& integrator = *simulation_.integrator;
  integrator.prepare(simulation_.system);
  state_ = simulation_.system.initial_state();
  const dynamics::StepReport report = integrator.start(simulation_.system, simulation_.step, state_);
  for (dynamics::Observer* observer : observers) {
    observer->begin({simulation_.system, integrator, simulation_.step, state_}, report);
  }
  dynamics::run_steps(simulation_.system, integrator, simulation_.step, simulation_.steps, state_, observers,
                      [] { return false; });
}

}  // namespace ictus::study
