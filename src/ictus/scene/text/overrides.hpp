#pragma once

#include <ictus/scene/text/document.hpp>
#include <ictus/scene/text/node.hpp>

#include <vector>

namespace ictus::scene {

/// Puts the value of an override into the tree, `source` being its index in `sources`. Only the shape is checked here
/// (that lists and names on the way exist); the reader checks keys and values afterwards, as it does for the file.
/// Throws base::InputError.
void apply_override(const Override& override_, Node& root, const Sources& sources, int source);

}  // namespace ictus::scene
