// Notation: K stiffness, M mass, σ shift, A = K − σM, y = M^½ φ, θ = 1/(ω² − σ); C rows of what is held.
#include <ictus/dynamics/equilibrium/natural_modes.hpp>

#include <fmt/format.h>

#include <Spectra/SymEigsSolver.h>
#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/contact/detect/detect.hpp>
#include <ictus/contact/detect/surface_detector.hpp>
#include <ictus/dynamics/implicit/implicit_matrix.hpp>
#include <ictus/dynamics/system/dof_name.hpp>

namespace ictus::dynamics {

namespace {

using Vector = Eigen::VectorXd;

/// What is held at zero, C q = 0: A⁻¹ of its complement is A⁻¹ − R (C R)⁻¹ Rᵀ, R = A⁻¹Cᵀ [eq. newmark-11].
class Holds {
 public:
  Holds(ImplicitMatrix& matrix, std::span<const double> inverse_mass,
        const std::vector<std::vector<model::RowEntry>>& rows)
      : columns_(Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(inverse_mass.size()),
                                       static_cast<Eigen::Index>(rows.size()))) {
    const auto n = inverse_mass.size();
    Eigen::MatrixXd crossed = columns_;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto column = static_cast<Eigen::Index>(r);
      for (const model::RowEntry& entry : rows[r]) {
        if (inverse_mass[entry.index()] > 0) crossed(entry.dof, column) += entry.weight;
      }
      matrix.solve({crossed.col(column).data(), n}, {columns_.col(column).data(), n});
      const double scale = 1 / std::sqrt(crossed.col(column).dot(columns_.col(column)));
      crossed.col(column) *= scale;
      columns_.col(column) *= scale;
    }
    if (rows.empty()) return;
    inner_.compute(crossed.transpose() * columns_);
    if (inner_.vectorD().minCoeff() <= 1e-13)  // its diagonal is 1
      throw base::NumericalFailure("what is held says something twice", "natural modes",
                                   "Take out ties or contacts between the same nodes");
  }

  /// x = A⁻¹b → what it is with C x = 0.
  void apply(const Vector& b, Vector& x) const {
    if (columns_.cols() > 0) x -= columns_ * inner_.solve(columns_.transpose() * b);
  }

 private:
  Eigen::MatrixXd columns_;
  Eigen::LDLT<Eigen::MatrixXd> inner_;
};

/// y ↦ M^½ (K − σM)⁻¹ M^½ y, with what is held at zero, without what lies along modes found already.
class Operator {
 public:
  using Scalar = double;

  Operator(ImplicitMatrix& matrix, const Holds& holds, std::span<const double> inverse_mass,
           const std::vector<Vector>& found)
      : matrix_(matrix),
        holds_(holds),
        root_mass_(static_cast<Eigen::Index>(inverse_mass.size())),
        found_(found),
        work_(root_mass_.size()) {
    for (Eigen::Index k = 0; k < root_mass_.size(); ++k) {
      const double w = inverse_mass[static_cast<std::size_t>(k)];
      root_mass_[k] = w == 0 ? 0 : 1 / std::sqrt(w);
    }
  }

  Eigen::Index rows() const { return root_mass_.size(); }
  Eigen::Index cols() const { return root_mass_.size(); }
  void perform_op(const double* in, double* out) const {
    const auto n = static_cast<std::size_t>(rows());
    Eigen::Map<Vector> y(out, rows());
    work_ = Eigen::Map<const Vector>(in, rows());
    take_out_found(work_);
    right_ = root_mass_.cwiseProduct(work_);
    matrix_.solve({right_.data(), n}, {work_.data(), n});
    holds_.apply(right_, work_);
    y = root_mass_.cwiseProduct(work_);
    work_ = y;
    take_out_found(work_);
    y = work_;
  }

 private:
  void take_out_found(Vector& y) const {
    for (const Vector& mode : found_) y -= mode.dot(y) * mode;
  }

  ImplicitMatrix& matrix_;
  const Holds& holds_;
  Vector root_mass_;
  const std::vector<Vector>& found_;
  mutable Vector work_, right_;
};

/// Factors K − σM and answers with σ ≤ 0: 0 where the bodies are held, else below by a small part of the stiffness.
double factor_shifted(const System& system, std::span<const double> q, ImplicitMatrix& matrix) {
  matrix.prepare(system, system.nodal_bodies(), q);
  matrix.assemble(system, q, {.stiffness = 1});
  if (!matrix.factor()) return 0;
  const Eigen::VectorXd diagonal = matrix.lower_triangle().diagonal();
  double sum = 0;
  for (Eigen::Index k = 0; k < diagonal.size(); ++k)
    sum += diagonal[k] * system.inverse_mass()[static_cast<std::size_t>(k)];
  const double shift = 1e-7 * sum / static_cast<double>(diagonal.size());
  matrix.assemble(system, q, {.mass = shift, .stiffness = 1});
  if (const std::optional<int> broken = matrix.factor()) {
    throw base::NumericalFailure("the configuration is not stable: some modes grow instead of vibrating",
                                 dof_name(system, static_cast<std::size_t>(*broken)),
                                 "Look for compression beyond buckling, or begin in another configuration");
  }
  return -shift;
}

struct Pair {
  double theta;
  Vector y;
};

/// The largest `count` eigenpairs of the operator.
std::vector<Pair> lanczos(Operator& op, int count, int dofs) {
  const int subspace = std::min(dofs, std::max(2 * count + 1, count + 20));
  Spectra::SymEigsSolver<Operator> solver(op, count, subspace);
  solver.init();
  const Eigen::Index found =
      solver.compute(Spectra::SortRule::LargestAlge, 1000, 1e-12, Spectra::SortRule::LargestAlge);
  if (solver.info() != Spectra::CompInfo::Successful) {
    throw base::NumericalFailure(fmt::format("only {} of {} modes converged", found, count), "natural modes",
                                 "Ask for more or fewer of them");
  }
  std::vector<Pair> pairs;
  for (Eigen::Index i = 0; i < found; ++i) pairs.push_back({solver.eigenvalues()[i], solver.eigenvectors().col(i)});
  return pairs;
}

/// Surfaces that touch would have to be held closed too.
void refuse_surfaces(const System& system, std::span<const double> q) {
  contact::SurfaceDetector detector;
  detector.prepare(system.pairs());
  if (!detector.any()) return;
  const std::vector<double> still(q.size(), 0.0);
  model::ConstraintSet constraints;
  detector.detect(system.pairs(), {q, still, still, 0.0}, constraints);
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const auto number = static_cast<std::size_t>(constraints.contact(i).pair);
    if (constraints.gap(i) > contact::touching_share * detector.skins().laws()[number].edge) continue;
    const contact::ContactPair& pair = system.pairs()[number];
    throw base::InputError(
        {"", 0, "--closed",
         fmt::format("{} and {} touch with their surfaces, which modes cannot hold closed, only contacts of points; "
                     "leave --closed out, or tie the bodies",
                     pair.first, pair.second)});
  }
}

/// Ties, and contacts that touch.
std::vector<std::vector<model::RowEntry>> held_rows(const System& system, std::span<const double> q,
                                                    ContactInModes contacts) {
  std::vector<std::vector<model::RowEntry>> rows;
  const auto moves = [&](const model::RowEntry& entry) { return system.inverse_mass()[entry.index()] > 0; };
  const auto add = [&](std::span<const model::RowEntry> row) {
    if (std::any_of(row.begin(), row.end(), moves)) rows.emplace_back(row.begin(), row.end());
  };
  for (std::size_t r = 0; r < system.ties().size(); ++r) add(system.ties().row(r));
  if (contacts == ContactInModes::open) return rows;
  refuse_surfaces(system, q);
  model::ConstraintSet constraints;
  contact::detect(system.pairs(), q, constraints);
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    if (constraints.gap(i) <= system.pairs()[static_cast<std::size_t>(constraints.contact(i).pair)].slack)
      add(constraints.row(i));
  }
  return rows;
}

}  // namespace

std::vector<NaturalMode> natural_modes(const System& system, std::span<const double> q, int count,
                                       ContactInModes contacts) {
  const auto inverse_mass = system.inverse_mass();
  const auto rows = held_rows(system, q, contacts);
  const auto moving = std::count_if(inverse_mass.begin(), inverse_mass.end(), [](double w) { return w > 0; }) -
                      static_cast<std::ptrdiff_t>(rows.size());
  if (count < 1 || count >= moving) {
    throw base::InputError({"", 0, "--count",
                            fmt::format("must be from 1 to {}: the scene has {} unknowns that move",
                                        std::max<std::ptrdiff_t>(moving - 1, 1), moving)});
  }
  ImplicitMatrix matrix;
  const double sigma = factor_shifted(system, q, matrix);
  const Holds holds(matrix, inverse_mass, rows);
  const int dofs = static_cast<int>(inverse_mass.size());

  std::vector<Pair> pairs;
  std::vector<Vector> found;
  while (true) {
    Operator op(matrix, holds, inverse_mass, found);
    // What Lanczos misses are copies of frequencies that it found: few.
    const int left = static_cast<int>(moving) - static_cast<int>(found.size()) - 1;
    const int wanted = std::min(found.empty() ? count : std::min(count, 6), left);
    if (wanted < 1) break;
    std::vector<Pair> more = lanczos(op, wanted, dofs);
    std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.theta > b.theta; });
    const bool enough = static_cast<int>(pairs.size()) >= count;
    const double slowest_kept = enough ? pairs[static_cast<std::size_t>(count) - 1].theta : 0;
    if (enough && more.front().theta <= slowest_kept * (1 + 1e-9)) break;
    for (Pair& pair : more) {
      found.push_back(pair.y);
      pairs.push_back(std::move(pair));
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.theta > b.theta; });
  std::vector<NaturalMode> modes;
  for (int i = 0; i < count; ++i) {
    const Pair& pair = pairs[static_cast<std::size_t>(i)];
    // Below the round-off of the shift a frequency is zero.
    const double omega_sq = 1 / pair.theta + sigma;
    NaturalMode mode{omega_sq > -1e-6 * sigma ? std::sqrt(omega_sq) : 0, std::vector<double>(inverse_mass.size())};
    for (std::size_t k = 0; k < mode.shape.size(); ++k)
      mode.shape[k] = pair.y[static_cast<Eigen::Index>(k)] * std::sqrt(inverse_mass[k]);
    modes.push_back(std::move(mode));
  }
  return modes;
}

}  // namespace ictus::dynamics
