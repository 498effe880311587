// What a frame tells of itself: momenta, probes, pictures.
#include <ictus/mechanics/frame/beam_frame.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ictus/mechanics/frame/beam_frame_layout.hpp>
#include <limits>

namespace ictus::mechanics {

using math::Vec3;

namespace {

constexpr std::array<std::string_view, 4> grillage_quantities{"displacement", "velocity", "slope_x", "slope_y"};
constexpr std::array<std::string_view, 9> space_quantities{"displacement_x", "displacement_y", "displacement_z",
                                                           "velocity_x",     "velocity_y",     "velocity_z",
                                                           "rotation_x",     "rotation_y",     "rotation_z"};

void append(std::vector<double>& values, const Vec3& v) { values.insert(values.end(), {v.x(), v.y(), v.z()}); }

}  // namespace

Vec3 BeamFrame::translation(std::size_t node, const double* u) const {
  const std::size_t n = nodes_.size();
  if (properties_.kind == FrameKind::grillage) return {0, 0, u[node]};
  return {u[node], u[n + node], u[2 * n + node]};
}

/// Rotation vector; a grillage turns by w_y about x and by −w_x about y.
Vec3 BeamFrame::rotation(std::size_t node, const double* u) const {
  const std::size_t n = nodes_.size();
  if (properties_.kind == FrameKind::grillage) return {u[2 * n + node], -u[n + node], 0};
  return {u[3 * n + node], u[4 * n + node], u[5 * n + node]};
}

/// About the origin, the node taken where it is at rest, as linear theory does.
Momentum BeamFrame::momentum_of(std::size_t component, std::size_t node, double p) const {
  const bool grillage = properties_.kind == FrameKind::grillage;
  if (component < (grillage ? 1u : 3u)) {
    const Vec3 linear = p * Vec3::Unit(grillage ? 2 : static_cast<Eigen::Index>(component));
    return {linear, nodes_[node].cross(linear)};
  }
  if (grillage) return {Vec3::Zero(), component == 1 ? Vec3(0, -p, 0) : Vec3(p, 0, 0)};
  return {Vec3::Zero(), p * Vec3::Unit(static_cast<Eigen::Index>(component - 3))};
}

Momentum BeamFrame::momentum(std::span<const double>, std::span<const double> p) const {
  const double* momenta = p.data() + dofs_.begin;
  Momentum sum;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Vec3 linear = translation(i, momenta);
    sum += {linear, nodes_[i].cross(linear) + rotation(i, momenta)};
  }
  return sum;
}

double BeamFrame::momentum_scale(std::span<const double> p) const {
  double sum = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) sum += translation(i, p.data() + dofs_.begin).norm();
  return sum;
}

std::string BeamFrame::dof_name(std::size_t dof) const {
  constexpr std::array grillage{"deflection", "slope w_x", "slope w_y"};
  constexpr std::array space{"displacement x",   "displacement y",   "displacement z",
                             "rotation about x", "rotation about y", "rotation about z"};
  const std::size_t k = dof - dofs_.begin, component = k / nodes_.size();
  const math::Vec3& x = nodes_[k % nodes_.size()];
  return fmt::format("{} at ({:g}, {:g}, {:g})",
                     properties_.kind == FrameKind::grillage ? grillage[component] : space[component], x.x(), x.y(),
                     x.z());
}

Momentum BeamFrame::support_impulse(int dof, double p, std::span<const double>) const {
  const std::size_t k = static_cast<std::size_t>(dof) - dofs_.begin;
  return momentum_of(k / nodes_.size(), k % nodes_.size(), p);
}

Momentum BeamFrame::gravity_impulse(std::span<const double>, double h) const {
  const Vec3 g = acting_gravity();
  return {h * total_mass_ * g, h * first_moment_.cross(g)};
}

std::span<const std::string_view> BeamFrame::probe_quantities() const {
  if (properties_.kind == FrameKind::grillage) return grillage_quantities;
  return space_quantities;
}

void BeamFrame::probe(double node_number, const Motion& motion, std::span<double> values) const {
  const auto node = static_cast<std::size_t>(std::lround(node_number));
  const double *u = motion.q.data() + dofs_.begin, *v = motion.v.data() + dofs_.begin;
  const std::size_t n = nodes_.size();
  if (properties_.kind == FrameKind::grillage) {
    values[0] = u[node];
    values[1] = v[node];
    values[2] = u[n + node];
    values[3] = u[2 * n + node];
    return;
  }
  for (std::size_t c = 0; c < 3; ++c) {
    values[c] = u[c * n + node];
    values[3 + c] = v[c * n + node];
    values[6 + c] = u[(3 + c) * n + node];
  }
}

/// Members share no points, so that each has sections of its own where they meet.
Picture BeamFrame::draw(std::span<const double> q, std::span<const double> v) const {
  Picture picture;
  const double *u = q.data() + dofs_.begin, *rate = v.data() + dofs_.begin;
  Picture::Field displacement{"displacement", 3, false, {}}, velocity{"velocity", 3, false, {}},
      turn{"rotation", 3, false, {}}, size{"section", 2, false, {}}, radius{"radius", 1, false, {}},
      d1{"d1", 3, false, {}}, d2{"d2", 3, false, {}};
  Picture::Field moment{"bending_moment", 1, true, {}}, torque{"torque", 1, true, {}},
      energy{"strain_energy_density", 1, true, {}};
  for (std::size_t m = 0; m < properties_.members.size(); ++m) {
    const FrameMember& member = properties_.members[m];
    const model::Section& section = member.section;
    const Eigen::Matrix3d axes = member_axes(properties_, member);
    const double h = element_length(properties_, member);
    for (std::size_t i = 0; i <= member.elements; ++i) {
      const std::size_t node = node_of(m, i);
      const Vec3 turned = rotation(node, u), across = axes.row(1), up = axes.row(2);
      picture.points.push_back(nodes_[node] + translation(node, u));
      append(displacement.values, translation(node, u));
      append(velocity.values, translation(node, rate));
      append(turn.values, turned);
      size.values.insert(size.values.end(), {section.width, section.height});
      radius.values.push_back(section.round ? section.width / 2 : std::numeric_limits<double>::quiet_NaN());
      append(d1.values, across + turned.cross(across));
      append(d2.values, up + turned.cross(up));
    }
    for (std::size_t i = 0; i < member.elements; ++i) {
      const std::size_t a = node_of(m, i), b = node_of(m, i + 1);
      const auto point = static_cast<int>(picture.points.size() - 1 - member.elements + i);
      picture.cells.push_back(Picture::Cell::line);
      picture.connectivity.insert(picture.connectivity.end(), {point, point + 1});
      // Turn of the section over the element, in local axes: curvature and twist times h. A sagging beam under
      // gravity has a positive moment.
      const Vec3 turned = axes * (rotation(b, u) - rotation(a, u)) / h;
      const double stretch = (axes.row(0) * (translation(b, u) - translation(a, u))).value() / h;
      moment.values.push_back(-member.youngs_modulus * section.inertia_y * turned.y());
      torque.values.push_back(member.shear_modulus * section.torsion * turned.x());
      // Of the mean curvatures, twist and stretch of the element, over its area.
      energy.values.push_back(
          (member.youngs_modulus * (section.inertia_y * turned.y() * turned.y() +
                                    section.inertia_z * turned.z() * turned.z() + section.area * stretch * stretch) +
           member.shear_modulus * section.torsion * turned.x() * turned.x()) /
          (2 * section.area));
    }
  }
  for (Picture::Field* field : {&displacement, &velocity, &turn, &size, &d1, &d2, &moment, &torque, &energy})
    picture.fields.push_back(std::move(*field));
  if (std::any_of(properties_.members.begin(), properties_.members.end(),
                  [](const FrameMember& member) { return member.section.round; }))
    picture.fields.push_back(std::move(radius));
  return picture;
}

}  // namespace ictus::mechanics
