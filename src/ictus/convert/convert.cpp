#include <ictus/convert/convert.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ictus/base/text_file.hpp>
#include <ictus/convert/readers.hpp>

namespace ictus::convert {

namespace {

constexpr std::uintmax_t largest_file = std::uintmax_t{256} << 20;

}  // namespace

Mechanism read_mechanism(const std::string& text, const std::string& file, const ImportOptions& options) {
  Findings findings{file, {}, {}};
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) {
    findings.mistake(document.ErrorLineNum(), "", fmt::format("is no XML that can be read ({})", document.ErrorName()));
    findings.throw_if_any();
  }
  const tinyxml2::XMLElement* found = document.RootElement();
  const std::string name = found ? found->Name() : "";
  if (name != "robot" && name != "mujoco") {
    findings.mistake(found ? found->GetLineNum() : 0, "",
                     fmt::format("must begin with <robot> (URDF) or <mujoco> (MJCF), not <{}>", name));
    findings.throw_if_any();
  }
  const Element root(*found, findings);
  Mechanism mechanism = name == "robot" ? read_urdf(root, options, findings) : read_mjcf(root, findings);
  for (const Link& link : mechanism.links) {
    const bool has_mass = link.inertia ? link.inertia->mass > 0 : !link.shapes.empty();
    if (!link.held && !has_mass) findings.mistake(link.line, "", fmt::format("'{}' moves and has no mass", link.name));
  }
  findings.throw_if_any();
  mechanism.notes = std::move(findings.notes);
  return mechanism;
}

bool is_deck(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string_view::npos && (text[first] == '*' || text[first] == '$');
}

DeckScene scene_of_deck(const std::string& text, const std::string& file, const std::string& stem,
                        const ImportOptions& options, std::vector<Note>& notes) {
  Findings findings{file, {}, {}};
  const std::optional<DeckUnits> units = deck_units(options.units);
  if (!units) {
    findings.mistake(0, "", fmt::format("has no units named '{}'; known are {}", options.units, deck_unit_names()));
    findings.throw_if_any();
  }
  // Files of LS-DYNA begin with *KEYWORD.
  const std::size_t keyword = text.find("*KEYWORD"), node = text.find("*NODE");
  const bool is_dyna = keyword < node;
  const Deck deck = is_dyna ? read_dyna(text, *units, findings) : read_abaqus(text, *units, findings);
  const bool has_cells =
      std::any_of(deck.bodies.begin(), deck.bodies.end(), [](const DeckBody& body) { return !body.cells.empty(); });
  if (!has_cells && findings.mistakes.empty())
    findings.mistake(0, "", "has no elements with a section that are known: no body can be made");
  findings.throw_if_any();
  DeckScene scene = deck_scene(deck, std::filesystem::path(file).filename().string(), stem, findings.notes);
  notes = std::move(findings.notes);
  return scene;
}

Imported import_file(const std::string& file, const std::string& folder, const std::string& stem,
                     const ImportOptions& options) {
  const std::string text = base::read_whole_file(file, largest_file);
  Imported imported;
  if (is_deck(text)) {
    DeckScene scene = scene_of_deck(text, file, stem, options, imported.notes);
    imported.scene = std::move(scene.scene);
    imported.files = std::move(scene.files);
  } else {
    Mechanism mechanism = read_mechanism(text, file, options);
    imported.scene = scene_text(mechanism, file, folder);
    imported.notes = std::move(mechanism.notes);
  }
  std::stable_sort(imported.notes.begin(), imported.notes.end(),
                   [](const Note& a, const Note& b) { return a.line < b.line; });
  return imported;
}

}  // namespace ictus::convert
