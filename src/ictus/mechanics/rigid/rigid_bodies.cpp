#include <ictus/mechanics/rigid/rigid_bodies.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/math/convert.hpp>
#include <ictus/mechanics/body/frame_momentum.hpp>
#include <ictus/mechanics/body/mesh_surface.hpp>
#include <ictus/mechanics/rigid/rigid_flight.hpp>

namespace ictus::mechanics {

using math::to_eigen;

using math::Rotation;
using Vector = math::Vector3<double>;

namespace {

constexpr std::array<std::string_view, 10> rigid_quantities{
    "x", "y", "z", "velocity_x", "velocity_y", "velocity_z", "spin_1", "spin_2", "spin_3", "mean_z"};

/// The centres of mass, for whoever asks a surface for points; the shapes themselves are met by RigidDetector.
class Centres final : public model::Surface {
 public:
  Centres(std::size_t first, std::size_t count) : first_(first), count_(count) {}

  std::size_t point_count() const override { return count_; }
  math::Vec3 position(std::size_t point, std::span<const double> q) const override {
    return to_eigen(rigid_position(&q[slot(point)]));
  }
  /// A centre has no normal of its own.
  math::Vec3 outward_normal(std::size_t, std::span<const double>) const override { return math::Vec3::Zero(); }
  void pull_back(std::size_t point, std::span<const double>, const math::Vec3& n, double factor,
                 std::vector<model::RowEntry>& row) const override {
    for (int c = 0; c < 3; ++c) row.push_back({static_cast<int>(slot(point)) + c, factor * n[c]});
  }
  double layer_compliance(std::size_t) const override { return 0; }
  std::optional<model::Plane> plane() const override { return std::nullopt; }

 private:
  std::size_t slot(std::size_t point) const { return first_ + RigidBodies::stride * point; }
  std::size_t first_, count_;
};

/// The bodies as contact of all families sees them: points of spheres, edges of capsules, faces of convex bodies. With
/// `scales` each is so many times as large as the shape.
model::SurfaceMesh rigid_skins(const geometry::RigidShape& shape, std::span<const double> scales, std::size_t first,
                               std::size_t count) {
  std::vector<math::Vec3> corners;
  std::vector<model::SurfaceMesh::Triangle> faces;
  if (shape.kind == geometry::RigidShape::Kind::polytope) {
    const geometry::TriangleMesh mesh = geometry::surface_of(shape, 0);
    corners = mesh.positions;
    faces.assign(mesh.triangles.begin(), mesh.triangles.end());
  } else if (shape.kind == geometry::RigidShape::Kind::mesh) {
    corners = shape.mesh->positions;
    faces.assign(shape.mesh->triangles.begin(), shape.mesh->triangles.end());
  } else if (shape.half_length > 0) {
    corners = {{0, 0, -shape.half_length}, {0, 0, shape.half_length}};
    faces = {{0, 1, 1}};
  } else {
    corners = {math::Vec3::Zero()};
    faces = {{0, 0, 0}};
  }
  std::vector<model::SurfaceMesh::Triangle> triangles;
  std::vector<int> dof;
  std::vector<math::Vec3> lever;
  std::vector<double> radii;
  for (std::size_t body = 0; body < count; ++body) {
    const auto offset = static_cast<int>(lever.size());
    for (const auto& [a, b, c] : faces) triangles.push_back({a + offset, b + offset, c + offset});
    const double scale = scales.empty() ? 1 : scales[body];
    for (const math::Vec3& corner : corners) lever.emplace_back(scale * corner);
    if (!scales.empty()) radii.resize(lever.size(), scale * shape.radius);
    dof.resize(lever.size(), static_cast<int>(first + RigidBodies::stride * body));
  }
  const double largest = radii.empty() ? shape.radius : *std::max_element(radii.begin(), radii.end());
  return {std::move(triangles), std::move(dof), std::move(lever), largest, std::move(radii)};
}

/// The surface of one body: round ones are the coarser the more there are, so that a picture stays of a size to look
/// at.
geometry::TriangleMesh skin_of(const geometry::RigidShape& shape, std::size_t bodies) {
  constexpr std::size_t few = 20, many = 500;
  const int level = bodies <= few ? 3 : bodies <= many ? 2 : 1;
  return geometry::surface_of(shape, level);
}

}  // namespace

RigidBodies::RigidBodies(std::string name, RigidProperties properties, std::vector<RigidStart> starts,
                         std::size_t first_dof, Outside outside)
    : NodalBody(std::move(name)),
      properties_(std::move(properties)),
      starts_(std::move(starts)),
      first_(first_dof),
      skin_(skin_of(properties_.shape, starts_.size())) {
  if (outside == Outside::skin) {
    surface_ =
        std::make_unique<MeshSurface>(rigid_skins(properties_.shape, properties_.scales, first_dof, starts_.size()));
  } else {
    surface_ = std::make_unique<Centres>(first_dof, starts_.size());
  }
  for (const double s : properties_.scales) shapes_.push_back(properties_.shape.scaled(s));
  if (shapes_.empty()) shapes_.push_back(properties_.shape);
  for (std::size_t i = 0; i < size(); ++i) {
    const double s = scale(i), m = s * s * s * properties_.mass;
    const Vector j = (s * s * s * s * s) * properties_.inertia;
    mass_.insert(mass_.end(), {m, m, m, j.x, j.y, j.z, 1});
  }
  for (std::size_t k = 0; properties_.fixed && k < mass_.size(); ++k) fixed_.push_back(static_cast<int>(first_ + k));
}

RigidBodies::~RigidBodies() = default;

void RigidBodies::initialise(std::span<double> q, std::span<double> p) const {
  for (std::size_t i = 0; i < size(); ++i) {
    const RigidStart& start = starts_[i];
    const Rotation<double>& turn = start.orientation;
    const std::array<double, stride> at{start.position.x, start.position.y, start.position.z, turn.s,
                                        turn.v.x,         turn.v.y,         turn.v.z};
    std::copy(at.begin(), at.end(), q.begin() + static_cast<std::ptrdiff_t>(slot(i)));
    const Vector linear = (properties_.fixed ? 0 : mass(i)) * start.velocity;
    const Vector spin = properties_.fixed ? Vector{} : coadjoint(turn, start.angular_velocity);
    const Vector turning = math::scale(inertia(i), spin);
    const std::array<double, stride> momenta{linear.x, linear.y, linear.z, turning.x, turning.y, turning.z, 0};
    std::copy(momenta.begin(), momenta.end(), p.begin() + static_cast<std::ptrdiff_t>(slot(i)));
  }
}

Momentum RigidBodies::momentum(std::span<const double> q, std::span<const double> p) const {
  Momentum sum;
  for (std::size_t i = 0; i < size(); ++i) sum += frame_momentum(q, p, slot(i));
  return sum;
}

double RigidBodies::momentum_scale(std::span<const double> p) const {
  double sum = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const double* m = &p[slot(i)];
    // A spin counts as the momentum that it would have at the body's rim.
    sum += std::hypot(m[0], m[1], m[2]) + std::hypot(m[3], m[4], m[5]) / shape(i).reach();
  }
  return sum;
}

std::span<const std::string_view> RigidBodies::probe_quantities() const { return rigid_quantities; }

void RigidBodies::probe(double fraction, const Motion& motion, std::span<double> values) const {
  const auto body = static_cast<std::size_t>(std::lround(fraction * static_cast<double>(size() - 1)));
  const double* q = &motion.q[slot(body)];
  const double* v = &motion.v[slot(body)];
  for (std::size_t c = 0; c < 3; ++c) {
    values[c] = q[c];
    values[3 + c] = v[c];
  }
  std::copy_n(v + angular, 3, &values[6]);
  double sum = 0;
  for (std::size_t i = 0; i < size(); ++i) sum += motion.q[slot(i) + 2];
  values[9] = sum / static_cast<double>(size());
}

Picture RigidBodies::draw(std::span<const double> q, std::span<const double> v) const {
  Picture picture;
  const std::size_t points = skin_.positions.size(), triangles = skin_.triangles.size();
  Picture::Field velocity{"velocity", 3, false, {}};
  Picture::Field number{"number", 1, true, {}};
  picture.points.reserve(points * size());
  for (std::size_t i = 0; i < size(); ++i) {
    const double* at = &q[slot(i)];
    const double* rate = &v[slot(i)];
    const math::Matrix3<double> axes = matrix(rigid_orientation(at));
    const Vector turning{rate[3], rate[4], rate[5]};
    const auto offset = static_cast<int>(picture.points.size());
    for (const math::Vec3& local : skin_.positions) {
      const Vector lever = scale(i) * Vector{local.x(), local.y(), local.z()};
      picture.points.push_back(to_eigen(rigid_position(at) + axes * lever));
      const Vector speed = Vector{rate[0], rate[1], rate[2]} + axes * cross(turning, lever);
      velocity.values.insert(velocity.values.end(), {speed.x, speed.y, speed.z});
    }
    for (const geometry::Triangle& triangle : skin_.triangles) {
      for (const int corner : triangle) picture.connectivity.push_back(offset + corner);
    }
    number.values.insert(number.values.end(), triangles, static_cast<double>(i));
  }
  picture.cells.assign(triangles * size(), Picture::Cell::triangle);
  picture.fields = {std::move(velocity), std::move(number)};
  return picture;
}

std::string RigidBodies::dof_name(std::size_t dof) const {
  const std::size_t k = (dof - first_) % stride;
  constexpr std::array<char, 3> axes{'x', 'y', 'z'};
  const std::string which = size() > 1 ? fmt::format("number {} ", (dof - first_) / stride) : std::string();
  return k < angular ? fmt::format("{}along {}", which, axes[k])
                     : fmt::format("{}about its axis {}", which, k - angular + 1);
}

Momentum RigidBodies::support_impulse(int dof, double p, std::span<const double> q) const {
  const std::size_t slot = (static_cast<std::size_t>(dof) - first_) % stride;
  return frame_momentum(q, static_cast<std::size_t>(dof) - slot, slot, p);
}

Momentum RigidBodies::gravity_impulse(std::span<const double> q, double h) const {
  Momentum sum;
  for (std::size_t i = 0; !properties_.fixed && i < size(); ++i) {
    const math::Vec3 impulse = h * mass(i) * to_eigen(properties_.gravity);
    sum += {impulse, math::Vec3(math::Vec3::Map(&q[slot(i)])).cross(impulse)};
  }
  return sum;
}

double RigidBodies::fly(const exec::Executor&, double h, std::span<double> q, std::span<double> p) const {
  if (properties_.fixed) return 0;
  for (std::size_t i = 0; i < size(); ++i) {
    double* at = &q[slot(i)];
    if (mechanics::fly(mass(i), inertia(i), h, at, &p[slot(i)])) continue;
    throw base::NumericalFailure("a body turns too far in one step",
                                 fmt::format("{} at ({:g}, {:g}, {:g})", name(), at[0], at[1], at[2]),
                                 "Try a smaller time.step: a body should turn by less than a quarter in a step");
  }
  return 0;
}

void RigidBodies::kick(const exec::Executor&, std::span<const double>, double h, std::span<double> p) const {
  for (std::size_t i = 0; !properties_.fixed && i < size(); ++i) {  // what is held has no mass
    math::Vec3::Map(&p[slot(i)]) += h * mass(i) * to_eigen(properties_.gravity);
  }
}

PotentialEnergy RigidBodies::potential_energy(const exec::Executor&, std::span<const double> q) const {
  double sum = 0;
  for (std::size_t i = 0; !properties_.fixed && i < size(); ++i)  // what is held never falls
    sum -= mass(i) * math::dot(properties_.gravity, rigid_position(&q[slot(i)]));
  return {0, sum};
}

PotentialEnergy RigidBodies::interval_energy(const exec::Executor& exec, std::span<const double> q,
                                             std::span<const double> p, double h) const {
  PotentialEnergy energy = potential_energy(exec, q);
  for (std::size_t i = 0; !properties_.fixed && i < size(); ++i)
    energy.gravity -= 0.5 * h * math::dot(properties_.gravity, rigid_position(&p[slot(i)]));
  return energy;
}

}  // namespace ictus::mechanics
