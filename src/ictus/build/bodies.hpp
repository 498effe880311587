#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/dynamics/system.hpp>
#include <ictus/scene/document.hpp>
#include <vector>

namespace ictus::build {

inline math::Vec3 to_vector(const scene::Vec3& v) { return {v[0], v[1], v[2]}; }

/// The bodies of a scene in its order, their unknowns one after the other.
std::vector<dynamics::BodyPtr> make_bodies(const scene::Document& document, Mistakes& mistakes);

/// The contact pairs of a scene: which points face each other, checked to be apart at the start.
std::vector<contact::ContactPair> make_pairs(const scene::Document& document,
                                             const std::vector<dynamics::BodyPtr>& bodies, Mistakes& mistakes);

}  // namespace ictus::build
