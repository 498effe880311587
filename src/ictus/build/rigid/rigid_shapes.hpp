#pragma once

#include <ictus/geometry/shape/rigid_shape.hpp>
#include <ictus/scene/text/document.hpp>
#include <utility>

namespace ictus::build {

/// The closed surface of a rigid mesh, wound outwards. Throws base::InputError with what keeps it from being one.
geometry::TriangleMesh rigid_mesh(const scene::RigidMeshSpec& spec, const scene::Document& document);

/// What touches of a compound, in its own axes, with mass, centre and inertia over the density of the body.
std::pair<geometry::RigidShape, geometry::VolumeProperties> compound(const scene::CompoundSpec& spec, double usual);

/// The triangles of ground, its middle at the origin, wound upwards. Throws base::InputError.
geometry::TriangleMesh heightfield(const scene::HeightfieldSpec& spec, const scene::Document& document);

}  // namespace ictus::build
