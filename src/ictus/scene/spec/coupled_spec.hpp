#pragma once

#include <ictus/scene/spec/values.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ictus::scene {

struct ImplicitDomainSpec {
  std::vector<std::string> bodies;
  std::optional<std::string> set;  ///< the members of this set only
  std::optional<RegionSpec> box;   ///< the elements in this box only
  std::optional<int> ratio;        ///< ≥ 1; absent: that of the integrator
  bool operator==(const ImplicitDomainSpec&) const = default;
};

struct CoupledSpec {
  int ratio = 0;  ///< ≥ 1
  std::vector<ImplicitDomainSpec> implicit;
  bool operator==(const CoupledSpec&) const = default;
};

struct TieSpec {
  std::array<std::string, 2> between;
  double tolerance = 1e-6;  ///< m
  bool operator==(const TieSpec&) const = default;
};

}  // namespace ictus::scene
