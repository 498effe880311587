#pragma once

#include <ictus/math/vector.hpp>
#include <ictus/math/vector3.hpp>

namespace ictus::math {

inline Vec3 to_eigen(const Vector3<double>& a) { return {a.x, a.y, a.z}; }
inline Vector3<double> from_eigen(const Vec3& a) { return {a.x(), a.y(), a.z()}; }

}  // namespace ictus::math
