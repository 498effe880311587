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

/// Numbers that a block of hexahedra remembers, by points.
inline constexpr std::size_t point_numbers = PlasticPoint<Pack>::numbers * Pack::lanes;
inline constexpr std::size_t block_numbers = 8 * point_numbers;

inline PlasticPoint<Pack> load_point(const double* from) {
  const auto number = [&](int i) { return Pack::load(from + i * Pack::lanes); };
  return {{number(0), number(1), number(2), number(3), number(4), number(5)}, number(6)};
}
inline void store_point(const PlasticPoint<Pack>& point, double* to) {
  const Symmetric3<Pack>& s = point.shape;
  const Pack all[] = {s.xx, s.yy, s.zz, s.xy, s.yz, s.zx, point.alpha};
  for (const Pack& number : all) number.store(to), to += Pack::lanes;
}

/// M, its cofactors and determinant.
struct Edges {
  Matrix3<Pack> m, cofactor;
  Pack determinant;

  explicit Edges(const Matrix3<Pack>& edges)
      : m(edges), cofactor{cross(m.b, m.c), cross(m.c, m.a), cross(m.a, m.b)}, determinant(dot(m.a, cofactor.a)) {}
};

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

/// p += h f, with the history taken to x where it `remembers`. Answers with `failed`.
template <bool remembers, class Hardening>
Pack kick(const HexahedronBlock& block, const HexahedronPoints& points, const double* x, double h, const Lame& lame,
          const Hardening& hardening, std::conditional_t<remembers, double, const double>* history, double* p) {
  Vector3<Pack> node[8];
  for (int a = 0; a < 8; ++a) node[a] = solid_kernel::gather(x, block.node[a]);
  const HexahedronSlopes<Pack> slopes = hexahedron_modes::slopes(node);
  const Volume volume(slopes, points);
  const Pack factor = Pack(-h) * Pack::load(block.weight), pressure = factor * volume.pressure(bulk_modulus(lame));
  HexahedronSlopes<Pack> force{};
  bool good = true;
#pragma GCC unroll 8
  for (int q = 0; q < 8; ++q) {
    Edges edges(slopes.at(q));
    PlasticPoint<Pack> point = load_point(history + static_cast<std::size_t>(q) * point_numbers);
    const auto response =
        respond<remembers>(edges.m, edges.cofactor, edges.determinant, lame.mu, hardening, point, good);
    if constexpr (remembers) store_point(point, history + static_cast<std::size_t>(q) * point_numbers);
    // V τ M⁻ᵀ with M⁻ᵀ = cof M/det M.
    Symmetric3<Pack> t = (factor * Pack(2 * lame.mu) * points.volume(q) * edges.determinant) * response.strain;
    t.xx += pressure, t.yy += pressure, t.zz += pressure;
    force.add(q, {t * edges.cofactor.a, t * edges.cofactor.b, t * edges.cofactor.c});
  }
  solid_kernel::push(block, force, p);
  return failed(volume, good);
}

/// What eight elements hold at x + t v: the potential of the step, energy and the plastic work since the history, and
/// its rate −f·v.
struct Held {
  Pack potential{0.0}, power{0.0};
};

template <class Hardening>
Held measure(const HexahedronBlock& block, const HexahedronPoints& points, const double* x, const double* inverse_mass,
             const double* momentum, double time, const Lame& lame, const Hardening& hardening, const double* history) {
  Vector3<Pack> node[8], rate[8];
  for (int a = 0; a < 8; ++a) {
    rate[a] = scale(solid_kernel::gather(inverse_mass, block.node[a]), solid_kernel::gather(momentum, block.node[a]));
    node[a] = solid_kernel::gather(x, block.node[a]) + Pack(time) * rate[a];
  }
  const HexahedronSlopes<Pack> slopes = hexahedron_modes::slopes(node), rates = hexahedron_modes::slopes(rate);
  const Volume volume(slopes, points);
  const Pack pressure = volume.pressure(bulk_modulus(lame));
  Held held{volume.energy(bulk_modulus(lame)), {}};
  bool good = true;
  for (int q = 0; q < 8; ++q) {
    Edges edges(slopes.at(q));
    PlasticPoint<Pack> point = load_point(history + static_cast<std::size_t>(q) * point_numbers);
    const auto response = respond<false>(edges.m, edges.cofactor, edges.determinant, lame.mu, hardening, point, good);
    const Pack work = hardening.work(response.alpha) - hardening.work(point.alpha);
    held.potential += points.volume(q) * (Pack(lame.mu) * contract(response.strain, response.strain) + work);
    Symmetric3<Pack> t = (Pack(2 * lame.mu) * points.volume(q) * edges.determinant) * response.strain;
    t.xx += pressure, t.yy += pressure, t.zz += pressure;
    const Matrix3<Pack> m = rates.at(q);
    held.power += dot(t * edges.cofactor.a, m.a) + dot(t * edges.cofactor.b, m.b) + dot(t * edges.cofactor.c, m.c);
  }
  const Pack weight = Pack::load(block.weight);
  return {weight * held.potential, weight * held.power};
}

/// Means over eight elements of what pictures show.
struct Shown {
  Pack von_mises, pressure, strain, energy_density;
};

template <class Hardening>
Shown show(const HexahedronBlock& block, const HexahedronPoints& points, const double* x, const Lame& lame,
           const Hardening& hardening, const double* history) {
  Vector3<Pack> node[8];
  for (int a = 0; a < 8; ++a) node[a] = solid_kernel::gather(x, block.node[a]);
  const HexahedronSlopes<Pack> slopes = hexahedron_modes::slopes(node);
  const Volume volume(slopes, points);
  Symmetric3<Pack> strain{};
  Pack alpha(0.0), energy = volume.energy(bulk_modulus(lame));
  bool good = true;
  for (int q = 0; q < 8; ++q) {
    Edges edges(slopes.at(q));
    PlasticPoint<Pack> point = load_point(history + static_cast<std::size_t>(q) * point_numbers);
    const auto response = respond<false>(edges.m, edges.cofactor, edges.determinant, lame.mu, hardening, point, good);
    strain = strain + points.volume(q) * response.strain;
    alpha += points.volume(q) * response.alpha;
    energy += points.volume(q) * Pack(lame.mu) * contract(response.strain, response.strain);
  }
  // σ = τ/J, and its mean ∫σ dv/v = Σ V τ/v.
  return {Pack(std::sqrt(6.0) * lame.mu) * sqrt(contract(strain, strain)) / volume.now,
          -(volume.pressure(bulk_modulus(lame))), alpha / volume.rest, energy / volume.rest};
}

}  // namespace ictus::mechanics::plastic_kernel
