#pragma once

#include <filesystem>

namespace ictus::observe {

/// Writes filtered.csv beside a finished history.csv: time, and its forces, moments and accelerations through the
/// filter of a channel frequency class, as columns "cfc180.contact.0.force". Leading cells without a value stay so, and
/// so does a last row that does not lie on the grid of the others.
void write_filtered_history(const std::filesystem::path& folder, int frequency_class);

}  // namespace ictus::observe
