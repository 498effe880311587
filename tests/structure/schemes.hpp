#pragma once

#include <ictus/dynamics/scheme/capture_return.hpp>
#include <ictus/dynamics/scheme/discrete_gradient.hpp>
#include <ictus/dynamics/scheme/reflection.hpp>
#include <memory>
#include <string>
#include <vector>

#include "structure/row_for.hpp"

namespace ictus::testing {

/// The schemes whose contact keeps energy and momentum, by their names in a scene.
inline const std::vector<std::string> exact_schemes{"reflection", "discrete-gradient", "capture-return"};

inline std::unique_ptr<dynamics::Integrator> make_scheme(const std::string& name) {
  if (name == "reflection") return std::make_unique<dynamics::Reflection>();
  if (name == "discrete-gradient") return std::make_unique<dynamics::DiscreteGradient>();
  return std::make_unique<dynamics::CaptureReturn>();
}

}  // namespace ictus::testing
