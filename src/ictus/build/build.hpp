#pragma once

#include <cstdint>
#include <ictus/build/own.hpp>
#include <ictus/dynamics/system/integrator.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/exec/resources.hpp>
#include <ictus/observe/probe/probe.hpp>
#include <ictus/observe/probe/reference.hpp>
#include <ictus/scene/text/document.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::build {

/// A scene made ready to run.
struct Simulation {
  dynamics::System system;
  std::unique_ptr<dynamics::Integrator> integrator;
  dynamics::StepLimit limit;  ///< largest stable step, and what limits it
  double step;         ///< h of one step of the integrator, stride times the scene's (s), or Δs (m) along a beam
  std::int64_t steps;  ///< whole steps that reach the end
  std::vector<observe::Probe> probes;
  std::shared_ptr<const observe::Reference> reference;  ///< none unless the scene asks for it
  scene::Scene scene;                                   ///< with every choice made: integrator, step, output interval
  std::vector<std::string> notes;                       ///< of what is no mistake, but makes results doubtful

  /// Of the steps and of State::time: m along a beam, else s.
  std::string_view unit() const;
};

/// Builds a scene. Throws base::InputError with every mistake that needs the bodies to be seen: bodies that overlap at
/// the start, bars that cannot meet, what `own` does not bring, a key that the integrator cannot honour, a step above
/// the critical one; what a device that was asked for cannot do.
Simulation build(const scene::Document& document, const exec::Resources& resources, const Own& own = {});

}  // namespace ictus::build
