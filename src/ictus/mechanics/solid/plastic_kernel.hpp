#pragma once

#include <ictus/mechanics/solid/solid_kernel.hpp>

// Hexahedra that yield, eight at a time [eq. plasticity-6]:
//   Π = Σ_q V_q μ |dev e_q|² + ½ κ V ln²(v/V),   v = Σ_q det M_q,   M = ∂x/∂ξ,
// the shape at each point, the volume of the whole. What is conjugate to M is V τ M⁻ᵀ, so that only the volumes of the
// points at rest are needed of the reference configuration.

namespace ictus::mechanics::plastic_kernel {

using math::Matrix3;
using math::Pack;
using math::Symmetric3;
using math::Vector3;
using solid_kernel::HexahedronPoints;

/// Numbers that a point, and a block of hexahedra, remember under a law.
template <class Law>
inline constexpr std::size_t point_numbers = Law::template Point<Pack>::numbers* Pack::lanes;
template <class Law>
inline constexpr std::size_t block_numbers = 8 * point_numbers<Law>;

template <class Law>
typename Law::template Point<Pack> load_point(const double* from) {
  typename Law::template Point<Pack> point{};
  point.each([&](Pack& number) { number = Pack::load(from), from += Pack::lanes; });
  return point;
}
template <class Point>
void store_point(Point point, double* to) {
  point.each([&](const Pack& number) { number.store(to), to += Pack::lanes; });
}

using Edges = PointEdges<Pack>;

/// The volume of eight elements at rest and now, and the pressure −∂/∂v of ½ κ V ln²(v/V), positive in tension.
struct Volume {
  Pack rest{0.0}, now{0.0}, least{0.0};

  Volume(const HexahedronSlopes<Pack>& slopes, const HexahedronPoints& points) {
#pragma GCC unroll 8
    for (int q = 0; q < 8; ++q) {
      const Matrix3<Pack> m = slopes.at(q);
      const Pack determinant = dot(m.a, cross(m.b, m.c)), volume = points.volume(q);
      now += determinant;
      rest += volume;
      least = q == 0 ? determinant : select(determinant.v < least.v, determinant, least);
    }
  }
  Pack pressure(double bulk) const {
    const Pack ratio = now / rest;
    return Pack(bulk) * math::log(ratio) / ratio;
  }
  Pack energy(double bulk) const {
    const Pack growth = math::log(now / rest);
    return Pack(0.5 * bulk) * rest * growth * growth;
  }
};

inline double bulk_modulus(const Lame& lame) { return lame.lambda + 2.0 / 3 * lame.mu; }

/// One in lanes of elements that are turned inside out somewhere or whose strain no series reaches.
inline Pack failed(const Volume& volume, bool good) {
  return good ? select(volume.least.v > 0.0, Pack(0.0), Pack(1.0)) : Pack(1.0);
}

/// What the points of a block came from: its history, and how long ago that was.
template <class Number>
struct Since {
  Number* history;
  double time;  ///< s
};

/// p += h f, with the history taken to x where it `remembers`. Answers with `failed`.
template <bool remembers, class Law, class Number>
Pack kick(const HexahedronBlock& block, const HexahedronPoints& points, const double* x, double h, const Law& law,
          double bulk, const Since<Number>& since, double* p) {
  Vector3<Pack> node[8];
  for (int a = 0; a < 8; ++a) node[a] = solid_kernel::gather(x, block.node[a]);
  const HexahedronSlopes<Pack> slopes = hexahedron_modes::slopes(node);
  const Volume volume(slopes, points);
  const Pack factor = Pack(-h) * Pack::load(block.weight), pressure = factor * volume.pressure(bulk);
  HexahedronSlopes<Pack> force{};
  bool good = true;
#pragma GCC unroll 8
  for (int q = 0; q < 8; ++q) {
    const Edges edges(slopes.at(q));
    Number* const remembered = since.history + static_cast<std::size_t>(q) * point_numbers<Law>;
    auto point = load_point<Law>(remembered);
    const auto response = law.template respond<remembers>(edges, points.at(q).cofactor, since.time, point, good);
    if constexpr (remembers) store_point(point, remembered);
    // V τ M⁻ᵀ with M⁻ᵀ = cof M/det M.
    Symmetric3<Pack> t =
        (factor * response.modulus * points.volume(q) * response.inverse_determinant) * response.strain;
    t.xx += pressure, t.yy += pressure, t.zz += pressure;
    force.add(q, {t * edges.cofactor.a, t * edges.cofactor.b, t * edges.cofactor.c});
  }
  solid_kernel::push(block, force, p);
  return failed(volume, good);
}

/// What eight elements hold at x + t v, when `since.time` has passed: the potential of the step, energy and the plastic
/// work since the history, and its rate −f·v.
struct Held {
  Pack potential{0.0}, power{0.0};
};

template <class Law>
Held measure(const HexahedronBlock& block, const HexahedronPoints& points, const double* x, const double* inverse_mass,
             const double* momentum, const Law& law, double bulk, const Since<const double>& since) {
  Vector3<Pack> node[8], rate[8];
  for (int a = 0; a < 8; ++a) {
    rate[a] = scale(solid_kernel::gather(inverse_mass, block.node[a]), solid_kernel::gather(momentum, block.node[a]));
    node[a] = solid_kernel::gather(x, block.node[a]) + Pack(since.time) * rate[a];
  }
  const HexahedronSlopes<Pack> slopes = hexahedron_modes::slopes(node), rates = hexahedron_modes::slopes(rate);
  const Volume volume(slopes, points);
  const Pack pressure = volume.pressure(bulk);
  Held held{volume.energy(bulk), {}};
  bool good = true;
  for (int q = 0; q < 8; ++q) {
    const Edges edges(slopes.at(q));
    auto point = load_point<Law>(since.history + static_cast<std::size_t>(q) * point_numbers<Law>);
    const auto response = law.template respond<false>(edges, points.at(q).cofactor, since.time, point, good);
    held.potential += points.volume(q) * (response.stored + response.taken);
    Symmetric3<Pack> t = (response.modulus * points.volume(q) * response.inverse_determinant) * response.strain;
    t.xx += pressure, t.yy += pressure, t.zz += pressure;
    const Matrix3<Pack> m = rates.at(q);
    held.power += dot(t * edges.cofactor.a, m.a) + dot(t * edges.cofactor.b, m.b) + dot(t * edges.cofactor.c, m.c);
  }
  const Pack weight = Pack::load(block.weight);
  return {weight * held.potential, weight * held.power};
}

/// By how much forces on the nodes of each of eight elements can grow with a displacement, at most [eq. plasticity-12]:
/// with the present gradients g_a of the shape functions, G = Σ g_a g_aᵀ = M⁻ᵀ(I/6 + s sᵀ/18)M⁻¹ at a point with signs
/// s,
///   Σ_q V_q (2μ + |τ|)|G|  +  κ V/v² Σ_a |∂v/∂x_a|².
template <class Law>
Pack stiffness_bound(const HexahedronBlock& block, const HexahedronPoints& points, const double* x, const Law& law,
                     double bulk, const double* history) {
  Vector3<Pack> node[8];
  for (int a = 0; a < 8; ++a) node[a] = solid_kernel::gather(x, block.node[a]);
  const HexahedronSlopes<Pack> slopes = hexahedron_modes::slopes(node);
  const Volume volume(slopes, points);
  const Pack pressure = volume.pressure(bulk);
  HexahedronSlopes<Pack> growth{};  // of v
  Pack sum(0.0);
  bool good = true;
  for (int q = 0; q < 8; ++q) {
    const Edges edges(slopes.at(q));
    const Matrix3<Pack>& c = edges.cofactor;
    growth.add(q, c);
    auto point = load_point<Law>(history + static_cast<std::size_t>(q) * point_numbers<Law>);
    const auto response = law.template respond<false>(edges, points.at(q).cofactor, 0, point, good);
    const Pack tension = pressure * edges.determinant / points.volume(q);  // p J of the point
    const Pack stress_sq = response.modulus * response.modulus * contract(response.strain, response.strain) +
                           Pack(3.0) * tension * tension;
    const auto sign = [&](int direction) {
      constexpr int of[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
      return Pack(of[q][direction]);
    };
    const Vector3<Pack> u = sign(0) * c.a + sign(1) * c.b + sign(2) * c.c;
    const Pack w(1.0 / 6), b(1.0 / 18);
    const Symmetric3<Pack> g{w * (c.a.x * c.a.x + c.b.x * c.b.x + c.c.x * c.c.x) + b * u.x * u.x,
                             w * (c.a.y * c.a.y + c.b.y * c.b.y + c.c.y * c.c.y) + b * u.y * u.y,
                             w * (c.a.z * c.a.z + c.b.z * c.b.z + c.c.z * c.c.z) + b * u.z * u.z,
                             w * (c.a.x * c.a.y + c.b.x * c.b.y + c.c.x * c.c.y) + b * u.x * u.y,
                             w * (c.a.y * c.a.z + c.b.y * c.b.z + c.c.y * c.c.z) + b * u.y * u.z,
                             w * (c.a.z * c.a.x + c.b.z * c.b.x + c.c.z * c.c.x) + b * u.z * u.x};
    sum += points.volume(q) * (Pack(2 * law.mu) + sqrt(stress_sq)) * sqrt(contract(g, g)) *
           response.inverse_determinant * response.inverse_determinant;
  }
  hexahedron_modes::gather(growth, node);
  Pack squares(0.0);
  for (const Vector3<Pack>& a : node) squares += norm_sq(a);
  return sum + Pack(bulk) * volume.rest / (volume.now * volume.now) * squares;
}

/// Means over eight elements of what pictures show.
template <class Law>
struct Shown {
  Pack von_mises, pressure, energy_density;
  typename Law::template Point<Pack> point;
};

template <class Law>
Shown<Law> show(const HexahedronBlock& block, const HexahedronPoints& points, const double* x, const Law& law,
                double bulk, const double* history) {
  Vector3<Pack> node[8];
  for (int a = 0; a < 8; ++a) node[a] = solid_kernel::gather(x, block.node[a]);
  const HexahedronSlopes<Pack> slopes = hexahedron_modes::slopes(node);
  const Volume volume(slopes, points);
  Symmetric3<Pack> stress{};
  Pack energy = volume.energy(bulk), mean[Law::template Point<Pack>::numbers];
  for (Pack& number : mean) number = Pack(0.0);
  bool good = true;
  for (int q = 0; q < 8; ++q) {
    const Edges edges(slopes.at(q));
    auto point = load_point<Law>(history + static_cast<std::size_t>(q) * point_numbers<Law>);
    const auto response = law.template respond<false>(edges, points.at(q).cofactor, 0, point, good);
    stress = stress + points.volume(q) * response.modulus * response.strain;
    energy += points.volume(q) * response.stored;
    Pack* sum = mean;
    point.each([&](const Pack& number) { *sum++ += points.volume(q) * number; });
  }
  // σ = τ/J, and its mean ∫σ dv/v = Σ V τ/v.
  Shown<Law> shown{Pack(std::sqrt(1.5)) * sqrt(contract(stress, stress)) / volume.now,
                   -(volume.pressure(bulk)),
                   energy / volume.rest,
                   {}};
  const Pack* sum = mean;
  shown.point.each([&](Pack& number) { number = *sum++ / volume.rest; });
  return shown;
}

}  // namespace ictus::mechanics::plastic_kernel
