#include <ictus/solve/linear/sparse_blocks.hpp>

#include <algorithm>

namespace ictus::solve {

namespace {

double& entry(LocalMatrix& m, int row, int column) {
  Local& c = column == 0 ? m.a : column == 1 ? m.b : m.c;
  return row == 0 ? c.x : row == 1 ? c.y : c.z;
}

}  // namespace

void assign_blocks(const SparseMatrix& w, int dimension, BlockProblem::Data& data) {
  const int contacts = static_cast<int>(w.rows()) / dimension;
  const Eigen::SparseMatrix<double, Eigen::RowMajor> rows = w;
  data.row_offsets.assign(1, 0);
  data.columns.clear();
  data.blocks.clear();
  std::vector<int> slot_of(contacts, -1);
  for (int i = 0; i < contacts; ++i) {
    const int first = static_cast<int>(data.columns.size());
    const auto block_of = [&](int column) -> LocalMatrix& {
      if (slot_of[column] < first) {
        slot_of[column] = static_cast<int>(data.columns.size());
        data.columns.push_back(column);
        data.blocks.emplace_back();
      }
      return data.blocks[slot_of[column]];
    };
    block_of(i);
    for (int d = 0; d < dimension; ++d) {
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(rows, dimension * i + d); it; ++it) {
        const int column = static_cast<int>(it.col());
        entry(block_of(column / dimension), d, column % dimension) += it.value();
      }
    }
    data.row_offsets.push_back(static_cast<int>(data.columns.size()));
  }
}

std::vector<Local> local_triples(std::span<const double> values, int dimension) {
  std::vector<Local> triples(values.size() / static_cast<std::size_t>(dimension));
  for (std::size_t i = 0; i < triples.size(); ++i) {
    const double* v = &values[i * static_cast<std::size_t>(dimension)];
    triples[i] = {v[0], v[1], dimension == 3 ? v[2] : 0.0};
  }
  return triples;
}

std::vector<FrictionCone> friction_cones(std::span<const double> mu, int dimension) {
  std::vector<FrictionCone> cones(mu.size());
  std::transform(mu.begin(), mu.end(), cones.begin(),
                 [=](double value) { return dimension == 3 ? FrictionCone(value) : FrictionCone(value, 0.0); });
  return cones;
}

}  // namespace ictus::solve
