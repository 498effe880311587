#pragma once

#include <array>
#include <filesystem>
#include <ictus/study/compare/compare.hpp>
#include <ictus/study/figure_table.hpp>
#include <nlohmann/json.hpp>
#include <string_view>

namespace ictus::study {

namespace comparison_files {
inline constexpr std::string_view json = "compare.json";
inline constexpr std::string_view csv = "compare.csv";
inline constexpr std::string_view page = "compare.html";
inline constexpr std::array all{json, csv, page};
}  // namespace comparison_files

/// compare.json:
///   {"ictus": {"version", "schema"}, "scene": {"title", "case"},
///    "runs": [{"name", "status": "completed" or "failed", "reason": text or null, "notes": [text, ...], "folder",
///              "time": {"step", "steps", "wall_seconds"},
///              "error": {"displacement", "velocity", "contact_force", "columns": {column of history.csv: value, ...}},
///              "energy": {"initial", "error", "change_max", "losses": {name: J, ...}, "residual_max"},
///              "momentum": {"linear_drift", "angular_drift"},
///              "contact": {"duration", "events", "fallbacks"}}],
///    "refused": [{"name", "reason"}]}
/// "error" is the relative error against the exact solution [eq. convergence-1], null where the scene has none: for
/// each quantity the largest over the probes (or contacts), and below "columns" each for itself. "duration" is the time
/// from the first contact impulse to the last. A run that failed before its first row has only the first five keys.
nlohmann::ordered_json to_json(const Comparison& comparison);

/// compare.csv: a row per integrator, refused ones included, with the figures of compare.json.
FigureTable full_table(const Comparison& comparison);

/// What people look at first: a row for each that ran. Losses by name in one cell.
FigureTable short_table(const Comparison& comparison);

/// Writes the three files beside the folders of the runs.
void write_comparison(const Comparison& comparison, const std::filesystem::path& folder);

}  // namespace ictus::study
