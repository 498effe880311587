#pragma once

#include <ictus/solve/sweeps/gauss_seidel.hpp>
#include <vector>

namespace ictus::solve {

/// Vectors of the accelerated projected gradient, kept between solves.
struct GradientWorkspace {
  std::vector<double> point;     ///< y, where the gradient is taken
  std::vector<double> gradient;  ///< u(y)
  std::vector<double> previous;  ///< r of the step before
  std::vector<double> velocity;  ///< u(r)
  std::vector<double> previous_velocity;

  void reserve(std::size_t n) {
    for (auto* v : {&point, &gradient, &previous, &velocity, &previous_velocity}) {
      if (v->size() < n) v->resize(n);
    }
  }
};

/// u(r) for the reactions in the state, whose rest is brought up to date; returns the error of the state.
template <ConeForm Form>
double evaluate(const Form& form, const exec::Executor& executor, std::span<double> state, std::span<double> velocity) {
  form.rebuild(executor, state);
  const double unit = form.reaction_unit();
  const double sum = executor.sum(form.size(), [&](std::size_t i) {
    const Local u = form.velocity(i, state);
    store(u, i, velocity);
    return math::norm_sq(law_defect(form.cone(i), unit * load(state, i), u));
  });
  return std::sqrt(sum) / (form.free_norm() > 0.0 ? form.free_norm() : 1.0);
}

/// Accelerated projected gradient with backtracking and restarts [eq. contact-solvers-10]: r⁺ = P_K(y − τ C û(y)) with
/// C = diag(1/W_NN), y = r + β (r − r⁻). W enters through one product a step, at r⁺; u is affine, so u(y) follows.
/// The shift μ|u_T| of û is that of y, renewed at every step.
template <ConeForm Form>
void solve_by_gradient(const Form& form, const exec::Executor& executor, const ConeOptions& options,
                       std::span<double> state, GradientWorkspace& work, ConeReport& report) {
  const std::size_t n = form.size();
  const std::size_t entries = 3 * n;
  work.reserve(entries);
  report.error = evaluate(form, executor, state, work.velocity);
  std::copy_n(state.begin(), entries, work.point.begin());
  std::copy_n(work.velocity.begin(), entries, work.gradient.begin());
  double tau = 1.0;
  double theta = 1.0;
  while (!report.settled(options)) {
    std::copy_n(state.begin(), entries, work.previous.begin());
    std::swap(work.velocity, work.previous_velocity);
    for (int halvings = 0; halvings < 40; ++halvings) {
      executor.for_blocks(n, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const FrictionCone cone = form.cone(i);
          const Local descent = augmented_velocity(cone, load(work.gradient, i));
          store(project(cone, load(work.point, i) - (tau * form.prox(i).step.x) * descent), i, state);
        }
      });
      report.error = evaluate(form, executor, state, work.velocity);
      // (r⁺−y)·W(r⁺−y) and |r⁺−y|² in the metric C⁻¹: the step is short enough where the first does not exceed 1/τ
      // times the second.
      double curvature = 0.0;
      double length = 0.0;
      curvature = executor.sum(n, [&](std::size_t i) {
        return math::dot(load(state, i) - load(work.point, i), load(work.velocity, i) - load(work.gradient, i));
      });
      length = executor.sum(
          n, [&](std::size_t i) { return math::norm_sq(load(state, i) - load(work.point, i)) / form.prox(i).step.x; });
      if (!(curvature * tau > length)) break;
      tau *= 0.5;
    }
    ++report.iterations;
    // Restart where the step leads uphill: û(y)·(r⁺ − r) > 0.
    const double uphill = executor.sum(n, [&](std::size_t i) {
      return math::dot(augmented_velocity(form.cone(i), load(work.gradient, i)),
                       load(state, i) - load(work.previous, i));
    });
    if (uphill > 0.0) theta = 1.0;
    const double next = 0.5 * (std::sqrt(theta * theta * theta * theta + 4.0 * theta * theta) - theta * theta);
    const double beta = theta * (1.0 - theta) / (theta * theta + next);
    theta = next;
    tau *= 1.05;
    executor.for_blocks(entries, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        work.point[i] = state[i] + beta * (state[i] - work.previous[i]);
        work.gradient[i] = work.velocity[i] + beta * (work.velocity[i] - work.previous_velocity[i]);
      }
    });
  }
}

}  // namespace ictus::solve
