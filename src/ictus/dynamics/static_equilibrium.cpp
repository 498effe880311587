// Notation: f force, V potential energy, K stiffness of the moving unknowns, C rows of what is held, R its forces,
// g = w·(q − q₀) their openings, ρ penalty of the augmented Lagrangian; s share of the loads. K alone may be singular
// (a body that only lies on others), K + ρCᵀC is not.
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
      : system_(system),
        q_(system.initial_state().q),
        start_(q_),
        unbalanced_(start_.size()),
        residual_(start_.size()),
        trial_(start_.size()) {
    contact::detect(system.pairs(), start_, constraints_);
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      const int pair = constraints_.place(i).pair;
      if (constraints_.gap(i) <= system.pairs()[static_cast<std::size_t>(pair)].slack)
        rows_.push_back({constraints_.row(i), pair});
    }
    for (std::size_t i = 0; i < system.ties().size(); ++i) rows_.push_back({system.ties().row(i), -1});
    system.kick(start_, 1.0, unbalanced_);
    if (const std::optional<int> loose = factor()) {
      throw base::NumericalFailure("the bodies are a mechanism: nothing resists a motion in which there takes part",
                                   unknown_name(system_, static_cast<std::size_t>(*loose)),
                                   "Hold it by a support, a member or a contact that touches at the start");
    }
  }

  RestState solve() {
    const auto bodies = system_.nodal_bodies();
    if (std::all_of(bodies.begin(), bodies.end(), [](const auto* body) { return body->linear(); }))
      solve_linear();
    else
      solve_nonlinear();
    RestState rest{q_, std::vector<double>(system_.pairs().size())};
    for (const HeldRow& row : rows_) {
      if (row.pair >= 0) rest.contact_force[static_cast<std::size_t>(row.pair)] += row.force;
    }
    return rest;
  }

 private:
  bool moves(int k) const { return system_.inverse_mass()[static_cast<std::size_t>(k)] > 0; }

  void solve_linear() {
    // Each pass takes the error of the last one down by the ratio of the structure's stiffness to ρ, and what rounding
    // has left of it with it; it ends where rounding lets it get no smaller.
    double before = std::numeric_limits<double>::infinity();
    for (int pass = 0; pass < 50; ++pass) {
      correct(1.0);
      double change = 0;
      for (std::size_t k = 0; k < q_.size(); ++k) {
        q_[k] += residual_[k];
        change = std::max(change, std::abs(residual_[k]));
      }
      press_rows();
      if (change == 0 || (change > 0.5 * before && pass > 2)) break;
      before = change;
    }
  }

  /// The loads grow from nothing: f(q) = (1 − s) f(q₀) [eq. newmark-7], all at once first and in smaller shares where
  /// Newton's method does not follow.
  void solve_nonlinear() {
    constexpr double smallest = 1.0 / 1024;
    double reached = 0, share = 1;
    while (reached < 1) {
      const double next = std::min(reached + share, 1.0);
      const std::vector<double> before = q_;
      const std::vector<HeldRow> rows_before = rows_;
      if (is_found(next)) {
        reached = next;
        share *= 2;
        continue;
      }
      q_ = before;
      rows_ = rows_before;
      share /= 2;
      if (share < smallest) {
        throw base::NumericalFailure(
            "no configuration at rest was found", fmt::format("beyond {:.3g} of the loads", reached),
            "The bodies buckle or collapse under their loads: use smaller loads, a stiffer material or a finer mesh");
      }
    }
  }

  /// Newton's method for a share of the loads. Answers whether it came to rest.
  bool is_found(double share) {
    double scale = 0, before = std::numeric_limits<double>::infinity();
    constexpr int most = 60;
    for (int pass = 0; pass < most; ++pass) {
      if (factor()) return false;
      const double size = correct(share);
      if (!std::isfinite(size)) return false;
      scale = std::max(scale, size);
      // Squares of relative errors of 1e-12; or what round-off of the forces keeps from falling further.
      const bool done = size <= 1e-24 * scale || (size <= 1e-14 * scale && size > 0.1 * before);
      if (!move(share, size)) return false;
      press_rows();
      if (done) return true;
      before = size;
    }
    return false;
  }

  /// q + Δ, or as much of Δ as lets the potential energy of the share of loads fall.
  bool move(double share, double size) {
    const double before = potential(share, q_), slack = 1e-12 * (std::abs(before) + size);
    for (double part = 1; part > 1e-4; part /= 2) {
      for (std::size_t k = 0; k < q_.size(); ++k) trial_[k] = q_[k] + part * residual_[k];
      const double after = potential(share, trial_);
      if (!std::isfinite(after) || after > before - 1e-4 * part * size + slack) continue;
      q_.swap(trial_);
      return true;
    }
    return false;
  }

  /// V + (1 − s) f(q₀)·q + Σ (½ ρ g² − R g).
  double potential(double share, std::span<const double> q) const {
    const mechanics::PotentialEnergy energy = system_.potential_energy(q);
    double sum = energy.strain + energy.gravity;
    for (std::size_t k = 0; k < q.size(); ++k) sum += (1 - share) * unbalanced_[k] * (q[k] - start_[k]);
    for (const HeldRow& row : rows_) {
      const double g = opening(row, q);
      sum += (0.5 * row.penalty * g - row.force) * g;
    }
    return sum;
  }

  /// Factors K + ρCᵀC at q; answers with the unknown that nothing holds, or nothing.
  std::optional<int> factor() {
    std::vector<mechanics::StiffnessEntry> stiffness;
    for (const mechanics::NodalBody* body : system_.nodal_bodies()) body->stiffness(q_, stiffness);
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
      if (!analysed_) {
        for (const RowEntry& entry : row.entries)
          row.penalty = std::max(row.penalty, 0.01 * diagonal[static_cast<std::size_t>(entry.unknown)]);
      }
      for (const RowEntry& a : row.entries) {
        for (const RowEntry& b : row.entries) {
          if (a.unknown >= b.unknown && moves(a.unknown) && moves(b.unknown))
            entries.emplace_back(a.unknown, b.unknown, row.penalty * a.weight * b.weight);
        }
      }
    }
    Eigen::SparseMatrix<double> matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    if (!analysed_) factors_.analyse(matrix);
    analysed_ = true;
    return factors_.factor(matrix);
  }

  /// The correction Δ for what is out of balance, in residual_; answers with its square in the norm of the matrix.
  double correct(double share) {
    std::fill(residual_.begin(), residual_.end(), 0.0);
    system_.kick(q_, 1.0, residual_);
    for (const HeldRow& row : rows_)
      model::add_scaled(row.entries, row.force - row.penalty * opening(row, q_), residual_);
    for (std::size_t k = 0; k < residual_.size(); ++k)
      residual_[k] = system_.inverse_mass()[k] == 0 ? 0 : residual_[k] - (1 - share) * unbalanced_[k];
    trial_ = residual_;
    factors_.solve(residual_, residual_);
    double size = 0;
    for (std::size_t k = 0; k < residual_.size(); ++k) size += trial_[k] * residual_[k];
    return size;
  }

  /// R of rows that still open.
  void press_rows() {
    for (HeldRow& row : rows_) row.force -= row.penalty * opening(row, q_);
  }

  /// w·(q − q₀).
  double opening(const HeldRow& row, std::span<const double> q) const {
    double sum = 0;
    for (const RowEntry& entry : row.entries) {
      const auto k = static_cast<std::size_t>(entry.unknown);
      sum += entry.weight * (q[k] - start_[k]);
    }
    return sum;
  }

  const System& system_;
  std::vector<double> q_, start_;
  std::vector<double> unbalanced_;  // f(q₀)
  std::vector<double> residual_, trial_;
  model::ConstraintSet constraints_;
  std::vector<HeldRow> rows_;
  solve::SparseCholesky factors_;
  bool analysed_ = false;
};

}  // namespace

RestState static_equilibrium(const System& system) { return Equilibrium(system).solve(); }

}  // namespace ictus::dynamics
