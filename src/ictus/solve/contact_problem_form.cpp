#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <ictus/base/error.hpp>
#include <ictus/solve/contact_problem_format.hpp>
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

/// M⁻¹B.
SparseMatrix solve_mass(const SparseMatrix& mass, const SparseMatrix& b) {
  if (is_symmetric(mass)) {
    const Eigen::SimplicialLDLT<SparseMatrix> factor(mass);
    if (factor.info() != Eigen::Success || !(factor.vectorD().array() > 0.0).all()) {
      refuse_mass("is not positive definite");
    }
    return factor.solve(b);
  }
  Eigen::SparseLU<SparseMatrix> factor;
  SparseMatrix compressed = mass;
  compressed.makeCompressed();
  factor.compute(compressed);
  if (factor.info() != Eigen::Success) refuse_mass("is singular");
  return factor.solve(b);
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
