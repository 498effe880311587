#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace ictus::scene {

/// The JSON Schema (draft 7) of a scene: what `ictus schema` prints and YAML editors use.
nlohmann::ordered_json json_schema();

/// The reference page docs/scene-reference.md.
std::string reference_markdown();

/// A choice of `type:` and its paragraph.
struct TypeDescription {
  std::string name;
  std::string text;
  bool needs_keys;  ///< `type` alone does not describe it
};

/// Every integrator, in the order of the variant: what `ictus integrators` prints.
std::vector<TypeDescription> integrator_types();

/// Every body type.
std::vector<TypeDescription> body_types();

}  // namespace ictus::scene
