#pragma once

#include <ictus/build/bodies/solid_parts.hpp>
#include <ictus/build/contacts/overlap.hpp>
#include <ictus/build/own.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/scene/text/document.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ictus::build {

inline math::Vec3 to_vector(const scene::Vec3& v) { return {v[0], v[1], v[2]}; }
/// The same for the bodies on SE(3).
inline math::Vector3<double> to_triple(const scene::Vec3& v) { return {v[0], v[1], v[2]}; }

/// Ends of bars, by the bar's name; 0 is the start, 1 the end.
using BarEnds = std::set<std::pair<std::string, std::size_t>>;

/// The bodies of a scene in its order, their dofs one after the other; `parts` tells which are parts of solids.
std::vector<dynamics::BodyPtr> make_bodies(const scene::Document& document, const BarEnds& massless,
                                           const SolidParts& parts, const Own& own, Mistakes& mistakes);

/// The ends of bars that belong to a pair.
BarEnds ends_in_contact(const std::vector<contact::ContactPair>& pairs);

/// The contact pairs of a scene: which points face each other, and which of the bodies without triangulated surfaces
/// overlap at the start.
std::vector<contact::ContactPair> possible_pairs(const scene::Document& document,
                                                 const std::vector<dynamics::BodyPtr>& bodies, Overlaps& overlaps,
                                                 Mistakes& mistakes);

/// The same, with surfaces that overlap.
std::vector<contact::ContactPair> make_pairs(const scene::Document& document,
                                             const std::vector<dynamics::BodyPtr>& bodies, Overlaps& overlaps,
                                             Mistakes& mistakes);

/// Whether x, y and z are among these.
std::array<bool, 3> to_directions(scene::Directions directions);

}  // namespace ictus::build
