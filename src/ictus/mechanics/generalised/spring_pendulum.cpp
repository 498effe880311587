#include <ictus/mechanics/generalised/spring_pendulum.hpp>

#include <algorithm>
#include <cmath>

namespace ictus::mechanics {

using math::Vec3;

namespace {

constexpr std::string_view pendulum_quantities[] = {"length", "angle", "length_rate", "angular_velocity"};

}  // namespace

SpringPendulum::SpringPendulum(std::string name, const SpringPendulumProperties& properties, std::size_t first_dof)
    : GeneralisedBody(std::move(name), {first_dof, 2}, properties.wall ? 1 : 0), p_(properties) {}

double SpringPendulum::kinetic_energy(std::span<const double> q, std::span<const double> v) const {
  return p_.formula.kinetic(q.data(), v.data());
}

void SpringPendulum::inertia(std::span<const double> q, std::span<const double> v, Inertia& inertia) const {
  const double m = p_.formula.mass, l = q[0];
  inertia.momentum[0] = m * v[0];
  inertia.momentum[1] = m * l * l * v[1];
  inertia.configuration_force[0] = m * l * v[1] * v[1];
  inertia.configuration_force[1] = 0;
  inertia.mass(0, 0) = m;
  inertia.mass(0, 1) = inertia.mass(1, 0) = 0;
  inertia.mass(1, 1) = m * l * l;
  inertia.coupling(0, 0) = inertia.coupling(0, 1) = inertia.coupling(1, 1) = 0;
  inertia.coupling(1, 0) = 2 * m * l * v[1];
}

PotentialEnergy SpringPendulum::potential_energy(std::span<const double> q) const {
  return {p_.formula.strain(q.data()), p_.formula.gravity(q.data())};
}

void SpringPendulum::force(std::span<const double> q, CoordinateVector& f) const {
  const SpringPendulumFormula& k = p_.formula;
  const double s = std::sin(q[1]), c = std::cos(q[1]), gx = k.gravity_field.x(), gz = k.gravity_field.z();
  f[0] = -k.stiffness * (q[0] - k.rest_length) + k.mass * (gx * s - gz * c);
  f[1] = k.mass * q[0] * (gx * c + gz * s);
}

void SpringPendulum::damping(std::span<const double>, std::span<const double> v, Damping& damping) const {
  damping.force[0] = -p_.damping * v[0];
  damping.force[1] = 0;
  damping.rate(0, 0) = -p_.damping;
  damping.rate(0, 1) = damping.rate(1, 0) = damping.rate(1, 1) = 0;
}

void SpringPendulum::gaps(std::span<const double> q, std::span<double> g) const {
  if (p_.wall) g[0] = q[1];
}

void SpringPendulum::contact(std::size_t, std::span<const double> q, ContactGeometry& geometry) const {
  geometry.normal[0] = 0;
  geometry.normal[1] = 1;
  geometry.tangent1[0] = 1;
  geometry.tangent1[1] = 0;
  geometry.tangents = 1;
  geometry.point = p_.pivot + q[0] * Vec3(std::sin(q[1]), 0, -std::cos(q[1]));
  geometry.push = {std::cos(q[1]), 0, std::sin(q[1])};
  geometry.metres_per_gap = q[0];
}

LinkSkin SpringPendulum::link_skin() const {
  LinkSkin skin;
  skin.radius = p_.radius;
  return skin.add_point(0, Vec3::Zero());
}

/// The ball and the axes that turn with the spring, −φ about y.
void SpringPendulum::link(std::size_t, std::span<const double> q, LinkMotion& motion) const {
  const double s = std::sin(q[1]), c = std::cos(q[1]);
  motion.x = p_.pivot + q[0] * Vec3(s, 0, -c);
  motion.turn = Eigen::Quaterniond(std::cos(q[1] / 2), 0, -std::sin(q[1] / 2), 0);
  motion.moves[0] = {s, 0, -c};
  motion.moves[1] = {q[0] * c, 0, q[0] * s};
  motion.turns[0] = Vec3::Zero();
  motion.turns[1] = {0, -1, 0};
}

void SpringPendulum::start(std::span<double> q, std::span<double> v) const {
  for (std::size_t i = 0; i < 2; ++i) {
    q[i] = p_.coordinates[i];
    v[i] = p_.rates[i];
  }
}

std::span<const std::string_view> SpringPendulum::probe_quantities() const { return pendulum_quantities; }

void SpringPendulum::probe(double, const Motion& motion, std::span<double> values) const {
  std::copy_n(part(motion.q).begin(), 2, values.begin());
  std::copy_n(part(motion.v).begin(), 2, values.begin() + 2);
}

/// The spring as a line, the mass as a ball, and the wall as a piece as high as the spring is long, a radius of the
/// ball away from where the centre stops.
Picture SpringPendulum::draw(std::span<const double> q, std::span<const double> v) const {
  const auto own = part(q), rate = part(v);
  const Vec3 along(std::sin(own[1]), 0, -std::cos(own[1])), across(std::cos(own[1]), 0, std::sin(own[1]));
  const double size = p_.formula.rest_length, ball = p_.radius > 0 ? p_.radius : 0.06 * size;
  const Vec3 mass = p_.pivot + own[0] * along, velocity = rate[0] * along + own[0] * rate[1] * across;
  Picture picture;
  picture.points = {p_.pivot, mass, mass};
  picture.cells = {Picture::Cell::line, Picture::Cell::vertex};
  picture.connectivity = {0, 1, 2};
  Picture::Field speed{"velocity", 3, false, {}}, radius{"radius", 1, false, {0.012 * size, 0.012 * size, ball}};
  for (const Vec3& u : {Vec3(Vec3::Zero()), velocity, velocity})
    speed.values.insert(speed.values.end(), {u.x(), u.y(), u.z()});
  if (p_.wall) {
    for (const auto& [y, z] : {std::pair{-0.3, 0.1}, {0.3, 0.1}, {0.3, -1.5}, {-0.3, -1.5}}) {
      picture.points.push_back(p_.pivot + Vec3(-ball, y * size, z * size));
      speed.values.insert(speed.values.end(), 3, 0.0);
      radius.values.push_back(0);
    }
    picture.cells.push_back(Picture::Cell::quad);
    picture.connectivity.insert(picture.connectivity.end(), {3, 4, 5, 6});
  }
  picture.fields = {std::move(speed), std::move(radius)};
  return picture;
}

}  // namespace ictus::mechanics
