#pragma once

#include <filesystem>

namespace ictus::files {

/// Writes the results of the run in `folder` as one HDF5 file, for programs that read that rather than text:
///   attributes `version`, `integrator`, `status`; `scene.yaml` and `summary.json` as strings;
///   groups `history` and `contacts` with a list of equal length for each column of history.csv and contacts.csv, by
///   the column's name: numbers (NaN where the cell is empty), or strings for the bodies of a contact.
/// Throws base::InputError naming every file of the run that is missing or damaged, and where there is something at
/// `to` that is not such a file.
void export_results(const std::filesystem::path& folder, const std::filesystem::path& to);

}  // namespace ictus::files
