#pragma once

#include <ictus/scene/schema/kind.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace ictus::scene {

/// Answers each word of version 1 in the tree with what version 2 writes, and takes the mistakes that follow from it
/// off the reader's mind.
void answer_old_words(const Node& root, Reading& reading);

struct Upgraded {
  std::string text;
  int words = 0;  ///< how many were rewritten
};

/// The text of a scene file in the words of version 2: comments and layout stay, and a text that is in them already
/// stays as it is. Throws base::InputError where the text is no YAML map, or cannot be rewritten word by word.
Upgraded upgrade(std::string_view text, const std::string& file_name);

}  // namespace ictus::scene
