// The bound of the critical step of the shell, found once.

#include <ictus/mechanics/shell/shell.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/base/index.hpp>
#include <ictus/mechanics/body/largest_eigenvalue.hpp>
#include <limits>
#include <random>

namespace ictus::mechanics {

using base::index;

using math::Vec3;
using math::Vector3;

namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Strains = Eigen::Matrix<double, 6, 3>;  ///< ∂(ε11, ε22, 2ε12, κ11, κ22, 2κ12)/∂x of one vertex

/// An element at rest: what each of its vertices adds to the strains.
struct RestElement {
  std::vector<int> vertices;
  std::vector<Strains> strains;
  double area;
};

Vec3 to_vec3(const Vector3<double>& a) { return {a.x, a.y, a.z}; }

RestElement rest_element(const ShellTiles& elements, std::size_t e, const double* x) {
  const ShellRest<double> rest = elements.rest_of(e);
  const ShellDerivatives<double> d = elements.derivatives(e, x);
  const double t11 = rest.t11, t21 = rest.t21, t22 = rest.t22;
  const Vec3 a1 = to_vec3(t11 * d.d1), a2 = to_vec3(t21 * d.d1 + t22 * d.d2), n = a1.cross(a2);
  const auto second = [&](double d11, double d22, double d12) {
    return Vec3(t11 * t11 * d11, t21 * t21 * d11 + 2 * t21 * t22 * d12 + t22 * t22 * d22,
                t11 * (t21 * d11 + t22 * d12));
  };
  Eigen::Matrix3d a;  // columns a_11, a_22, a_12; at rest the tangents are their own dual basis
  for (int c = 0; c < 3; ++c) a.row(c) = second(to_vec3(d.d11)[c], to_vec3(d.d22)[c], to_vec3(d.d12)[c]).transpose();
  RestElement result{{}, {}, rest.area()};
  for (const ShellPatchEntry& entry : elements.patch(e)) {
    const double n1 = t11 * entry.d1, n2 = t21 * entry.d1 + t22 * entry.d2;
    const Vec3 n_ab = second(entry.d11, entry.d22, entry.d12);
    Strains s;
    s.row(0) = n1 * a1;
    s.row(1) = n2 * a2;
    s.row(2) = n1 * a2 + n2 * a1;
    for (int k = 0; k < 3; ++k) {
      const double factor = k == 2 ? 2 : 1;
      s.row(3 + k) = factor * (n_ab[k] - a.col(k).dot(a1) * n1 - a.col(k).dot(a2) * n2) * n;
    }
    s = s * entry.map;
    const auto found = std::find(result.vertices.begin(), result.vertices.end(), entry.vertex);
    if (found == result.vertices.end()) {
      result.vertices.push_back(entry.vertex);
      result.strains.push_back(s);
    } else {
      result.strains[static_cast<std::size_t>(found - result.vertices.begin())] += s;
    }
  }
  return result;
}

/// Of the symmetric tridiagonal matrix with these entries, by bisection: below λ the pivots of T − λ change their sign.
double largest_eigenvalue(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  double low = *std::max_element(diagonal.begin(), diagonal.end()), high = low;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    const double left = i > 0 ? beside[i - 1] : 0, right = i < beside.size() ? beside[i] : 0;
    high = std::max(high, diagonal[i] + left + right);
  }
  const auto is_above = [&](double value) {  // no eigenvalue is larger: all pivots are negative
    double pivot = -1;
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
      pivot = diagonal[i] - value - (i > 0 ? beside[i - 1] * beside[i - 1] / pivot : 0);
      if (pivot >= 0) return false;
    }
    return true;
  };
  while (high - low > 1e-9 * high) {
    const double middle = 0.5 * (low + high);
    (is_above(middle) ? high : low) = middle;
  }
  return high;
}

/// L with L Lᵀ the stiffness of the wall for (ε11, ε22, 2ε12, κ11, κ22, 2κ12).
Matrix6 stiffness_root(const ShellWall& wall) {
  const double nu = wall.poisson;
  Eigen::Matrix3d root;
  root << 1, 0, 0, nu, std::sqrt(1 - nu * nu), 0, 0, 0, std::sqrt(0.5 * (1 - nu));
  Matrix6 result = Matrix6::Zero();
  result.topLeftCorner<3, 3>() = std::sqrt(wall.membrane) * root;
  result.bottomRightCorner<3, 3>() = std::sqrt(wall.bending) * root;
  return result;
}

}  // namespace

/// ω_max² from sixty steps of Lanczos' recurrence with M^(−1/2) K M^(−1/2) at rest, whose products are differences of
/// forces; too small by more than Shell::ritz_margin only with a probability below 10⁻⁶ [eq. shells-12].
double Shell::largest_ritz_value() const {
  constexpr int max_steps = 60;
  const exec::Executor exec;
  const std::size_t n = dofs_.size;
  std::vector<double> rest(n), moved(n), force(n), v(n), before(n, 0.0), root(n);
  double edge = std::numeric_limits<double>::infinity();
  for (const auto& [a, b, c] : properties_.mesh.triangles)
    edge = std::min(edge, (properties_.mesh.positions[index(a)] - properties_.mesh.positions[index(b)]).norm());
  std::minstd_rand engine(1);
  std::normal_distribution<double> normal;
  for (std::size_t k = 0; k < n; ++k) {
    rest[k] = properties_.mesh.positions[k / 3][static_cast<int>(k % 3)];
    root[k] = std::sqrt(inverse_mass_[k]);
    v[k] = root[k] == 0 ? 0 : normal(engine);
  }
  const auto dot = [&](const std::vector<double>& x, const std::vector<double>& y) {
    return exec.sum(n, [&](std::size_t k) { return x[k] * y[k]; });
  };
  const auto scale = [&](std::vector<double>& x, double factor) {
    for (double& value : x) value *= factor;
  };
  scale(v, 1 / std::sqrt(dot(v, v)));
  std::vector<double> diagonal, beside;
  double last = 0;
  for (int i = 0; i < max_steps; ++i) {
    // K u from forces on both sides of rest, so small a displacement that only the linear part is left.
    double largest = 0;
    for (std::size_t k = 0; k < n; ++k) largest = std::max(largest, std::abs(root[k] * v[k]));
    const double small = 1e-5 * edge / largest;
    std::fill(force.begin(), force.end(), 0.0);
    for (const double side : {1.0, -1.0}) {
      for (std::size_t k = 0; k < n; ++k) moved[k] = rest[k] + side * small * root[k] * v[k];
      elements_.kick(exec, moved.data(), -0.5 * side / small, force.data());
    }
    for (std::size_t k = 0; k < n; ++k) force[k] = root[k] * force[k] - last * before[k];
    diagonal.push_back(dot(force, v));
    for (std::size_t k = 0; k < n; ++k) force[k] -= diagonal.back() * v[k];
    last = std::sqrt(dot(force, force));
    if (!(last > 1e-8 * diagonal.front())) break;
    beside.push_back(last);
    before.swap(v);
    v.swap(force);
    scale(v, 1 / last);
  }
  beside.resize(diagonal.size() - 1);
  return largest_eigenvalue(diagonal, beside);
}

/// [eq. shells-10], [eq. shells-12].
CriticalStep Shell::find_critical_step() const {
  std::vector<double> x(dofs_.size);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = properties_.mesh.positions[k / 3][static_cast<int>(k % 3)];
  const Matrix6 root = stiffness_root(elements_.wall());
  const auto diagonal = [&](const RestElement& element, std::size_t i) {
    return element.area * (root.transpose() * element.strains[i]).squaredNorm() / 3;
  };
  std::vector<double> total(vertex_count(), 0.0);
  for (std::size_t e = 0; e < elements_.element_count(); ++e) {
    const RestElement element = rest_element(elements_, e, x.data());
    for (std::size_t i = 0; i < element.vertices.size(); ++i) total[index(element.vertices[i])] += diagonal(element, i);
  }
  double largest = 0;
  CriticalStep critical;
  for (std::size_t e = 0; e < elements_.element_count(); ++e) {
    const RestElement element = rest_element(elements_, e, x.data());
    Matrix6 sum = Matrix6::Zero();
    for (std::size_t i = 0; i < element.vertices.size(); ++i) {
      const std::size_t v = index(element.vertices[i]);
      const double own = diagonal(element, i);
      if (own > 0) sum += total[v] / (own * mass_[3 * v]) * element.strains[i] * element.strains[i].transpose();
    }
    const Matrix6 matrix = element.area * root.transpose() * sum * root;
    std::array<std::array<double, 6>, 6> entries;
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) entries[index(i)][index(j)] = matrix(i, j);
    }
    const double omega_sq = largest_eigenvalue(entries, largest);
    if (omega_sq > largest) largest = omega_sq, critical.element = e;
  }
  critical.step = 2 / std::sqrt(std::min(largest, (1 + ritz_margin) * largest_ritz_value()));
  return critical;
}

}  // namespace ictus::mechanics
