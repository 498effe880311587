#include <ictus/dynamics/coupled/implicit_domain.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/dynamics/system/damping.hpp>
#include <ictus/dynamics/system/dof_name.hpp>
#include <ictus/dynamics/system/potential_of.hpp>
#include <limits>

namespace ictus::dynamics {

using mechanics::NodalBody;

namespace {

/// Of Newton's method, squares of relative errors: the first step is a guess of where the forces of the ties act, the
/// linked one is the motion.
constexpr double free_tolerance = 1e-20, linked_tolerance = 1e-28;

bool is_within(std::span<const NodalBody* const> bodies, std::size_t dof) {
  return std::any_of(bodies.begin(), bodies.end(),
                     [dof](const NodalBody* body) { return dof >= body->dofs().begin && dof < body->dofs().end(); });
}

}  // namespace

/// Calls f(dof of the System, dof of the domain); no call waits for another.
template <class F>
void ImplicitDomain::for_each_dof(F&& f) const {
  std::size_t first = 0;
  for (const NodalBody* body : bodies_) {
    const mechanics::Range range = body->dofs();
#pragma GCC ivdep
    for (std::size_t i = 0; i < range.size; ++i) f(range.begin + i, first + i);
    first += range.size;
  }
}

ImplicitDomain::ImplicitDomain(const System& system, std::vector<const NodalBody*> bodies)
    : bodies_(std::move(bodies)),
      rows_(system.ties(), system.inverse_mass(),
            [this](std::size_t k) { return is_within(bodies_, k) ? static_cast<int>(k) : -1; }),
      slot_(system.dofs()),
      force_(system.dofs()) {
  for (const NodalBody* body : bodies_) size_ += body->dofs().size;
  for (std::vector<double>* values : {&local_, &velocity_, &free_, &before_, &shift_, &mass_}) values->resize(size_);
  for_each_dof([&](std::size_t k, std::size_t i) {
    const double inverse = system.inverse_mass()[k];
    mass_[i] = inverse > 0 ? 1 / inverse : 0;
    slot_[k] = i;
  });
  damped_ = damped_among(bodies_);
  if (!damped_.empty()) {
    for (std::vector<double>* values : {&rate_, &damping_}) values->resize(system.dofs());
    damping_before_.resize(size_);
  }
  is_linear_ = std::all_of(bodies_.begin(), bodies_.end(), [](const NodalBody* body) { return body->linear(); });
  if (is_linear_) return;
  for (std::vector<double>* values : {&force_before_, &load_, &linked_, &correction_}) values->resize(size_);
  trial_.resize(system.dofs());
  for (std::vector<double>* values : {&followed_, &excess_}) values->resize(rows_.size());
}

bool ImplicitDomain::holds(std::size_t dof) const { return is_within(bodies_, dof); }

void ImplicitDomain::factor(const System& system, double step, std::span<const double> q) {
  step_ = step;
  factor_at(system, q);
  find_compliance();
}

void ImplicitDomain::factor_at(const System& system, std::span<const double> q) {
  if (!is_prepared_) matrix_.prepare(system, bodies_, q);
  is_prepared_ = true;
  matrix_.assemble(system, q, {.mass = 1, .damping = 0.5 * step_, .stiffness = 0.25 * step_ * step_});
  if (const std::optional<int> bad = matrix_.factor())
    throw base::NumericalFailure("the implicit operator M + ΔT/2 C + ΔT²/4 K is not positive definite",
                                 dof_name(system, matrix_.dof(*bad)),
                                 is_linear_ ? "Check the materials" : "Use a smaller integrator.ratio or time.step");
}

/// H, and M̃⁻¹Lᵀ where it is to be kept.
void ImplicitDomain::find_compliance() {
  const auto n = static_cast<Eigen::Index>(size_);
  const auto ties = static_cast<Eigen::Index>(rows_.size());
  compliance_.setZero(ties, ties);
  // A solution passes twice over the factor, where one number waits for another; a product once over its columns.
  const bool is_small = rows_.size() * size_ <= 8 * matrix_.factor_entries();
  response_.setZero(is_small ? n : 0, is_small ? ties : 0);
  std::size_t done = 0;  // rows
  for (const DomainRows::Entry& column : rows_.entries()) {
    if (column.row < done) continue;
    done = column.row + 1;
    std::fill(local_.begin(), local_.end(), 0.0);
    for (const DomainRows::Entry& e : rows_.entries()) {
      if (e.row == column.row) local_[slot_[e.dof]] += e.weight;
    }
    matrix_.solve(local_, local_);
    if (is_small)
      response_.col(static_cast<Eigen::Index>(column.row)) = Eigen::Map<const Eigen::VectorXd>(local_.data(), n);
    for (const DomainRows::Entry& e : rows_.entries())
      compliance_(static_cast<Eigen::Index>(e.row), static_cast<Eigen::Index>(column.row)) +=
          0.5 * step_ * e.weight * local_[slot_[e.dof]];
  }
  for (Eigen::Index i = 0; i < ties; ++i) {
    for (Eigen::Index j = 0; j < i; ++j)
      compliance_(i, j) = compliance_(j, i) = 0.5 * (compliance_(i, j) + compliance_(j, i));
  }
}

/// force_ = h f(q) on the domain's dofs.
void ImplicitDomain::forces(const System& system, std::span<const double> q, double h) {
  for_each_dof([&](std::size_t k, std::size_t) { force_[k] = 0; });
  for (const NodalBody* body : bodies_) body->kick(system.exec(), q, h, force_);
}

/// What reaches a supported dof goes to the ground, which gives it back; force_ holds the impulses.
void ImplicitDomain::note_supports(std::span<const double> q) {
  for (const NodalBody* body : bodies_) {
    for (const int k : body->fixed()) impulse_ += body->support_impulse(k, -force_[static_cast<std::size_t>(k)], q);
  }
}

/// damping_ = −C v for v in rate_.
void ImplicitDomain::damp(const System& system, std::span<const double> q) {
  for (const mechanics::NodalBody* body : damped_) damping_force(system, *body, q, rate_, damping_);
}

/// What damping_, acting for half a step, takes from the momentum.
void ImplicitDomain::note_damping(std::span<const double> q) {
  for (const mechanics::NodalBody* body : damped_) {
    mechanics::Momentum removed = body->momentum(q, damping_);
    impulse_ += removed *= step_ / 2;
  }
}

void ImplicitDomain::close_by(std::span<const double> nu) {
  respond_to(nu);
  std::copy(local_.begin(), local_.end(), shift_.begin());
  is_shifted_ = true;
}

bool ImplicitDomain::begin(const System& system, std::span<const double> load_values, std::span<const double> lambda,
                           model::State& state, std::span<const double> acceleration, std::span<double> factored,
                           std::span<double> free_rates) {
  const double half = step_ / 2;
  impulse_ = {};
  forces(system, state.q, half);
  note_supports(state.q);
  if (!is_linear_) note_start(system, state);
  if (!damped_.empty()) note_damping_before(system, state);
  predict(system, acceleration, state);
  bool is_new = false;
  if (is_linear_) {
    solve_free(system, load_values, state);
  } else {
    is_new = solve_free_by_newton(system, load_values, lambda, state, acceleration, factored);
  }
  for_each_dof([&](std::size_t k, std::size_t i) { force_[k] = velocity_[i] + half * free_[i]; });
  std::fill(free_rates.begin(), free_rates.end(), 0.0);
  rows_.add_values(force_, free_rates);
  return is_new;
}

void ImplicitDomain::note_damping_before(const System& system, const model::State& state) {
  for_each_dof([&](std::size_t k, std::size_t) { rate_[k] = system.inverse_mass()[k] * state.p[k]; });
  damp(system, state.q);
  note_damping(state.q);
  for_each_dof([&](std::size_t k, std::size_t i) { damping_before_[i] = damping_[k]; });
}

/// ᵖV in velocity_, ᵖU in the state.
void ImplicitDomain::predict(const System& system, std::span<const double> acceleration, model::State& state) {
  const double half = step_ / 2, step = step_;
  const double *inverse_mass = system.inverse_mass().data(), *a = acceleration.data(), *p = state.p.data();
  double* q = state.q.data();
  for_each_dof([=, before = before_.data(), velocity = velocity_.data()](std::size_t k, std::size_t i) {
    const double v = inverse_mass[k] * p[k];
    before[i] = q[k];
    velocity[i] = v + half * a[k];
    q[k] += step * (v + 0.5 * half * a[k]);
  });
  shift_work_ = 0;
  if (!is_shifted_) return;
  for_each_dof([&](std::size_t k, std::size_t i) {
    q[k] += shift_[i];
    shift_work_ -= 0.5 * shift_[i] * mass_[i] * a[k];
  });
}

void ImplicitDomain::add_loads(const System& system, std::span<const double> load_values) {
  for (std::size_t l = 0; l < load_values.size(); ++l) {
    const mechanics::Load& load = system.loads()[l];
    if (!holds(load.first)) continue;
    const double value = load_values[l], *pattern = load.force.data();
    double* force = force_.data() + load.first;
    for (std::size_t i = 0; i < load.force.size(); ++i) force[i] += value * pattern[i];
  }
}

/// M̃ A_free = f(ᵖU) − C ᵖV + F of linear bodies.
void ImplicitDomain::solve_free(const System& system, std::span<const double> load_values, const model::State& state) {
  forces(system, state.q, 1.0);
  add_loads(system, load_values);
  if (!damped_.empty()) {
    for_each_dof([&](std::size_t k, std::size_t i) { rate_[k] = velocity_[i]; });
    damp(system, state.q);
    for_each_dof([&](std::size_t k, std::size_t) { force_[k] += damping_[k]; });
  }
  for_each_dof([this](std::size_t k, std::size_t i) { free_[i] = mass_[i] > 0 ? force_[k] : 0; });
  matrix_.solve(free_, free_);
}

/// A_free of bodies that are not linear: their motion under Λ, less what the tangent makes of Λ. Answers whether M̃ was
/// factored anew.
bool ImplicitDomain::solve_free_by_newton(const System& system, std::span<const double> load_values,
                                          std::span<const double> lambda, const model::State& state,
                                          std::span<const double> acceleration, std::span<double> factored) {
  for_each_dof([&](std::size_t k, std::size_t) { force_[k] = 0; });
  add_loads(system, load_values);
  for_each_dof([&](std::size_t k, std::size_t i) {
    load_[i] = force_[k];
    free_[i] = acceleration[k];
  });
  const auto [is_new, unsettled] = solve_motion(system, lambda, state, free_tolerance, factored, free_);
  free_unsettled_ = unsettled;
  if (is_new) find_compliance();
  respond_to(lambda);
  for (std::size_t i = 0; i < size_; ++i) free_[i] -= local_[i];
  return is_new;
}

/// What the end of a step of nonlinear bodies compares with; force_ holds ½ΔT f at t.
void ImplicitDomain::note_start(const System& system, const model::State& state) {
  potential_before_ = potential_of(system, bodies_, state.q);
  double kinetic = 0, strain = 0;
  for (const NodalBody* body : bodies_) strain += body->potential_energy(system.exec(), state.q).strain;
  for_each_dof([&](std::size_t k, std::size_t i) {
    force_before_[i] = force_[k];
    kinetic += 0.5 * system.inverse_mass()[k] * state.p[k] * state.p[k];
  });
  scale_ = 2 * (kinetic + std::abs(strain)) / (step_ * step_);
}

/// M A = f(U) − C V + F + LᵀΛ with U = ᵖU + ¼ΔT²A, V = ᵖV + ½ΔT A by Newton's method [eq. coupling-10]; `a` holds the
/// first guess. The size of a correction Δ is Δ·M̃Δ, and `tolerance` that at which the search ends, over those of the
/// motion. Where `factored` is given M̃ is factored anew when corrections fall slowly.
ImplicitDomain::Found ImplicitDomain::solve_motion(const System& system, std::span<const double> lambda,
                                                   const model::State& state, double tolerance,
                                                   std::span<double> factored, std::vector<double>& a) {
  const double half = step_ / 2;
  const auto inverse_mass = system.inverse_mass();
  Found found;
  double scale = scale_, previous = std::numeric_limits<double>::infinity();
  constexpr int max_iterations = 100;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    for_each_dof([&](std::size_t k, std::size_t i) { trial_[k] = state.q[k] + half * half * a[i]; });
    forces(system, trial_, 1.0);
    if (!damped_.empty()) {
      for_each_dof([&](std::size_t k, std::size_t i) { rate_[k] = velocity_[i] + half * a[i]; });
      damp(system, trial_);
      for (const mechanics::NodalBody* body : damped_) {
        for (std::size_t k = body->dofs().begin; k < body->dofs().end(); ++k) force_[k] += damping_[k];
      }
    }
    rows_.pull(lambda, 1.0, force_);
    for_each_dof([&](std::size_t k, std::size_t i) {
      local_[i] = inverse_mass[k] > 0 ? force_[k] + load_[i] - a[i] / inverse_mass[k] : 0;
    });
    matrix_.solve(local_, correction_);
    double size = 0;
    for (std::size_t i = 0; i < size_; ++i) size += local_[i] * correction_[i];
    if (!std::isfinite(size)) break;
    scale = std::max(scale, size);
    for (std::size_t i = 0; i < size_; ++i) a[i] += correction_[i];
    if (size <= tolerance * scale) return found;
    if (size <= 1e-16 * scale && size > 0.9 * previous) {  // it falls no further
      if (!within_round_off(state)) found.unsettled = std::sqrt(size / scale);
      return found;
    }
    if (!factored.empty() && size > 0.05 * previous) {
      for_each_dof([&](std::size_t k, std::size_t i) {
        trial_[k] = state.q[k] + half * half * a[i];
        factored[k] = trial_[k];
      });
      factor_at(system, trial_);
      found.is_new = true;
    }
    previous = size;
  }
  throw base::NumericalFailure(fmt::format("Newton's method found no motion in {} iterations", max_iterations),
                               fmt::format("{} at t = {:g} s", bodies_.front()->name(), state.time),
                               "Use a smaller integrator.ratio or time.step");
}

/// Whether the last correction moved nothing by more than positions are rounded to, and with them forces.
bool ImplicitDomain::within_round_off(const model::State& state) const {
  double moved = 0, largest = 0;
  for_each_dof([&](std::size_t k, std::size_t i) {
    moved = std::max(moved, 0.25 * step_ * step_ * std::abs(correction_[i]));
    largest = std::max(largest, std::abs(state.q[k]));
  });
  return moved <= 16 * std::numeric_limits<double>::epsilon() * largest;
}

void ImplicitDomain::follow(const System& system, std::span<const double> lambda, const model::State& state,
                            std::span<double> beyond) {
  respond_to(lambda);
  for (std::size_t i = 0; i < size_; ++i) linked_[i] = free_[i] + local_[i];
  linked_unsettled_ = solve_motion(system, lambda, state, linked_tolerance, {}, linked_).unsettled;
  std::copy(lambda.begin(), lambda.end(), followed_.begin());
  std::fill(beyond.begin(), beyond.end(), 0.0);
  for_each_dof([&](std::size_t k, std::size_t i) { force_[k] = 0.5 * step_ * (linked_[i] - free_[i]); });
  rows_.add_values(force_, beyond);
  const auto ties = static_cast<Eigen::Index>(rows_.size());
  Eigen::Map<Eigen::VectorXd>(beyond.data(), ties).noalias() -=
      compliance_ * Eigen::Map<const Eigen::VectorXd>(lambda.data(), ties);
}

/// local_ = M̃⁻¹ Lᵀ Λ.
void ImplicitDomain::respond_to(std::span<const double> lambda) {
  if (response_.size() > 0) {
    Eigen::Map<Eigen::VectorXd>(local_.data(), static_cast<Eigen::Index>(size_)).noalias() =
        response_ * Eigen::Map<const Eigen::VectorXd>(lambda.data(), static_cast<Eigen::Index>(lambda.size()));
    return;
  }
  for_each_dof([&](std::size_t k, std::size_t) { force_[k] = 0; });
  rows_.pull(lambda, 1.0, force_);
  for_each_dof([&](std::size_t k, std::size_t i) { local_[i] = force_[k]; });
  matrix_.solve(local_, local_);
}

ImplicitDomain::StepBalance ImplicitDomain::finish(const System& system, std::span<const double> lambda,
                                                   std::span<const double> lambda_before,
                                                   std::span<const double> load_values,
                                                   std::span<const double> load_values_before, model::State& state,
                                                   std::span<double> acceleration) {
  const double half = step_ / 2;
  double *q = state.q.data(), *p = state.p.data();
  if (is_linear_) {
    respond_to(lambda);
  } else {
    for (std::size_t r = 0; r < excess_.size(); ++r) excess_[r] = lambda[r] - followed_[r];
    respond_to(excess_);
    for (std::size_t i = 0; i < size_; ++i) local_[i] += linked_[i] - free_[i];
  }
  for_each_dof([=, this](std::size_t k, std::size_t i) {
    const double a = free_[i] + local_[i];
    acceleration[k] = a;
    q[k] += half * half * a;
    p[k] = mass_[i] * (velocity_[i] + half * a);
    force_[k] = q[k] - before_[i];  // [U]
  });
  StepBalance balance;
  balance.interface_work = shift_work_;
  if (is_shifted_) {
    for_each_dof(
        [&](std::size_t k, std::size_t i) { balance.interface_work -= 0.5 * shift_[i] * mass_[i] * acceleration[k]; });
  }
  is_shifted_ = false;
  for (const DomainRows::Entry& e : rows_.entries())
    balance.interface_work += 0.5 * (lambda[e.row] + lambda_before[e.row]) * e.weight * force_[e.dof];
  for (std::size_t l = 0; l < load_values.size(); ++l) {
    const mechanics::Load& load = system.loads()[l];
    if (!holds(load.first)) continue;
    const double mean = 0.5 * (load_values[l] + load_values_before[l]);
    const double *pattern = load.force.data(), *moved = force_.data() + load.first;
    balance.load_work +=
        mean * exec::sum_lanes(0, load.force.size(), [=](std::size_t i) { return pattern[i] * moved[i]; });
    mechanics::Momentum share = load.total;
    share *= step_ * mean;
    impulse_ += share;
  }
  if (!damped_.empty()) {
    for_each_dof([&](std::size_t k, std::size_t) { rate_[k] = system.inverse_mass()[k] * state.p[k]; });
    damp(system, state.q);
    note_damping(state.q);
    for_each_dof(
        [&](std::size_t k, std::size_t i) { balance.damping -= 0.5 * (damping_before_[i] + damping_[k]) * force_[k]; });
  }
  forces(system, state.q, half);
  if (!is_linear_) {
    double work = 0;
    for_each_dof([&](std::size_t k, std::size_t i) {
      work += (force_before_[i] + force_[k]) / step_ * (state.q[k] - before_[i]);
    });
    balance.quadrature = potential_before_ - potential_of(system, bodies_, state.q) - work;
  }
  note_supports(state.q);
  for (const NodalBody* body : bodies_) impulse_ += body->gravity_impulse(state.q, step_);
  balance.impulse = impulse_;
  balance.unsettled = is_linear_ ? 0 : std::max(free_unsettled_, linked_unsettled_);
  return balance;
}

}  // namespace ictus::dynamics
