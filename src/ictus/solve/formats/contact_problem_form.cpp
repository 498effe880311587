#include <ictus/solve/formats/contact_problem_format.hpp>

#include <ictus/base/error.hpp>
#include <ictus/solve/linear/sparse_cholesky.hpp>
#include <ictus/solve/linear/sparse_lu.hpp>
#include <utility>

namespace ictus::solve {

namespace {

[[noreturn]] void refuse_mass(std::string message) {
  throw base::InputError(base::Mistake{"", 0, "M", std::move(message)});
}

bool is_symmetric(const SparseMatrix& m) {
  const SparseMatrix transposed = m.transpose();
  return SparseMatrix(m - transposed).norm() <= 1e-12 * m.norm();
}

/// M⁻¹B, column by column.
template <class Factor>
SparseMatrix solve_columns(Factor& factor, const SparseMatrix& b) {
  SparseMatrix result(b.rows(), b.cols());
  Eigen::VectorXd right(b.rows()), x(b.rows());
  const auto size = static_cast<std::size_t>(b.rows());
  for (Eigen::Index c = 0; c < b.cols(); ++c) {
    right = b.col(c);
    factor.solve(std::span(right.data(), size), std::span(x.data(), size));
    result.startVec(c);
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      if (x[k] != 0.0) result.insertBack(k, c) = x[k];
    }
  }
  result.finalize();
  return result;
}

SparseMatrix solve_mass(const SparseMatrix& mass, const SparseMatrix& b) {
  if (is_symmetric(mass)) {
    // An empty matrix has no pattern that could be analysed.
    if (!(Eigen::VectorXd(mass.diagonal()).array() > 0.0).all()) refuse_mass("is not positive definite");
    SparseCholesky factor;
    factor.analyse(mass);
    if (factor.factor(mass)) refuse_mass("is not positive definite");
    return solve_columns(factor, b);
  }
  SparseLu factor;
  if (!factor.factor(mass)) refuse_mass("is singular");
  return solve_columns(factor, b);
}

}  // namespace

SparseMatrix condense(const SparseMatrix& mass, const SparseMatrix& h, std::span<const double> f, std::span<double> q) {
  // The free velocity M⁻¹f is one more column beside those of H.
  SparseMatrix columns(mass.rows(), h.cols() + 1);
  columns.leftCols(h.cols()) = h;
  const Eigen::Map<const Eigen::VectorXd> force(f.data(), mass.rows());
  columns.rightCols(1) = force.sparseView(0.0);
  const SparseMatrix solved = solve_mass(mass, columns);
  const SparseMatrix product = h.transpose() * solved;
  Eigen::Map<Eigen::VectorXd>(q.data(), h.cols()) += Eigen::VectorXd(product.rightCols(1));
  return SparseMatrix(product.leftCols(h.cols())).pruned();
}

SavedProblem saved_problem(std::string title, int dimension, const SparseMatrix& w, std::span<const double> q,
                           std::span<const double> mu) {
  BlockProblem::Data data;
  assign_blocks(w, dimension, data);
  data.q = local_triples(q, dimension);
  data.cones = friction_cones(mu, dimension);
  return {.title = std::move(title), .dimension = dimension, .problem = BlockProblem(std::move(data))};
}

}  // namespace ictus::solve
