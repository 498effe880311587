#pragma once

#include <ictus/dynamics/system/system.hpp>
#include <string>

namespace ictus::dynamics {

/// A dof of the System for people: "slope w_x at (8, -1.2, 0) of bridge", "node 12 along y of block".
std::string dof_name(const System& system, std::size_t dof);

}  // namespace ictus::dynamics
