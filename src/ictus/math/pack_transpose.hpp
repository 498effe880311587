#pragma once

#include <array>
#include <ictus/math/pack.hpp>
#include <ictus/math/vector3.hpp>

// Eight records of doubles that lie row by row in memory, as packs: one pack for each column. Shuffles of whole rows
// are faster than gathering column by column.

namespace ictus::math {

/// Eight rows of eight doubles; after transpose() rows[k] holds column k.
using Rows8 = std::array<Pack, Pack::lanes>;

[[gnu::always_inline]] inline void transpose(Rows8& r) {
  const auto low = [](Pack a, Pack b) -> Pack { return __builtin_shufflevector(a.v, b.v, 0, 8, 2, 10, 4, 12, 6, 14); };
  const auto high = [](Pack a, Pack b) -> Pack { return __builtin_shufflevector(a.v, b.v, 1, 9, 3, 11, 5, 13, 7, 15); };
  const auto even_pairs = [](Pack a, Pack b) -> Pack {
    return __builtin_shufflevector(a.v, b.v, 0, 1, 8, 9, 4, 5, 12, 13);
  };
  const auto odd_pairs = [](Pack a, Pack b) -> Pack {
    return __builtin_shufflevector(a.v, b.v, 2, 3, 10, 11, 6, 7, 14, 15);
  };
  const auto first_halves = [](Pack a, Pack b) -> Pack {
    return __builtin_shufflevector(a.v, b.v, 0, 1, 2, 3, 8, 9, 10, 11);
  };
  const auto second_halves = [](Pack a, Pack b) -> Pack {
    return __builtin_shufflevector(a.v, b.v, 4, 5, 6, 7, 12, 13, 14, 15);
  };
  const Rows8 t{low(r[0], r[1]), high(r[0], r[1]), low(r[2], r[3]), high(r[2], r[3]),
                low(r[4], r[5]), high(r[4], r[5]), low(r[6], r[7]), high(r[6], r[7])};
  const Rows8 u{even_pairs(t[0], t[2]), even_pairs(t[1], t[3]), odd_pairs(t[0], t[2]), odd_pairs(t[1], t[3]),
                even_pairs(t[4], t[6]), even_pairs(t[5], t[7]), odd_pairs(t[4], t[6]), odd_pairs(t[5], t[7])};
  for (std::size_t k = 0; k < 4; ++k) {
    r[k] = first_halves(u[k], u[k + 4]);
    r[k + 4] = second_halves(u[k], u[k + 4]);
  }
}

/// Eight triples (x, y, z) that lie one after the other.
inline Vector3<Pack> load_triples(const double* from) {
  const auto a = Pack::load(from).v, b = Pack::load(from + 8).v, c = Pack::load(from + 16).v;
  const auto x = __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, 0, 0);
  const auto y = __builtin_shufflevector(a, b, 1, 4, 7, 10, 13, 0, 0, 0);
  const auto z = __builtin_shufflevector(a, b, 2, 5, 8, 11, 14, 0, 0, 0);
  return {__builtin_shufflevector(x, c, 0, 1, 2, 3, 4, 5, 10, 13),
          __builtin_shufflevector(y, c, 0, 1, 2, 3, 4, 8, 11, 14),
          __builtin_shufflevector(z, c, 0, 1, 2, 3, 4, 9, 12, 15)};
}

inline void store_triples(const Vector3<Pack>& p, double* to) {
  const auto x = p.x.v, y = p.y.v, z = p.z.v;
  const auto a = __builtin_shufflevector(x, y, 0, 8, 0, 1, 9, 0, 2, 10);
  const auto b = __builtin_shufflevector(x, y, 0, 3, 11, 0, 4, 12, 0, 5);
  const auto c = __builtin_shufflevector(x, y, 13, 0, 6, 14, 0, 7, 15, 0);
  Pack(__builtin_shufflevector(a, z, 0, 1, 8, 3, 4, 9, 6, 7)).store(to);
  Pack(__builtin_shufflevector(b, z, 10, 1, 2, 11, 4, 5, 12, 7)).store(to + 8);
  Pack(__builtin_shufflevector(c, z, 0, 13, 2, 3, 14, 5, 6, 15)).store(to + 16);
}

}  // namespace ictus::math
