#pragma once

#include <array>
#include <filesystem>
#include <ictus/study/figure_table.hpp>
#include <ictus/study/validate/validate.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ictus::study {

namespace validation_files {
inline constexpr std::string_view json = "validation.json";
inline constexpr std::string_view csv = "validation.csv";
inline constexpr std::string_view markdown = "validation.md";
inline constexpr std::string_view page = "validation.html";
inline constexpr std::array all{json, csv, markdown, page};
}  // namespace validation_files

/// validation.json:
///   {"ictus": {"version", "schema"},
///    "benchmarks": [{"name", "title", "source", "published": as in summary.json with "because", "known_miss" and
///    "others",
///                    "runs": [{"label", "folder", "status", "reason", "integrator", "unknowns", "step",
///                    "wall_seconds",
///                              "own": [number or null, ...], "error": [number or null, ...], "met": [...]}]}],
///    "not_yet": [{"name", "title", "source", "missing", "published": [{"what", "value", "unit", "by"}]}]}
nlohmann::ordered_json to_json(const Validation& validation);

/// A row for each published number, also of what the program cannot do yet.
FigureTable full_table(const Validation& validation);

/// docs/validation.md: the table for people, with the reasons for its tolerances. It has no wall times: the same
/// version of the program writes the same page.
std::string to_markdown(const Validation& validation);

/// The rows of that page, as far as they say which numbers there are and who published them: of this program, whatever
/// it makes of them.
std::vector<std::string> markdown_rows_of_cases();

/// Writes the four files beside the folders of the runs.
void write_validation(const Validation& validation, const std::filesystem::path& folder);

}  // namespace ictus::study
