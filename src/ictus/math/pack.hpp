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
