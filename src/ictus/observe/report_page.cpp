#include <fmt/format.h>

#include <ictus/base/error.hpp>
#include <ictus/observe/page_template.hpp>
#include <ictus/observe/report_data.hpp>
#include <ictus/observe/report_page.hpp>
#include <ictus/observe/result_files.hpp>
#include <ictus/observe/run_files.hpp>

namespace ictus::observe {
namespace {

namespace fs = std::filesystem;

Document history_part(const fs::path& file) {
  const CsvTable history = read_history(file);
  return {{"rows", history.rows}, {"tables", history_tables(history)}};
}

Document contacts_part(const fs::path& file) {
  const CsvTable contacts = read_contacts(file);
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
    const Document::json_pointer place(pointer);
    if (run.contains(place) && run.at(place).is_string()) return run.at(place).get<std::string>();
  }
  return "Untitled run";
}

}  // namespace

std::string report_page(const fs::path& run_dir) {
  Document run = {{"kind", "run"}};
  std::vector<base::Mistake> mistakes;
  add_part(run, "summary", run_dir / result_files::summary, read_summary, mistakes);
  add_part(run, "scene", run_dir / result_files::scene, read_scene, mistakes);
  add_part(run, "history", run_dir / result_files::history, history_part, mistakes);
  add_part(run, "contacts", run_dir / result_files::contacts, contacts_part, mistakes);
  if (!mistakes.empty()) throw base::InputError(std::move(mistakes));
  return fill_page(fmt::format("{} · Ictus", title_of(run)), run);
}

}  // namespace ictus::observe
