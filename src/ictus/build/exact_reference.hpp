#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/observe/probe/probe.hpp>
#include <ictus/observe/probe/reference.hpp>
#include <memory>

namespace ictus::build {

/// The exact solution of a row of linear bars (and walls), for scenes with `reference: exact`. Adds a mistake and
/// returns nothing where there is none: other bodies, nonlinear bars, gravity, bars that are not in one line, contacts
/// that are not between neighbours.
std::shared_ptr<const observe::Reference> exact_reference(const scene::Document& document,
                                                          const dynamics::System& system,
                                                          std::span<const observe::Probe> probes, double t_end,
                                                          Mistakes& mistakes);

}  // namespace ictus::build
