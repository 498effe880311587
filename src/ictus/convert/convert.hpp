#pragma once

#include <ictus/convert/deck.hpp>
#include <ictus/convert/mechanism.hpp>
#include <string>
#include <string_view>

namespace ictus::convert {

struct ImportOptions {
  bool free_base = false;        ///< of URDF: the first link is not held
  bool self_contact = false;     ///< of URDF: links that are no neighbours touch each other
  std::string units = "m-kg-s";  ///< of decks, see deck_units()
};

/// What a URDF or MJCF file describes; meshes are named as in the file. Throws base::InputError with all mistakes, each
/// with its line.
Mechanism read_mechanism(const std::string& text, const std::string& file, const ImportOptions& options);

/// The scene, with paths of meshes relative to `folder`; adds to the notes what of meshes is not found. `file` is the
/// one that was read.
std::string scene_text(Mechanism& mechanism, const std::string& file, const std::string& folder);

/// Whether a text is a deck of finite elements rather than XML.
bool is_deck(std::string_view text);
/// The scene of a deck of Abaqus or LS-DYNA, and the mesh files that it names, which begin with `stem`. Throws
/// base::InputError with all mistakes, each with its line.
DeckScene scene_of_deck(const std::string& text, const std::string& file, const std::string& stem,
                        const ImportOptions& options, std::vector<Note>& notes);

struct Imported {
  std::string scene;
  std::vector<std::pair<std::string, std::string>> files;  ///< meshes of a deck: name beside the scene, text
  std::vector<Note> notes;                                 ///< what was not understood
};

/// Reads a file, for a scene in `folder`; meshes of decks begin with `stem`.
Imported import_file(const std::string& file, const std::string& folder, const std::string& stem,
                     const ImportOptions& options);

}  // namespace ictus::convert
