#include <ictus/mechanics/generalised/particle.hpp>

#include <Eigen/Geometry>
#include <ictus/mechanics/body/mesh_surface.hpp>

namespace ictus::mechanics {

using math::Vec3;

Particle::Particle(std::string name, const PointMassProperties& properties, std::size_t first_dof)
    : NodalBody(std::move(name)),
      p_(properties),
      first_(first_dof),
      mass_(3, properties.mass),
      surface_(std::make_unique<MeshSurface>(model::SurfaceMesh({{0, 0, 0}}, {static_cast<int>(first_dof)},
                                                                std::span<const Vec3>(&properties.position, 1)))) {}

Particle::~Particle() = default;

void Particle::initialise(std::span<double> q, std::span<double> p) const {
  Vec3::Map(&q[first_]) = p_.position;
  Vec3::Map(&p[first_]) = p_.mass * p_.velocity;
}

Momentum Particle::momentum(std::span<const double> q, std::span<const double> p) const {
  return {own(p), own(q).cross(own(p))};
}

double Particle::momentum_scale(std::span<const double> p) const { return own(p).norm(); }

void Particle::probe(double, const Motion& motion, std::span<double> values) const {
  Vec3::Map(values.data()) = own(motion.q);
  Vec3::Map(values.data() + 3) = own(motion.v);
}

Picture Particle::draw(std::span<const double> q, std::span<const double> v) const {
  return draw_point_mass(own(q), own(v));
}

Momentum Particle::support_impulse(int dof, double p, std::span<const double> q) const {
  const math::Vec3 linear = p * math::Vec3::Unit(dof - static_cast<int>(first_));
  return {linear, own(q).cross(linear)};
}

Momentum Particle::gravity_impulse(std::span<const double> q, double h) const {
  const Vec3 impulse = h * p_.mass * p_.gravity;
  return {impulse, own(q).cross(impulse)};
}

void Particle::kick(const exec::Executor&, std::span<const double>, double h, std::span<double> p) const {
  Vec3::Map(&p[first_]) += h * p_.mass * p_.gravity;
}

PotentialEnergy Particle::potential_energy(const exec::Executor&, std::span<const double> q) const {
  return {0, -p_.mass * p_.gravity.dot(own(q))};
}

PotentialEnergy Particle::interval_energy(const exec::Executor& exec, std::span<const double> q,
                                          std::span<const double> p, double h) const {
  PotentialEnergy energy = potential_energy(exec, q);
  energy.gravity -= 0.5 * h * p_.gravity.dot(own(p));
  return energy;
}

}  // namespace ictus::mechanics
