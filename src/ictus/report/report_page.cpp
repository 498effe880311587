#include <ictus/report/report_page.hpp>

#include <fmt/format.h>

#include <ictus/base/error.hpp>
#include <ictus/files/result_files.hpp>
#include <ictus/files/run_files.hpp>
#include <ictus/report/page_template.hpp>
#include <ictus/report/replay/replay.hpp>
#include <ictus/report/report_data.hpp>

namespace ictus::report {
namespace {

namespace fs = std::filesystem;

Document history_part(const fs::path& file) {
  const files::CsvTable history = files::read_history(file);
  Document tables = history_tables(history);
  const fs::path filtered = file.parent_path() / files::result_files::filtered;
  if (fs::exists(filtered)) {
    for (Document& table : history_tables(files::read_history(filtered))) tables.push_back(std::move(table));
  }
  return {{"rows", history.rows}, {"tables", std::move(tables)}};
}

Document contacts_part(const files::CsvTable& contacts) {
  return {{"rows", contacts.rows}, {"lanes", contact_lanes(contacts)}};
}

/// Adds a part made from one file to the document, or that file's mistakes to the list.
template <class Read>
void add_part(Document& document, const char* name, const fs::path& file, Read read,
              std::vector<base::Mistake>& mistakes) {
  try {
    document[name] = read(file);
  } catch (const base::InputError& error) {
    mistakes.insert(mistakes.end(), error.mistakes().begin(), error.mistakes().end());
  }
}

std::string title_of(const Document& run) {
  for (const char* pointer : {"/summary/scene/title", "/scene/title"}) {
    const Document::json_pointer where(pointer);
    if (run.contains(where) && run.at(where).is_string()) return run.at(where).get<std::string>();
  }
  return "Untitled run";
}

}  // namespace

Document report_document(const fs::path& run_dir, RunState state) {
  Document run = {{"kind", "run"}};
  std::vector<base::Mistake> mistakes;
  const auto add = [&](const char* name, std::string_view file, auto read, const Document& if_missing) {
    const fs::path path = run_dir / file;
    if (state == RunState::unfinished && !fs::exists(path)) {
      run[name] = if_missing;
    } else {
      add_part(run, name, path, read, mistakes);
    }
  };
  files::CsvTable contacts;
  add("summary", files::result_files::summary, files::read_summary, {{"status", "unfinished"}});
  add_part(run, "scene", run_dir / files::result_files::scene, files::read_scene, mistakes);
  add("history", files::result_files::history, history_part, {{"rows", 0}, {"tables", Document::array()}});
  add("contacts", files::result_files::contacts,
      [&](const fs::path& file) { return contacts_part(contacts = files::read_contacts(file)); },
      {{"rows", 0}, {"lanes", Document::array()}});
  run["replay"] = nullptr;
  if (!contacts.columns.empty()) {
    add_part(
        run, "replay", run_dir, [&](const fs::path& folder) { return replay_document(folder, contacts); }, mistakes);
  }
  if (!mistakes.empty()) throw base::InputError(std::move(mistakes));
  return run;
}

std::string report_title(const Document& run) { return fmt::format("{} · Ictus", title_of(run)); }

std::string report_page(const fs::path& run_dir, const std::vector<double>& snapshots) {
  Document run = report_document(run_dir, RunState::finished);
  if (!snapshots.empty()) run["snapshots"] = snapshots;
  return fill_page(report_title(run), run);
}

}  // namespace ictus::report
