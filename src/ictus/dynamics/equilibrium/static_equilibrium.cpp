// Notation: f force of the bodies and of the loads F, V potential energy, K stiffness of the moving dofs, C rows of
// what is held, R its forces, g = w·(q − q₀) their openings, ρ penalty of the augmented Lagrangian; s share of the
// loads. K alone may be singular (a body that only lies on others), K + ρCᵀC is not. Surfaces hold nothing along
// themselves: with them the matrix is K + εM + ρCᵀC, while residuals are those of K, so that ε costs iterations only.
#include <ictus/dynamics/equilibrium/static_equilibrium.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/contact/detect/detect.hpp>
#include <ictus/contact/detect/surface_detector.hpp>
#include <ictus/dynamics/system/dof_name.hpp>
#include <ictus/solve/linear/sparse_cholesky.hpp>
#include <limits>

namespace ictus::dynamics {

namespace {

using model::RowEntry;

/// Penalty, over the stiffness behind it, of what holds surfaces: their forces vary from node to node.
constexpr double stiff_share = 100;
/// ε over the largest K/M.
constexpr double loose_share = 1e-6;
/// Surfaces overlap at rest by no more than this share of an edge.
constexpr double overlap_share = 0.01;
/// Penalty of what holds points, over the stiffness behind it, before it is found too soft.
constexpr double soft_share = 0.01;
/// Passes go on while this share of an error or less is left by each.
constexpr double good_pace = 0.5;
/// What forces at rest are sought to, relative, and what is accepted of them where rounding keeps them from it.
constexpr double force_tolerance = 1e-8, accepted_tolerance = 1e-6;

struct HeldRow {
  std::span<const RowEntry> entries;
  int pair;                    ///< −1 for a tie
  double share = soft_share;   ///< penalty over the stiffness of the dofs that it holds
  double penalty = 0;          ///< N/m
  double force = 0;            ///< R
  bool is_unilateral = false;  ///< it only pushes; of surfaces, with a gap at the start
  double gap = 0;
  bool is_active = true;
};

/// What a pass left: the square of the correction that it made, in the norm of the matrix, over the largest so far;
/// the largest change of a force of what holds, over the largest of these forces.
struct Left {
  double size = 0, forces = 0;
  /// Squares of relative errors.
  bool is_within(double tolerance) const { return size <= tolerance * tolerance && forces <= tolerance; }
};

class Equilibrium {
 public:
  explicit Equilibrium(const System& system)
      : system_(system),
        q_(system.initial_state().q),
        start_(q_),
        load_(start_.size()),
        unbalanced_(start_.size()),
        residual_(start_.size()),
        trial_(start_.size()) {
    contact::detect(system.pairs(), start_, constraints_);
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      const int pair = constraints_.contact(i).pair;
      if (constraints_.gap(i) <= system.pairs()[static_cast<std::size_t>(pair)].slack)
        rows_.push_back({constraints_.row(i), pair});
    }
    for (std::size_t i = 0; i < system.ties().size(); ++i)
      rows_.push_back({system.ties().row(i), -1, is_of_skins(system.ties().row(i)) ? stiff_share : soft_share});
    bilateral_ = rows_.size();
    const double begin = 0;
    std::vector<double> values(system.loads().size());
    system.load_values(begin, values);
    system.apply_loads(values, start_, 1.0, load_);
    system.kick(start_, 1.0, unbalanced_);
    for (std::size_t k = 0; k < load_.size(); ++k) unbalanced_[k] += load_[k];
    detector_.prepare(system.pairs());
    if (detector_.any()) find_surfaces();
    if (const std::optional<int> loose = factor()) {
      throw base::NumericalFailure("the bodies are a mechanism: nothing resists a motion in which there takes part",
                                   dof_name(system_, static_cast<std::size_t>(*loose)),
                                   "Hold it by a support, a member or a contact that touches at the start");
    }
  }

  RestState solve() {
    const auto bodies = system_.nodal_bodies();
    if (std::all_of(bodies.begin(), bodies.end(), [](const auto* body) { return body->linear(); }))
      solve_linear();
    else
      solve_nonlinear();
    if (!surface_rows().empty()) require_near();
    RestState rest{q_, std::vector<double>(system_.pairs().size()), surfaces_, {}};
    for (const HeldRow& row : rows_) {
      if (row.is_unilateral)
        rest.surface_force.push_back(row.force);
      else if (row.pair >= 0)
        rest.contact_force[static_cast<std::size_t>(row.pair)] += row.force;
    }
    return rest;
  }

 private:
  std::span<HeldRow> surface_rows() { return std::span(rows_).subspan(bilateral_); }

  /// Rows of the surfaces in sight. The nearest of each pair are taken to push at first, so that what lies loosely on
  /// something is not in the air.
  void find_surfaces() {
    const std::vector<double> still(q_.size(), 0.0);
    detector_.detect(system_.pairs(), {q_, still, still, 0.0}, surfaces_);
    std::vector<double> least(system_.pairs().size(), std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < surfaces_.size(); ++i) {
      double& smallest = least[static_cast<std::size_t>(surfaces_.contact(i).pair)];
      smallest = std::min(smallest, surfaces_.gap(i));
    }
    for (std::size_t i = 0; i < surfaces_.size(); ++i) {
      const int pair = surfaces_.contact(i).pair;
      HeldRow row{surfaces_.row(i), pair, stiff_share};
      row.is_unilateral = true;
      row.gap = surfaces_.gap(i);
      row.is_active = row.gap <= least[static_cast<std::size_t>(pair)] + contact::touching_share * edge_of(pair);
      rows_.push_back(row);
    }
  }

  /// Whether a tie joins skins of solids or shells, in many nodes side by side.
  bool is_of_skins(std::span<const RowEntry> row) const {
    const auto bodies = system_.nodal_bodies();
    return std::any_of(bodies.begin(), bodies.end(), [&](const mechanics::NodalBody* body) {
      const auto k = static_cast<std::size_t>(row.front().dof);
      return body->surface().mesh() && k >= body->dofs().begin && k < body->dofs().end();
    });
  }

  double edge_of(int pair) const { return detector_.skins().laws()[static_cast<std::size_t>(pair)].edge; }

  /// Surfaces that came to overlap out of sight of the start, or whose features passed each other on the way.
  void require_near() {
    const std::vector<double> still(q_.size(), 0.0);
    model::ConstraintSet now;
    detector_.detect(system_.pairs(), {q_, still, still, 0.0}, now);
    for (std::size_t i = 0; i < now.size(); ++i) {
      const auto& at = now.contact(i);
      if (now.gap(i) >= -overlap_share * edge_of(at.pair)) continue;
      const contact::ContactPair& pair = system_.pairs()[static_cast<std::size_t>(at.pair)];
      throw base::NumericalFailure("surfaces that are not near each other at the start overlap at rest",
                                   fmt::format("{} and {} at ({:g}, {:g}, {:g})", pair.first, pair.second, at.point.x(),
                                               at.point.y(), at.point.z()),
                                   "Let the bodies begin nearer to where they rest, or use a stiffer material");
    }
  }

  bool moves(int k) const { return system_.inverse_mass()[static_cast<std::size_t>(k)] > 0; }

  /// Each pass takes the error of the last one down by the ratio of the structure's stiffness to ρ, and what rounding
  /// has left of it with it; it ends where rounding lets it get no smaller. A pace that is slow before that is that of
  /// a penalty that is too soft, or that of rows that say nearly the same. With surfaces εM slows it down, and a motion
  /// that nothing resists goes on at the same pace.
  void solve_linear() {
    constexpr double never = std::numeric_limits<double>::infinity();
    double before = never, scale = 0;
    Left left;
    constexpr int max_passes = 500;
    constexpr double slowest = 0.98;
    for (int pass = 0; pass < max_passes; ++pass) {
      const double size = correct(1.0);
      scale = std::max(scale, size);
      double change = 0;
      for (std::size_t k = 0; k < q_.size(); ++k) {
        q_[k] += residual_[k];
        change = std::max(change, std::abs(residual_[k]));
      }
      const bool others_push = press_rows();
      left = {scale > 0 ? size / scale : 0, force_change()};
      if (change == 0) break;
      const bool is_slow = change > good_pace * before && !left.is_within(force_tolerance);
      if (others_push || (is_slow && stiffen())) {
        if (factor()) break;
        before = never;
        continue;
      }
      if (change > slowest * before) break;
      before = change;
    }
    // Squares of relative errors of 1e-5.
    if (left.size > 1e-10 && !surface_rows().empty()) {
      std::size_t farthest = 0;
      for (std::size_t k = 0; k < q_.size(); ++k) {
        if (std::abs(q_[k] - start_[k]) > std::abs(q_[farthest] - start_[farthest])) farthest = k;
      }
      throw base::NumericalFailure(
          "nothing resists a motion in which there takes part", dof_name(system_, farthest),
          "Hold it by supports: surfaces that touch hold nothing along themselves, not even with friction");
    }
    if (left.is_within(accepted_tolerance)) return;
    throw base::NumericalFailure(
        "the forces at rest did not settle",
        fmt::format("they still change by {:.2g} of the largest, displacements by {:.2g}", left.forces,
                    std::sqrt(left.size)),
        "Use fewer elements, or sections and materials that are less unlike: the stiffness is too badly conditioned");
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
            surface_rows().empty()
                ? "The bodies buckle or collapse under their loads: use smaller loads, a stiffer material or a finer "
                  "mesh"
                : "The bodies buckle under their loads, or slide, since surfaces that touch hold nothing along "
                  "themselves, not even with friction: use smaller loads, a stiffer material or more supports");
      }
    }
  }

  /// Newton's method for a share of the loads. Answers whether it came to rest.
  bool is_found(double share) {
    double scale = 0, before = std::numeric_limits<double>::infinity();
    const double slowest = rows_.empty() ? 0.1 : 0.5;  // forces of rows follow more slowly than Newton's method
    constexpr int max_passes = 60;
    for (int pass = 0; pass < max_passes; ++pass) {
      if (factor()) return false;
      const double size = correct(share);
      if (!std::isfinite(size)) return false;
      scale = std::max(scale, size);
      // Squares of relative errors of 1e-12; or what round-off of the forces keeps from falling further.
      const bool done = size <= 1e-24 * scale || (size <= 1e-14 * scale && size > slowest * before);
      if (!move(share, size) && !done) return false;  // round-off of the energy hides what is left
      const bool others_push = press_rows();
      if (!others_push && done && force_change() <= force_tolerance) return true;
      if (!others_push && size > good_pace * before) stiffen();
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

  /// V − F·q + (1 − s) f(q₀)·q + Σ (½ ρ g² − R g) of the rows that push.
  double potential(double share, std::span<const double> q) const {
    const mechanics::PotentialEnergy energy = system_.potential_energy(q);
    double sum = energy.strain + energy.gravity;
    for (std::size_t k = 0; k < q.size(); ++k) sum += ((1 - share) * unbalanced_[k] - load_[k]) * (q[k] - start_[k]);
    for (const HeldRow& row : rows_) {
      if (!row.is_active) continue;
      const double g = opening(row, q);
      sum += (0.5 * row.penalty * g - row.force) * g;
    }
    return sum;
  }

  /// Factors K + ρCᵀC at q; answers with the dof that nothing holds, or nothing.
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
    double stiffest = 0;
    for (std::size_t k = 0; k < diagonal.size() && !surface_rows().empty(); ++k)
      stiffest = std::max(stiffest, diagonal[k] * system_.inverse_mass()[k]);
    for (int k = 0; k < n; ++k) {
      const double inverse_mass = system_.inverse_mass()[static_cast<std::size_t>(k)];
      entries.emplace_back(k, k, inverse_mass == 0 ? 1.0 : loose_share * stiffest / inverse_mass);
    }
    for (HeldRow& row : rows_) {
      if (!analysed_) {
        double compliance = 0;  // of the dofs that it holds, each alone
        for (const RowEntry& entry : row.entries) {
          if (moves(entry.dof)) compliance += entry.weight * entry.weight / diagonal[entry.index()];
        }
        row.penalty = compliance > 0 ? row.share / compliance : 0;
      }
      for (const RowEntry& a : row.entries) {
        for (const RowEntry& b : row.entries) {
          if (a.dof >= b.dof && moves(a.dof) && moves(b.dof))
            entries.emplace_back(a.dof, b.dof, row.is_active ? row.penalty * a.weight * b.weight : 0.0);
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
    for (std::size_t k = 0; k < residual_.size(); ++k) residual_[k] += load_[k];
    for (const HeldRow& row : rows_) {
      if (row.is_active) model::add_scaled(row.entries, row.force - row.penalty * opening(row, q_), residual_);
    }
    for (std::size_t k = 0; k < residual_.size(); ++k)
      residual_[k] = system_.inverse_mass()[k] == 0 ? 0 : residual_[k] - (1 - share) * unbalanced_[k];
    trial_ = residual_;
    factors_.solve(residual_, residual_);
    double size = 0;
    for (std::size_t k = 0; k < residual_.size(); ++k) size += trial_[k] * residual_[k];
    return size;
  }

  /// R of rows that still open. Answers whether others push than before.
  bool press_rows() {
    bool changed = false;
    largest_force_ = largest_change_ = 0;
    for (HeldRow& row : rows_) {
      const double before = row.force;
      row.force -= row.penalty * opening(row, q_);
      if (row.is_unilateral) {
        const bool pushes = row.force > 0;
        changed = changed || pushes != row.is_active;
        row.is_active = pushes;
        if (!pushes) row.force = 0;
      }
      largest_force_ = std::max(largest_force_, std::abs(row.force));
      largest_change_ = std::max(largest_change_, std::abs(row.force - before) - rounding(row));
    }
    return changed;
  }

  /// What the last digits of the configuration make of a force.
  double rounding(const HeldRow& row) const {
    double size = 0;
    for (const RowEntry& entry : row.entries) size = std::max(size, std::abs(entry.weight * q_[entry.index()]));
    return 8 * std::numeric_limits<double>::epsilon() * row.penalty * size;
  }

  /// What press_rows() changed a force by at most, beyond rounding, over the largest.
  double force_change() const { return largest_change_ == 0 ? 0 : largest_change_ / largest_force_; }

  /// Ten times the penalty of rows that have less than the stiffest. Answers whether there were any.
  bool stiffen() {
    bool any = false;
    for (HeldRow& row : rows_) {
      if (row.share >= stiff_share) continue;
      row.share *= 10;
      row.penalty *= 10;
      any = true;
    }
    return any;
  }

  /// w·(q − q₀), or the gap of a surface.
  double opening(const HeldRow& row, std::span<const double> q) const {
    double sum = row.gap;
    for (const RowEntry& entry : row.entries) {
      const auto k = entry.index();
      sum += entry.weight * (q[k] - start_[k]);
    }
    return sum;
  }

  const System& system_;
  std::vector<double> q_, start_;
  std::vector<double> load_;        // at the time of the start: the same at all q, as bodies have nodes
  std::vector<double> unbalanced_;  // f(q₀)
  std::vector<double> residual_, trial_;
  model::ConstraintSet constraints_, surfaces_;
  contact::SurfaceDetector detector_;
  std::vector<HeldRow> rows_;
  std::size_t bilateral_ = 0;  // rows before those of surfaces
  double largest_force_ = 0, largest_change_ = 0;
  solve::SparseCholesky factors_;
  bool analysed_ = false;
};

}  // namespace

RestState static_equilibrium(const System& system) { return Equilibrium(system).solve(); }

}  // namespace ictus::dynamics
