#pragma once

// The functions of Loop's scheme over one triangle. θ¹, θ² run along the edges from corner 0 to corners 1 and 2;
// u = 1 − θ¹ − θ², v = θ¹, w = θ².

#include <array>

namespace ictus::geometry {

/// A function of θ with its derivatives; exact under sums and products.
struct Jet {
  double value = 0, d1 = 0, d2 = 0, d11 = 0, d22 = 0, d12 = 0;

  friend constexpr Jet operator+(const Jet& a, const Jet& b) {
    return {a.value + b.value, a.d1 + b.d1, a.d2 + b.d2, a.d11 + b.d11, a.d22 + b.d22, a.d12 + b.d12};
  }
  friend constexpr Jet operator*(double s, const Jet& a) {
    return {s * a.value, s * a.d1, s * a.d2, s * a.d11, s * a.d22, s * a.d12};
  }
  friend constexpr Jet operator*(const Jet& a, const Jet& b) {
    return {a.value * b.value,
            a.d1 * b.value + a.value * b.d1,
            a.d2 * b.value + a.value * b.d2,
            a.d11 * b.value + 2 * a.d1 * b.d1 + a.value * b.d11,
            a.d22 * b.value + 2 * a.d2 * b.d2 + a.value * b.d22,
            a.d12 * b.value + a.d1 * b.d2 + a.d2 * b.d1 + a.value * b.d12};
  }
};

namespace loop {

/// Of the vertex next to corner u whose other neighbour in the patch lies across the edge uv.
constexpr Jet tip(const Jet& u, const Jet& v) { return 1.0 / 12 * (u * u * u * (u + 2 * v)); }
/// Of the vertex across the edge uv.
constexpr Jet across(const Jet& u, const Jet& v, const Jet& w) {
  const Jet uu = u * u, vv = v * v, uv = u * v;
  return 1.0 / 12 *
         (uu * uu + vv * vv + 6 * (uv * (uu + vv)) + 12 * (uv * uv) + 2 * ((uu * u + vv * v) * w) +
          6 * (uv * w * (u + v)));
}
/// Of the corner u.
constexpr Jet corner(const Jet& u, const Jet& v, const Jet& w) {
  const Jet uu = u * u, vv = v * v, ww = w * w, vw = v * w, uuu = uu * u, vvv = vv * v, www = ww * w;
  return 1.0 / 12 *
         (6 * (uu * uu) + 24 * (uuu * (v + w)) + 24 * (uu * (vv + ww)) + 60 * (uu * vw) + 8 * (u * (vvv + www)) +
          36 * (u * vw * (v + w)) + vv * vv + ww * ww + 6 * (vw * (vv + ww)) + 12 * (vw * vw));
}

/// The twelve functions of a regular patch at θ [eq. shells-1], in the order: the corners 0, 1, 2; across the edges
/// 01, 12, 20; at corner 0 beside the vertices across 01 and 20; at corner 1 beside those across 12 and 01; at
/// corner 2 beside those across 20 and 12.
constexpr std::array<Jet, 12> regular_patch(double theta1, double theta2) {
  const Jet u{1 - theta1 - theta2, -1, -1, 0, 0, 0}, v{theta1, 1, 0, 0, 0, 0}, w{theta2, 0, 1, 0, 0, 0};
  return {corner(u, v, w), corner(v, w, u), corner(w, u, v), across(u, v, w), across(v, w, u), across(w, u, v),
          tip(u, v),       tip(u, w),       tip(v, w),       tip(v, u),       tip(w, u),       tip(w, v)};
}

inline constexpr std::array<Jet, 12> at_barycentre = regular_patch(1.0 / 3, 1.0 / 3);

}  // namespace loop

}  // namespace ictus::geometry
