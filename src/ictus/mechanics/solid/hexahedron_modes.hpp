#pragma once

#include <ictus/math/vector3.hpp>

// Trilinear hexahedra by sums and differences. A field y_a at the nodes is Σ s_m(a) c_m over the products s_m of the
// signs of the nodes (1, ξ, η, ζ, ξη, ηζ, ξζ, ξηζ), and its derivative along ξ,
//   c_ξ + η c_ξη + ζ c_ξζ + ηζ c_ξηζ,
// is the same at both Gauss points of equal η and ζ: twelve derivatives instead of twenty-four, made by additions
// [eq. solids-9].

namespace ictus::mechanics {

/// Derivatives at the points (±1/√3, ±1/√3, ±1/√3), along[direction][k]: k the signs of the two other directions in
/// cyclic order, the first of them in bit 0. Point q of HexahedronShape has the signs of node q.
template <class T>
struct HexahedronSlopes {
  math::Vector3<T> along[3][4];

  /// Which slope of a direction a point has.
  static constexpr int slot(int direction, int point) {
    constexpr int sign[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    return sign[point][(direction + 1) % 3] + 2 * sign[point][(direction + 2) % 3];
  }
  math::Matrix3<T> at(int point) const {
    return {along[0][slot(0, point)], along[1][slot(1, point)], along[2][slot(2, point)]};
  }
  void add(int point, const math::Matrix3<T>& m) {
    along[0][slot(0, point)] += m.a;
    along[1][slot(1, point)] += m.b;
    along[2][slot(2, point)] += m.c;
  }
};

namespace hexahedron_modes {

inline constexpr double gauss = 0.57735026918962576451;  // 1/√3

/// From the nodes to the slopes. The eight modes are made in place.
template <class T>
[[gnu::always_inline]] inline HexahedronSlopes<T> slopes(const math::Vector3<T>* node) {
  using V = math::Vector3<T>;
  // Along ξ: sums and differences of the edges 01, 32, 45, 76.
  const V s0 = node[0] + node[1], d0 = node[1] - node[0], s1 = node[3] + node[2], d1 = node[2] - node[3];
  const V s2 = node[4] + node[5], d2 = node[5] - node[4], s3 = node[7] + node[6], d3 = node[6] - node[7];
  // Along η, then ζ.
  const V ss0 = s0 + s1, sd0 = s1 - s0, ss1 = s2 + s3, sd1 = s3 - s2;
  const V ds0 = d0 + d1, dd0 = d1 - d0, ds1 = d2 + d3, dd1 = d3 - d2;
  const T e(0.125), g(0.125 * gauss), gg(0.125 / 3);
  const V z = e * (ss1 - ss0), y = e * (sd0 + sd1), x = e * (ds0 + ds1);
  const V yz = g * (sd1 - sd0), xz = g * (ds1 - ds0), xy = g * (dd0 + dd1);
  const V xyz = gg * (dd1 - dd0);
  HexahedronSlopes<T> f;
  const auto spread = [](const V& mean, const V& first, const V& second, const V& both, V* to) {
    const V low = mean - second, high = mean + second, fall = first - both, rise = first + both;
    to[0] = low - fall;
    to[1] = low + fall;
    to[2] = high - rise;
    to[3] = high + rise;
  };
  spread(x, xy, xz, xyz, f.along[0]);
  spread(y, yz, xy, xyz, f.along[1]);
  spread(z, xz, yz, xyz, f.along[2]);
  return f;
}

/// The transpose: forces that are conjugate to the slopes, to forces at the nodes.
template <class T>
[[gnu::always_inline]] inline void gather(const HexahedronSlopes<T>& force, math::Vector3<T>* node) {
  using V = math::Vector3<T>;
  const T e(0.125), g(0.125 * gauss), gg(0.125 / 3);
  const auto collect = [](const V* from, V& mean, V& first, V& second, V& both) {
    const V low = from[0] + from[1], high = from[2] + from[3], fall = from[1] - from[0], rise = from[3] - from[2];
    mean = low + high;
    second = high - low;
    first = fall + rise;
    both = rise - fall;
  };
  V x, y, z, xy, xz, yz, xyz, first, second, both;
  collect(force.along[0], x, xy, xz, xyz);
  collect(force.along[1], y, yz, second, both);
  xy += second, xyz += both;
  collect(force.along[2], z, first, second, both);
  xz += first, yz += second, xyz += both;
  x = e * x, y = e * y, z = e * z, xy = g * xy, yz = g * yz, xz = g * xz, xyz = gg * xyz;
  const V ss0 = -z, ss1 = z, sd0 = y - yz, sd1 = y + yz, ds0 = x - xz, ds1 = x + xz, dd0 = xy - xyz, dd1 = xy + xyz;
  const V s0 = ss0 - sd0, s1 = ss0 + sd0, s2 = ss1 - sd1, s3 = ss1 + sd1;
  const V d0 = ds0 - dd0, d1 = ds0 + dd0, d2 = ds1 - dd1, d3 = ds1 + dd1;
  node[0] = s0 - d0, node[1] = s0 + d0, node[3] = s1 - d1, node[2] = s1 + d1;
  node[4] = s2 - d2, node[5] = s2 + d2, node[7] = s3 - d3, node[6] = s3 + d3;
}

}  // namespace hexahedron_modes

}  // namespace ictus::mechanics
