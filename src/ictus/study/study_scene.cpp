#include <ictus/study/study_scene.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/base/nearest.hpp>
#include <ictus/build/integrators/integrators.hpp>
#include <ictus/scene/schema/schema_export.hpp>

namespace ictus::study {

namespace {

constexpr std::string_view option = "--integrators";

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

/// At the commas that are outside of brackets, without blanks around the parts.
std::vector<std::string> split_values(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  for (std::string& part : parts) {
    part.erase(0, std::min(part.find_first_not_of(' '), part.size()));
    part.erase(part.find_last_not_of(' ') + 1);
  }
  return parts;
}

/// Names of all integrators, or of those that a scene can have by their name alone.
std::vector<std::string> known_types(bool by_name_alone) {
  std::vector<std::string> names;
  for (const scene::TypeDescription& one : scene::integrator_types())
    if (!by_name_alone || !one.needs_keys) names.push_back(one.name);
  return names;
}

base::Mistake mistake(std::string message) { return {"", 0, std::string(option), std::move(message)}; }

/// Adds a mistake for what is not "name" or "name:key=value:key=value".
IntegratorChoice parse_choice(const std::string& label, const std::vector<std::string>& known,
                              std::vector<base::Mistake>& mistakes) {
  const std::vector<std::string> parts = split(label, ':');
  IntegratorChoice choice{label, parts.front(), "{type: " + parts.front()};
  if (std::find(known.begin(), known.end(), choice.type) == known.end()) {
    const std::optional<std::string> near = base::nearest(choice.type, known);
    mistakes.push_back(
        mistake(fmt::format("no integrator is named '{}'; {}", choice.type,
                            near ? fmt::format("did you mean '{}'?", *near)
                                 : "`ictus integrators` lists them, and all means every one that needs no keys")));
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == parts[i].size()) {
      mistakes.push_back(mistake(fmt::format("'{}' in '{}' must be key=value", parts[i], label)));
      continue;
    }
    choice.spec += fmt::format(", {}: {}", parts[i].substr(0, equals), parts[i].substr(equals + 1));
  }
  choice.spec += "}";
  return choice;
}

/// A restitution between elastic bodies belongs to the scheme, not to the bodies: where a scheme cannot have it, what
/// its own theory gives is what a comparison is about.
void leave_out_restitutions(const scene::Scene& scene, SceneVariant& variant) {
  const auto integrator = build::make_integrator(scene);
  const dynamics::Capabilities can = integrator->capabilities();
  for (std::size_t i = 0; can.contact && i < scene.contacts.size(); ++i) {
    const std::optional<double> wanted = scene.contacts[i].restitution;
    if (!wanted || build::honours_restitution(can, *wanted)) continue;
    variant.changes.push_back({fmt::format("contacts.{}.restitution", i), "null"});
    variant.notes.push_back(fmt::format("contacts.{}.restitution {:g} left out: {} allows {}", i, *wanted,
                                        integrator->name(), build::allowed_restitutions(can)));
  }
}

}  // namespace

run::LoadedScene SceneSource::load(const std::vector<scene::Override>& changes) const {
  std::vector<scene::Override> all = overrides;
  all.insert(all.end(), changes.begin(), changes.end());
  return run::load(file_or_case, all);
}

std::vector<IntegratorChoice> parse_integrators(std::string_view text) {
  const std::vector<std::string> known = known_types(false);
  std::vector<base::Mistake> mistakes;
  std::vector<IntegratorChoice> choices;
  for (const std::string& label : text == "all" ? known_types(true) : split(text, ',')) {
    IntegratorChoice choice = parse_choice(label, known, mistakes);
    const auto is_same = [&](const IntegratorChoice& other) { return other.label == label; };
    if (std::any_of(choices.begin(), choices.end(), is_same)) {
      mistakes.push_back(mistake(fmt::format("'{}' is given twice", label)));
    }
    choices.push_back(std::move(choice));
  }
  if (!mistakes.empty()) throw base::InputError(std::move(mistakes));
  return choices;
}

KeyVariation parse_variation(std::string_view text) {
  constexpr const char* varied = "--vary";
  const auto refuse = [&](std::string message) { throw base::InputError({"", 0, varied, std::move(message)}); };
  const std::size_t equals = std::min(text.find('='), text.size());
  if (equals == 0 || equals == text.size()) refuse(fmt::format("'{}' must be KEY=VALUE,VALUE,...", text));
  KeyVariation variation{std::string(text.substr(0, equals)), split_values(text.substr(equals + 1))};
  for (auto value = variation.values.begin(); value != variation.values.end(); ++value) {
    if (value->empty()) refuse(fmt::format("'{}' has an empty value", text));
    if (std::find(variation.values.begin(), value, *value) != value)
      refuse(fmt::format("{} = {} is given twice", variation.key, *value));
  }
  return variation;
}

std::vector<KeyVariation> parse_variations(const std::vector<std::string>& texts) {
  std::vector<KeyVariation> variations;
  for (const std::string& text : texts) {
    KeyVariation variation = parse_variation(text);
    for (const KeyVariation& other : variations) {
      if (other.key != variation.key) continue;
      throw base::InputError({"", 0, "--vary", fmt::format("{} varies twice; give its values at once", other.key)});
    }
    variations.push_back(std::move(variation));
  }
  return variations;
}

SceneVariant with_integrator(const SceneSource& source, const IntegratorChoice& choice) {
  const std::optional<scene::Integrator> own = source.load().document.scene.integrator;
  SceneVariant variant;
  if (choice.has_options() || !own || scene::type_name(*own) != choice.type)
    variant.changes.push_back({"integrator", choice.spec});
  leave_out_restitutions(source.load(variant.changes).document.scene, variant);
  return variant;
}

std::string in_a_line(const base::InputError& error) {
  std::string line;
  for (const base::Mistake& one : error.mistakes()) {
    line += (line.empty() ? "" : "; ") + base::to_string({"", 0, one.key, one.message});
  }
  return line;
}

}  // namespace ictus::study
