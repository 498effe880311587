#pragma once

#include <ictus/convert/mechanism.hpp>
#include <string>
#include <string_view>

namespace ictus::convert {

struct ImportOptions {
  bool free_base = false;     ///< of URDF: the first link is not held
  bool self_contact = false;  ///< of URDF: links that are no neighbours touch each other
};

/// What a URDF or MJCF file describes; meshes are named as in the file. Throws base::InputError with all mistakes, each
/// with its line.
Mechanism read_mechanism(const std::string& text, const std::string& file, const ImportOptions& options);

/// The scene, with paths of meshes relative to `folder`; adds to the notes what of meshes is not found. `file` is the
/// one that was read.
std::string scene_text(Mechanism& mechanism, const std::string& file, const std::string& folder);

struct Imported {
  std::string scene;
  std::vector<Note> notes;  ///< what was not understood
};

/// Reads a file, for a scene in `folder`.
Imported import_file(const std::string& file, const std::string& folder, const ImportOptions& options);

}  // namespace ictus::convert
