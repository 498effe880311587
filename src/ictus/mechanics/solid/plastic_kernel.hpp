#pragma once

#include <ictus/mechanics/solid/element_kinds.hpp>

// Elements that yield, eight at a time [eq. plasticity-6]:
//   Π = Σ_q V_q μ |dev e_q|² + ½ κ V ln²(v/V),   v = Σ_q s det M_q,   M = ∂x/∂ξ,
// the shape at each point, the volume of the whole element, or that of what lies around a node. What is conjugate to M
// is V τ M⁻ᵀ, so that only the volumes of the points at rest are needed of the reference configuration.

namespace ictus::mechanics::plastic_kernel {

using math::Matrix3;
using math::Pack;
using math::Symmetric3;
using math::Vector3;

/// Numbers that a point, and a block of elements, remember under a law.
template <class Law>
inline constexpr std::size_t point_numbers = Law::template Point<Pack>::numbers* Pack::lanes;
template <class Kind, class Law>
inline constexpr std::size_t block_numbers = Kind::points* point_numbers<Law>;

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

/// The volume of eight elements at rest and now.
struct Volume {
  Pack rest{0.0}, now{0.0}, least{0.0};

  template <class Kind, class Points>
  static Volume of(const typename Kind::Slopes& slopes, const Points& points) {
    Volume volume;
#pragma GCC unroll 8
    for (int q = 0; q < Kind::points; ++q) {
      const Matrix3<Pack> m = slopes.at(q);
      const Pack determinant = dot(m.a, cross(m.b, m.c));
      volume.now += Pack(Kind::share) * determinant;
      volume.rest += points.volume(q);
      volume.least = q == 0 ? determinant : select(determinant.v < volume.least.v, determinant, volume.least);
    }
    return volume;
  }
};

/// ½ κ ln²(J) of a growth J of the volume, and its slope, the pressure, positive in tension.
inline Pack pressure(double bulk, const Pack& growth) { return Pack(bulk) * math::log(growth) / growth; }
inline Pack volume_energy(double bulk, const Pack& growth) {
  const Pack strain = math::log(growth);
  return Pack(0.5 * bulk) * strain * strain;
}

/// Elements that keep their own volume.
struct OwnVolume {
  double bulk;

  template <class Block>
  Pack pressure(const Block&, const Volume& volume) const {
    return plastic_kernel::pressure(bulk, volume.now / volume.rest);
  }
  template <class Block>
  Pack energy(const Block&, const Volume& volume) const {
    return volume.rest * volume_energy(bulk, volume.now / volume.rest);
  }
  /// By how much the resistance to a change of volume, κ v of one that is unstrained, is more.
  template <class Block>
  Pack stiffening(const Block&, const Volume& volume) const {
    return volume.rest / volume.now;
  }
};

/// Tetrahedra, whose nodes keep the volume around them: what these have, by node; null where nothing resists.
struct NodalVolume {
  const double *pressures, *energies, *stiffenings;  ///< the last two only where they are asked for

  Pack pressure(const TetrahedronBlock& block, const Volume&) const { return mean(pressures, block); }
  Pack energy(const TetrahedronBlock& block, const Volume& volume) const { return volume.rest * mean(energies, block); }
  Pack stiffening(const TetrahedronBlock& block, const Volume&) const { return mean(stiffenings, block); }

 private:
  static Pack mean(const double* at, const TetrahedronBlock& block) {
    return at ? solid_kernel::NodalPressure{at}(block, Pack()) : Pack(0.0);
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

/// The nodes of eight elements at x + t w p.
struct Place {
  const double* x;
  const double* inverse_mass = nullptr;
  const double* momentum = nullptr;
  double time = 0;

  [[gnu::always_inline]] Vector3<Pack> rate(const int* node) const {
    return scale(solid_kernel::gather(inverse_mass, node), solid_kernel::gather(momentum, node));
  }
  [[gnu::always_inline]] Vector3<Pack> position(const int* node) const {
    const Vector3<Pack> at = solid_kernel::gather(x, node);
    return momentum ? at + Pack(time) * rate(node) : at;
  }
};

/// Which of eight elements there are: one, or zero in lanes that repeat an element or whose element was removed. Where
/// some were, lanes without an element are evaluated at rest.
struct Presence {
  Pack weight;
  const double* reference = nullptr;
};

template <class Kind>
[[gnu::always_inline]] inline typename Kind::Slopes slopes_of(const typename Kind::Block& block, const Place& place,
                                                              const Presence& presence) {
  Vector3<Pack> node[Kind::nodes];
  for (int a = 0; a < Kind::nodes; ++a) {
    node[a] = place.position(block.node[a]);
    if (!presence.reference) continue;
    const Vector3<Pack> rest = solid_kernel::gather(presence.reference, block.node[a]);
    const Pack::Mask there = presence.weight.v > 0.0;
    node[a] = {select(there, node[a].x, rest.x), select(there, node[a].y, rest.y), select(there, node[a].z, rest.z)};
  }
  return Kind::slopes(node);
}

/// p += h f, with the history taken to x where it `remembers`. Answers with `failed`.
template <class Kind, bool remembers, class Law, class Points, class VolumePart, class Number>
Pack kick(const typename Kind::Block& block, const Points& points, const double* x, double h, const Law& law,
          const VolumePart& volume_part, const Since<Number>& since, const Presence& presence, double* p) {
  const typename Kind::Slopes slopes = slopes_of<Kind>(block, {x}, presence);
  const Volume volume = Volume::of<Kind>(slopes, points);
  const Pack factor = Pack(-h) * presence.weight;
  const Pack pressure = factor * Pack(Kind::share) * volume_part.pressure(block, volume);
  typename Kind::Slopes force{};
  bool good = true;
#pragma GCC unroll 8
  for (int q = 0; q < Kind::points; ++q) {
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
  Vector3<Pack> node[Kind::nodes];
  Kind::gather(force, node);
  for (int a = 0; a < Kind::nodes; ++a) solid_kernel::scatter(node[a], block.node[a], p);
  return failed(volume, good);
}

/// What eight elements hold at a place, when `since.time` has passed: the potential of the step, energy and the plastic
/// work since the history, and its rate −f·v.
struct Held {
  Pack potential{0.0}, power{0.0};
};

template <class Kind, class Law, class Points, class VolumePart>
Held measure(const typename Kind::Block& block, const Points& points, const Place& place, const Law& law,
             const VolumePart& volume_part, const Since<const double>& since, const Presence& presence) {
  Vector3<Pack> rate[Kind::nodes];
  for (int a = 0; a < Kind::nodes; ++a) rate[a] = place.rate(block.node[a]);
  const typename Kind::Slopes slopes = slopes_of<Kind>(block, place, presence), rates = Kind::slopes(rate);
  const Volume volume = Volume::of<Kind>(slopes, points);
  const Pack pressure = Pack(Kind::share) * volume_part.pressure(block, volume);
  Held held{volume_part.energy(block, volume), {}};
  bool good = true;
  for (int q = 0; q < Kind::points; ++q) {
    const Edges edges(slopes.at(q));
    auto point = load_point<Law>(since.history + static_cast<std::size_t>(q) * point_numbers<Law>);
    const auto response = law.template respond<false>(edges, points.at(q).cofactor, since.time, point, good);
    held.potential += points.volume(q) * (response.stored + response.taken);
    Symmetric3<Pack> t = (response.modulus * points.volume(q) * response.inverse_determinant) * response.strain;
    t.xx += pressure, t.yy += pressure, t.zz += pressure;
    const Matrix3<Pack> m = rates.at(q);
    held.power += dot(t * edges.cofactor.a, m.a) + dot(t * edges.cofactor.b, m.b) + dot(t * edges.cofactor.c, m.c);
  }
  return {presence.weight * held.potential, presence.weight * held.power};
}

/// By how much forces on the nodes of each of eight elements can grow with a displacement, at most [eq. plasticity-12]:
/// of the element as a whole, with the present gradients g_a of the shape functions and G = Σ g_a g_aᵀ,
///   Σ_q V_q (2μ + |τ|)|G|  +  κ V/v² Σ_a |∂v/∂x_a|²,
/// and at each node, the sum of the sizes of its 3 × 3 blocks [eq. plasticity-15]; returned and written to `at_node`.
template <class Kind, class Law, class Points, class VolumePart>
Pack stiffness_bound(const typename Kind::Block& block, const Points& points, const double* x, const Law& law,
                     double bulk, const VolumePart& volume_part, const double* history, const Presence& presence,
                     Pack* at_node) {
  const typename Kind::Slopes slopes = slopes_of<Kind>(block, {x}, presence);
  const Volume volume = Volume::of<Kind>(slopes, points);
  const Pack pressure = volume_part.pressure(block, volume);
  Vector3<Pack> growth[Kind::nodes] = {};  // ∂v/∂x_a
  Pack sum(0.0);
  for (int a = 0; a < Kind::nodes; ++a) at_node[a] = Pack(0.0);
  bool good = true;
  for (int q = 0; q < Kind::points; ++q) {
    const Edges edges(slopes.at(q));
    auto point = load_point<Law>(history + static_cast<std::size_t>(q) * point_numbers<Law>);
    const auto response = law.template respond<false>(edges, points.at(q).cofactor, 0, point, good);
    const Pack tension = pressure * Pack(Kind::share) * edges.determinant / points.volume(q);  // p J of the point
    const Pack stress = sqrt(response.modulus * response.modulus * contract(response.strain, response.strain) +
                             Pack(3.0) * tension * tension);
    Symmetric3<Pack> g{};
    Pack size[Kind::nodes], sizes(0.0);
    for (int a = 0; a < Kind::nodes; ++a) {
      const double* d = Kind::derivative(q, a);
      const Vector3<Pack> moment = edges.cofactor * Vector3<Pack>{Pack(d[0]), Pack(d[1]), Pack(d[2])};
      growth[a] += Pack(Kind::share) * moment;
      const Vector3<Pack> slope = response.inverse_determinant * moment;
      g = g + Symmetric3<Pack>{slope.x * slope.x, slope.y * slope.y, slope.z * slope.z,
                               slope.x * slope.y, slope.y * slope.z, slope.z * slope.x};
      sizes += size[a] = sqrt(norm_sq(slope));
    }
    sum += points.volume(q) * (Pack(2 * law.mu) + stress) * sqrt(contract(g, g));
    for (int a = 0; a < Kind::nodes; ++a)
      at_node[a] += points.volume(q) * (Pack(4.0 / 3 * law.mu) + stress) * size[a] * sizes;
  }
  const Pack resistance = Pack(bulk) * volume_part.stiffening(block, volume) / volume.now;
  Pack squares(0.0), size[Kind::nodes], sizes(0.0);
  for (int a = 0; a < Kind::nodes; ++a) {
    squares += norm_sq(growth[a]);
    sizes += size[a] = sqrt(norm_sq(growth[a]));
  }
  for (int a = 0; a < Kind::nodes; ++a) at_node[a] = presence.weight * (at_node[a] + resistance * size[a] * sizes);
  return presence.weight * (sum + resistance * squares);
}

/// The mean stress over von Mises' stress at the points of eight elements, positive in tension, of what they remember.
template <class Kind, class Law, class Points, class VolumePart>
void triaxialities(const typename Kind::Block& block, const Points& points, const double* x, const Law& law,
                   const VolumePart& volume_part, const double* history, const Presence& presence, Pack* at) {
  const typename Kind::Slopes slopes = slopes_of<Kind>(block, {x}, presence);
  const Volume volume = Volume::of<Kind>(slopes, points);
  const Pack pressure = volume_part.pressure(block, volume);
  bool good = true;
  for (int q = 0; q < Kind::points; ++q) {
    const Edges edges(slopes.at(q));
    auto point = load_point<Law>(history + static_cast<std::size_t>(q) * point_numbers<Law>);
    const auto response = law.template respond<false>(edges, points.at(q).cofactor, 0, point, good);
    const Pack equivalent = Pack(std::sqrt(1.5)) * response.modulus * sqrt(contract(response.strain, response.strain));
    const Pack growth = Pack(Kind::share) * edges.determinant / points.volume(q);
    at[q] = pressure * growth / (equivalent + Pack(1e-9 * law.mu));
  }
}

/// Means over eight elements of what pictures show.
template <class Law>
struct Shown {
  Symmetric3<Pack> deviator;
  Pack pressure, energy_density;
  typename Law::template Point<Pack> point;
};

template <class Kind, class Law, class Points, class VolumePart>
Shown<Law> show(const typename Kind::Block& block, const Points& points, const double* x, const Law& law,
                const VolumePart& volume_part, const double* history, const Presence& presence) {
  const typename Kind::Slopes slopes = slopes_of<Kind>(block, {x}, presence);
  const Volume volume = Volume::of<Kind>(slopes, points);
  Symmetric3<Pack> stress{};
  Pack energy = volume_part.energy(block, volume), mean[Law::template Point<Pack>::numbers];
  for (Pack& number : mean) number = Pack(0.0);
  bool good = true;
  for (int q = 0; q < Kind::points; ++q) {
    const Edges edges(slopes.at(q));
    auto point = load_point<Law>(history + static_cast<std::size_t>(q) * point_numbers<Law>);
    const auto response = law.template respond<false>(edges, points.at(q).cofactor, 0, point, good);
    stress = stress + points.volume(q) * response.modulus * response.strain;
    energy += points.volume(q) * response.stored;
    Pack* sum = mean;
    point.each([&](const Pack& number) { *sum++ += points.volume(q) * number; });
  }
  // σ = τ/J, and its mean ∫σ dv/v = Σ V τ/v.
  Shown<Law> shown{(Pack(1.0) / volume.now) * stress, -volume_part.pressure(block, volume), energy / volume.rest, {}};
  const Pack* sum = mean;
  shown.point.each([&](Pack& number) { number = *sum++ / volume.rest; });
  return shown;
}

}  // namespace ictus::mechanics::plastic_kernel
