#pragma once

#include <ictus/dynamics/system/system.hpp>
#include <string>

namespace ictus::dynamics {

/// An unknown of the System for people: "slope w_x at (8, -1.2, 0) of bridge", "node 12 along y of block".
std::string unknown_name(const System& system, std::size_t unknown);

}  // namespace ictus::dynamics
