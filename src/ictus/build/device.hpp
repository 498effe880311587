#pragma once

#include <ictus/dynamics/system/integrator.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/exec/resources.hpp>
#include <string>
#include <vector>

namespace ictus::build {

/// Lets a GPU take the steps of a system, where it was asked for or is faster; `notes` tells which it is. Throws
/// base::InputError with all that a GPU that was asked for cannot do.
void place_on_device(exec::DeviceChoice choice, const dynamics::Integrator& integrator, dynamics::System& system,
                     std::vector<std::string>& notes);

}  // namespace ictus::build
