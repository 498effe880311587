#pragma once

#include <cstddef>
#include <ictus/build/mistakes.hpp>
#include <ictus/math/vector.hpp>
#include <ictus/scene/spec/scene.hpp>
#include <string>
#include <vector>

namespace ictus::build {

/// Surfaces that overlap by no more than this share of their size touch: that much rounding makes.
inline constexpr double touching_share = 1e-9;

/// Two bodies that overlap at the start, or that are nearer to each other than their contact keeps them.
struct Overlap {
  std::string key;      ///< where a person is reported of it
  std::size_t contact;  ///< of the scene
  std::string first, second;
  math::Vec3 away;   ///< unit vector along which the first body moves away from the second
  double depth;      ///< how far it must move (m); 0: they touch as they should
  bool touch;        ///< they only touch, so that nobody need ask for their parting
  std::string what;  ///< "left and right overlap at the start by 0.1 m"
};
using Overlaps = std::vector<Overlap>;

/// Moves bodies of the scene until those that only touch, and those whose contact says `overlap: part`, are as far
/// apart as their contact keeps them: of two, the one that is farther from what is held, the later one if both are as
/// far. The others become mistakes. Returns whether anything was moved.
bool part(const Overlaps& overlaps, scene::Scene& scene, Mistakes& mistakes);

/// What the parting did to the bodies of a scene, in words.
std::vector<std::string> parting_notes(const scene::Scene& before, const scene::Scene& after);

}  // namespace ictus::build
