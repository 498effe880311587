#include <ictus/solve/linear/sparse_cholesky.hpp>

#include <cholmod.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/solve/linear/dense_kernels.hpp>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ictus::solve {

struct SparseCholesky::Workspace {
  cholmod_common common{};
  cholmod_factor* factor = nullptr;
  cholmod_dense *x = nullptr, *y = nullptr, *e = nullptr;  // of cholmod_solve2, kept from call to call
  std::vector<double> inverse_pivot, column_solution;      // of a factor without supernodes
  std::vector<std::size_t> by_height;                      // its columns
  std::vector<double> diagonal;                            // of the matrix
  bool factored = false;

  Workspace() {
    choose_dense_kernels();
    cholmod_start(&common);
#if CHOLMOD_MAIN_VERSION >= 4
    common.nthreads_max = 1;  // for the same bits anywhere
#endif
    common.print = 0;  // what goes wrong is reported by the caller, not on standard output
    common.quick_return_if_not_posdef = true;
  }
  ~Workspace() {
    for (cholmod_dense** dense : {&x, &y, &e}) cholmod_free_dense(dense, &common);
    cholmod_free_factor(&factor, &common);
    cholmod_finish(&common);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
};

namespace {

/// The matrix as CHOLMOD sees it; CHOLMOD changes neither pattern nor values.
cholmod_sparse view(const Eigen::SparseMatrix<double>& matrix) {
  if (!matrix.isCompressed() || matrix.rows() != matrix.cols())
    throw std::logic_error("SparseCholesky needs a square compressed matrix");
  cholmod_sparse sparse{};
  sparse.nrow = sparse.ncol = static_cast<std::size_t>(matrix.rows());
  sparse.nzmax = static_cast<std::size_t>(matrix.nonZeros());
  sparse.p = const_cast<int*>(matrix.outerIndexPtr());
  sparse.i = const_cast<int*>(matrix.innerIndexPtr());
  sparse.x = const_cast<double*>(matrix.valuePtr());
  sparse.stype = -1;  // lower triangle
  sparse.itype = CHOLMOD_INT;
  sparse.xtype = CHOLMOD_REAL;
  sparse.dtype = CHOLMOD_DOUBLE;
  sparse.sorted = 1;
  sparse.packed = 1;
  return sparse;
}

void require_memory(const cholmod_common& common, Eigen::Index unknowns) {
  if (common.status >= CHOLMOD_OK) return;
  throw base::NumericalFailure("a sparse matrix cannot be factored: memory has run out",
                               fmt::format("{} unknowns", unknowns), "Use a coarser mesh or an explicit integrator");
}

/// Calls f(column, L_jj) for the diagonal of an LLᵀ factor, in the factor's order.
template <class F>
void for_each_pivot(const cholmod_factor& factor, F&& f) {
  const auto* x = static_cast<const double*>(factor.x);
  if (!factor.is_super) {
    const auto* start = static_cast<const int*>(factor.p);
    for (std::size_t j = 0; j < factor.n; ++j) f(j, x[start[j]]);
    return;
  }
  const auto *super = static_cast<const int*>(factor.super), *rows = static_cast<const int*>(factor.pi),
             *values = static_cast<const int*>(factor.px);
  for (std::size_t s = 0; s < factor.nsuper; ++s) {
    const int height = rows[s + 1] - rows[s], width = super[s + 1] - super[s];
    for (int j = 0; j < width; ++j) f(static_cast<std::size_t>(super[s] + j), x[values[s] + j * (height + 1)]);
  }
}

/// The columns of a factor without supernodes, those that wait for no other first, then those that wait for them alone,
/// and so on: neighbours in this order do not wait for each other. Those with as many entries side by side, so that a
/// processor foresees its way. A factor too large for a fast cache stays in its own order.
std::vector<std::size_t> columns_by_height(const cholmod_factor& factor) {
  const auto *start = static_cast<const int*>(factor.p), *count = static_cast<const int*>(factor.nz),
             *row = static_cast<const int*>(factor.i);
  std::vector<int> height(factor.n);
  for (std::size_t j = 0; j < factor.n; ++j) {
    for (int e = start[j] + 1; e < start[j] + count[j]; ++e) {
      int& next = height[static_cast<std::size_t>(row[e])];
      next = std::max(next, height[j] + 1);
    }
  }
  constexpr std::size_t cached = 32768;  // entries
  std::vector<std::size_t> columns(factor.n);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  if (factor.nzmax > cached) return columns;
  const auto rank = [&](std::size_t j) { return std::pair(height[j], count[j]); };
  std::stable_sort(columns.begin(), columns.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return columns;
}

/// x = A⁻¹ b with a factor without supernodes, whose columns have few entries: L y = P b, Lᵀ z = y, x = Pᵀ z. Spares
/// the divisions by the pivots.
void solve_by_columns(const cholmod_factor& factor, std::span<const std::size_t> columns,
                      std::span<const double> inverse_pivot, std::span<const double> b, std::span<double> y,
                      std::span<double> x) {
  const auto *order = static_cast<const int*>(factor.Perm), *start = static_cast<const int*>(factor.p),
             *count = static_cast<const int*>(factor.nz), *row = static_cast<const int*>(factor.i);
  const auto* value = static_cast<const double*>(factor.x);
  for (std::size_t j = 0; j < factor.n; ++j) y[j] = b[static_cast<std::size_t>(order[j])];
  for (const std::size_t j : columns) {
    const double known = y[j] *= inverse_pivot[j];
    for (int e = start[j] + 1; e < start[j] + count[j]; ++e) y[static_cast<std::size_t>(row[e])] -= value[e] * known;
  }
  for (auto column = columns.rbegin(); column != columns.rend(); ++column) {
    const std::size_t j = *column;
    double sum = y[j];
    for (int e = start[j] + 1; e < start[j] + count[j]; ++e) sum -= value[e] * y[static_cast<std::size_t>(row[e])];
    y[j] = sum * inverse_pivot[j];
    x[static_cast<std::size_t>(order[j])] = y[j];
  }
}

}  // namespace

SparseCholesky::SparseCholesky() : work_(std::make_unique<Workspace>()) {}
SparseCholesky::~SparseCholesky() = default;
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;

void SparseCholesky::analyse(const Eigen::SparseMatrix<double>& matrix) {
  cholmod_sparse sparse = view(matrix);
  work_->factored = false;
  work_->by_height.clear();
  work_->common.final_ll = true;
  cholmod_free_factor(&work_->factor, &work_->common);
  work_->factor = cholmod_analyze(&sparse, &work_->common);
  require_memory(work_->common, matrix.rows());
}

std::optional<int> SparseCholesky::factor(const Eigen::SparseMatrix<double>& matrix) {
  if (work_->factor == nullptr || work_->factor->n != static_cast<std::size_t>(matrix.rows()))
    throw std::logic_error("SparseCholesky::factor needs a matrix of the analysed pattern");
  cholmod_sparse sparse = view(matrix);
  work_->factored = false;
  {
    const auto alone = work_->factor->is_super ? lock_dense_kernels() : std::unique_lock<std::mutex>();
    cholmod_factorize(&sparse, work_->factor, &work_->common);
  }
  require_memory(work_->common, matrix.rows());
  const auto* order = static_cast<const int*>(work_->factor->Perm);
  if (work_->common.status == CHOLMOD_NOT_POSDEF) return order[work_->factor->minor];

  // A pivot is what is left of a diagonal entry when what the others can do is taken away. Sums of as many terms as a
  // row of L has are exact to some tens of units in the last place; what is below is zero.
  constexpr double vanished = 1e3 * std::numeric_limits<double>::epsilon();
  std::vector<double>& diagonal = work_->diagonal;
  diagonal.resize(static_cast<std::size_t>(matrix.rows()));
  for (int j = 0; j < matrix.cols(); ++j) diagonal[static_cast<std::size_t>(j)] = matrix.coeff(j, j);
  int worst = -1;
  double smallest = vanished;
  for_each_pivot(*work_->factor, [&](std::size_t j, double pivot_root) {
    const double share = pivot_root * pivot_root / diagonal[static_cast<std::size_t>(order[j])];
    if (!(share >= smallest)) worst = order[j], smallest = share;
  });
  if (worst >= 0) return worst;
  if (!work_->factor->is_super) {
    work_->inverse_pivot.resize(work_->factor->n);
    work_->column_solution.resize(work_->factor->n);
    if (work_->by_height.empty()) work_->by_height = columns_by_height(*work_->factor);
    for_each_pivot(*work_->factor, [&](std::size_t j, double pivot_root) { work_->inverse_pivot[j] = 1 / pivot_root; });
  }
  work_->factored = true;
  return std::nullopt;
}

bool SparseCholesky::factored() const { return work_->factored; }

void SparseCholesky::solve(std::span<const double> b, std::span<double> x) {
  if (!work_->factored || b.size() != work_->factor->n || x.size() != b.size())
    throw std::logic_error("SparseCholesky::solve needs a factor and vectors of its size");
  if (!work_->factor->is_super) {
    solve_by_columns(*work_->factor, work_->by_height, work_->inverse_pivot, b, work_->column_solution, x);
    return;
  }
  cholmod_dense right{};
  right.nrow = right.nzmax = right.d = b.size();
  right.ncol = 1;
  right.x = const_cast<double*>(b.data());
  right.xtype = CHOLMOD_REAL;
  right.dtype = CHOLMOD_DOUBLE;
  const auto alone = lock_dense_kernels();
  cholmod_solve2(CHOLMOD_A, work_->factor, &right, nullptr, &work_->x, nullptr, &work_->y, &work_->e, &work_->common);
  require_memory(work_->common, static_cast<Eigen::Index>(b.size()));
  std::copy_n(static_cast<const double*>(work_->x->x), x.size(), x.data());
}

std::size_t SparseCholesky::factor_entries() const {
  if (!work_->factored) return 0;
  return work_->factor->is_super ? work_->factor->xsize : work_->factor->nzmax;
}

}  // namespace ictus::solve
