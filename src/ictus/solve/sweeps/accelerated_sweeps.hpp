#pragma once

#include <ictus/solve/sweeps/gauss_seidel.hpp>
#include <ictus/solve/sweeps/sweep_workspace.hpp>
#include <limits>

namespace ictus::solve {

/// When accelerated sweeps end with ConeStatus::stalled.
struct SweepEnd {
  static constexpr int never = std::numeric_limits<int>::max();

  int window = never;    ///< sweeps that do not halve |Δr| any more; others go on from there, not from the best state
  int patience = never;  ///< sweeps without progress of the error, see Progress
  int max_iterations = never;  ///< sweeps in all
};

/// Looks at the error of a state when that is worth it, keeps the best one, and says when sweeps end.
template <ConeForm Form>
class SweepWatch {
 public:
  SweepWatch(const Form& form, const exec::Executor& executor, const ConeOptions& options, const SweepEnd& end,
             BestState& best)
      : form_(form),
        executor_(executor),
        options_(options),
        end_(end),
        watch_(options.tolerance),
        progress_(end.patience),
        best_(best) {}

  /// After a sweep that changed the reactions by |Δr| = `change`; true where it was the last.
  bool ends(double change, std::span<double> state, ConeReport& report) {
    if (change < 0.5 * halved_) {
      halved_ = change;
      since_ = report.iterations;
    }
    const bool handed_on = report.iterations - since_ >= end_.window;
    const bool stuck = handed_on || report.iterations >= end_.max_iterations;
    if (!watch_.due(change) && !stuck && report.iterations < options_.max_iterations) return false;
    report.error = contact_error(form_, executor_, state);
    watch_.record(change, report.error);
    if (report.settled(options_)) {
      // Mixing has let the velocities drift from the reactions by round-off: what is reported has not drifted.
      rebuild(state, report);
      if (report.settled(options_)) return close(state, report);
    }
    if (!report.solved()) best_.offer(executor_, state, report.error);
    if (!stuck && !progress_.stalled(report.iterations, report.error)) return false;
    if (!report.solved()) report.status = ConeStatus::stalled;
    return handed_on || close(state, report);
  }

 private:
  /// What is returned where the law is not obeyed is the best state.
  bool close(std::span<double> state, ConeReport& report) {
    if (report.solved() || report.status == ConeStatus::not_finite) return true;
    report.error = best_.restore(executor_, state, report.error);
    const ConeStatus status = report.status;
    rebuild(state, report);
    if (!report.settled(options_) || !report.solved()) report.status = status;
    return true;
  }
  void rebuild(std::span<double> state, ConeReport& report) {
    form_.rebuild(executor_, state);
    report.error = contact_error(form_, executor_, state);
  }

  const Form& form_;
  const exec::Executor& executor_;
  const ConeOptions& options_;
  SweepEnd end_;
  ErrorWatch watch_;
  Progress progress_;
  BestState& best_;
  double halved_ = std::numeric_limits<double>::infinity();
  int since_ = 0;
};

/// Sweeps with Anderson acceleration [eq. contact-solvers-9] of pairs of sweeps: mixing costs as much as a sweep. A
/// step after which |Δr| has grown fivefold is taken back.
template <ConeForm Form>
void solve_by_anderson(const Form& form, const exec::Executor& executor, const ConeOptions& options,
                       const SweepEnd& end, std::span<double> state, SweepWorkspace& work, ConeReport& report) {
  constexpr double growth = 5.0;
  if (report.settled(options)) return;
  SweepWatch watch(form, executor, options, end, work.best);
  work.mixer.reset(form.state_size(), form.reactions(), options.anderson_depth);
  const auto relax = [&] {
    ++report.iterations;
    return std::sqrt(sweep(form, executor, options.relaxation, state, work.partial));
  };
  // One sweep alone: enough for bodies at rest.
  double previous = relax();
  if (watch.ends(previous, state, report)) return;
  bool mixed = false;
  while (true) {
    work.mixer.begin(executor, state);
    double change = relax();
    const auto grew = [&] { return mixed && !(change <= growth * previous); };
    if (!grew() && report.iterations < options.max_iterations) change = relax();
    if (grew()) {
      work.mixer.restore(executor, state);
      work.mixer.forget();
      mixed = false;
      ++report.rejections;
      // The state before is what would be returned.
      if (report.iterations >= options.max_iterations && watch.ends(previous, state, report)) return;
      continue;
    }
    if (watch.ends(change, state, report)) return;
    previous = change;
    work.mixer.mix(executor, state);
    mixed = true;
  }
}

/// Sweeps along conjugate directions [eq. contact-solvers-14].
template <ConeForm Form>
void solve_by_conjugate_sweeps(const Form& form, const exec::Executor& executor, const ConeOptions& options,
                               const SweepEnd& end, std::span<double> state, SweepWorkspace& work, ConeReport& report) {
  if (report.settled(options)) return;
  SweepWatch watch(form, executor, options, end, work.best);
  work.directions.start(executor, state);
  while (true) {
    const double change_sq = sweep(form, executor, options.relaxation, state, work.partial);
    ++report.iterations;
    if (watch.ends(std::sqrt(change_sq), state, report)) return;
    work.directions.step(executor, change_sq, state);
  }
}

}  // namespace ictus::solve
