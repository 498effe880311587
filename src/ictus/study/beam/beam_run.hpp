#pragma once

#include <filesystem>
#include <functional>
#include <ictus/build/build.hpp>
#include <ictus/dynamics/system/observer.hpp>
#include <span>

namespace ictus::study {

/// A run of a beam taken up again from the scene in its results, in memory: nothing is written. The same scene gives
/// the same bits.
class BeamRun {
 public:
  using Change = std::function<void(scene::MultisymplecticBeamSpec&)>;

  /// `change` may ask the integrator to watch more than it did. Throws base::InputError where the folder holds no run
  /// of a beam.
  BeamRun(const std::filesystem::path& folder, const Change& change, int threads);

  const build::Simulation& simulation() const { return simulation_; }
  const model::State& state() const { return state_; }
  bool in_space() const;

  /// From the start to the end. Throws base::NumericalFailure as the run did.
  void run_steps(std::span<dynamics::Observer* const> observers);

 private:
  build::Simulation simulation_;
  model::State state_;
};

}  // namespace ictus::study
