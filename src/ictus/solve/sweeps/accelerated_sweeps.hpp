#pragma once

#include <algorithm>
#include <ictus/solve/sweeps/anderson.hpp>
#include <ictus/solve/sweeps/gauss_seidel.hpp>

namespace ictus::solve {

/// Judges accelerated steps by the length of the sweep that follows. A step after which it has grown fivefold is taken
/// back; where a whole window of sweeps brings too little, plain sweeps, which always creep on, take over for a while,
/// each time for longer.
class AccelerationGuard {
 public:
  /// Whether the last state came from a sweep and not from an accelerated step.
  bool plain() const { return !mixed_; }
  bool rejects(double change) const { return mixed_ && !(change <= growth * previous_); }

  /// One sweep later: `change` is its |Δr|. Returns whether to accelerate.
  bool accelerate(double change) {
    previous_ = change;
    best_ = std::min(best_, change);
    if (pause_ > 0) {
      --pause_;
      return mixed_ = false;
    }
    if (++sweeps_ >= window) {
      if (best_ > progress * best_before_) {
        pause_ = plain_;
        plain_ *= 2;
      }
      best_before_ = best_;
      sweeps_ = 0;
    }
    return mixed_ = true;
  }
  void rejected() {
    mixed_ = false;
    pause_ = std::max(pause_, 1);
  }
  /// The error has not fallen although sweeps became shorter: plain sweeps, which always creep on, for a while.
  void misled() { pause_ = std::max(pause_, detour); }

 private:
  static constexpr double growth = 5.0;
  static constexpr int detour = 20;
  static constexpr int window = 200;
  static constexpr double progress = 0.5;

  double previous_ = 0.0;
  double best_ = std::numeric_limits<double>::infinity();
  double best_before_ = std::numeric_limits<double>::infinity();
  int sweeps_ = 0;
  int pause_ = 0;
  int plain_ = window;
  bool mixed_ = false;
};

/// Sweeps with Anderson acceleration [eq. contact-solvers-9] of pairs of sweeps: mixing costs as much as a sweep. Ends
/// with ConeStatus::stalled where the method is `automatic` and the error has not fallen for `patience` sweeps.
template <ConeForm Form>
void solve_by_accelerated_sweeps(const Form& form, const exec::Executor& executor, const ConeOptions& options,
                                 int patience, std::span<double> state, std::span<double> partial, AndersonMixer& mixer,
                                 ConeReport& report) {
  ErrorWatch watch(options.tolerance);
  Progress progress(patience);
  AccelerationGuard guard;
  Relaxation relaxation(options.relaxation);
  mixer.reset(form.state_size(), 3 * form.size(), options.anderson_depth);
  if (!report.settled(options)) {
    // One sweep alone: enough for bodies at rest.
    const double change = std::sqrt(sweep(form, executor, relaxation.value(), state, partial));
    ++report.iterations;
    report.error = contact_error(form, executor, state);
    watch.record(change, report.error);
  }
  while (!report.settled(options)) {
    mixer.begin(executor, state);
    double change = std::sqrt(sweep(form, executor, relaxation.value(), state, partial));
    ++report.iterations;
    if (!guard.rejects(change) && report.iterations < options.max_iterations) {
      change = std::sqrt(sweep(form, executor, relaxation.value(), state, partial));
      ++report.iterations;
    }
    // A sweep after an accelerated step may be long without being part of a cycle.
    if (guard.plain()) relaxation.observe(change);
    if (guard.rejects(change)) {
      mixer.restore(executor, state);
      mixer.forget();
      guard.rejected();
      ++report.rejections;
      if (report.iterations < options.max_iterations) continue;
    }
    if (watch.due(change) || report.iterations >= options.max_iterations) {
      report.error = contact_error(form, executor, state);
      watch.record(change, report.error);
      if (report.settled(options)) {
        // Mixing has let the velocities drift from the reactions by round-off: what is reported has not drifted.
        form.rebuild(executor, state);
        report.error = contact_error(form, executor, state);
        continue;
      }
      if (progress.stalled(report.iterations, report.error) && options.method == ConeMethod::automatic) {
        form.rebuild(executor, state);
        report.error = contact_error(form, executor, state);
        report.status = ConeStatus::stalled;
        return;
      }
      if (!progress.made()) guard.misled();
    }
    if (guard.accelerate(change)) {
      mixer.mix(executor, state);
    } else {
      mixer.forget();
    }
  }
}

}  // namespace ictus::solve
