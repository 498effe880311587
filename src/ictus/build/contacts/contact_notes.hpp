#pragma once

#include <cstdint>
#include <ictus/build/mistakes.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <string>
#include <vector>

namespace ictus::build {

/// How many pairs of two kinds of bodies may touch; of a name that stands for many bodies each counts.
struct PairCount {
  std::string first, second;  ///< as `type:` has them, in the order of the alphabet
  std::int64_t pairs = 0;
};
std::vector<PairCount> count_pairs(const scene::Scene& scene, const dynamics::System& system);

/// A line for each body that could meet others with which it is in no contact and in no tie.
std::vector<std::string> contactless_notes(const scene::Document& document,
                                           const std::vector<dynamics::BodyPtr>& bodies,
                                           const std::vector<contact::ContactPair>& pairs);

}  // namespace ictus::build
