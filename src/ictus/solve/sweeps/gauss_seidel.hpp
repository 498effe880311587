#pragma once

#include <algorithm>
#include <cmath>
#include <ictus/solve/cone/cone_problem.hpp>
#include <ictus/solve/cone/cone_report.hpp>
#include <limits>

namespace ictus::solve {

/// One sweep of proximal updates over all contacts [eq. contact-solvers-7]; returns |Δr|².
/// `partial` has room for one number per chunk.
template <ConeForm Form>
double sweep(const Form& form, const exec::Executor& executor, double relaxation, std::span<double> state,
             std::span<double> partial) {
  form.plan().run(executor, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    partial[chunk] = form.relax(begin, end, relaxation, state);
  });
  double sum = 0.0;
  for (std::size_t chunk = 0; chunk < form.plan().chunks(); ++chunk) sum += partial[chunk];
  return sum;
}

/// The error of the state [eq. contact-solvers-6].
template <ConeForm Form>
double contact_error(const Form& form, const exec::Executor& executor, std::span<const double> state) {
  const double sum = executor.sum_blocks(
      form.size(), [&](std::size_t begin, std::size_t end) { return form.defect_sq(begin, end, state); });
  return std::sqrt(sum) / (form.free_norm() > 0.0 ? form.free_norm() : 1.0);
}

/// Decides when the error, which costs as much as a sweep, is worth computing: when the change of a sweep, which costs
/// nothing, has shrunk as much as the error has to, and every few dozen sweeps in any case.
class ErrorWatch {
 public:
  explicit ErrorWatch(double tolerance) : tolerance_(tolerance) {}

  /// `change` is |Δr| of the last sweep. A change that is not finite is always worth a look.
  bool due(double change) {
    ++sweeps_;
    return !(change * ratio_ > tolerance_) || sweeps_ >= patience;
  }
  void record(double change, double error) {
    sweeps_ = 0;
    ratio_ = change > 0.0 ? error / change : 0.0;
  }

 private:
  static constexpr int patience = 50;
  double tolerance_;
  double ratio_ = 0.0;
  int sweeps_ = 0;
};

/// Notices that iterations bring nothing any more: that the error has not fallen by a tenth for half as many iterations
/// as there were until then, and for `patience` at least.
class Progress {
 public:
  explicit Progress(int patience) : patience_(patience) {}

  /// To be asked whenever the error is known, after as many iterations.
  bool stalled(int iterations, double error) {
    if (error < better * best_) {
      best_ = error;
      since_ = iterations;
    }
    return iterations - since_ >= std::max(patience_, since_ / 2);
  }

 private:
  static constexpr double better = 0.9;
  int patience_;
  double best_ = std::numeric_limits<double>::infinity();
  int since_ = 0;
};

/// Plain sweeps until the error is small enough.
template <ConeForm Form>
void solve_by_sweeps(const Form& form, const exec::Executor& executor, const ConeOptions& options,
                     std::span<double> state, std::span<double> partial, ConeReport& report) {
  ErrorWatch watch(options.tolerance);
  while (!report.settled(options)) {
    const double change = std::sqrt(sweep(form, executor, options.relaxation, state, partial));
    ++report.iterations;
    if (!watch.due(change) && report.iterations < options.max_iterations) continue;
    report.error = contact_error(form, executor, state);
    watch.record(change, report.error);
  }
}

}  // namespace ictus::solve
