#pragma once

#include <array>
#include <cstring>
#include <ictus/math/pack.hpp>
#include <ictus/math/vector3.hpp>
#include <ictus/mechanics/material/plastic_law.hpp>
#include <ictus/mechanics/material/solid_law.hpp>
#include <ictus/mechanics/solid/hexahedron_modes.hpp>
#include <span>
#include <vector>

// Forces of solid elements, eight elements of a block at a time, one per lane.
// x positions of the nodes, B gradients of the shape functions, P first Piola–Kirchhoff stress.

namespace ictus::mechanics {

/// Eight tetrahedra: 96 bytes each. Lanes behind the last element repeat it with no volume.
struct TetrahedronBlock {
  double gradient[9][math::Pack::lanes];  ///< B(k, J) = ∂N_{k+1}/∂X_J at 3k + J
  double volume[math::Pack::lanes];
  int node[4][math::Pack::lanes];  ///< 3 × the number of the node: where its dofs begin
};

/// Eight hexahedra. What their points are at rest lies in a list of packs: 640 bytes each, or, where each of the eight
/// is the same at all its points, a parallelepiped, the eighth part of it.
struct HexahedronBlock {
  int node[8][math::Pack::lanes];
  double weight[math::Pack::lanes];  ///< 1, or 0 of a lane that repeats
  std::size_t first;                 ///< where the list of its points begins
  std::size_t stride;                ///< from point to point, or 0
};

namespace solid_kernel {

using math::Matrix3;
using math::Pack;
using math::Vector3;

/// (x, y, z) of one node, the fourth lane unused. Written as two loads, since the four doubles may end beyond the
/// array.
using Vector4 = double __attribute__((vector_size(32)));
inline Vector4 load3(const double* x) {
  using Vector2 = double __attribute__((vector_size(16)));
  Vector2 xy;
  std::memcpy(&xy, x, sizeof xy);
  const Vector2 z{x[2], 0};
  return __builtin_shufflevector(xy, z, 0, 1, 2, 3);
}

/// The positions of eight nodes, transposed to one pack for each direction.
inline Vector3<Pack> gather(const double* x, const int* node) {
  const auto two = [&](int lane) {
    return __builtin_shufflevector(load3(x + node[lane]), load3(x + node[lane + 4]), 0, 1, 2, 3, 4, 5, 6, 7);
  };
  const Pack::Vector w0 = two(0), w1 = two(1), w2 = two(2), w3 = two(3);
  const Pack::Vector a = __builtin_shufflevector(w0, w1, 0, 8, 2, 10, 4, 12, 6, 14);
  const Pack::Vector b = __builtin_shufflevector(w2, w3, 0, 8, 2, 10, 4, 12, 6, 14);
  const Pack::Vector c = __builtin_shufflevector(w0, w1, 1, 9, 3, 11, 5, 13, 7, 15);
  const Pack::Vector d = __builtin_shufflevector(w2, w3, 1, 9, 3, 11, 5, 13, 7, 15);
  return {__builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13),
          __builtin_shufflevector(c, d, 0, 1, 8, 9, 4, 5, 12, 13),
          __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)};
}

/// p += f for eight nodes, lane after lane: elements of a block may share nodes.
inline void scatter(const Vector3<Pack>& f, const int* node, double* p) {
  using Vector2 = double __attribute__((vector_size(16)));
  alignas(64) double xy[2 * Pack::lanes];
  const Pack::Vector even = __builtin_shufflevector(f.x.v, f.y.v, 0, 8, 2, 10, 4, 12, 6, 14);
  const Pack::Vector odd = __builtin_shufflevector(f.x.v, f.y.v, 1, 9, 3, 11, 5, 13, 7, 15);
  std::memcpy(xy, &even, sizeof even);
  std::memcpy(xy + Pack::lanes, &odd, sizeof odd);
  for (int lane = 0; lane < Pack::lanes; ++lane) {
    double* const to = p + node[lane];
    Vector2 sum, add;
    std::memcpy(&sum, to, sizeof sum);
    std::memcpy(&add, xy + (lane % 2) * Pack::lanes + (lane / 2) * 2, sizeof add);
    sum += add;
    std::memcpy(to, &sum, sizeof sum);
    to[2] += f.z[lane];
  }
}

/// P = μ p + λ θ G.
template <class T>
Matrix3<T> stress(const SolidStress<T>& s, double mu, const T& lambda_theta) {
  const T m(mu);
  return {m * s.shear.a + lambda_theta * s.gradient.a, m * s.shear.b + lambda_theta * s.gradient.b,
          m * s.shear.c + lambda_theta * s.gradient.c};
}

/// One in the lanes whose element is inverted or not a number, for laws that have no stress there.
inline Pack inverted(Pack dilatation) { return math::select(dilatation.v > -1.0, Pack(0.0), Pack(1.0)); }

/// A point of an element at rest: ∂ξ/∂X by rows (transposed: by columns its inverse transpose) and the volume of the
/// point.
template <class T>
struct RestPoint {
  static constexpr std::size_t numbers = 10;

  Matrix3<T> cofactor;  ///< (∂X/∂ξ)⁻ᵀ
  T volume;
};

/// λ θ of a law of elements that have it by themselves.
struct OwnPressure {
  double lambda;
  Pack operator()(const TetrahedronBlock&, const Pack& dilatation) const { return Pack(lambda) * dilatation; }
};

/// The mean of what the four nodes of each tetrahedron have [eq. solids-11].
struct NodalPressure {
  const double* at;  ///< by node
  Pack operator()(const TetrahedronBlock& block, const Pack& /*own*/) const {
    Pack mean;
    for (int lane = 0; lane < Pack::lanes; ++lane) {
      const auto of = [&](int a) { return at[block.node[a][lane] / 3]; };
      mean.v[lane] = 0.25 * ((of(0) + of(1)) + (of(2) + of(3)));
    }
    return mean;
  }
};

// What kernels share is inlined into each: packs that go through memory on the way cost a tenth of the speed.

/// Σ_a y_a ⊗ ∂N_a/∂X: F of positions, its rate of velocities.
[[gnu::always_inline]] inline Matrix3<Pack> gradient(const TetrahedronBlock& block, const Pack* b, const double* y) {
  const Vector3<Pack> y0 = gather(y, block.node[0]);
  const Vector3<Pack> d1 = gather(y, block.node[1]) - y0, d2 = gather(y, block.node[2]) - y0,
                      d3 = gather(y, block.node[3]) - y0;
  return {b[0] * d1 + b[3] * d2 + b[6] * d3, b[1] * d1 + b[4] * d2 + b[7] * d3, b[2] * d1 + b[5] * d2 + b[8] * d3};
}

/// p −= h ∂/∂x of the energy whose stress is s, with a pressure λ θ.
[[gnu::always_inline]] inline void push(const TetrahedronBlock& block, const Pack* b, const SolidStress<Pack>& s,
                                        const Pack& pressure, double h, double mu, double* p) {
  const Matrix3<Pack> stress_now = stress(s, mu, pressure);
  const Pack factor = Pack(-h) * Pack::load(block.volume);
  const Matrix3<Pack> impulse = factor * stress_now;
  const Vector3<Pack> f1 = b[0] * impulse.a + b[1] * impulse.b + b[2] * impulse.c,
                      f2 = b[3] * impulse.a + b[4] * impulse.b + b[5] * impulse.c,
                      f3 = b[6] * impulse.a + b[7] * impulse.b + b[8] * impulse.c;
  scatter(-(f1 + f2 + f3), block.node[0], p);
  scatter(f1, block.node[1], p);
  scatter(f2, block.node[2], p);
  scatter(f3, block.node[3], p);
}

/// p += h f of a block. Answers with `inverted`.
template <class Law, class Pressure>
Pack kick(const TetrahedronBlock& block, const double* x, double h, double mu, const Pressure& pressure, double* p) {
  Pack b[9];
  for (int i = 0; i < 9; ++i) b[i] = Pack::load(block.gradient[i]);
  const SolidStress<Pack> s = Law::stress(gradient(block, b, x));
  push(block, b, s, pressure(block, s.dilatation), h, mu, p);
  if constexpr (Law::fails_inverted) return inverted(s.dilatation);
  return Pack(0.0);
}

/// θ of a block, or its rate, times the volumes.
template <class Law, class... Positions>
Pack dilated(const TetrahedronBlock& block, const Positions*... of) {
  Pack b[9];
  for (int i = 0; i < 9; ++i) b[i] = Pack::load(block.gradient[i]);
  return Pack::load(block.volume) * Law::stress(gradient(block, b, of)...).dilatation;
}

/// p −= h K v of a block [eq. solids-7].
template <class Viscosity, class Pressure>
void apply_damping(const TetrahedronBlock& block, const double* x, const double* v, double h, double mu,
                   const Pressure& pressure, double* p) {
  Pack b[9];
  for (int i = 0; i < 9; ++i) b[i] = Pack::load(block.gradient[i]);
  const SolidStress<Pack> s = Viscosity::stress(gradient(block, b, x), gradient(block, b, v));
  push(block, b, s, pressure(block, s.dilatation), h, mu, p);
}

/// N_a and ∂N_a/∂ξ of a trilinear hexahedron at its 2 × 2 × 2 Gauss points ξ = (±1/√3, …), whose weights are 1.
struct HexahedronShape {
  double value[8][8];          ///< N_a: [point][node]
  double derivative[8][8][3];  ///< [point][node][direction]

  constexpr HexahedronShape() : value(), derivative() {
    constexpr int sign[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    constexpr double g = 0.57735026918962576451;  // 1/√3
    for (int q = 0; q < 8; ++q) {
      for (int a = 0; a < 8; ++a) {
        double factor[3] = {};
        for (int c = 0; c < 3; ++c) factor[c] = 1 + sign[a][c] * sign[q][c] * g;
        value[q][a] = 0.125 * factor[0] * factor[1] * factor[2];
        for (int c = 0; c < 3; ++c)
          derivative[q][a][c] = 0.125 * sign[a][c] * factor[(c + 1) % 3] * factor[(c + 2) % 3];
      }
    }
  }
};
inline constexpr HexahedronShape hexahedron_shape{};

template <class T>
RestPoint<T> reference_point(const HexahedronSlopes<T>& reference, int point) {
  const Matrix3<T> j = reference.at(point);
  const Matrix3<T> c{cross(j.b, j.c), cross(j.c, j.a), cross(j.a, j.b)};
  const T volume = dot(j.a, c.a);
  const T inverse = T(1.0) / volume;
  return {inverse * c, volume};
}

/// The points of a block at rest.
struct HexahedronPoints {
  const double* first;
  std::size_t stride;

  Pack number(int point, int i) const {
    return Pack::load(first + static_cast<std::size_t>(point) * stride + i * Pack::lanes);
  }
  Pack volume(int point) const { return number(point, 9); }
  RestPoint<Pack> at(int q) const {
    return {{{number(q, 0), number(q, 1), number(q, 2)},
             {number(q, 3), number(q, 4), number(q, 5)},
             {number(q, 6), number(q, 7), number(q, 8)}},
            volume(q)};
  }
};

/// The points of a block of tetrahedra at rest, one each.
struct TetrahedronPoints {
  const TetrahedronBlock* block;

  Pack volume(int) const { return Pack::load(block->volume); }
  RestPoint<Pack> at(int) const {
    const auto number = [&](int i) { return Pack::load(block->gradient[i]); };
    return {{{number(0), number(1), number(2)}, {number(3), number(4), number(5)}, {number(6), number(7), number(8)}},
            volume(0)};
  }
};

inline HexahedronPoints points_of(const HexahedronBlock& block, const double* points) {
  return {points + block.first, block.stride};
}

/// F = ∂x/∂ξ (∂X/∂ξ)⁻¹ from M = ∂x/∂ξ.
template <class T>
Matrix3<T> deformation(const Matrix3<T>& m, const RestPoint<T>& point) {
  return times_transposed(m, point.cofactor);
}

/// F, or its rate, at all points.
[[gnu::always_inline]] inline void deformations(const HexahedronBlock& block, const HexahedronPoints& points,
                                                const double* y, Matrix3<Pack>* f) {
  Vector3<Pack> node[8];
  for (int a = 0; a < 8; ++a) node[a] = gather(y, block.node[a]);
  const HexahedronSlopes<Pack> slopes = hexahedron_modes::slopes(node);
#pragma GCC unroll 8
  for (int q = 0; q < 8; ++q) f[q] = deformation(slopes.at(q), points.at(q));
}

/// p += forces that are conjugate to the slopes.
[[gnu::always_inline]] inline void push(const HexahedronBlock& block, const HexahedronSlopes<Pack>& force, double* p) {
  Vector3<Pack> node[8];
  hexahedron_modes::gather(force, node);
  for (int a = 0; a < 8; ++a) scatter(node[a], block.node[a], p);
}

/// p −= h ∂/∂x of the energy whose stress at a point is stress_at(its number). That is asked for twice: keeping F alone
/// between is faster than keeping stresses. Answers the sum of `inverted` where the law wants to know.
template <bool looks, class StressAt>
[[gnu::always_inline]] inline Pack push(const HexahedronBlock& block, const HexahedronPoints& points, double h,
                                        const Lame& lame, double* p, StressAt&& stress_at) {
  Pack volume(0.0), dilated(0.0), bad(0.0);
#pragma GCC unroll 8
  for (int q = 0; q < 8; ++q) {
    const Pack v = points.volume(q), dilatation = stress_at(q).dilatation;
    if constexpr (looks) bad += inverted(dilatation);
    volume += v;
    dilated += v * dilatation;
  }
  const Pack pressure = Pack(lame.lambda) * dilated / volume;  // λ θ̄ [eq. solids-4]
  const Pack factor = Pack(-h) * Pack::load(block.weight);
  HexahedronSlopes<Pack> force{};
#pragma GCC unroll 8
  for (int q = 0; q < 8; ++q) {
    const RestPoint<Pack> point = points.at(q);
    const Matrix3<Pack> impulse = (factor * point.volume) * stress(stress_at(q), lame.mu, pressure);
    // P ∂N_a/∂X = P (∂X/∂ξ)⁻ᵀ ∂N_a/∂ξ.
    force.add(q, {impulse * point.cofactor.a, impulse * point.cofactor.b, impulse * point.cofactor.c});
  }
  push(block, force, p);
  return bad;
}

template <class Law>
Pack kick(const HexahedronBlock& block, const double* all_points, const double* x, double h, const Lame& lame,
          double* p) {
  const HexahedronPoints points = points_of(block, all_points);
  Matrix3<Pack> f[8];
  deformations(block, points, x, f);
  return push<Law::fails_inverted>(block, points, h, lame, p, [&](int q) { return Law::stress(f[q]); });
}

template <class Viscosity>
void apply_damping(const HexahedronBlock& block, const double* all_points, const double* x, const double* v, double h,
                   const Lame& lame, double* p) {
  const HexahedronPoints points = points_of(block, all_points);
  Matrix3<Pack> f[8], rate[8];
  deformations(block, points, x, f);
  deformations(block, points, v, rate);
  push<false>(block, points, h, lame, p, [&](int q) { return Viscosity::stress(f[q], rate[q]); });
}

}  // namespace solid_kernel

}  // namespace ictus::mechanics
