#pragma once

#include <Eigen/SparseCore>
#include <ictus/solve/cone/cone_problem.hpp>
#include <span>

namespace ictus::solve {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// The 3×3 block form of a square matrix with `dimension` (2 or 3) rows for each contact; the second tangent of planar
/// problems is zero. Fills `row_offsets`, `columns` and `blocks`; a diagonal block is always there.
void assign_blocks(const SparseMatrix& w, int dimension, BlockProblem::Data& data);

/// Local triples of a vector with `dimension` entries for each contact.
std::vector<Local> local_triples(std::span<const double> values, int dimension);

/// Isotropic cones, or planar ones for dimension 2.
std::vector<FrictionCone> friction_cones(std::span<const double> mu, int dimension);

}  // namespace ictus::solve
