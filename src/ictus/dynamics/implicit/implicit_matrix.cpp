#include <ictus/dynamics/implicit/implicit_matrix.hpp>

#include <algorithm>

namespace ictus::dynamics {

void ImplicitMatrix::prepare(const System& system, std::span<const mechanics::NodalBody* const> bodies,
                             std::span<const double> q) {
  bodies_.assign(bodies.begin(), bodies.end());
  unknowns_.clear();
  std::vector<int> rows(system.unknowns(), -1);
  entries_.clear();
  for (const mechanics::NodalBody* body : bodies_) {
    for (std::size_t k = body->unknowns().begin; k < body->unknowns().end(); ++k) {
      rows[k] = static_cast<int>(unknowns_.size());
      unknowns_.push_back(k);
    }
    body->stiffness(q, entries_);
  }
  const auto row_of = [&](int unknown) { return rows[static_cast<std::size_t>(unknown)]; };
  const auto held = [&](int k) { return system.inverse_mass()[static_cast<std::size_t>(k)] == 0; };
  const auto in_matrix = [&](const mechanics::StiffnessEntry& entry) {
    return entry.row >= entry.column && !held(entry.row) && !held(entry.column);
  };
  const int n = static_cast<int>(unknowns_.size());
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(entries_.size() / 2 + unknowns_.size());
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
  place_.assign(entries_.size(), -1);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (in_matrix(entries_[i])) place_[i] = find(row_of(entries_[i].row), row_of(entries_[i].column));
  }
  diagonal_.resize(unknowns_.size());
  for (int k = 0; k < n; ++k) diagonal_[static_cast<std::size_t>(k)] = find(k, k);
  factors_.analyse(matrix_);
}

void ImplicitMatrix::assemble(const System& system, std::span<const double> q, const MatrixParts& parts) {
  double* values = matrix_.valuePtr();
  std::fill_n(values, matrix_.nonZeros(), 0.0);
  for (std::size_t k = 0; k < diagonal_.size(); ++k) {
    const double inverse_mass = system.inverse_mass()[unknowns_[k]];
    const double alpha = system.mass_damping().empty() ? 0 : system.mass_damping()[unknowns_[k]];
    values[diagonal_[k]] = inverse_mass == 0 ? 1 : (parts.mass + parts.damping * alpha) / inverse_mass;
  }
  std::size_t place = 0;
  for (const mechanics::NodalBody* body : bodies_) {
    const double factor = parts.stiffness + parts.damping * body->damping().stiffness;
    entries_.clear();
    body->stiffness(q, entries_);
    for (const mechanics::StiffnessEntry& entry : entries_) {
      if (place_[place] >= 0) values[place_[place]] += factor * entry.value;
      ++place;
    }
  }
}

}  // namespace ictus::dynamics
