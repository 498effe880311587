#pragma once

/// The language in which the scene describes itself. A description binds each key to a member of a plain struct:
///
///   Object<BarSpec>("bar", "A straight bar.")
///       .required("length", &BarSpec::length, quantity(dimension::length).positive(), "Length.")
///       .field("area", &BarSpec::area, quantity(dimension::area).positive(), "Cross-section.");
///
/// and from it come the reader, the JSON Schema, the reference page and the resolved scene. A default is the value that
/// the member has in a default-made struct.

#include <ictus/scene/schema/list_kinds.hpp>
#include <ictus/scene/schema/scalar_kinds.hpp>
#include <ictus/scene/schema/struct_kinds.hpp>

namespace ictus::scene {

/// The description of the whole scene: one kind, made on first use.
const ObjectKind& scene_schema();

}  // namespace ictus::scene
