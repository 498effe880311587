#pragma once

#include <ictus/solve/complementarity/lcp.hpp>
#include <span>
#include <vector>

namespace ictus::solve {

/// Rows of a sparse matrix G on velocities v with a diagonal mass: 0 ≤ λᵢ ⟂ Gᵢ v + cᵢ ≥ 0, v = v₀ + M⁻¹Gᵀλ.
/// Compressed rows: entries row_offsets[i] .. row_offsets[i+1] of `columns` and `values`.
struct UnilateralRows {
  std::span<const int> row_offsets;
  std::span<const int> columns;
  std::span<const double> values;
  std::span<const double> inverse_mass;  ///< one per velocity, ≥ 0 (0: held)
  std::span<const double> offset;        ///< c, one per row

  std::size_t size() const { return offset.size(); }
};

struct UnilateralOptions {
  double tolerance = 1e-10;  ///< on the residual over max |w₀|, w₀ = G v₀ + c
  int max_sweeps = 10000;
  double relaxation = 1.0;  ///< of each update, in (0, 2)
};

/// Many unilateral constraints, matrix-free in the velocities, by projected successive over-relaxation
/// [eq. contact-solvers-13]. Rows are swept forwards, then backwards, in their order: the result does not depend on
/// threads. Allocates only when there are more rows than ever before.
class UnilateralSolver {
 public:
  /// Throws base::InputError for options out of range.
  explicit UnilateralSolver(UnilateralOptions options = {});

  /// On entry `velocity` is v₀ (without contact) and `lambda` a guess (what is not positive counts as zero); on exit
  /// velocity = v₀ + M⁻¹Gᵀλ, λ ≥ 0.
  LcpReport solve(const UnilateralRows& rows, std::span<double> velocity, std::span<double> lambda);

 private:
  double prepare(const UnilateralRows& rows, std::span<const double> velocity);
  double update(const UnilateralRows& rows, std::size_t i, std::span<double> velocity, std::span<double> lambda) const;
  double sweep(const UnilateralRows& rows, bool forwards, std::span<double> velocity, std::span<double> lambda) const;
  double residual(const UnilateralRows& rows, std::span<const double> velocity, std::span<const double> lambda) const;

  UnilateralOptions options_;
  std::vector<double> diagonal_;  // Hᵢᵢ
};

}  // namespace ictus::solve
