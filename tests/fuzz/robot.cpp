#include <ictus/convert/convert.hpp>
#include <ictus/scene/text/document.hpp>

#include "fuzz/attempt.hpp"
#include "fuzz/targets.hpp"

namespace ictus::fuzz {

void robot(std::string_view bytes) {
  attempt([&] {
    convert::Mechanism mechanism = convert::read_mechanism(std::string(bytes), "robot.xml", {.self_contact = true});
    for (const convert::Note& note : mechanism.notes) demand(!note.text.empty(), "notes say something");
    const std::string text = convert::scene_text(mechanism, "robot.xml", "");
    if (!mechanism.links.empty()) scene::read_text(text, "scene.yaml");
  });
}

}  // namespace ictus::fuzz
