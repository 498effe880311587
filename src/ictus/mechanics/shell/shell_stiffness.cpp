// The exact stiffness of the shell, made per Newton step.

#include <ictus/mechanics/shell/shell.hpp>

#include <ictus/math/dual.hpp>

namespace ictus::mechanics {

using math::Dual;
using math::Vector3;

namespace {

using Matrix15 = Eigen::Matrix<double, 15, 15>;

/// Component c of derivative A of ShellDerivatives, counted as 3A + c.
template <class T>
T& component(ShellDerivatives<T>& d, std::size_t i) {
  Vector3<T>* const vectors[5] = {&d.d1, &d.d2, &d.d11, &d.d22, &d.d12};
  Vector3<T>& vector = *vectors[i / 3];
  return i % 3 == 0 ? vector.x : i % 3 == 1 ? vector.y : vector.z;
}

/// ∂²V_e/∂y² by the fifteen components of the derivatives y of the position.
Matrix15 second_derivative(const ShellRest<double>& rest, const ShellWall& wall, ShellDerivatives<double> y) {
  const ShellRest<Dual> dual_rest{rest.t11, rest.t21, rest.t22, rest.b11, rest.b22, rest.b12};
  Matrix15 result;
  for (std::size_t column = 0; column < 15; ++column) {
    ShellDerivatives<Dual> moved;
    for (std::size_t i = 0; i < 15; ++i) component(moved, i) = Dual(component(y, i), i == column ? 1 : 0);
    const ShellGradient<Dual> g = shell_gradient(dual_rest, shell_strain(dual_rest, wall, moved));
    ShellDerivatives<Dual> gradient{g.z1, g.z2, g.q11 * g.normal, g.q22 * g.normal, g.q12 * g.normal};
    for (std::size_t row = 0; row < 15; ++row)
      result(static_cast<int>(row), static_cast<int>(column)) = component(gradient, row).d;
  }
  return result;
}

}  // namespace

void Shell::stiffness(std::span<const double> q, std::vector<StiffnessEntry>& entries) const {
  const double* const x = q.data() + dofs_.begin;
  for (std::size_t e = 0; e < elements_.element_count(); ++e) {
    const ShellPatch patch = elements_.patch(e);
    const Matrix15 second = second_derivative(elements_.rest_of(e), elements_.wall(), elements_.derivatives(e, x));
    const auto functions = [](const ShellPatchEntry& entry) {
      return Eigen::Matrix<double, 5, 1>(entry.d1, entry.d2, entry.d11, entry.d22, entry.d12);
    };
    for (const ShellPatchEntry& row : patch) {
      // Σ_A D_A N_I of the rows first: 3 × 15.
      Eigen::Matrix<double, 3, 15> of_row = Eigen::Matrix<double, 3, 15>::Zero();
      for (int a = 0; a < 5; ++a) of_row += functions(row)[a] * second.middleRows<3>(3 * a);
      for (const ShellPatchEntry& column : patch) {
        Eigen::Matrix3d block = Eigen::Matrix3d::Zero();
        for (int b = 0; b < 5; ++b) block += functions(column)[b] * of_row.middleCols<3>(3 * b);
        block = row.map.transpose() * block * column.map;
        for (int c = 0; c < 3; ++c) {
          for (int d = 0; d < 3; ++d) {
            entries.push_back({static_cast<int>(dofs_.begin) + 3 * row.vertex + c,
                               static_cast<int>(dofs_.begin) + 3 * column.vertex + d, block(c, d)});
          }
        }
      }
    }
  }
}

}  // namespace ictus::mechanics
