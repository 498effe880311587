#pragma once

#include <ictus/run/cases.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::study {

/// A scene as a person named it, to be read with further changes: the same scene for every run of a study.
struct SceneSource {
  std::string file_or_case;
  std::vector<scene::Override> overrides;

  run::LoadedScene load(const std::vector<scene::Override>& changes = {}) const;
};

/// An integrator of a study.
struct IntegratorChoice {
  std::string label;  ///< as the person wrote it: "moreau-jean:theta=1"
  std::string type;   ///< "moreau-jean"
  std::string spec;   ///< for the key `integrator` of a scene: "{type: moreau-jean, theta: 1}"

  bool has_options() const { return label != type; }
};

/// Reads "all" (every integrator that the program has), or integrators separated by commas, each with its options if it
/// needs any: "cd-lagrange,moreau-jean:theta=1". Throws base::InputError for an unknown or repeated one.
std::vector<IntegratorChoice> parse_integrators(std::string_view text);

/// A key of the scene and the values that a study gives it.
struct KeyVariation {
  std::string key;                  ///< "contacts.0.friction"
  std::vector<std::string> values;  ///< as the person wrote them, blanks around them left out
};

/// Reads "contacts.0.friction=0,0.25,0.5"; commas inside brackets belong to a value. Throws base::InputError for a text
/// without a key or with an empty or repeated value.
KeyVariation parse_variation(std::string_view text);

/// Several of them; none may vary the key of another.
std::vector<KeyVariation> parse_variations(const std::vector<std::string>& texts);

/// What makes a scene one of a study.
struct SceneVariant {
  std::vector<scene::Override> changes;
  std::vector<std::string> notes;  ///< changes that the person did not ask for, in words
};

/// The scene with another integrator, its spec replaced whole; an integrator without options that the scene itself
/// names keeps the options of the scene. A coefficient of restitution that the integrator cannot honour is left out,
/// with a note, so that the integrator's own theory holds. Throws base::InputError for options that the integrator does
/// not have.
SceneVariant with_integrator(const SceneSource& source, const IntegratorChoice& choice);

/// The mistakes in a line: "time.step: a step of ...; probes.tip.of: ...".
std::string in_a_line(const base::InputError& error);

}  // namespace ictus::study
