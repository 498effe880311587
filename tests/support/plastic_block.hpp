#pragma once

#include <cmath>
#include <ictus/mechanics/solid/solid.hpp>
#include <memory>

namespace ictus::testing {

/// A metal in units in which numbers are near one: Young's modulus 200, flow from 1 on.
inline mechanics::SolidProperties soft_metal() {
  mechanics::SolidProperties properties;
  properties.material = mechanics::SolidMaterial::hencky;
  properties.lame = mechanics::lame(200.0, 0.3);
  properties.plasticity = mechanics::Plasticity{mechanics::LinearHardening{1.0, 4.0}};
  properties.density = 1;
  return properties;
}

/// A box of 3 × 3 × 2 cells, none a parallelepiped: thirteen blocks' worth of lanes that repeat included.
inline geometry::VolumeMesh skewed_box(geometry::VolumeElement element = geometry::VolumeElement::hexahedron) {
  geometry::VolumeMesh mesh = geometry::box_mesh({1, 1.1, 0.8}, {3, 3, 2}, element);
  for (math::Vec3& x : mesh.nodes)
    x += 0.03 * math::Vec3(std::sin(5 * x.y() + x.z()), std::sin(4 * x.x()), std::cos(3 * x.x() + 5 * x.y()));
  return mesh;
}

/// One that moves apart along x at a rate of strain, and turns.
inline std::unique_ptr<mechanics::Solid> spinning_block(
    const mechanics::SolidProperties& of = soft_metal(),
    geometry::VolumeElement element = geometry::VolumeElement::hexahedron) {
  mechanics::SolidProperties properties = of;
  properties.spin = {0.3, 0.5, 1.7};
  return std::make_unique<mechanics::Solid>("block", skewed_box(element), properties, 0);
}

}  // namespace ictus::testing
