#include <ictus/mechanics/frame/beam_frame.hpp>

#include <Eigen/SparseCholesky>
#include <cmath>
#include <ictus/mechanics/frame/beam_frame_layout.hpp>
#include <limits>

namespace ictus::mechanics {

/// A bound for the fastest mode of any element alone between its own masses, by Gershgorin: no mode of the frame is
/// faster, since Rayleigh's quotient of a sum lies between those of its terms.
CriticalStep BeamFrame::element_bound() const {
  CriticalStep bound{std::numeric_limits<double>::infinity(), 0};
  std::size_t element = 0;
  const auto look = [&]<class Element>(const std::vector<FrameRun<Element>>& runs) {
    constexpr int n = Element::dofs;
    for (std::size_t m = 0; m < runs.size(); element += runs[m].count, ++m) {
      const auto mass = node_inertia(properties_, properties_.members[m]);
      const auto k = element_stiffness(runs[m].element);
      for (int row = 0; row < 2 * n; ++row) {
        double sum = 0;
        for (int column = 0; column < 2 * n; ++column) {
          const double share = mass[static_cast<std::size_t>(row % n)] * mass[static_cast<std::size_t>(column % n)];
          sum += std::abs(k(row, column)) / std::sqrt(share);
        }
        const double step = 2 / std::sqrt(sum);
        if (step < bound.step) bound = {step, element};
      }
    }
  };
  std::visit(look, runs_);
  return bound;
}

/// Sylvester: ω²M − K of the moving dofs is positive definite exactly above the fastest mode.
CriticalStep BeamFrame::critical_step() const {
  const CriticalStep bound = element_bound();
  if (fixed().size() == dofs_.size) return {std::numeric_limits<double>::infinity(), bound.element};
  std::vector<StiffnessEntry> stiffness_entries;
  stiffness({}, stiffness_entries);
  std::vector<Eigen::Triplet<double>> entries;
  const auto size = static_cast<Eigen::Index>(dofs_.size);
  // Scaled by M^(−½), so that ω² stands on the diagonal.
  const auto scale = [&](int k) { return std::sqrt(inverse_mass_[static_cast<std::size_t>(k) - dofs_.begin]); };
  const int begin = static_cast<int>(dofs_.begin);
  for (const auto& [row, column, value] : stiffness_entries) {
    if (row >= column) entries.emplace_back(row - begin, column - begin, -value * scale(row) * scale(column));
  }
  Eigen::SparseMatrix<double> matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> factors;
  factors.analyzePattern(matrix);
  double low = 0, high = 4 / (bound.step * bound.step);
  while (high - low > 1e-9 * high) {
    const double middle = 0.5 * (low + high);
    factors.setShift(middle);
    factors.factorize(matrix);
    (factors.info() == Eigen::Success ? high : low) = middle;
  }
  return damped({2 / std::sqrt(high), bound.element});
}

}  // namespace ictus::mechanics
