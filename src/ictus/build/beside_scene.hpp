#pragma once

#include <filesystem>
#include <ictus/scene/text/document.hpp>
#include <string>

namespace ictus::build {

/// A path of a scene is meant from the folder of its file.
inline std::filesystem::path beside_scene(const std::string& file, const scene::Document& document) {
  const std::filesystem::path path(file);
  return path.is_absolute() ? path : std::filesystem::path(document.file).parent_path() / path;
}

}  // namespace ictus::build
