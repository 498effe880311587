#include <ictus/mechanics/generalised/point_mass.hpp>

#include <Eigen/Geometry>

namespace ictus::mechanics {

using math::Vec3;

namespace {

Vec3 to_vector(std::span<const double> x) { return {x[0], x[1], x[2]}; }

void write(const Vec3& from, CoordinateVector& to) {
  for (std::size_t i = 0; i < 3; ++i) to[i] = from[static_cast<Eigen::Index>(i)];
}

}  // namespace

PointMass::PointMass(std::string name, const PointMassProperties& properties, std::size_t first_dof)
    : GeneralisedBody(std::move(name), {first_dof, 3}, properties.obstacles.size()),
      p_(properties),
      formula_{properties.mass, properties.gravity} {}

double PointMass::kinetic_energy(std::span<const double> q, std::span<const double> v) const {
  return formula_.kinetic(q.data(), v.data());
}

void PointMass::inertia(std::span<const double>, std::span<const double> v, Inertia& inertia) const {
  for (std::size_t i = 0; i < 3; ++i) {
    inertia.momentum[i] = p_.mass * v[i];
    inertia.configuration_force[i] = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      inertia.mass(i, j) = i == j ? p_.mass : 0;
      inertia.coupling(i, j) = 0;
    }
  }
}

PotentialEnergy PointMass::potential_energy(std::span<const double> q) const { return {0, formula_.gravity(q.data())}; }

void PointMass::force(std::span<const double>, CoordinateVector& f) const { write(p_.mass * p_.gravity, f); }

void PointMass::damping(std::span<const double>, std::span<const double> v, Damping& damping) const {
  for (std::size_t i = 0; i < 3; ++i) {
    damping.force[i] = -p_.damping * v[i];
    for (std::size_t j = 0; j < 3; ++j) damping.rate(i, j) = i == j ? -p_.damping : 0;
  }
}

void PointMass::gaps(std::span<const double> q, std::span<double> g) const {
  for (std::size_t i = 0; i < g.size(); ++i) {
    const model::Plane& plane = p_.obstacles[i].plane;
    g[i] = plane.normal.dot(to_vector(q) - plane.point);
  }
}

void PointMass::contact(std::size_t i, std::span<const double> q, ContactGeometry& geometry) const {
  const MassObstacle& obstacle = p_.obstacles[i];
  write(obstacle.plane.normal, geometry.normal);
  write(obstacle.tangent1, geometry.tangent1);
  write(obstacle.tangent2, geometry.tangent2);
  geometry.tangents = 2;
  geometry.point = to_vector(q);
  geometry.push = obstacle.plane.normal;
  geometry.metres_per_gap = 1;
}

void PointMass::start(std::span<double> q, std::span<double> v) const {
  for (std::size_t i = 0; i < 3; ++i) {
    q[i] = p_.position[static_cast<Eigen::Index>(i)];
    v[i] = p_.velocity[static_cast<Eigen::Index>(i)];
  }
}

void PointMass::add_momentum_in_space(std::span<const double> q, std::span<const double> p, Momentum& sum) const {
  sum += {to_vector(p), to_vector(q).cross(to_vector(p))};
}

std::span<const std::string_view> PointMass::probe_quantities() const { return point_mass_quantities; }

void PointMass::probe(double, const Motion& motion, std::span<double> values) const {
  for (std::size_t i = 0; i < 3; ++i) {
    values[i] = part(motion.q)[i];
    values[3 + i] = part(motion.v)[i];
  }
}

Picture PointMass::draw(std::span<const double> q, std::span<const double> v) const {
  return draw_point_mass(to_vector(part(q)), to_vector(part(v)));
}

Picture draw_point_mass(const Vec3& x, const Vec3& v) {
  Picture picture;
  picture.points = {x};
  picture.cells = {Picture::Cell::vertex};
  picture.connectivity = {0};
  picture.fields = {{"velocity", 3, false, {v.x(), v.y(), v.z()}}};
  return picture;
}

}  // namespace ictus::mechanics
