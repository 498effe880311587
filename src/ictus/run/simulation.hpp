#pragma once

#include <cstdint>
#include <functional>
#include <ictus/build/build.hpp>
#include <ictus/dynamics/system/run_steps.hpp>
#include <ictus/observe/ledger/ledger.hpp>
#include <ictus/observe/probe/contact_gaps.hpp>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace ictus::run {

/// The account of energy at one instant (J), as the ledger of a run keeps it.
struct Energies {
  model::Stored stored;
  model::Lost lost;          ///< since the start
  double external_work = 0;  ///< since the start, of loads and of whoever wrote positions or velocities
  double initial = 0;

  double total() const { return stored.total(); }
  /// What the scheme made or lost of itself: total − external work + losses that are not its own − initial.
  double error() const;
};

/// A simulation that is stepped by hand: its state can be read, and its positions and velocities written, between
/// steps. It steps to the same bits as a Session of the same scene, and writes no files.
class Simulation {
 public:
  /// Throws base::InputError with every mistake of the scene.
  explicit Simulation(const scene::Document& scene, const build::Own& own = {}, int threads = 1);
  explicit Simulation(const scene::Scene& scene, const build::Own& own = {}, int threads = 1)
      : Simulation(scene::check(scene), own, threads) {}

  /// The system, the integrator, the resolved scene, and notes on what makes results doubtful.
  const build::Simulation& built() const { return *built_; }
  const dynamics::System& system() const { return built_->system; }

  double time() const { return state_.time; }
  std::int64_t steps_taken() const { return state_.step; }
  double step_size() const { return built_->step; }
  /// Whether the end of the scene is reached; steps beyond it are allowed.
  bool finished() const { return dynamics::finished(*built_->integrator, built_->step, built_->steps, state_); }

  /// So many steps, or fewer where `stop`, asked between two of them, says so. The report is that of the last, and
  /// holds until the next. Throws base::NumericalFailure; only a saved state can go on from there.
  const dynamics::StepReport& step(std::int64_t count = 1, const std::function<bool()>& stop = {});
  /// Whole steps until the time is reached, up to rounding.
  void run_until(double time);
  std::int64_t steps_until(double time) const;

  // Spans stay where they are for the life of the simulation. Dofs are in the order of System::bodies().
  /// Configuration q. Whoever writes q or velocities starts a new motion from there with the next step; the energy and
  /// momentum that this gave is booked as coming from outside. Throws base::InputError then for what is not finite.
  std::span<double> positions();
  /// Velocities dq/dt at the time of q (along the axes of what turns), brought up to date by each call of step.
  std::span<double> velocities();
  std::span<const double> momenta() const { return state_.p; }
  /// The dofs of a body. Throws base::InputError naming the nearest where there is none.
  mechanics::Range dofs(std::string_view body) const;

  /// What to go on from: a value.
  const model::State& state() const { return state_; }
  /// Goes on from a state of this scene. Energies count from there.
  void restore(const model::State& state);

  Energies energies() const;
  mechanics::Momentum momentum() const { return system().momentum(state_.q, state_.p); }
  /// By contact of the scene: the gap (m; NaN where unknown) and the mean normal force (N) in the last call of step.
  std::span<const double> gaps();
  std::span<const double> contact_forces() const { return contact_forces_; }
  /// Of the last step.
  std::span<const dynamics::Impulse> impulses() const { return report_.impulses; }
  const dynamics::StepReport& report() const { return report_; }

  /// Tells the observer of what comes; it must outlive the simulation.
  void watch(dynamics::Observer& observer);

 private:
  dynamics::Snapshot snapshot() const { return {system(), *built_->integrator, built_->step, state_}; }
  void begin(dynamics::StepReport report);
  void take_written();
  void start_from_written();
  void bring_up_to_date();
  double quadrature() const;

  std::unique_ptr<build::Simulation> built_;
  observe::ContactGaps gaps_;
  model::State state_;
  dynamics::StepReport report_;
  observe::StepSums sums_;
  std::vector<dynamics::Observer*> observers_;
  std::vector<double> contact_forces_;
  double initial_energy_ = 0;
  double quadrature_before_ = 0;  // of the motions before the present one
  model::Lost taken_before_;      // by plastic flow, before the energies count
  bool failed_ = false;
  // What was handed out for writing, as it was: empty until someone asks for it.
  std::vector<double> velocities_, known_velocities_, known_positions_;
};

}  // namespace ictus::run
