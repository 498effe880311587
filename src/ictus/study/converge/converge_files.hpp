#pragma once

#include <array>
#include <filesystem>
#include <ictus/study/converge/converge.hpp>
#include <ictus/study/figure_table.hpp>
#include <nlohmann/json.hpp>
#include <string_view>

namespace ictus::study {

namespace convergence_files {
inline constexpr std::string_view json = "converge.json";
inline constexpr std::string_view csv = "converge.csv";
inline constexpr std::string_view page = "converge.html";
inline constexpr std::array all{json, csv, page};
}  // namespace convergence_files

/// converge.json:
///   {"ictus": {"version", "schema"}, "scene": {"title", "case"},
///    "norm": how the errors are measured, "window": {"from": s, "after_release": true or false}, "mesh_follows",
///    "notes": [text, ...], "quantities": [{"column": as in history.csv, "name"}, ...],
///    "runs": [{"integrator", "step", "asked_step", "elements": {bar: n, ...}, "steps", "status": "completed", "failed"
///    or
///              "refused", "reason": text or null, "errors": {column: value or null, ...}, "wall_seconds"}],
///    "slopes": [{"integrator", "column", "order", "constant", "scatter", "local_orders": [...]}]}
/// "order", "constant" and "scatter" are those of math::PowerLaw over the errors that are positive, null for fewer than
/// two of them; local orders run from the largest step to the smallest.
nlohmann::ordered_json to_json(const Convergence& study);

/// converge.csv: a row per run.
FigureTable full_table(const Convergence& study);

/// What people look at first: a row per run, and the fitted orders below the runs of each integrator.
FigureTable short_table(const Convergence& study);

/// Writes the three files.
void write_convergence(const Convergence& study, const std::filesystem::path& folder);

}  // namespace ictus::study
