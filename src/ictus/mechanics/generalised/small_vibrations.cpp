#include <ictus/mechanics/generalised/small_vibrations.hpp>

#include <Eigen/Eigenvalues>
#include <cmath>

namespace ictus::mechanics {

namespace {

double largest_eigenvalue_of(const Eigen::MatrixXd& a, const Eigen::MatrixXd& mass) {
  const Eigen::MatrixXd symmetric = 0.5 * (a + a.transpose());
  return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, mass, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

}  // namespace

/// K = −∂f/∂q by central differences.
SmallVibrations small_vibrations(const GeneralisedBody& body) {
  const auto n = static_cast<Eigen::Index>(body.coordinates());
  std::vector<double> q(body.coordinates()), v(body.coordinates());
  body.start(q, v);
  Inertia inertia{};
  body.inertia(q, v, inertia);
  Damping damping{};
  if (body.damped()) body.damping(q, v, damping);
  Eigen::MatrixXd mass(n, n), stiffness(n, n), viscosity(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto k = static_cast<std::size_t>(j);
    const double here = q[k], shift = 1e-6 * (1 + std::abs(here));
    CoordinateVector above{}, below{};
    q[k] = here + shift;
    body.force(q, above);
    q[k] = here - shift;
    body.force(q, below);
    q[k] = here;
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto row = static_cast<std::size_t>(i);
      stiffness(i, j) = (below[row] - above[row]) / (2 * shift);
      mass(i, j) = inertia.mass(row, k);
      viscosity(i, j) = -damping.rate(row, k);
    }
  }
  return {largest_eigenvalue_of(stiffness, mass), body.damped() ? largest_eigenvalue_of(viscosity, mass) : 0};
}

}  // namespace ictus::mechanics
