// Notation: K stiffness of the moving unknowns, C rows of what is held, R its forces, ρ penalty of the augmented
// Lagrangian. K alone may be singular (a body that only lies on others), K + ρCᵀC is not.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/contact/detect.hpp>
#include <ictus/dynamics/static_equilibrium.hpp>
#include <ictus/dynamics/unknown_name.hpp>
#include <ictus/solve/sparse_cholesky.hpp>

namespace ictus::dynamics {

namespace {

using model::RowEntry;

struct HeldRow {
  std::span<const RowEntry> entries;
  int pair;            ///< −1 for a tie
  double penalty = 0;  ///< N/m
  double force = 0;    ///< R
};

class Equilibrium {
 public:
  explicit Equilibrium(const System& system)
      : system_(system), state_(system.initial_state()), start_(state_.q), residual_(start_.size()) {
    contact::detect(system.pairs(), start_, constraints_);
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      const int pair = constraints_.place(i).pair;
      if (constraints_.gap(i) <= system.pairs()[static_cast<std::size_t>(pair)].slack)
        rows_.push_back({constraints_.row(i), pair});
    }
    for (std::size_t i = 0; i < system.ties().size(); ++i) rows_.push_back({system.ties().row(i), -1});
    factor();
  }

  RestState solve() {
    // Each pass takes the error of the last one down by the ratio of the structure's stiffness to ρ, and what rounding
    // has left of it with it; it ends where rounding lets it get no smaller.
    double before = std::numeric_limits<double>::infinity();
    for (int pass = 0; pass < 50; ++pass) {
      const double change = improve();
      if (change == 0 || (change > 0.5 * before && pass > 2)) break;
      before = change;
    }
    RestState rest{state_.q, std::vector<double>(system_.pairs().size())};
    for (const HeldRow& row : rows_) {
      if (row.pair >= 0) rest.contact_force[static_cast<std::size_t>(row.pair)] += row.force;
    }
    return rest;
  }

 private:
  bool moves(int k) const { return system_.inverse_mass()[static_cast<std::size_t>(k)] > 0; }

  void factor() {
    std::vector<mechanics::StiffnessEntry> stiffness;
    for (const mechanics::NodalBody* body : system_.nodal_bodies()) body->stiffness(start_, stiffness);
    const int n = static_cast<int>(start_.size());
    std::vector<double> diagonal(start_.size());
    std::vector<Eigen::Triplet<double>> entries;
    for (const auto& [row, column, value] : stiffness) {
      if (row == column) diagonal[static_cast<std::size_t>(row)] += value;
      if (row >= column && moves(row) && moves(column)) entries.emplace_back(row, column, value);
    }
    for (int k = 0; k < n; ++k) {
      if (!moves(k)) entries.emplace_back(k, k, 1.0);
    }
    for (HeldRow& row : rows_) {
      for (const RowEntry& entry : row.entries)
        row.penalty = std::max(row.penalty, 0.01 * diagonal[static_cast<std::size_t>(entry.unknown)]);
      for (const RowEntry& a : row.entries) {
        for (const RowEntry& b : row.entries) {
          if (a.unknown >= b.unknown && moves(a.unknown) && moves(b.unknown))
            entries.emplace_back(a.unknown, b.unknown, row.penalty * a.weight * b.weight);
        }
      }
    }
    Eigen::SparseMatrix<double> matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    factors_.analyse(matrix);
    if (const std::optional<int> loose = factors_.factor(matrix)) {
      throw base::NumericalFailure("the bodies are a mechanism: nothing resists a motion in which there takes part",
                                   unknown_name(system_, static_cast<std::size_t>(*loose)),
                                   "Hold it by a support, a member or a contact that touches at the start");
    }
  }

  /// One solution for what is out of balance; returns the size of the correction.
  double improve() {
    std::fill(residual_.begin(), residual_.end(), 0.0);
    system_.kick(state_.q, 1.0, residual_);
    for (const HeldRow& row : rows_) model::add_scaled(row.entries, row.force - row.penalty * opening(row), residual_);
    for (std::size_t k = 0; k < residual_.size(); ++k) {
      if (system_.inverse_mass()[k] == 0) residual_[k] = 0;
    }
    factors_.solve(residual_, residual_);
    double change = 0;
    for (std::size_t k = 0; k < residual_.size(); ++k) {
      state_.q[k] += residual_[k];
      change = std::max(change, std::abs(residual_[k]));
    }
    for (HeldRow& row : rows_) row.force -= row.penalty * opening(row);
    return change;
  }

  /// w·(q − q₀).
  double opening(const HeldRow& row) const {
    double sum = 0;
    for (const RowEntry& entry : row.entries) {
      const auto k = static_cast<std::size_t>(entry.unknown);
      sum += entry.weight * (state_.q[k] - start_[k]);
    }
    return sum;
  }

  const System& system_;
  model::State state_;
  std::vector<double> start_, residual_;
  model::ConstraintSet constraints_;
  std::vector<HeldRow> rows_;
  solve::SparseCholesky factors_;
};

}  // namespace

RestState static_equilibrium(const System& system) { return Equilibrium(system).solve(); }

}  // namespace ictus::dynamics
