#include <ictus/mechanics/material/material.hpp>

#include <Eigen/Eigenvalues>
#include <cmath>

namespace ictus::mechanics {

MaterialAtRest at_rest(const Material& material) {
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  // Strains and stresses as Mandel writes them, whose products are those of the tensors.
  const double r = std::sqrt(2.0);
  const auto stress_of = [&](const Vector6& e) {
    double memory[Material::max_memory] = {};
    material.begin({memory, material.memory()});
    DeformedPoint point;
    point.f = {{1 + e[0], e[5] / r, e[4] / r}, {e[5] / r, 1 + e[1], e[3] / r}, {e[4] / r, e[3] / r, 1 + e[2]}};
    point.memory = memory;
    const math::Matrix3<double>& f = point.f;
    const double growth = dot(f.a, cross(f.b, f.c)), slope = material.volume(growth).slope;
    material.respond({&point, 1});
    const math::Matrix3<double> p =
        point.stress + math::Matrix3<double>{slope * cross(f.b, f.c), slope * cross(f.c, f.a), slope * cross(f.a, f.b)};
    return Vector6(p.a.x, p.b.y, p.c.z, (p.c.y + p.b.z) / r, (p.c.x + p.a.z) / r, (p.b.x + p.a.y) / r);
  };
  constexpr double small = 1e-6;
  Matrix6 tangent;
  for (int j = 0; j < 6; ++j)
    tangent.col(j) = (stress_of(small * Vector6::Unit(j)) - stress_of(-small * Vector6::Unit(j))) / (2 * small);
  tangent = (0.5 * (tangent + tangent.transpose())).eval();

  MaterialAtRest rest;
  rest.stress = stress_of(Vector6::Zero()).cwiseAbs().maxCoeff();
  rest.smallest = Eigen::SelfAdjointEigenSolver<Matrix6>(tangent, Eigen::EigenvaluesOnly).eigenvalues()[0];
  // The isotropic part: a third of the trace of both its projections.
  const Vector6 one = (Vector6() << 1, 1, 1, 0, 0, 0).finished();
  const double bulk = one.dot(tangent * one) / 9, shear = (tangent.trace() - 3 * bulk) / 10;
  rest.lame = {bulk - 2.0 / 3 * shear, shear};
  if (!(rest.smallest > 0) || !(bulk > 0) || !(shear > 0)) return rest;
  const Matrix6 isotropic = 2 * shear * Matrix6::Identity() + rest.lame.lambda * one * one.transpose();
  rest.stiffening =
      Eigen::GeneralizedSelfAdjointEigenSolver<Matrix6>(tangent, isotropic, Eigen::EigenvaluesOnly).eigenvalues()[5];
  return rest;
}

}  // namespace ictus::mechanics
