#include <ictus/convert/convert.hpp>

#include <fmt/format.h>

#include <algorithm>
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

Imported import_file(const std::string& file, const std::string& folder, const ImportOptions& options) {
  Mechanism mechanism = read_mechanism(base::read_whole_file(file, largest_file), file, options);
  Imported imported;
  imported.scene = scene_text(mechanism, file, folder);
  imported.notes = std::move(mechanism.notes);
  std::stable_sort(imported.notes.begin(), imported.notes.end(),
                   [](const Note& a, const Note& b) { return a.line < b.line; });
  return imported;
}

}  // namespace ictus::convert
