#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ictus::solve {

// Notation: λ multipliers (impulses), w = Hλ + b (gap velocities), F the index set with λ > 0.

enum class LcpStatus : std::uint8_t {
  solved,           ///< complementarity holds to the tolerance
  infeasible,       ///< no λ exists: w cannot be made non-negative (for contact: an impossible gap)
  iteration_limit,  ///< λ is feasible but not yet a solution
  not_finite,       ///< NaN or infinity in the data or on the way
};

struct LcpReport {
  LcpStatus status = LcpStatus::solved;
  int iterations = 0;  ///< pivots of LcpSolver, sweeps of UnilateralSolver
  double residual = 0.0;  ///< max over i of |min(Hᵢᵢλᵢ, wᵢ)| (of |min(0, wᵢ)| where Hᵢᵢ = 0), in the unit of b

  bool solved() const { return status == LcpStatus::solved; }
};

/// 0 ≤ λ ⟂ Hλ + b ≥ 0 with H small, dense, symmetric positive definite or semi-definite, by principal pivoting on
/// min ½λᵀHλ + bᵀλ, λ ≥ 0 [eq. contact-solvers-12]. The answer is exact to round-off. Where H is singular λ is one
/// of many, w is unique. Meant for up to about 32 rows: a pivot costs O(n³/6).
/// Allocates only when n exceeds every n seen before.
class LcpSolver {
 public:
  /// `matrix` is H, row-major n×n (both triangles are read), n = b.size() = lambda.size(). On entry the positive
  /// entries of `lambda` are a guess (zeros where there is none: the guess changes the cost, and which λ is found
  /// where H is singular). On exit λ ≥ 0 always; check the status.
  LcpReport solve(std::span<const double> matrix, std::span<const double> b, std::span<double> lambda);

 private:
  struct Problem;

  void reserve(std::size_t n);
  void seed(const Problem& p);
  bool factor_append(const Problem& p, int index);
  void refactor(const Problem& p);
  void solve_factored(std::span<double> x) const;    // x ← H_FF⁻¹ x
  void solve_transposed(std::span<double> x) const;  // x ← L⁻ᵀ x
  void descend(const Problem& p);
  bool leave_along_null_direction(const Problem& p, int entering);
  int most_violated(const Problem& p) const;
  double residual(const Problem& p) const;

  std::vector<int> active_;      // F in order of entry
  std::vector<double> factor_;   // L (unit) and D of H_FF = L D Lᵀ, packed lower rows
  std::vector<double> target_;   // minimiser on F
  std::vector<double> column_;   // H_FF⁻¹ H_Fj
  std::vector<char> is_active_;  // membership of F
};

}  // namespace ictus::solve
