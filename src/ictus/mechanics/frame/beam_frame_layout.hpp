#pragma once

#include <Eigen/Geometry>
#include <ictus/mechanics/frame/beam_frame.hpp>

namespace ictus::mechanics {

/// Rows: local x along the member, y across, z the direction of the section's height.
inline Eigen::Matrix3d member_axes(const FrameProperties& frame, const FrameMember& member) {
  const math::Vec3 x = (frame.joints[member.end] - frame.joints[member.start]).normalized();
  math::Vec3 y = member.up.cross(x);
  // A column: the height of its section lies along the global x axis.
  if (y.norm() < 1e-9 * member.up.norm()) y = math::Vec3::UnitX().cross(x);
  if (y.norm() < 1e-9) y = math::Vec3::UnitY().cross(x);
  y.normalize();
  Eigen::Matrix3d axes;
  axes << x.transpose(), y.transpose(), x.cross(y).transpose();
  return axes;
}

inline double element_length(const FrameProperties& frame, const FrameMember& member) {
  return (frame.joints[member.end] - frame.joints[member.start]).norm() / static_cast<double>(member.elements);
}

/// Masses and inertias that one element gives to each of its two nodes.
struct ElementMass {
  double translation;  ///< kg
  double twist;        ///< kg m², about local x
  double about_y;      ///< kg m²
  double about_z;
};

inline ElementMass element_mass(const FrameProperties& frame, const FrameMember& member) {
  const double h = element_length(frame, member), line = member.density * member.section.area;
  const double shape = frame.rotary == RotaryMass::section ? 0 : line * h * h * h / 78;
  const double section = frame.rotary == RotaryMass::shape ? 0 : member.density * h / 2;
  return {line * h / 2, member.density * member.section.polar() * h / 2, shape + section * member.section.inertia_y,
          shape + section * member.section.inertia_z};
}

/// The same as inertias of the dofs of a node. Of the inertia of an oblique member, a full matrix in the axes of
/// the frame, the diagonal is taken, which keeps its trace.
inline std::array<double, 6> node_inertia(const FrameProperties& frame, const FrameMember& member) {
  const ElementMass share = element_mass(frame, member);
  const Eigen::Matrix3d axes = member_axes(frame, member);
  math::Vec3 about;
  for (int c = 0; c < 3; ++c) {
    about[c] = axes(0, c) * axes(0, c) * share.twist + axes(1, c) * axes(1, c) * share.about_y +
               axes(2, c) * axes(2, c) * share.about_z;
  }
  const double m = share.translation;
  // In a grillage the slope w_x is the rotation about −y, w_y that about x.
  if (frame.kind == FrameKind::grillage) return {m, about.y(), about.x()};
  return {m, m, m, about.x(), about.y(), about.z()};
}

inline GrillageElement grillage_element(const FrameProperties& frame, const FrameMember& member) {
  const Eigen::Matrix3d axes = member_axes(frame, member);
  const double h = element_length(frame, member), bending = member.youngs_modulus * member.section.inertia_y;
  const double softening =
      frame.shear ? 12 * bending / (member.shear_modulus * member.section.shear_area_z * h * h) : 0;
  return {1 / h, axes(0, 0), axes(0, 1), BendingStiffness::of(bending, softening, h),
          member.shear_modulus * member.section.torsion / h};
}

inline SpaceElement space_element(const FrameProperties& frame, const FrameMember& member) {
  const double h = element_length(frame, member), e = member.youngs_modulus, g = member.shear_modulus;
  const model::Section& s = member.section;
  const auto softening = [&](double inertia, double shear_area) {
    return frame.shear ? 12 * e * inertia / (g * shear_area * h * h) : 0;
  };
  return {1 / h,
          member_axes(frame, member),
          e * s.area / h,
          BendingStiffness::of(e * s.inertia_y, softening(s.inertia_y, s.shear_area_z), h),
          BendingStiffness::of(e * s.inertia_z, softening(s.inertia_z, s.shear_area_y), h),
          g * s.torsion / h};
}

/// K of one element, dofs of its first node before those of the second.
template <class Element>
Eigen::Matrix<double, 2 * Element::dofs, 2 * Element::dofs> element_stiffness(const Element& element) {
  constexpr int n = Element::dofs;
  Eigen::Matrix<double, 2 * n, 2 * n> k;
  for (int column = 0; column < 2 * n; ++column) {
    std::array<double, 2 * n> u{}, f{};  // dof c of node i at 2c + i
    typename Element::Block e;
    u[static_cast<std::size_t>(2 * (column % n) + column / n)] = 1;
    element.deform({u.data(), 2}, 0, 1, 0, e);
    element.resist(0, e);
    element.push_first(e, 0, 1.0, {f.data(), 2}, 0);
    element.push_second(e, 0, 1.0, {f.data(), 2}, 1);
    for (int row = 0; row < 2 * n; ++row) k(row, column) = f[static_cast<std::size_t>(2 * (row % n) + row / n)];
  }
  return k;
}

}  // namespace ictus::mechanics
