#pragma once

#include <ictus/dynamics/system.hpp>
#include <string>

namespace ictus::dynamics {

/// An unknown of the System for people: "the slope w_x of bridge at (8, -1.2, 0)".
std::string unknown_name(const System& system, int unknown);

}  // namespace ictus::dynamics
