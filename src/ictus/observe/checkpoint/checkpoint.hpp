#pragma once

#include <filesystem>
#include <ictus/files/atomic_file.hpp>
#include <ictus/model/state.hpp>
#include <ictus/observe/checkpoint/archive.hpp>
#include <string>

namespace ictus::observe {

/// Where a run can be taken up again.
struct Checkpoint {
  std::filesystem::path path;  ///< where it was read; not stored
  std::string build;           ///< build_identity() of the program that wrote it
  std::string scene;           ///< resolved scene
  model::State state;
  Archive::Numbers record;  ///< what the observers must remember
};

/// Writes HDF5 behind a user block with a checksum: attributes `schema`, `build`; /scene; /state with attributes
/// `time` and `step`, q, p and memory; /record. Memory and record are folders with `names` (lines "name count") and
/// `values`, one array after the other.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Throws base::InputError for a missing, damaged or foreign file and one of another build.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace ictus::observe
