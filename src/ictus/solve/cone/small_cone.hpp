#pragma once

#include <array>
#include <ictus/solve/cone/cone_problem.hpp>
#include <ictus/solve/cone/cone_report.hpp>
#include <span>

namespace ictus::solve {

/// A contact problem u = W r + q of one to three contacts, dense and without memory of its own: for systems of a few
/// degrees of freedom, where a whole step may cost a fraction of a microsecond.
struct SmallCone {
  static constexpr int max_contacts = 3;
  static constexpr int max_rows = 3 * max_contacts;

  int contacts = 0;
  std::array<std::array<double, max_rows>, max_rows> w{};  ///< W[row][column], rows (N, T1, T2) of each contact
  std::array<double, max_rows> q{};
  std::array<FrictionCone, max_contacts> cones{};

  int rows() const { return 3 * contacts; }
  Local velocity(int contact, std::span<const double> reactions) const;
  /// The error with the reactions in units of 1/ρ, ρ = mean W_NN [eq. contact-solvers-6].
  double error(std::span<const double> reactions) const;
};

/// Tries open, stick and slide for each contact until one combination obeys the law, first the combination of the guess
/// in `reactions` [eq. contact-solvers-8]. Exact to round-off: open and stick are linear, a sliding direction is found
/// by Newton's method from several starts, and planar friction (μ₂ = 0) has just two. Where several combinations obey
/// (large friction) the first in a fixed order is taken; where none does the status is `unsuitable` and the best is
/// returned.
ConeReport solve_by_enumeration(const SmallCone& problem, const ConeOptions& options, std::span<double> reactions);

/// The dense problem of any form with up to SmallCone::max_contacts contacts. Overwrites the state.
template <ConeForm Form>
SmallCone small_cone(const Form& form, const exec::Executor& executor, std::span<double> state) {
  SmallCone small;
  small.contacts = static_cast<int>(form.size());
  const auto velocities = [&](auto&& put) {
    form.rebuild(executor, state);
    for (int i = 0; i < small.contacts; ++i) {
      const Local u = form.velocity(static_cast<std::size_t>(i), state);
      put(3 * i, u.x);
      put(3 * i + 1, u.y);
      put(3 * i + 2, u.z);
    }
  };
  for (int i = 0; i < small.contacts; ++i) {
    small.cones[i] = form.cone(static_cast<std::size_t>(i));
    store({}, static_cast<std::size_t>(i), state);
  }
  velocities([&](int row, double u) { small.q[row] = u; });
  for (int column = 0; column < small.rows(); ++column) {
    state[column] = 1.0;
    velocities([&](int row, double u) { small.w[row][column] = u - small.q[row]; });
    state[column] = 0.0;
  }
  return small;
}

}  // namespace ictus::solve
