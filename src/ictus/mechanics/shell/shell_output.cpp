// What a shell shows: pictures and probes, on the limit surface.
#include <ictus/mechanics/shell/shell.hpp>

#include <algorithm>
#include <cmath>

namespace ictus::mechanics {

using math::Vec3;

namespace {

constexpr std::array<std::string_view, 9> shell_quantities{
    "x", "y", "z", "displacement_x", "displacement_y", "displacement_z", "velocity_x", "velocity_y", "velocity_z"};

/// Larger and smaller principal value of a symmetric 2 × 2 tensor.
std::array<double, 2> principal(double t11, double t22, double t12) {
  const double mean = 0.5 * (t11 + t22), radius = std::hypot(0.5 * (t11 - t22), t12);
  return {mean + radius, mean - radius};
}

double von_mises(double s11, double s22, double s12) {
  return std::sqrt(std::max(s11 * s11 + s22 * s22 - s11 * s22 + 3 * s12 * s12, 0.0));
}

void append(const Vec3& vector, std::vector<double>& values) {
  values.insert(values.end(), {vector.x(), vector.y(), vector.z()});
}

std::vector<double> rest_positions(const geometry::TriangleMesh& mesh) {
  std::vector<double> x;
  x.reserve(3 * mesh.positions.size());
  for (const Vec3& position : mesh.positions) append(position, x);
  return x;
}

/// The point at a fraction of the longest side of the bounding box, in the middle of the others.
Vec3 along_longest_side(const std::vector<Vec3>& points, double fraction) {
  Eigen::AlignedBox3d box;
  for (const Vec3& x : points) box.extend(x);
  int longest = 0;
  for (int axis = 1; axis < 3; ++axis) {
    // Sides that are equal up to rounding: the first of them.
    if (box.sizes()[axis] > (1 + 1e-9) * box.sizes()[longest]) longest = axis;
  }
  Vec3 point = box.center();
  point[longest] = box.min()[longest] + fraction * box.sizes()[longest];
  return point;
}

std::size_t nearest(const std::vector<Vec3>& points, const Vec3& to) {
  const auto found = std::min_element(points.begin(), points.end(), [&](const Vec3& a, const Vec3& b) {
    return (a - to).squaredNorm() < (b - to).squaredNorm();
  });
  return static_cast<std::size_t>(found - points.begin());
}

}  // namespace

std::span<const std::string_view> Shell::probe_quantities() const { return shell_quantities; }

void Shell::probe(double fraction, const Motion& motion, std::span<double> values) const {
  const std::vector<Vec3> at_rest = limit(rest_positions(properties_.mesh), true);
  const std::size_t vertex = nearest(at_rest, along_longest_side(at_rest, fraction));
  const Vec3 x = limit(motion.q.subspan(dofs_.begin, dofs_.size), true)[vertex];
  const Vec3& rest = at_rest[vertex];
  const Vec3 v = limit(motion.v.subspan(dofs_.begin, dofs_.size), false)[vertex];
  for (std::size_t c = 0; c < 3; ++c) {
    const int i = static_cast<int>(c);
    values[c] = x[i];
    values[3 + c] = x[i] - rest[i];
    values[6 + c] = v[i];
  }
}

Picture Shell::draw(std::span<const double> q, std::span<const double> v) const {
  Picture picture;
  const std::vector<Vec3> rest = limit(rest_positions(properties_.mesh), true);
  const std::vector<Vec3> speed = limit(v.subspan(dofs_.begin, dofs_.size), false);
  picture.points = limit(q.subspan(dofs_.begin, dofs_.size), true);
  Picture::Field displacement{"displacement", 3, false, {}}, velocity{"velocity", 3, false, {}};
  for (std::size_t i = 0; i < picture.points.size(); ++i) {
    append(picture.points[i] - rest[i], displacement.values);
    append(speed[i], velocity.values);
  }
  for (const geometry::Triangle& triangle : properties_.mesh.triangles) {
    picture.cells.push_back(Picture::Cell::triangle);
    picture.connectivity.insert(picture.connectivity.end(), triangle.begin(), triangle.end());
  }
  picture.fields = {std::move(displacement), std::move(velocity)};
  if (layers_)
    draw_layers(q, picture);
  else
    draw_wall(q, picture);
  return picture;
}

void Shell::draw_wall(std::span<const double> q, Picture& picture) const {
  const double* const x = q.data() + dofs_.begin;
  Picture::Field energy{"strain_energy_density", 1, true, {}}, stress{"von_mises_stress", 1, true, {}};
  Picture::Field force{"membrane_force", 2, true, {}}, moment{"bending_moment", 2, true, {}};
  const double h = properties_.thickness, face = 6 / (h * h);
  for (std::size_t e = 0; e < elements_.element_count(); ++e) {
    const auto s = shell_strain(elements_.rest_of(e), elements_.wall(), elements_.derivatives(e, x));
    energy.values.push_back(s.energy_density() / h);
    const auto forces = principal(s.n11, s.n22, s.n12), moments = principal(s.m11, s.m22, s.m12);
    force.values.insert(force.values.end(), forces.begin(), forces.end());
    moment.values.insert(moment.values.end(), moments.begin(), moments.end());
    const auto at = [&](double side) {
      return von_mises(s.n11 / h + side * s.m11, s.n22 / h + side * s.m22, s.n12 / h + side * s.m12);
    };
    stress.values.push_back(std::max(at(face), at(-face)));
  }
  for (Picture::Field* field : {&energy, &force, &moment, &stress}) picture.fields.push_back(std::move(*field));
}

void Shell::draw_layers(std::span<const double> q, Picture& picture) const {
  const auto scalar = [](const char* name) { return Picture::Field{name, 1, true, {}}; };
  Picture::Field energy = scalar("strain_energy_density"), stress = scalar("von_mises_stress");
  Picture::Field force{"membrane_force", 2, true, {}}, moment{"bending_moment", 2, true, {}};
  Picture::Field thickness = scalar("thickness"), strain = scalar("plastic_strain"),
                 bottom = scalar("plastic_strain_bottom");
  Picture::Field top = scalar("plastic_strain_top"), work = scalar("plastic_work"), temperature = scalar("temperature");
  for (std::size_t e = 0; e < elements_.element_count(); ++e) {
    const ShellLayers::Shown s = layers_->show(e, q.data() + dofs_.begin, history_of(q));
    const auto forces = principal(s.n11, s.n22, s.n12), moments = principal(s.m11, s.m22, s.m12);
    force.values.insert(force.values.end(), forces.begin(), forces.end());
    moment.values.insert(moment.values.end(), moments.begin(), moments.end());
    energy.values.push_back(s.energy_density);
    stress.values.push_back(s.von_mises);
    thickness.values.push_back(s.thickness);
    strain.values.push_back(s.largest);
    bottom.values.push_back(s.bottom);
    top.values.push_back(s.top);
    work.values.push_back(s.plastic_work);
    temperature.values.push_back(s.temperature);
  }
  for (Picture::Field* field : {&energy, &force, &moment, &stress, &thickness})
    picture.fields.push_back(std::move(*field));
  if (history() == 0) return;
  for (Picture::Field* field : {&strain, &bottom, &top, &work}) picture.fields.push_back(std::move(*field));
  if (layers_->heats()) picture.fields.push_back(std::move(temperature));
}

}  // namespace ictus::mechanics
