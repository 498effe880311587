#pragma once

#include <filesystem>
#include <ictus/files/csv_table.hpp>
#include <nlohmann/json.hpp>

namespace ictus::files {

/// The files of a finished run as the pages need them. Each throws base::InputError naming the file and what is wrong
/// when it is missing or damaged.

/// summary.json, a JSON object.
nlohmann::ordered_json read_summary(const std::filesystem::path& file);

/// {"text": scene.yaml as it is, "title", "source", "about", "contacts": ["left – right" for each entry of contacts]}.
nlohmann::ordered_json read_scene(const std::filesystem::path& file);

/// history.csv and contacts.csv; times exist and never run back.
CsvTable read_history(const std::filesystem::path& file);
CsvTable read_contacts(const std::filesystem::path& file);

}  // namespace ictus::files
