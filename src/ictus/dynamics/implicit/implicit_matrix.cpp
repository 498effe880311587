#include <ictus/dynamics/implicit/implicit_matrix.hpp>

#include <algorithm>

namespace ictus::dynamics {

void ImplicitMatrix::prepare(const System& system, std::span<const mechanics::NodalBody* const> bodies,
                             std::span<const double> q) {
  bodies_.assign(bodies.begin(), bodies.end());
  dofs_.clear();
  std::vector<int> rows(system.dofs(), -1);
  entries_.clear();
  for (const mechanics::NodalBody* body : bodies_) {
    for (std::size_t k = body->dofs().begin; k < body->dofs().end(); ++k) {
      rows[k] = static_cast<int>(dofs_.size());
      dofs_.push_back(k);
    }
    body->stiffness(q, entries_);
  }
  const auto row_of = [&](int dof) { return rows[static_cast<std::size_t>(dof)]; };
  const auto held = [&](int k) { return system.inverse_mass()[static_cast<std::size_t>(k)] == 0; };
  const auto in_matrix = [&](const mechanics::StiffnessEntry& entry) {
    return entry.row >= entry.column && !held(entry.row) && !held(entry.column);
  };
  const int n = static_cast<int>(dofs_.size());
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(entries_.size() / 2 + dofs_.size());
  for (int k = 0; k < n; ++k) triplets.emplace_back(k, k, 1.0);
  for (const mechanics::StiffnessEntry& entry : entries_) {
    if (in_matrix(entry)) triplets.emplace_back(row_of(entry.row), row_of(entry.column), 1.0);
  }
  matrix_.resize(n, n);
  matrix_.setFromTriplets(triplets.begin(), triplets.end());
  matrix_.makeCompressed();

  const auto find = [&](int row, int column) -> std::ptrdiff_t {
    const int *begin = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[column],
              *end = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[column + 1];
    return std::lower_bound(begin, end, row) - matrix_.innerIndexPtr();
  };
  slot_.assign(entries_.size(), -1);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (in_matrix(entries_[i])) slot_[i] = find(row_of(entries_[i].row), row_of(entries_[i].column));
  }
  diagonal_.resize(dofs_.size());
  for (int k = 0; k < n; ++k) diagonal_[static_cast<std::size_t>(k)] = find(k, k);
  factors_.analyse(matrix_);
}

void ImplicitMatrix::assemble(const System& system, std::span<const double> q, const MatrixParts& parts) {
  double* values = matrix_.valuePtr();
  std::fill_n(values, matrix_.nonZeros(), 0.0);
  for (std::size_t k = 0; k < diagonal_.size(); ++k) {
    const double inverse_mass = system.inverse_mass()[dofs_[k]];
    const double alpha = system.mass_damping().empty() ? 0 : system.mass_damping()[dofs_[k]];
    values[diagonal_[k]] = inverse_mass == 0 ? 1 : (parts.mass + parts.damping * alpha) / inverse_mass;
  }
  std::size_t number = 0;
  for (const mechanics::NodalBody* body : bodies_) {
    const double factor = parts.stiffness + parts.damping * body->damping().stiffness;
    entries_.clear();
    body->stiffness(q, entries_);
    for (const mechanics::StiffnessEntry& entry : entries_) {
      if (slot_[number] >= 0) values[slot_[number]] += factor * entry.value;
      ++number;
    }
  }
}

}  // namespace ictus::dynamics
