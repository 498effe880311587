#pragma once

#include <filesystem>
#include <ictus/report/report_data.hpp>
#include <string>
#include <vector>

namespace ictus::report {

/// The page of one run as one HTML file that needs nothing else: no network, no other file. It is made only from
/// summary.json, history.csv, contacts.csv, scene.yaml and the frames in `run_dir`, and carries their data inside
/// itself.
///
/// The page carries this document (report/src/data.ts reads it):
///   {"kind": "run", "summary": summary.json as it is,
///    "scene": {"text": scene.yaml as it is, "title", "source", "about", "contacts": [name of each pair, in order]},
///    "history": {"rows": rows in the file, "tables": [{"columns": [{"name", "values"}]}]},
///    "contacts": {"rows", "lanes": [{"first", "second", "count", "first_time", "last_time", "normal_impulse",
///                 "tangential_impulse", "energy_lost", "bin", "time", "impulse"}]},
///    "replay": see replay.hpp,
///    "snapshots": [times to show still pictures of, in s], or nothing where the page chooses}
/// where "values", "time" and "impulse" are a list of numbers or null, or, when long, base64 of little-endian doubles.
/// Histories and contacts too long to draw are thinned as described in report_data.hpp.
///
/// Throws base::InputError naming every file that is missing or damaged and what is wrong with it.
std::string report_page(const std::filesystem::path& run_dir, const std::vector<double>& snapshots = {});

/// Whether a run is over, or may have written only some of its files.
enum class RunState { unfinished, finished };

/// What the page carries. Of an unfinished run, what is not written yet is empty and the status is "unfinished".
Document report_document(const std::filesystem::path& run_dir, RunState state);
/// What the browser shows as the page's name.
std::string report_title(const Document& run);

}  // namespace ictus::report
