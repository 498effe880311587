#include <ictus/solve/cone/cone_solver.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <ictus/solve/cone/small_cone.hpp>
#include <ictus/solve/second_order/interior_point.hpp>
#include <ictus/solve/second_order/semismooth_newton.hpp>
#include <ictus/solve/sweeps/accelerated_sweeps.hpp>

namespace ictus::solve {

namespace {

/// Sweeps of those along conjugate directions without progress that count as a stall.
constexpr int patience = 100;
/// Where sweeps go round in circles, shorter updates end that; they get another chance before factorisations.
constexpr double against_cycles = 0.8;
/// Where that is a stall or so many sweeps are made, the interior point method gets so many steps, up to as many
/// contacts as make its factorisations worth the time.
constexpr int max_sweeps = 2000;
constexpr int interior_steps = 100;
constexpr std::size_t interior_contacts = 600;
/// A guess is nearly good where its error is below so many tolerances, and below the second number. Few contacts are up
/// to so many. It pays to go on where so many sweeps halve |Δr|.
constexpr double nearly_good_times = 100.0, nearly_good = 1e-5;
constexpr std::size_t few_contacts = 300;
constexpr int refining_window = 20;

/// Sweeps of Anderson's that may pass without halving |Δr| before conjugate directions take over. Information travels
/// by a contact a sweep: beyond some ten thousand contacts as many more as the way through them is longer.
int anderson_window(std::size_t contacts) {
  constexpr double sweeps = 60.0, near = 2e4;
  return static_cast<int>(sweeps * std::max(1.0, std::cbrt(static_cast<double>(contacts) / near)));
}

/// Methods made of sweeps do.
bool knows_moments(ConeMethod method) {
  return method == ConeMethod::automatic || method == ConeMethod::sorp || method == ConeMethod::anderson ||
         method == ConeMethod::conjugate;
}

}  // namespace

ConeSolver::ConeSolver(const ConeOptions& options, exec::Executor executor) : options_(options), executor_(executor) {
  options_.validate();
}

/// Solves from the reactions in state_.
template <ConeForm Form>
ConeReport ConeSolver::run(const Form& form) {
  const std::span<double> state = std::span(state_).first(form.state_size());
  if (sweeps_.partial.size() < form.plan().chunks()) sweeps_.partial.resize(form.plan().chunks());
  sweeps_.best.clear();
  for (std::size_t i = 0; i < form.size(); ++i) store(project(form.cone(i), load(state, i)), i, state);
  const bool few = form.size() <= SmallCone::max_contacts && !has_moments(form);
  ConeReport report;
  report.method = options_.method == ConeMethod::automatic ? ConeMethod::anderson : options_.method;
  if (few && options_.method == ConeMethod::automatic) {
    enumerate(form, state, report);
    if (report.solved()) return report;
    report = {.method = ConeMethod::anderson};
  }
  form.rebuild(executor_, state);
  report.error = contact_error(form, executor_, state);
  if (has_moments(form) && !knows_moments(options_.method)) {
    report.status = ConeStatus::unsuitable;
    return report;
  }
  switch (report.method) {
    case ConeMethod::sorp:
      solve_by_sweeps(form, executor_, options_, state, sweeps_.partial, report);
      break;
    case ConeMethod::automatic:
    case ConeMethod::anderson:
      if (options_.method == ConeMethod::automatic)
        sweep_with_help(form, state, report);
      else
        solve_by_anderson(form, executor_, options_, {}, state, sweeps_, report);
      break;
    case ConeMethod::conjugate:
      solve_by_conjugate_sweeps(form, executor_, options_, {}, state, sweeps_, report);
      break;
    case ConeMethod::apgd:
      solve_by_gradient(form, executor_, options_, state, gradient_, report);
      break;
    case ConeMethod::enumeration:
      enumerate(form, state, report);
      break;
    case ConeMethod::newton:
    case ConeMethod::interior_point:
      factorise(form, report.method, options_, state, report);
      break;
  }
  return report;
}

/// Anderson's sweeps, then conjugate ones, then the interior point method, each where the one before stalls, and
/// conjugate sweeps again. What had the smallest error is not lost.
template <ConeForm Form>
void ConeSolver::sweep_with_help(const Form& form, std::span<double> state, ConeReport& report) {
  const double guess = report.error;
  const bool interior = form.size() <= interior_contacts && !has_moments(form);
  const auto stalled = [&] { return report.status == ConeStatus::stalled; };
  const auto too_rough = [&] { return stalled() && !(report.error <= options_.good_enough); };
  const auto conjugate = [&](const SweepEnd& end, double relaxation = 1.0) {
    if (report.method != ConeMethod::conjugate) ++report.handovers;
    report.method = ConeMethod::conjugate;
    form.rebuild(executor_, state);
    ConeOptions options = options_;
    options.relaxation *= relaxation;
    solve_by_conjugate_sweeps(form, executor_, options, end, state, sweeps_, report);
  };
  solve_by_anderson(form, executor_, options_, {.window = anderson_window(form.size())}, state, sweeps_, report);
  if (stalled()) conjugate({.patience = patience, .max_iterations = interior ? max_sweeps : SweepEnd::never});
  if (too_rough()) conjugate({.patience = patience}, against_cycles);
  const bool ran_out = report.status == ConeStatus::iteration_limit && report.iterations >= max_sweeps;
  if (interior && (stalled() || ran_out)) {
    const double before = report.error;
    try_interior_point(form, state, report);
    if (stalled() && report.error < before) conjugate({.patience = patience});
  }
  if (too_rough()) conjugate({});
  const bool at_rest = guess < std::min(nearly_good_times * options_.tolerance, nearly_good);
  if (report.solved() && (at_rest || form.size() <= few_contacts)) refine(form, state, report);
}

/// Its answer is kept where the error is smaller.
template <ConeForm Form>
void ConeSolver::try_interior_point(const Form& form, std::span<double> state, ConeReport& report) {
  ConeOptions options = options_;
  options.max_iterations = interior_steps;
  options.min_iterations = 0;
  ConeReport own{.error = report.error};
  factorise(form, ConeMethod::interior_point, options, state, own);
  ++report.handovers;
  report.iterations += own.iterations;
  if (!(own.error < report.error)) return;
  report.method = ConeMethod::interior_point;
  report.error = own.error;
  if (own.solved()) report.status = ConeStatus::solved;
}

/// Sweeps on from a solution as long as it pays.
template <ConeForm Form>
void ConeSolver::refine(const Form& form, std::span<double> state, ConeReport& report) {
  if (options_.refine_to <= 0.0 || report.error <= options_.refine_to) return;
  ConeOptions options = options_;
  options.tolerance = options_.refine_to;
  sweeps_.best.offer(executor_, state, report.error);
  solve_by_anderson(form, executor_, options, {.window = refining_window}, state, sweeps_, report);
  if (report.error > sweeps_.best.error()) {
    sweeps_.best.restore(executor_, state, report.error);
    form.rebuild(executor_, state);
    report.error = contact_error(form, executor_, state);
  }
  report.status = ConeStatus::solved;
}

template <ConeForm Form>
void ConeSolver::enumerate(const Form& form, std::span<double> state, ConeReport& report) {
  if (form.size() > SmallCone::max_contacts) {
    report.status = ConeStatus::unsuitable;
    return;
  }
  std::array<double, SmallCone::max_rows> storage{};
  const std::span<double> reactions = std::span(storage).first(3 * form.size());
  std::copy_n(state.begin(), reactions.size(), reactions.begin());
  const SmallCone small = small_cone(form, executor_, state);
  report = solve_by_enumeration(small, options_, reactions);
  std::copy(reactions.begin(), reactions.end(), state.begin());
  form.rebuild(executor_, state);
  report.error = contact_error(form, executor_, state);
  if (report.solved() && !(report.error <= options_.tolerance)) report.status = ConeStatus::unsuitable;
}

template <ConeForm Form>
void ConeSolver::factorise(const Form& form, ConeMethod method, const ConeOptions& options, std::span<double> state,
                           ConeReport& report) {
  const auto solve = [&](const BlockProblem& problem) {
    const std::span<double> reactions = state.first(3 * form.size());
    if (method == ConeMethod::newton)
      solve_by_newton(problem, options, reactions, report);
    else
      solve_by_interior_point(problem, options, reactions, report);
  };
  if constexpr (std::same_as<Form, BlockProblem>) {
    solve(form);
  } else {
    solve(form.assemble());
    form.rebuild(executor_, state);
  }
  report.error = contact_error(form, executor_, state);
}

ConeReport ConeSolver::solve(const BlockProblem& problem, std::span<double> reactions) {
  assert(reactions.size() == 3 * problem.size());
  if (state_.size() < problem.state_size()) state_.resize(problem.state_size());
  std::copy(reactions.begin(), reactions.end(), state_.begin());
  const ConeReport report = run(problem);
  std::copy_n(state_.begin(), reactions.size(), reactions.begin());
  return report;
}

ConeReport ConeSolver::solve(const RigidContacts& problem, std::span<double> reactions,
                             std::span<RigidVelocity> velocities, std::span<double> moments) {
  assert(reactions.size() == 3 * problem.size() && velocities.size() == problem.bodies());
  assert(moments.empty() || moments.size() == reactions.size());
  if (state_.size() < problem.state_size()) state_.resize(problem.state_size());
  problem.put(reactions, moments, state_);
  const ConeReport report = run(problem);
  problem.take(state_, reactions, moments);
  for (std::size_t body = 0; body < problem.bodies(); ++body) velocities[body] = problem.body_velocity(body, state_);
  return report;
}

}  // namespace ictus::solve
