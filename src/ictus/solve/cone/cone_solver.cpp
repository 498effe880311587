#include <ictus/solve/cone/cone_solver.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <ictus/solve/cone/semismooth_newton.hpp>
#include <ictus/solve/cone/small_cone.hpp>
#include <ictus/solve/sweeps/accelerated_sweeps.hpp>
#include <ictus/solve/sweeps/gauss_seidel.hpp>
#include <limits>

namespace ictus::solve {

namespace {

/// Sweeps without progress that count as a stall, the first time and the second; steps that the gradient gets then, and
/// again whenever they have halved the error; steps of Newton's method, and the contacts up to which its factorisation
/// is worth the time.
constexpr std::array<int, 2> sweep_patience = {100, 1000};
constexpr int gradient_steps = 50;
constexpr int newton_steps = 30;
constexpr std::size_t newton_contacts = 500;

}  // namespace

ConeSolver::ConeSolver(const ConeOptions& options, exec::Executor executor) : options_(options), executor_(executor) {
  options_.validate();
}

/// Solves from the reactions in state_.
template <ConeForm Form>
ConeReport ConeSolver::run(const Form& form) {
  const std::span<double> state = std::span(state_).first(form.state_size());
  if (partial_.size() < form.plan().chunks()) partial_.resize(form.plan().chunks());
  for (std::size_t i = 0; i < form.size(); ++i) store(project(form.cone(i), load(state, i)), i, state);
  const bool few = form.size() <= SmallCone::max_contacts;
  ConeReport report;
  report.method = options_.method == ConeMethod::automatic ? ConeMethod::anderson : options_.method;
  if (few && options_.method == ConeMethod::automatic) {
    enumerate(form, state, report);
    if (report.solved()) return report;
    report = {.method = ConeMethod::anderson};
  }
  form.rebuild(executor_, state);
  report.error = contact_error(form, executor_, state);
  switch (report.method) {
    case ConeMethod::sorp:
      solve_by_sweeps(form, executor_, options_, state, partial_, report);
      break;
    case ConeMethod::automatic:
    case ConeMethod::anderson:
      sweep_with_help(form, state, report);
      break;
    case ConeMethod::apgd:
      solve_by_gradient(form, executor_, options_, state, gradient_, report);
      break;
    case ConeMethod::enumeration:
      enumerate(form, state, report);
      break;
    case ConeMethod::newton:
      factorise(form, options_, state, report);
      break;
  }
  return report;
}

/// Accelerated sweeps; where they stall the other methods, then sweeps again with more patience, and at last plain
/// ones, which creep on where nothing else moves. What had the smallest error at a stall is not lost.
template <ConeForm Form>
void ConeSolver::sweep_with_help(const Form& form, std::span<double> state, ConeReport& report) {
  double least = std::numeric_limits<double>::infinity();
  const auto end = [&] {
    if (!(report.error > least)) return;
    std::copy(kept_.begin(), kept_.end(), state.begin());
    report.error = least;
  };
  for (const int patience : sweep_patience) {
    solve_by_accelerated_sweeps(form, executor_, options_, patience, state, partial_, mixer_, report);
    if (report.status == ConeStatus::stalled) hand_over(form, state, report);
    if (report.status != ConeStatus::stalled || report.error <= options_.good_enough) return end();
    if (report.error < least) kept_.assign(state.begin(), state.end());
    least = std::min(least, report.error);
  }
  report.method = ConeMethod::sorp;
  solve_by_sweeps(form, executor_, options_, state, partial_, report);
  end();
}

/// Tries the other methods where sweeps have stalled; what has the smallest error is kept.
template <ConeForm Form>
void ConeSolver::hand_over(const Form& form, std::span<double> state, ConeReport& report) {
  const auto attempt = [&](ConeMethod method, int max_iterations, auto&& solve) {
    best_.assign(state.begin(), state.end());
    ConeOptions options = options_;
    options.max_iterations = max_iterations;
    options.min_iterations = 0;
    ConeReport own{.method = method, .error = report.error};
    solve(options, own);
    own.iterations += report.iterations;
    own.rejections += report.rejections;
    own.handovers = report.handovers + (method == report.method ? 0 : 1);
    if (own.error < report.error) {
      report = own;
      if (!report.solved()) report.status = ConeStatus::stalled;
    } else {
      std::copy(best_.begin(), best_.end(), state.begin());
      report.iterations = own.iterations;
      report.handovers = own.handovers;
    }
  };
  double before = 0.0;
  do {
    before = report.error;
    attempt(ConeMethod::apgd, gradient_steps, [&](const ConeOptions& options, ConeReport& own) {
      solve_by_gradient(form, executor_, options, state, gradient_, own);
    });
  } while (!report.solved() && report.error < 0.5 * before);
  if (report.solved() || form.size() > newton_contacts) return;
  attempt(ConeMethod::newton, newton_steps,
          [&](const ConeOptions& options, ConeReport& own) { factorise(form, options, state, own); });
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
void ConeSolver::factorise(const Form& form, const ConeOptions& options, std::span<double> state, ConeReport& report) {
  if constexpr (std::same_as<Form, BlockProblem>) {
    solve_by_newton(form, options, state, report);
  } else {
    solve_by_newton(form.assemble(), options, state.first(3 * form.size()), report);
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
                             std::span<RigidVelocity> velocities) {
  assert(reactions.size() == 3 * problem.size() && velocities.size() == problem.bodies());
  if (state_.size() < problem.state_size()) state_.resize(problem.state_size());
  for (std::size_t i = 0; i < problem.size(); ++i) store(load(reactions, problem.caller_index(i)), i, state_);
  const ConeReport report = run(problem);
  for (std::size_t i = 0; i < problem.size(); ++i) store(load(state_, i), problem.caller_index(i), reactions);
  for (std::size_t body = 0; body < problem.bodies(); ++body) velocities[body] = problem.body_velocity(body, state_);
  return report;
}

}  // namespace ictus::solve
