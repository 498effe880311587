#pragma once

#include <ictus/mechanics/solid/solid.hpp>

// One element at a time in double precision: energy, power, tangent, stress. What is evaluated now and then; the forces
// of every step are in solid_kernel.hpp.

namespace ictus::mechanics::solid_element {

using math::Matrix3;
using Vector = math::Vector3<double>;

/// Calls f with the law of a material, so that what is inside is compiled for each. Hencky's has kernels of its own;
/// what goes through here, its damping and its stiffness at rest, is that of any law near F = I or of its rates.
template <class F>
auto with_law(SolidMaterial material, F&& f) {
  switch (material) {
    case SolidMaterial::linear:
      return f(LinearLaw{});
    case SolidMaterial::st_venant_kirchhoff:
      return f(StVenantKirchhoffLaw{});
    case SolidMaterial::neo_hookean:
    case SolidMaterial::hencky:
      break;
  }
  return f(NeoHookeanLaw{});
}

/// Σ_a y_a ⊗ ∂N_a/∂X at a point: F of positions, its rate of velocities.
inline Matrix3<double> gradient(const ElementShape& shape, int point, const Vector* y) {
  Matrix3<double> f{};
  for (int a = 0; a < shape.nodes; ++a) {
    const Vector& g = shape.gradient[point][a];
    f = f + Matrix3<double>{g.x * y[a], g.y * y[a], g.z * y[a]};
  }
  return f;
}

inline double contract(const Matrix3<double>& a, const Matrix3<double>& b) {
  return dot(a.a, b.a) + dot(a.b, b.b) + dot(a.c, b.c);
}

/// ∫ W dV [eq. solids-4].
template <class Law>
double energy(const ElementShape& shape, const Lame& lame, const Vector* x) {
  double shear = 0, dilated = 0, volume = 0;
  for (int q = 0; q < shape.points; ++q) {
    const Matrix3<double> f = gradient(shape, q, x);
    shear += shape.volume[q] * Law::shear_energy(f);
    dilated += shape.volume[q] * Law::stress(f).dilatation;
    volume += shape.volume[q];
  }
  return lame.mu * shear + 0.5 * lame.lambda * dilated * dilated / volume;
}

/// Its part of the shape alone.
template <class Law>
double shear_energy(const ElementShape& shape, double mu, const Vector* x) {
  double shear = 0;
  for (int q = 0; q < shape.points; ++q) shear += shape.volume[q] * Law::shear_energy(gradient(shape, q, x));
  return mu * shear;
}

/// λ θ̄.
template <class Law>
double pressure(const ElementShape& shape, const Lame& lame, const Vector* x) {
  double dilated = 0;
  for (int q = 0; q < shape.points; ++q) dilated += shape.volume[q] * Law::stress(gradient(shape, q, x)).dilatation;
  return lame.lambda * dilated / shape.total_volume();
}

/// dW/dt = ∫ P : Ḟ dV at velocities v.
template <class Law>
double power(const ElementShape& shape, double mu, double pressure, const Vector* x, const Vector* v) {
  double shear = 0, rate = 0;
  for (int q = 0; q < shape.points; ++q) {
    const SolidStress<double> s = Law::stress(gradient(shape, q, x));
    const Matrix3<double> f_rate = gradient(shape, q, v);
    shear += shape.volume[q] * contract(s.shear, f_rate);
    rate += shape.volume[q] * contract(s.gradient, f_rate);
  }
  return mu * shear + pressure * rate;
}
template <class Law>
double power(const ElementShape& shape, const Lame& lame, const Vector* x, const Vector* v) {
  return power<Law>(shape, lame.mu, pressure<Law>(shape, lame, x), x, v);
}

using Stiffness = ElementStiffness;

/// ∂²/∂x² of the energy at a fixed pressure λ θ̄; the dof 3a + i is direction i of node a. `mean` takes ∫ G ∂N_a/∂X dV,
/// what the volume integral of θ grows by.
template <class Law>
void stiffness_at(const ElementShape& shape, double mu, double pressure, const Vector* x, Stiffness& k, double* mean) {
  for (auto& row : k) row.fill(0);
  std::fill_n(mean, 3 * shape.nodes, 0.0);
  for (int q = 0; q < shape.points; ++q) {
    const Matrix3<double> f = gradient(shape, q, x);
    const Matrix3<double> turned = Law::stress(f).gradient;
    const Tangent shear = Law::shear_tangent(f), turn = Law::gradient_tangent(f);
    for (int b = 0; b < shape.nodes; ++b) {
      const Vector& gb = shape.gradient[q][b];
      const Vector g = turned * gb;
      mean[3 * b] += shape.volume[q] * g.x;
      mean[3 * b + 1] += shape.volume[q] * g.y;
      mean[3 * b + 2] += shape.volume[q] * g.z;
      for (int c = 0; c < 3; ++c) {
        double column[9];
        for (int i = 0; i < 9; ++i) {
          const auto term = [&](int l) { return mu * shear(i, 3 * l + c) + pressure * turn(i, 3 * l + c); };
          column[i] = shape.volume[q] * (term(0) * gb.x + term(1) * gb.y + term(2) * gb.z);
        }
        for (int a = 0; a < shape.nodes; ++a) {
          const Vector& ga = shape.gradient[q][a];
          for (int i = 0; i < 3; ++i)
            k[static_cast<std::size_t>(3 * a + i)][static_cast<std::size_t>(3 * b + c)] +=
                column[i] * ga.x + column[3 + i] * ga.y + column[6 + i] * ga.z;
        }
      }
    }
  }
}

/// The same with what the pressure itself grows by.
template <class Law>
void stiffness(const ElementShape& shape, const Lame& lame, const Vector* x, Stiffness& k) {
  double mean[24];
  stiffness_at<Law>(shape, lame.mu, pressure<Law>(shape, lame, x), x, k, mean);
  const double factor = lame.lambda / shape.total_volume();
  for (int i = 0; i < 3 * shape.nodes; ++i) {
    for (int j = 0; j < 3 * shape.nodes; ++j)
      k[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] += factor * mean[i] * mean[j];
  }
}

/// The mean Cauchy stress over the volume at rest (Pa).
template <class Law>
math::Symmetric3<double> cauchy_stress(const ElementShape& shape, double mu, double pressure, const Vector* x) {
  const double volume = shape.total_volume();
  double xx = 0, yy = 0, zz = 0, xy = 0, yz = 0, zx = 0;
  for (int q = 0; q < shape.points; ++q) {
    const Matrix3<double> f = Law::linear ? solid_law_detail::identity<double>() : gradient(shape, q, x);
    const SolidStress<double> s = Law::stress(gradient(shape, q, x));
    const Matrix3<double> p = solid_kernel::stress(s, mu, pressure);
    const double share = shape.volume[q] / volume / dot(f.a, cross(f.b, f.c));
    // σ = P Fᵀ/J
    xx += share * (p.a.x * f.a.x + p.b.x * f.b.x + p.c.x * f.c.x);
    yy += share * (p.a.y * f.a.y + p.b.y * f.b.y + p.c.y * f.c.y);
    zz += share * (p.a.z * f.a.z + p.b.z * f.b.z + p.c.z * f.c.z);
    xy += share * (p.a.x * f.a.y + p.b.x * f.b.y + p.c.x * f.c.y);
    yz += share * (p.a.y * f.a.z + p.b.y * f.b.z + p.c.y * f.c.z);
    zx += share * (p.a.z * f.a.x + p.b.z * f.b.x + p.c.z * f.c.x);
  }
  return {xx, yy, zz, xy, yz, zx};
}

/// ∫ N_a dV: what node a carries of the volume when mass is lumped.
inline double share_of_volume(const ElementShape& shape, int node) {
  if (shape.nodes == 4) return shape.volume[0] / 4;
  double sum = 0;
  for (int q = 0; q < 8; ++q) sum += shape.volume[q] * solid_kernel::hexahedron_shape.value[q][node];
  return sum;
}

/// The mean of what the nodes of a tetrahedron have.
inline double nodal_mean(const ElementShape& shape, const double* at) {
  double sum = 0;
  for (std::size_t a = 0; a < 4; ++a) sum += at[shape.node[a] / 3];
  return sum / 4;
}

/// Reads the positions of an element's nodes from the body's own part of q.
inline void read_nodes(const ElementShape& shape, const double* from, Vector* x) {
  for (int a = 0; a < shape.nodes; ++a) {
    const double* y = from + shape.node[static_cast<std::size_t>(a)];
    x[a] = {y[0], y[1], y[2]};
  }
}

}  // namespace ictus::mechanics::solid_element
