#include <ictus/solve/linear/block_cholesky.hpp>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <set>

namespace ictus::solve {

namespace {

/// A pivot below this share of its diagonal entry is that of a row which the rows before it imply: beyond rounding,
/// which leaves 1e-15, and below what rows have that are a millionth of a radian from it.
constexpr double dependent_share = 1e-12;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void BlockCholesky::find_components(int nodes, std::span<const std::pair<int, int>> neighbours) {
  std::vector<int> parent(at(nodes));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[at(i)] != i) i = parent[at(i)] = parent[at(parent[at(i)])];
    return i;
  };
  for (const auto& [i, j] : neighbours) {
    const int a = root(i), b = root(j);
    parent[at(std::max(a, b))] = std::min(a, b);
  }
  component_.assign(at(nodes), -1);
  int count = 0;
  for (int i = 0; i < nodes; ++i) component_[at(i)] = root(i) == i ? count++ : component_[at(root(i))];
  first_of_component_.assign(at(count) + 1, 0);
  for (const int c : component_) ++first_of_component_[at(c) + 1];
  std::partial_sum(first_of_component_.begin(), first_of_component_.end(), first_of_component_.begin());
}

/// Components one after the other, each in an order of least degree.
void BlockCholesky::find_order(int nodes, std::span<const std::pair<int, int>> neighbours) {
  std::vector<Eigen::Triplet<double>> pattern;
  for (int i = 0; i < nodes; ++i) pattern.emplace_back(i, i, 1.0);
  for (const auto& [i, j] : neighbours) {
    pattern.emplace_back(i, j, 1.0);
    pattern.emplace_back(j, i, 1.0);
  }
  Eigen::SparseMatrix<double> matrix(nodes, nodes);
  matrix.setFromTriplets(pattern.begin(), pattern.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(matrix, order);
  node_.assign(order.indices().data(), order.indices().data() + nodes);
  std::stable_sort(node_.begin(), node_.end(), [&](int a, int b) { return component_[at(a)] < component_[at(b)]; });
  place_.resize(at(nodes));
  for (int k = 0; k < nodes; ++k) place_[at(node_[at(k)])] = k;
}

/// The blocks of L: those of A and, in each column, those of the columns whose first block below the diagonal it is.
void BlockCholesky::find_fill(std::span<const std::pair<int, int>> neighbours) {
  const std::size_t nodes = node_.size();
  std::vector<std::set<int>> rows(nodes);
  for (const auto& [i, j] : neighbours) {
    const auto [column, row] = std::minmax(place_[at(i)], place_[at(j)]);
    rows[at(column)].insert(row);
  }
  first_below_.assign(1, 0);
  below_.clear();
  for (std::size_t column = 0; column < nodes; ++column) {
    for (const int row : rows[column]) below_.push_back({row, static_cast<int>(nodes + below_.size())});
    first_below_.push_back(static_cast<int>(below_.size()));
    if (rows[column].empty()) continue;
    const int next = *rows[column].begin();
    rows[at(next)].insert(std::next(rows[column].begin()), rows[column].end());
  }
  first_update_.assign(1, 0);
  updates_.clear();
  for (std::size_t column = 0; column < nodes; ++column) {
    const int begin = first_below_[column], end = first_below_[column + 1];
    for (int a = begin; a < end; ++a) {
      for (int b = begin; b <= a; ++b)
        updates_.push_back({entry_at(below_[at(a)].row, below_[at(b)].row), below_[at(a)].entry, below_[at(b)].entry});
    }
    first_update_.push_back(static_cast<int>(updates_.size()));
  }
}

int BlockCholesky::entry_at(int row, int column) const {
  if (row == column) return row;
  const auto begin = below_.begin() + first_below_[at(column)], end = below_.begin() + first_below_[at(column) + 1];
  const auto found = std::lower_bound(begin, end, row, [](const Below& one, int r) { return one.row < r; });
  assert(found != end && found->row == row);
  return found->entry;
}

void BlockCholesky::analyse(int nodes, std::span<const std::pair<int, int>> neighbours) {
  find_components(nodes, neighbours);
  find_order(nodes, neighbours);
  find_fill(neighbours);
  entries_.assign(at(nodes) + below_.size(), Block::Zero());
  inverse_pivots_.assign(at(nodes), Vector::Zero());
}

BlockCholesky::Slot BlockCholesky::slot(int i, int j) const {
  const int row = place_[at(i)], column = place_[at(j)];
  return row >= column ? Slot{entry_at(row, column), false} : Slot{entry_at(column, row), true};
}

void BlockCholesky::clear() { std::fill(entries_.begin(), entries_.end(), Block::Zero()); }

void BlockCholesky::factor_diagonal(std::size_t column) {
  Block& l = entries_[column];
  for (int k = 0; k < width; ++k) {
    double sum = 0;
    for (int m = 0; m < k; ++m) sum += l(k, m) * l(k, m);
    const double pivot = l(k, k) - sum, scale = inverse_pivots_[column][k];  // the diagonal entry of A
    if (!(pivot > dependent_share * scale)) {
      if (scale > 0) ++dependent_;
      inverse_pivots_[column][k] = 0;
      for (int r = k; r < width; ++r) l(r, k) = 0;
      continue;
    }
    const double root = std::sqrt(pivot);
    inverse_pivots_[column][k] = 1 / root;
    l(k, k) = root;
    for (int r = k + 1; r < width; ++r) {
      double product = 0;
      for (int m = 0; m < k; ++m) product += l(r, m) * l(k, m);
      l(r, k) = (l(r, k) - product) / root;
    }
  }
}

/// x ← L_jj⁻¹ x.
void BlockCholesky::forward(std::size_t column, Vector& x) const {
  const Block& l = entries_[column];
  for (int k = 0; k < width; ++k) {
    double sum = x[k];
    for (int m = 0; m < k; ++m) sum -= l(k, m) * x[m];
    x[k] = sum * inverse_pivots_[column][k];
  }
}

/// x ← L_jj⁻ᵀ x.
void BlockCholesky::backward(std::size_t column, Vector& x) const {
  const Block& l = entries_[column];
  for (int k = width - 1; k >= 0; --k) {
    double sum = x[k];
    for (int m = k + 1; m < width; ++m) sum -= l(m, k) * x[m];
    x[k] = sum * inverse_pivots_[column][k];
  }
}

void BlockCholesky::factor() {
  dependent_ = 0;
  for (std::size_t column = 0; column < node_.size(); ++column) inverse_pivots_[column] = entries_[column].diagonal();
  for (std::size_t column = 0; column < node_.size(); ++column) {
    factor_diagonal(column);
    for (int b = first_below_[column]; b < first_below_[column + 1]; ++b) {
      Block& own = entries_[at(below_[at(b)].entry)];
      for (int r = 0; r < width; ++r) {
        Vector row = own.row(r);
        forward(column, row);
        own.row(r) = row;
      }
    }
    for (int u = first_update_[column]; u < first_update_[column + 1]; ++u) {
      const Update& update = updates_[at(u)];
      entries_[at(update.target)].noalias() -=
          entries_[at(update.left)].lazyProduct(entries_[at(update.right)].transpose());
    }
  }
}

void BlockCholesky::solve(int component, std::span<Vector> x) const {
  const auto begin = at(first_of_component_[at(component)]), end = at(first_of_component_[at(component) + 1]);
  for (std::size_t column = begin; column < end; ++column) {
    Vector& own = x[at(node_[column])];
    forward(column, own);
    for (int b = first_below_[column]; b < first_below_[column + 1]; ++b)
      x[at(node_[at(below_[at(b)].row)])].noalias() -= entries_[at(below_[at(b)].entry)].lazyProduct(own);
  }
  for (std::size_t column = end; column-- > begin;) {
    Vector& own = x[at(node_[column])];
    for (int b = first_below_[column]; b < first_below_[column + 1]; ++b)
      own.noalias() -= entries_[at(below_[at(b)].entry)].transpose().lazyProduct(x[at(node_[at(below_[at(b)].row)])]);
    backward(column, own);
  }
}

}  // namespace ictus::solve
