#include <ictus/convert/convert.hpp>
#include <ictus/scene/text/document.hpp>

#include "fuzz/attempt.hpp"
#include "fuzz/targets.hpp"

namespace ictus::fuzz {

void deck(std::string_view bytes) {
  attempt([&] {
    std::vector<convert::Note> notes;
    const convert::DeckScene made = convert::scene_of_deck(std::string(bytes), "deck.inp", "deck", {}, notes);
    for (const convert::Note& note : notes) demand(!note.text.empty(), "notes say something");
    demand(!made.files.empty(), "bodies have meshes");
    scene::read_text(made.scene, "scene.yaml");
  });
}

}  // namespace ictus::fuzz
