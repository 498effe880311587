#include <ictus/convert/mechanism.hpp>

#include <cmath>
#include <numbers>

namespace ictus::convert {

namespace {

/// m (|d|² 1 − d dᵀ).
Eigen::Matrix3d point_inertia(double mass, const Vec3& d) {
  return mass * (d.squaredNorm() * Eigen::Matrix3d::Identity() - d * d.transpose());
}

}  // namespace

Inertia Inertia::seen_from(const Pose& pose) const {
  const Eigen::Matrix3d turn = pose.turn.toRotationMatrix();
  return {mass, pose * centre, turn * tensor * turn.transpose()};
}

Inertia operator+(const Inertia& a, const Inertia& b) {
  const double mass = a.mass + b.mass;
  if (!(mass > 0)) return a;
  const Vec3 centre = (a.mass * a.centre + b.mass * b.centre) / mass;
  return {mass, centre,
          a.tensor + b.tensor + point_inertia(a.mass, a.centre - centre) + point_inertia(b.mass, b.centre - centre)};
}

std::optional<Inertia> inertia_of(const Shape& shape) {
  const double r = shape.radius, l = shape.length, pi = std::numbers::pi;
  double volume = 0;
  Vec3 moments = Vec3::Zero();  // over the mass
  switch (shape.type) {
    case ShapeType::sphere:
      volume = 4 * pi / 3 * r * r * r;
      moments.setConstant(0.4 * r * r);
      break;
    case ShapeType::box: {
      const Vec3 sq = shape.size.cwiseAbs2();
      volume = shape.size.prod();
      moments = Vec3(sq.y() + sq.z(), sq.x() + sq.z(), sq.x() + sq.y()) / 12;
      break;
    }
    case ShapeType::cylinder:
      volume = pi * r * r * l;
      moments = {(3 * r * r + l * l) / 12, (3 * r * r + l * l) / 12, 0.5 * r * r};
      break;
    case ShapeType::capsule: {
      const double tube = pi * r * r * l, caps = 4 * pi / 3 * r * r * r;
      volume = tube + caps;
      const double along = (tube * 0.5 * r * r + caps * 0.4 * r * r) / volume;
      const double across =
          (tube * (3 * r * r + l * l) / 12 + caps * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r)) / volume;
      moments = {across, across, along};
      break;
    }
    case ShapeType::mesh:
      return std::nullopt;
  }
  const double mass = shape.mass.value_or(shape.density * volume);
  return Inertia{mass, Vec3::Zero(), Eigen::Matrix3d((mass * moments).asDiagonal())}.seen_from(shape.pose);
}

}  // namespace ictus::convert
