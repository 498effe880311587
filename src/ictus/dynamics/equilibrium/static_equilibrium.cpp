// Notation: f force of the bodies and of the loads F, V potential energy, K stiffness of the moving dofs, C rows of
// what is held, R its forces, g = w·(q − q₀) their openings, ρ penalty of the augmented Lagrangian; s share of the
// loads. K alone may be singular (a body that only lies on others), K + ρCᵀC is not. Surfaces hold nothing along
// themselves: with them the matrix is K + εM + ρCᵀC, while residuals are those of K, so that ε costs iterations only.
#include <ictus/dynamics/equilibrium/static_equilibrium.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/contact/detect/detect.hpp>
#include <ictus/contact/detect/surface_detector.hpp>
#include <ictus/dynamics/equilibrium/rest_motion.hpp>
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
/// Square of the error to which sticking and slipping are found before limits are renewed.
constexpr double good_share = 1e-8;
/// What forces at rest are sought to, relative, and what is accepted of them where rounding keeps them from it.
constexpr double force_tolerance = 1e-8, accepted_tolerance = 1e-6;
/// Of a correction's square in the norm of the matrix, over that of the last digits of the configuration: what rounding
/// makes of forces is some times as much.
constexpr double rounding_share = 64;
/// K/M that stands for the stiffness of what has none, where everything is rigid (1/s²).
constexpr double usual_stiffness = 1e4;

struct HeldRow {
  std::span<const RowEntry> entries;
  int pair;                    ///< −1 for a tie
  double share = soft_share;   ///< penalty over the stiffness of the dofs that it holds
  double penalty = 0;          ///< N/m
  double force = 0;            ///< R
  bool is_unilateral = false;  ///< it only pushes; of surfaces, with a gap at the start
  double gap = 0;
  bool is_active = true;
  /// Of friction: the row of its contact, whose force limits it, the coefficient, and the limit as it was last found.
  /// The row of the second tangent follows that of the first.
  std::ptrdiff_t normal = none;
  double friction = 0;
  double limit = 0;
  static constexpr std::ptrdiff_t none = -1;
};

/// Friction of a contact as far as it goes: what ρ makes of R − ρg within the limit, its derivative by −g, and its
/// potential.
struct Rubbing {
  std::array<double, 2> force;
  double along = 0, along_both = 0, across = 0;  // ∂force₁/∂g₁, ∂force₁/∂g₂, ∂force₂/∂g₂, times −1
  double energy = 0;
  bool sticks = true;
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
  /// Without friction it is only tried, with all loads at once: where nothing slips, nothing needs to rub.
  Equilibrium(const System& system, bool with_friction)
      : system_(system),
        with_friction_(with_friction),
        q_(system.initial_state().q),
        start_(q_),
        motion_(system),
        moved_(start_.size()),
        load_(start_.size()),
        unbalanced_(start_.size()),
        residual_(start_.size()),
        trial_(start_.size()),
        load_values_(system.loads().size()) {
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
    system.load_values(begin, load_values_);
    find_loads(start_);
    system.kick(start_, 1.0, unbalanced_);
    double moments = 0, forces = 0;
    for (std::size_t k = 0; k < load_.size(); ++k) {
      unbalanced_[k] += load_[k];
      double& largest = motion_.is_coordinate(k) ? forces : moments;
      if (moves(static_cast<int>(k))) largest = std::max(largest, std::abs(unbalanced_[k]));
    }
    constexpr double rounding = 1e-9;
    has_potential_ = motion_.loads_have_potential() && moments <= rounding * forces;
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
    if (!rubs_ && std::all_of(bodies.begin(), bodies.end(), [](const auto* body) { return body->linear(); }))
      solve_linear();
    else
      solve_nonlinear();
    if (!surface_rows().empty()) require_near();
    RestState rest{q_, std::vector<double>(system_.pairs().size()), surfaces_, {}};
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const HeldRow& row = rows_[i];
      if (row.is_unilateral) {
        const bool rubs = i + 2 < rows_.size() && rows_[i + 1].normal == static_cast<std::ptrdiff_t>(i);
        rest.surface_force.push_back(row.force);
        rest.surface_friction.push_back(rubs ? std::array{rows_[i + 1].force, rows_[i + 2].force}
                                             : std::array{0.0, 0.0});
      } else if (row.pair >= 0 && row.normal == HeldRow::none) {
        rest.contact_force[static_cast<std::size_t>(row.pair)] += row.force;
      }
    }
    rest.residual = relative_residual();
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
      const double friction = system_.pairs()[static_cast<std::size_t>(pair)].friction;
      if (!with_friction_ || friction == 0 || !surfaces_.has_tangents(i)) continue;
      const auto normal = static_cast<std::ptrdiff_t>(rows_.size() - 1);
      for (std::size_t k = 0; k < 2; ++k) {
        HeldRow rubbing{surfaces_.tangent(i, k), pair, stiff_share};
        rubbing.normal = normal;
        rubbing.friction = friction;
        rubbing.is_active = row.is_active;
        rubbing.limit = row.is_active ? std::numeric_limits<double>::infinity() : 0;  // forces are not yet known
        rows_.push_back(rubbing);
        rubs_ = true;
      }
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

  bool moves(int k) const {
    const auto i = static_cast<std::size_t>(k);
    return system_.inverse_mass()[i] > 0 && !motion_.is_unused(i);
  }

  void find_loads(std::span<const double> q) {
    std::fill(load_.begin(), load_.end(), 0.0);
    system_.apply_loads(load_values_, q, 1.0, load_);
  }

  /// What is left unbalanced, over the largest force that acts.
  double relative_residual() {
    correct_forces(1.0);
    double left = 0, largest = largest_force_;
    const double size = extent();
    for (std::size_t k = 0; k < q_.size(); ++k) {
      const double lever = motion_.is_coordinate(k) ? 1 : size;  // of moments
      left = std::max(left, std::abs(residual_[k]) / lever);
      largest = std::max({largest, std::abs(load_[k]) / lever, std::abs(unbalanced_[k]) / lever});
    }
    return largest > 0 ? left / largest : 0;
  }

  /// Of the bodies together (m).
  double extent() const {
    math::Vec3 low = math::Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
    const std::vector<double> still(q_.size(), 0.0);
    for (const mechanics::NodalBody* body : system_.nodal_bodies()) {
      for (const math::Vec3& x : body->draw(start_, still).points) low = low.cwiseMin(x), high = high.cwiseMax(x);
    }
    const double size = (high - low).norm();
    return size > 0 && std::isfinite(size) ? size : 1;
  }

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
    // Bodies without stiffness go down on what they lie on in one pass and come back in the next.
    const int slow_passes = surface_rows().empty() ? 1 : 2;
    int slow = 0;
    for (int pass = 0; pass < max_passes; ++pass) {
      const double size = correct(1.0);
      scale = std::max(scale, size);
      double change = 0;
      for (std::size_t k = 0; k < q_.size(); ++k) change = std::max(change, std::abs(residual_[k]));
      motion_.shift(q_, 1.0, residual_, q_);
      const bool others_push = press_rows();
      left = {size > rounding_share * rounding_ ? size / scale : 0, force_change()};
      if (change == 0) break;
      const bool is_slow = change > good_pace * before && !left.is_within(force_tolerance);
      if (others_push || (is_slow && stiffen())) {
        if (factor()) break;
        before = never;
        slow = 0;
        continue;
      }
      slow = change > slowest * before ? slow + 1 : 0;
      if (slow == slow_passes) break;
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
          "Hold it by supports, or give the contacts that should hold it along themselves more friction");
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
    const double smallest = with_friction_ ? 1.0 / 1024 : 1;
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
                : "The bodies buckle under their loads, or slide, since friction is not enough to hold them: use "
                  "smaller "
                  "loads, a stiffer material, more friction or more supports");
      }
    }
  }

  /// Newton's method for a share of the loads. Answers whether it came to rest.
  bool is_found(double share) {
    double scale = 0, before = std::numeric_limits<double>::infinity();
    const double slowest = rows_.empty() ? 0.1 : 0.5;  // forces of rows follow more slowly than Newton's method
    // Forces of contacts that say nearly the same hand each other their shares slowly, and limits of friction with
    // them.
    const int max_passes = rubs_ ? 1000 : 60, patient_passes = 200;
    // With limits as they are: the smallest size so far, and for how many passes none has been smaller.
    constexpr double never = std::numeric_limits<double>::infinity();
    double smallest = never;
    int stalled = 0;
    constexpr int max_stalled = 10;
    // Renewals since forces changed by clearly less: what slides goes on for ever.
    double least_change = never;
    int idle = 0;
    constexpr int max_idle = 40;
    for (int pass = 0; pass < max_passes; ++pass) {
      if (factor()) return false;
      const double size = correct(share);
      if (!std::isfinite(size)) return false;
      scale = std::max(scale, size);
      // Squares of relative errors of 1e-12; or what round-off of the forces keeps from falling further.
      const double rounding = std::max(1e-14 * scale, rounding_share * rounding_);
      const bool done = size <= 1e-24 * scale || (size <= rounding && size > slowest * before);
      if (!move(share, size) && !done) return false;  // round-off of the energy hides what is left
      renewed_ = false;
      // Limits of friction, and what pushes, stay as they are until what sticks and what slips within them is found.
      stalled = size < smallest ? 0 : stalled + 1;
      smallest = std::min(smallest, size);
      if (rubs_ && (judge() || (size > good_share * scale && stalled < max_stalled))) {
        before = size;
        continue;
      }
      smallest = never;
      stalled = 0;
      const bool others_push = press_rows();
      renewed_ = rubs_;
      const double tolerance = pass < patient_passes ? force_tolerance : accepted_tolerance;
      if (!others_push && done && force_change() <= tolerance) return true;
      idle = force_change() < 0.9 * least_change ? 0 : idle + 1;
      if (idle == 0) least_change = force_change();
      if (rubs_ && idle == max_idle) return false;
      if (!others_push && size > good_pace * before) stiffen();
      before = size;
    }
    return false;
  }

  /// q + Δ, or as much of Δ as lets the potential energy of the share of loads fall. Behind new forces of what holds
  /// the energy is another one.
  bool move(double share, double size) {
    if (!has_potential_ || renewed_) {
      motion_.shift(q_, 1.0, residual_, q_);
      return true;
    }
    const double before = potential(share, q_), slack = 1e-12 * (std::abs(before) + size);
    for (double part = 1; part > 1e-4; part /= 2) {
      motion_.shift(q_, part, residual_, trial_);
      const double after = potential(share, trial_);
      if (!std::isfinite(after) || after > before - 1e-4 * part * size + slack) continue;
      q_.swap(trial_);
      return true;
    }
    return false;
  }

  /// V − F·q + (1 − s) f(q₀)·q + Σ (½ ρ g² − R g) of the rows that push, and of friction what is within its limit.
  double potential(double share, std::span<const double> q) {
    const mechanics::PotentialEnergy energy = system_.potential_energy(q);
    double sum = energy.strain + energy.gravity + motion_.potential_of_loads(load_values_, start_, q);
    motion_.displacement(start_, q, moved_);
    for (std::size_t k = 0; k < q.size(); ++k) sum += (1 - share) * unbalanced_[k] * moved_[k];
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const HeldRow& row = rows_[i];
      if (row.normal != HeldRow::none) {
        sum += rubbing_of(row, rows_[i + 1]).energy;
        ++i;
      } else if (rubs_ && row.is_unilateral) {
        const double push = std::max(0.0, row.force - row.penalty * opening(row));
        sum += row.penalty > 0 ? push * push / (2 * row.penalty) : 0;
      } else if (row.is_active) {
        const double g = opening(row);
        sum += (0.5 * row.penalty * g - row.force) * g;
      }
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
    rounding_ = 0;
    for (std::size_t k = 0; k < diagonal.size(); ++k) {
      const double digit = std::numeric_limits<double>::epsilon() * q_[k];
      if (moves(static_cast<int>(k))) rounding_ += diagonal[k] * digit * digit;
    }
    double stiffest = 0;
    for (std::size_t k = 0; k < diagonal.size() && !surface_rows().empty(); ++k)
      stiffest = std::max(stiffest, diagonal[k] * system_.inverse_mass()[k]);
    if (stiffest == 0 && !surface_rows().empty()) stiffest = usual_stiffness;
    for (int k = 0; k < n; ++k) {
      const double inverse_mass = system_.inverse_mass()[static_cast<std::size_t>(k)];
      entries.emplace_back(k, k, moves(k) ? loose_share * stiffest / inverse_mass : 1.0);
      double& own = diagonal[static_cast<std::size_t>(k)];
      if (own == 0 && inverse_mass > 0) own = stiffest / inverse_mass;  // of what is rigid
    }
    for (HeldRow& row : rows_) {
      if (!analysed_) {
        double compliance = 0;  // of the dofs that it holds, each alone
        for (const RowEntry& entry : row.entries) {
          if (moves(entry.dof)) compliance += entry.weight * entry.weight / diagonal[entry.index()];
        }
        row.penalty = compliance > 0 ? row.share / compliance : 0;
      }
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      HeldRow& row = rows_[i];
      if (row.normal != HeldRow::none) {
        hold_along(row, rows_[i + 1], entries);
        ++i;
        continue;
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

  /// What friction adds to the matrix, in a pattern that does not depend on what sticks.
  void hold_along(HeldRow& first, HeldRow& second, std::vector<Eigen::Triplet<double>>& entries) {
    if (!analysed_) first.penalty = second.penalty = std::min(first.penalty, second.penalty);
    motion_.displacement(start_, q_, moved_);
    const Rubbing rubbing = rubbing_of(first, second);
    const auto add = [&](const HeldRow& a_row, const HeldRow& b_row, double stiffness) {
      for (const RowEntry& a : a_row.entries) {
        for (const RowEntry& b : b_row.entries) {
          if (a.dof >= b.dof && moves(a.dof) && moves(b.dof))
            entries.emplace_back(a.dof, b.dof, stiffness * a.weight * b.weight);
        }
      }
    };
    add(first, first, rubbing.along);
    add(first, second, rubbing.along_both);
    add(second, first, rubbing.along_both);
    add(second, second, rubbing.across);
  }

  /// Where displacement() was asked for last. What stuck before its force was renewed sticks in the pass behind that.
  Rubbing rubbing_of(const HeldRow& first, const HeldRow& second) const {
    const double t = first.force - first.penalty * opening(first), u = second.force - second.penalty * opening(second);
    const double size = std::hypot(t, u), limit = first.limit, penalty = first.penalty;
    if (penalty == 0) return {};
    if (size <= limit || (renewed_ && first.is_active))
      return {{t, u}, penalty, 0, penalty, size * size / (2 * penalty), true};
    const double share = limit / size, across = penalty * share;  // R is limit · (t, u)/|(t, u)|
    const double x = t / size, y = u / size;
    return {{share * t, share * u},
            across * y * y,
            -across * x * y,
            across * x * x,
            (limit * size - 0.5 * limit * limit) / penalty,
            false};
  }

  /// Which rows push, and which stick, where the bodies are. Answers whether others do than before.
  bool judge() {
    bool changed = false;
    motion_.displacement(start_, q_, moved_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      HeldRow& row = rows_[i];
      if (row.normal != HeldRow::none) {
        const bool sticks = rubbing_of(row, rows_[i + 1]).sticks;
        changed = changed || sticks != row.is_active;
        row.is_active = rows_[i + 1].is_active = sticks;
        ++i;
      } else if (row.is_unilateral) {
        const bool pushes = row.force - row.penalty * opening(row) > 0;
        changed = changed || pushes != row.is_active;
        row.is_active = pushes;
      }
    }
    return changed;
  }

  /// The correction Δ for what is out of balance, in residual_; answers with its square in the norm of the matrix.
  double correct(double share) {
    correct_forces(share);
    trial_ = residual_;
    factors_.solve(residual_, residual_);
    double size = 0;
    for (std::size_t k = 0; k < residual_.size(); ++k) size += trial_[k] * residual_[k];
    return size;
  }

  /// What is out of balance, in residual_.
  void correct_forces(double share) {
    std::fill(residual_.begin(), residual_.end(), 0.0);
    system_.kick(q_, 1.0, residual_);
    find_loads(q_);
    motion_.displacement(start_, q_, moved_);
    for (std::size_t k = 0; k < residual_.size(); ++k) residual_[k] += load_[k];
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const HeldRow& row = rows_[i];
      if (row.normal != HeldRow::none) {
        const Rubbing rubbing = rubbing_of(row, rows_[i + 1]);
        model::add_scaled(row.entries, rubbing.force[0], residual_);
        model::add_scaled(rows_[++i].entries, rubbing.force[1], residual_);
      } else if (row.is_active) {
        model::add_scaled(row.entries, row.force - row.penalty * opening(row), residual_);
      }
    }
    for (std::size_t k = 0; k < residual_.size(); ++k)
      residual_[k] = moves(static_cast<int>(k)) ? residual_[k] - (1 - share) * unbalanced_[k] : 0;
  }

  /// R of rows that still open. Answers whether others push, or stick, than before.
  bool press_rows() {
    bool changed = false;
    largest_force_ = largest_change_ = 0;
    motion_.displacement(start_, q_, moved_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      HeldRow& row = rows_[i];
      const double before = row.force;
      if (row.normal != HeldRow::none) {
        changed = rub(row, rows_[i + 1]) || changed;
        ++i;
        continue;
      }
      row.force -= row.penalty * opening(row);
      if (row.is_unilateral) {
        const bool pushes = row.force > 0;
        changed = changed || pushes != row.is_active;
        row.is_active = pushes;
        if (!pushes) row.force = 0;
      }
      note_change(row, before);
    }
    return changed;
  }

  /// The forces of friction of a contact: those that keep it from slipping, up to Coulomb's limit
  /// [eq. frames-11], which follows the force of the contact. Answers whether it sticks other than before.
  bool rub(HeldRow& first, HeldRow& second) {
    const Rubbing rubbing = rubbing_of(first, second);
    const std::array before{first.force, second.force};
    first.force = rubbing.force[0];
    second.force = rubbing.force[1];
    first.limit = second.limit = first.friction * rows_[static_cast<std::size_t>(first.normal)].force;
    const bool changed = rubbing.sticks != first.is_active;
    first.is_active = second.is_active = rubbing.sticks;
    note_change(first, before[0]);
    note_change(second, before[1]);
    return changed;
  }

  void note_change(const HeldRow& row, double before) {
    largest_force_ = std::max(largest_force_, std::abs(row.force));
    largest_change_ = std::max(largest_change_, std::abs(row.force - before) - rounding(row));
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

  /// w·(q − q₀), or the gap of a surface, where displacement() was asked for last.
  double opening(const HeldRow& row) const { return row.gap + model::dot(row.entries, moved_); }

  const System& system_;
  bool with_friction_;
  std::vector<double> q_, start_;
  RestMotion motion_;
  std::vector<double> moved_;       // q less q₀, of what turns the vector of the rotation
  std::vector<double> load_;        // at the time of the start
  std::vector<double> unbalanced_;  // f(q₀)
  std::vector<double> residual_, trial_;
  std::vector<double> load_values_;
  model::ConstraintSet constraints_, surfaces_;
  contact::SurfaceDetector detector_;
  std::vector<HeldRow> rows_;
  std::size_t bilateral_ = 0;  // rows before those of surfaces
  double largest_force_ = 0, largest_change_ = 0;
  double rounding_ = 0;  // Δq·KΔq of the last digits of the configuration
  solve::SparseCholesky factors_;
  bool analysed_ = false;
  bool rubs_ = false;          // any contact has friction
  bool renewed_ = false;       // forces of what holds, and limits of friction, since the last pass
  bool has_potential_ = true;  // of the loads, and of what they grow by: moments have none
};

}  // namespace

RestState static_equilibrium(const System& system) {
  const auto pairs = system.pairs();
  if (std::any_of(pairs.begin(), pairs.end(), [](const contact::ContactPair& pair) { return pair.friction > 0; })) {
    try {
      return Equilibrium(system, false).solve();
    } catch (const base::NumericalFailure&) {  // something slides without friction
    }
  }
  return Equilibrium(system, true).solve();
}

}  // namespace ictus::dynamics
