#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ictus::report {

/// One page that lays several runs over each other: probes, contact forces and energy with the exact solution, what is
/// conserved, and a table of figures. Needs no network and no other file. Takes
///   {"title": text, "source": text or null (may be missing),
///    "contacts": [name of each contact pair, ...] (may be missing),
///    "runs": [{"name": text, no two alike,
///              "report": path of the run's own page, relative to this one, or null (may be missing),
///              "summary": summary.json of the run (may be missing),
///              "columns": {column of history.csv: [number or null, ...], ...}}],    "time" among them
///    "exact": {"time": [...], column of history.csv: [...], ...} or null (may be missing)}
/// Columns of a run that the page does not show are passed over. Where "exact" is missing, the columns "exact.…" of the
/// runs take its place. A run's "exact.…" columns also give its error, the norm of math::RelativeError over its rows.
/// Throws base::InputError naming the key where the document is not of this form.
std::string compare_page(const nlohmann::json& comparison);

/// A run to compare: how the page calls it, and where its result files are.
struct ComparedRun {
  std::string name;
  std::filesystem::path folder;
};

/// The document for compare_page() from result folders, with the source and the pairs of the first; `page_folder` is
/// where the page will be, so that it can link to the runs' own pages. Throws base::InputError for missing or damaged
/// files, all at once.
nlohmann::json comparison_of(const std::string& title, const std::vector<ComparedRun>& runs,
                             const std::filesystem::path& page_folder);

}  // namespace ictus::report
