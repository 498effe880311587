// Notation: a number of twice the digits is x.high + x.low with |x.low| ≤ ½ ulp(x.high).
#include <ictus/geometry/proximity/triangle_intersection.hpp>

#include <cmath>
#include <limits>

namespace ictus::geometry {

using math::Vec3;

namespace {

struct Twice {
  double high, low;
};

Twice renormalised(double high, double low) {
  const double sum = high + low;
  return {sum, low - (sum - high)};
}

/// a − b without error.
Twice difference(double a, double b) {
  const double x = a - b, part = x - a;
  return {x, (a - (x - part)) - (b + part)};
}

Twice operator+(const Twice& x, const Twice& y) {
  const double sum = x.high + y.high, part = sum - x.high;
  return renormalised(sum, (x.high - (sum - part)) + (y.high - part) + x.low + y.low);
}

Twice operator-(const Twice& x) { return {-x.high, -x.low}; }

Twice operator*(const Twice& x, const Twice& y) {
  const double product = x.high * y.high;
  return renormalised(product, std::fma(x.high, y.high, -product) + x.high * y.low + x.low * y.high);
}

int sign(double x) { return (x > 0) - (x < 0); }

int careful_side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  std::array<std::array<Twice, 3>, 3> m;
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    m[0][i] = difference(a[k], d[k]);
    m[1][i] = difference(b[k], d[k]);
    m[2][i] = difference(c[k], d[k]);
  }
  const auto minor = [&](std::size_t j, std::size_t k) { return m[1][j] * m[2][k] + -(m[1][k] * m[2][j]); };
  const Twice det = m[0][0] * minor(1, 2) + m[0][1] * minor(2, 0) + m[0][2] * minor(0, 1);
  return sign(det.high);
}

}  // namespace

int side_of_plane(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = a - d, v = b - d, w = c - d;
  const double det = u.dot(v.cross(w));
  const double size = 6 * u.cwiseAbs().maxCoeff() * v.cwiseAbs().maxCoeff() * w.cwiseAbs().maxCoeff();
  // Six products of three differences, each no larger than size/6: their rounding stays below 16 ε of the size.
  if (std::abs(det) > 16 * std::numeric_limits<double>::epsilon() * size) return sign(det);
  return careful_side(a, b, c, d);
}

bool segment_pierces(const Vec3& p, const Vec3& q, const TriangleCorners& t) {
  const int side_p = side_of_plane(t[0], t[1], t[2], p), side_q = side_of_plane(t[0], t[1], t[2], q);
  if (side_p * side_q >= 0) return false;
  const int turn = side_of_plane(p, q, t[0], t[1]);
  return turn != 0 && turn == side_of_plane(p, q, t[1], t[2]) && turn == side_of_plane(p, q, t[2], t[0]);
}

bool triangles_cross(const TriangleCorners& first, const TriangleCorners& second) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (segment_pierces(first[i], first[(i + 1) % 3], second) || segment_pierces(second[i], second[(i + 1) % 3], first))
      return true;
  }
  return false;
}

}  // namespace ictus::geometry
