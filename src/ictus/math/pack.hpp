#pragma once

#include <cmath>
#include <cstring>

namespace ictus::math {

/// Eight doubles worked on together, one lane for each node or element of a block. The compiler maps them to whatever
/// vector registers the machine has. Lanes never see one another: a lane's result depends on its own data alone, so the
/// bits do not depend on how a range is cut into blocks.
struct Pack {
  static constexpr int lanes = 8;
  using Vector = double __attribute__((vector_size(lanes * sizeof(double))));
  using Mask = long __attribute__((vector_size(lanes * sizeof(long))));

  Vector v{};

  Pack() = default;
  Pack(Vector vector) : v(vector) {}
  Pack(double s) : v(s - Vector{}) {}

  /// Eight consecutive doubles; no alignment needed.
  static Pack load(const double* from) {
    Pack p;
    std::memcpy(&p.v, from, sizeof(Vector));
    return p;
  }
  void store(double* to) const { std::memcpy(to, &v, sizeof(Vector)); }

  double operator[](int lane) const { return v[lane]; }

  friend Pack operator+(Pack a, Pack b) { return a.v + b.v; }
  friend Pack operator-(Pack a, Pack b) { return a.v - b.v; }
  friend Pack operator*(Pack a, Pack b) { return a.v * b.v; }
  friend Pack operator/(Pack a, Pack b) { return a.v / b.v; }
  friend Pack operator-(Pack a) { return -a.v; }
  Pack& operator+=(Pack b) { return *this = *this + b; }
  Pack& operator-=(Pack b) { return *this = *this - b; }
  Pack& operator*=(Pack b) { return *this = *this * b; }
};

/// Lane by lane: mask ? a : b.
inline Pack select(Pack::Mask mask, Pack a, Pack b) { return mask ? a.v : b.v; }

inline Pack sqrt(Pack a) {
  Pack root;
  for (int lane = 0; lane < Pack::lanes; ++lane) root.v[lane] = std::sqrt(a.v[lane]);
  return root;
}

/// The larger of the two, and b where either is NaN.
inline Pack max(Pack a, Pack b) { return a.v > b.v ? a.v : b.v; }

/// Lane by lane a > b, and whether it is so in some lane; the same of single numbers, for what is written over both.
inline Pack::Mask is_greater(Pack a, Pack b) { return a.v > b.v; }
inline bool is_any(Pack::Mask mask) {
  const Pack::Mask four = mask | __builtin_shufflevector(mask, mask, 4, 5, 6, 7, 0, 1, 2, 3);
  const Pack::Mask two = four | __builtin_shufflevector(four, four, 2, 3, 0, 1, 6, 7, 4, 5);
  return (two[0] | two[1]) != 0;
}
inline bool is_greater(double a, double b) { return a > b; }
inline bool is_any(bool value) { return value; }
inline double select(bool mask, double a, double b) { return mask ? a : b; }
inline double sqrt(double a) { return std::sqrt(a); }

/// The largest lane; not a number where one is not.
inline double largest_lane(Pack a) {
  const auto larger = [](Pack p, Pack q) { return Pack((p.v > q.v || p.v != p.v) ? p.v : q.v); };
  const Pack four = larger(a, __builtin_shufflevector(a.v, a.v, 4, 5, 6, 7, 0, 1, 2, 3));
  const Pack two = larger(four, __builtin_shufflevector(four.v, four.v, 2, 3, 0, 1, 6, 7, 4, 5));
  const Pack one = larger(two, __builtin_shufflevector(two.v, two.v, 1, 0, 3, 2, 5, 4, 7, 6));
  return one[0];
}
inline double largest_lane(double a) { return a; }

/// The sum of the lanes, always added in the same order.
inline double sum(Pack a) { return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7])); }

/// The lanes of (left, right) moved by one: lane 0 is the last lane of left.
inline Pack shift_in(Pack left, Pack right) {
  return __builtin_shufflevector(left.v, right.v, 7, 8, 9, 10, 11, 12, 13, 14);
}

/// The lanes of (left, right) moved by one the other way: the last lane is lane 0 of right.
inline Pack shift_out(Pack left, Pack right) {
  return __builtin_shufflevector(left.v, right.v, 1, 2, 3, 4, 5, 6, 7, 8);
}

}  // namespace ictus::math
