#include <ictus/mechanics/generalised/slider.hpp>

#include <algorithm>
#include <cmath>

namespace ictus::mechanics {

using math::Vec3;

namespace {

constexpr std::string_view slider_quantities[] = {"distance",      "across",      "height",
                                                  "distance_rate", "across_rate", "height_rate"};

}  // namespace

Slider::Slider(std::string name, const SliderProperties& properties, std::size_t first_dof)
    : GeneralisedBody(std::move(name), {first_dof, 3}, 1),
      p_(properties),
      down_(std::cos(properties.slope), 0, -std::sin(properties.slope)),
      across_(0, 1, 0),
      off_(std::sin(properties.slope), 0, std::cos(properties.slope)),
      formula_{properties.mass,
               {down_.dot(properties.gravity), across_.dot(properties.gravity), off_.dot(properties.gravity)}} {}

double Slider::kinetic_energy(std::span<const double> q, std::span<const double> v) const {
  return formula_.kinetic(q.data(), v.data());
}

void Slider::inertia(std::span<const double>, std::span<const double> v, Inertia& inertia) const {
  for (std::size_t i = 0; i < 3; ++i) {
    inertia.momentum[i] = p_.mass * v[i];
    inertia.configuration_force[i] = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      inertia.mass(i, j) = i == j ? p_.mass : 0;
      inertia.coupling(i, j) = 0;
    }
  }
}

PotentialEnergy Slider::potential_energy(std::span<const double> q) const { return {0, formula_.gravity(q.data())}; }

void Slider::force(std::span<const double>, CoordinateVector& f) const {
  for (std::size_t i = 0; i < 3; ++i) f[i] = p_.mass * formula_.gravity_field[static_cast<Eigen::Index>(i)];
}

void Slider::contact(std::size_t, std::span<const double> q, ContactGeometry& geometry) const {
  for (std::size_t i = 0; i < 3; ++i) {
    geometry.tangent1[i] = i == 0 ? 1 : 0;
    geometry.tangent2[i] = i == 1 ? 1 : 0;
    geometry.normal[i] = i == 2 ? 1 : 0;
  }
  geometry.tangents = 2;
  geometry.point = in_space(q);
  geometry.push = off_;
  geometry.metres_per_gap = 1;
}

LinkSkin Slider::link_skin() const {
  LinkSkin skin;
  return is_point() ? skin.add_point(0, Vec3::Zero()) : skin.add_box(0, low(), high());
}

void Slider::link(std::size_t, std::span<const double> q, LinkMotion& motion) const {
  Eigen::Matrix3d axes;
  axes << down_, across_, off_;
  motion.x = in_space(q);
  motion.turn = Eigen::Quaterniond(axes);
  motion.moves[0] = down_;
  motion.moves[1] = across_;
  motion.moves[2] = off_;
  for (std::size_t i = 0; i < 3; ++i) motion.turns[i] = Vec3::Zero();
}

void Slider::start(std::span<double> q, std::span<double> v) const {
  for (std::size_t i = 0; i < 3; ++i) {
    q[i] = p_.position[static_cast<Eigen::Index>(i)];
    v[i] = p_.velocity[static_cast<Eigen::Index>(i)];
  }
}

std::span<const std::string_view> Slider::probe_quantities() const { return slider_quantities; }

void Slider::probe(double, const Motion& motion, std::span<double> values) const {
  std::copy_n(part(motion.q).begin(), 3, values.begin());
  std::copy_n(part(motion.v).begin(), 3, values.begin() + 3);
}

Vec3 Slider::in_space(std::span<const double> q) const {
  return p_.origin + q[0] * down_ + q[1] * across_ + q[2] * off_;
}

/// The block, or its point.
Picture Slider::draw(std::span<const double> q, std::span<const double> v) const {
  const auto own = part(q), rate = part(v);
  const LinkSkin skin = link_skin();
  Picture picture;
  Picture::Field velocity{"velocity", 3, false, {}};
  const Vec3 moves = rate[0] * down_ + rate[1] * across_ + rate[2] * off_;
  for (const Vec3& lever : skin.lever) {
    picture.points.push_back(in_space(own) + lever.x() * down_ + lever.y() * across_ + lever.z() * off_);
    velocity.values.insert(velocity.values.end(), {moves.x(), moves.y(), moves.z()});
  }
  if (is_point()) {
    picture.cells = {Picture::Cell::vertex};
    picture.connectivity = {0};
  }
  for (const auto& face : LinkSkin::box_faces) {
    if (is_point()) break;
    picture.cells.push_back(Picture::Cell::quad);
    picture.connectivity.insert(picture.connectivity.end(), face.begin(), face.end());
  }
  picture.fields = {std::move(velocity)};
  return picture;
}

}  // namespace ictus::mechanics
