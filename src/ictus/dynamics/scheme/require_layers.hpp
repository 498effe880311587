#pragma once

#include <ictus/dynamics/system/system.hpp>
#include <string_view>

namespace ictus::dynamics {

/// Throws base::InputError where two points of the pairs would touch without an elastic layer between them: a scheme
/// that pushes with layers alone would let them pass through each other. `scheme` is for the message.
void require_layers(const System& system, std::string_view scheme);

}  // namespace ictus::dynamics
