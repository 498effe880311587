#pragma once

#include <filesystem>
#include <ictus/model/state.hpp>
#include <ictus/observe/archive.hpp>
#include <string>

namespace ictus::observe {

/// Where a run can be taken up again.
struct Checkpoint {
  std::filesystem::path path;  ///< where it was read; not stored
  std::string version;         ///< of the program that wrote it
  std::string scene;           ///< resolved scene
  model::State state;
  Archive::Numbers record;  ///< what the observers must remember
};

/// Writes HDF5: attributes `format`, `schema`, `version`; /scene; /state with attributes time and step, q, p and
/// memory/<i> with attribute `name`; /record/<i> likewise. Whole or not at all.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Throws base::InputError for a missing, damaged or foreign file and one of another version.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace ictus::observe
