#include <ictus/mechanics/generalised/woodpecker.hpp>

#include <algorithm>
#include <cmath>

namespace ictus::mechanics {

using math::Vec3;

namespace {

constexpr std::string_view woodpecker_quantities[] = {
    "height", "sleeve_angle", "bird_angle", "height_rate", "sleeve_angular_velocity", "bird_angular_velocity"};

std::array<std::array<double, 3>, 3> mass_matrix(const WoodpeckerFormula& f) {
  const double m = f.bird_mass, a = f.sleeve_to_spring, b = f.spring_to_bird;
  return {{{f.sleeve_mass + m, m * a, m * b},
           {m * a, f.sleeve_inertia + m * a * a, m * a * b},
           {m * b, m * a * b, f.bird_inertia + m * b * b}}};
}

}  // namespace

Woodpecker::Woodpecker(std::string name, const WoodpeckerProperties& properties, std::size_t first_dof)
    : GeneralisedBody(std::move(name), {first_dof, 3}, 3), p_(properties), mass_(mass_matrix(properties.formula)) {}

double Woodpecker::kinetic_energy(std::span<const double> q, std::span<const double> v) const {
  return p_.formula.kinetic(q.data(), v.data());
}

void Woodpecker::inertia(std::span<const double>, std::span<const double> v, Inertia& inertia) const {
  for (std::size_t i = 0; i < 3; ++i) {
    inertia.momentum[i] = mass_[i][0] * v[0] + mass_[i][1] * v[1] + mass_[i][2] * v[2];
    inertia.configuration_force[i] = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      inertia.mass(i, j) = mass_[i][j];
      inertia.coupling(i, j) = 0;
    }
  }
}

PotentialEnergy Woodpecker::potential_energy(std::span<const double> q) const {
  return {p_.formula.strain(q.data()), p_.formula.gravity(q.data())};
}

void Woodpecker::force(std::span<const double> q, CoordinateVector& f) const {
  const WoodpeckerFormula& k = p_.formula;
  const double moment = k.spring * (q[1] - q[2]), weight = k.bird_mass * k.gravity_field;
  f[0] = -(k.sleeve_mass + k.bird_mass) * k.gravity_field;
  f[1] = -moment - weight * k.sleeve_to_spring;
  f[2] = moment - weight * k.spring_to_bird;
}

void Woodpecker::gaps(std::span<const double> q, std::span<double> g) const {
  for (std::size_t i = 0; i < 3; ++i) g[i] = p_.formula.gap(i, q.data());
}

void Woodpecker::contact(std::size_t i, std::span<const double> q, ContactGeometry& geometry) const {
  const WoodpeckerFormula& k = p_.formula;
  const bool is_beak = i == 0;
  const double lever = i == 1 ? k.sleeve_height : -k.sleeve_height;
  geometry.normal[0] = 0;
  geometry.normal[1] = is_beak ? 0 : lever;
  geometry.normal[2] = is_beak ? -k.beak_height : 0;
  geometry.tangent1[0] = 1;
  geometry.tangent1[1] = is_beak ? k.sleeve_to_spring : k.sleeve_radius;
  geometry.tangent1[2] = is_beak ? k.spring_to_bird - k.beak_reach : 0;
  geometry.tangents = 1;
  geometry.point = is_beak ? beak(q) : Vec3(k.sleeve_radius + lever * q[1], 0, q[0] - lever + k.sleeve_radius * q[1]);
  geometry.push = {1, 0, 0};
  geometry.metres_per_gap = 1;
}

Vec3 Woodpecker::beak(std::span<const double> q) const {
  const WoodpeckerFormula& k = p_.formula;
  return {k.sleeve_to_spring + k.spring_to_bird - k.beak_reach - k.beak_height * q[2], 0,
          q[0] + k.sleeve_to_spring * q[1] + (k.spring_to_bird - k.beak_reach) * q[2] + k.beak_height};
}

LinkSkin Woodpecker::link_skin() const {
  const Vec3 head(0, 0, p_.formula.beak_height);
  LinkSkin skin;
  skin.radius = p_.formula.pole_radius;
  return skin.add_line(0, Vec3::Zero(), head).add_line(0, head, head - Vec3(p_.formula.beak_reach, 0, 0));
}

/// The bird turns by −φ_S about y; its centre is where the small angles of the toy have it.
void Woodpecker::link(std::size_t, std::span<const double> q, LinkMotion& motion) const {
  const WoodpeckerFormula& k = p_.formula;
  motion.x = {k.sleeve_to_spring + k.spring_to_bird, 0, q[0] + k.sleeve_to_spring * q[1] + k.spring_to_bird * q[2]};
  motion.turn = Eigen::Quaterniond(std::cos(q[2] / 2), 0, -std::sin(q[2] / 2), 0);
  motion.moves[0] = {0, 0, 1};
  motion.moves[1] = {0, 0, k.sleeve_to_spring};
  motion.moves[2] = {0, 0, k.spring_to_bird};
  motion.turns[0] = motion.turns[1] = Vec3::Zero();
  motion.turns[2] = {0, -1, 0};
}

void Woodpecker::start(std::span<double> q, std::span<double> v) const {
  std::copy(p_.coordinates.begin(), p_.coordinates.end(), q.begin());
  std::copy(p_.rates.begin(), p_.rates.end(), v.begin());
}

std::span<const std::string_view> Woodpecker::probe_quantities() const { return woodpecker_quantities; }

void Woodpecker::probe(double, const Motion& motion, std::span<double> values) const {
  std::copy_n(part(motion.q).begin(), 3, values.begin());
  std::copy_n(part(motion.v).begin(), 3, values.begin() + 3);
}

/// The sleeve, the spring and the bird with its beak as lines, and the piece of the endless pole around them.
Picture Woodpecker::draw(std::span<const double> q, std::span<const double> v) const {
  const WoodpeckerFormula& k = p_.formula;
  const auto own = part(q), rate = part(v);
  const double y = own[0], hinge = y + k.sleeve_to_spring * own[1], bird = hinge + k.spring_to_bird * own[2];
  const double hinge_rate = rate[0] + k.sleeve_to_spring * rate[1], bird_rate = hinge_rate + k.spring_to_bird * rate[2];
  const Vec3 tip = beak(own);
  const double reach = k.sleeve_to_spring + k.spring_to_bird;
  Picture picture;
  picture.points = {{k.sleeve_height * own[1], 0, y - k.sleeve_height},
                    {-k.sleeve_height * own[1], 0, y + k.sleeve_height},
                    {k.sleeve_radius, 0, y + k.sleeve_radius * own[1]},
                    {k.sleeve_to_spring, 0, hinge},
                    {reach, 0, bird},
                    {reach, 0, bird},
                    {reach - k.beak_height * own[2], 0, bird + k.beak_height},
                    {reach - k.beak_height * own[2], 0, bird + k.beak_height},
                    tip,
                    {0, 0, y - 8 * k.sleeve_height},
                    {0, 0, y + 8 * k.sleeve_height}};
  picture.cells = {Picture::Cell::line,   Picture::Cell::line, Picture::Cell::line, Picture::Cell::line,
                   Picture::Cell::vertex, Picture::Cell::line, Picture::Cell::line};
  picture.connectivity = {0, 1, 2, 3, 3, 4, 5, 6, 7, 7, 8, 9, 10};
  Picture::Field radius{"radius", 1, false, {}}, velocity{"velocity", 3, false, {}};
  const double thin = 0.15 * k.pole_radius;
  radius.values = {1.3 * k.sleeve_radius, 1.3 * k.sleeve_radius, thin, thin,          thin,         k.pole_radius,
                   k.pole_radius,         1.4 * k.pole_radius,   thin, k.pole_radius, k.pole_radius};
  const double swing = -k.beak_height * rate[2], sway = k.sleeve_height * rate[1];
  for (const auto& [x, z] : {std::pair{sway, rate[0]},
                             {-sway, rate[0]},
                             {0.0, rate[0]},
                             {0.0, hinge_rate},
                             {0.0, bird_rate},
                             {0.0, bird_rate},
                             {swing, bird_rate},
                             {swing, bird_rate},
                             {swing, bird_rate - k.beak_reach * rate[2]},
                             {0.0, 0.0},
                             {0.0, 0.0}})
    velocity.values.insert(velocity.values.end(), {x, 0, z});
  picture.fields = {std::move(radius), std::move(velocity)};
  return picture;
}

}  // namespace ictus::mechanics
