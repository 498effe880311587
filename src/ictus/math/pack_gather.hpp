#pragma once

#include <cstdint>
#include <cstring>
#include <ictus/math/pack.hpp>
#include <ictus/math/vector3.hpp>

// Vectors of R³ that lie four doubles apart, brought to and from packs by whole vector loads and a transposition in
// registers, which is quicker than the gather instructions of today's processors.

namespace ictus::math {

using Quad = double __attribute__((vector_size(4 * sizeof(double))));

namespace detail {

inline Quad load_quad(const double* from) {
  Quad quad;
  std::memcpy(&quad, from, sizeof quad);
  return quad;
}

inline void add_quad(Quad quad, double* to) {
  quad += load_quad(to);
  std::memcpy(to, &quad, sizeof quad);
}

/// Lanes k and k + 4 side by side.
inline Pack::Vector load_pair(const double* base, const std::uint16_t* index, int k) {
  return __builtin_shufflevector(load_quad(base + 4 * index[k]), load_quad(base + 4 * index[k + 4]), 0, 1, 2, 3, 4, 5,
                                 6, 7);
}

inline void add_pair(Pack::Vector pair, double* base, const std::uint16_t* index, int k) {
  add_quad(__builtin_shufflevector(pair, pair, 0, 1, 2, 3), base + 4 * index[k]);
  add_quad(__builtin_shufflevector(pair, pair, 4, 5, 6, 7), base + 4 * index[k + 4]);
}

}  // namespace detail

/// Lane k is the vector at base + 4 index[k].
inline Vector3<Pack> gather(const double* base, const std::uint16_t* index) {
  const Pack::Vector r0 = detail::load_pair(base, index, 0), r1 = detail::load_pair(base, index, 1),
                     r2 = detail::load_pair(base, index, 2), r3 = detail::load_pair(base, index, 3);
  const Pack::Vector xz01 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14),
                     xz23 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14),
                     y01 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15),
                     y23 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
  return {Pack(__builtin_shufflevector(xz01, xz23, 0, 1, 8, 9, 4, 5, 12, 13)),
          Pack(__builtin_shufflevector(y01, y23, 0, 1, 8, 9, 4, 5, 12, 13)),
          Pack(__builtin_shufflevector(xz01, xz23, 2, 3, 10, 11, 6, 7, 14, 15))};
}

/// Adds lane k to the vector at base + 4 index[k], one lane after the other: indices may repeat.
inline void scatter_add(const Vector3<Pack>& a, double* base, const std::uint16_t* index) {
  const Pack::Vector zero{};
  const Pack::Vector xy02 = __builtin_shufflevector(a.x.v, a.y.v, 0, 8, 2, 10, 4, 12, 6, 14),
                     xy13 = __builtin_shufflevector(a.x.v, a.y.v, 1, 9, 3, 11, 5, 13, 7, 15),
                     z02 = __builtin_shufflevector(a.z.v, zero, 0, 8, 2, 10, 4, 12, 6, 14),
                     z13 = __builtin_shufflevector(a.z.v, zero, 1, 9, 3, 11, 5, 13, 7, 15);
  detail::add_pair(__builtin_shufflevector(xy02, z02, 0, 1, 8, 9, 4, 5, 12, 13), base, index, 0);
  detail::add_pair(__builtin_shufflevector(xy13, z13, 0, 1, 8, 9, 4, 5, 12, 13), base, index, 1);
  detail::add_pair(__builtin_shufflevector(xy02, z02, 2, 3, 10, 11, 6, 7, 14, 15), base, index, 2);
  detail::add_pair(__builtin_shufflevector(xy13, z13, 2, 3, 10, 11, 6, 7, 14, 15), base, index, 3);
}

/// The same for the first `used` lanes.
inline void scatter_add(const Vector3<Pack>& a, double* base, const std::uint16_t* index, int used) {
  for (int k = 0; k < used; ++k) {
    double* const to = base + 4 * index[k];
    to[0] += a.x[k];
    to[1] += a.y[k];
    to[2] += a.z[k];
  }
}

}  // namespace ictus::math
