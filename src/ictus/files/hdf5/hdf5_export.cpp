#include <ictus/files/hdf5/hdf5_export.hpp>

#include <fstream>
#include <ictus/base/error.hpp>
#include <ictus/base/text_file.hpp>
#include <ictus/base/version.hpp>
#include <ictus/files/atomic_file.hpp>
#include <ictus/files/column_units.hpp>
#include <ictus/files/hdf5/hdf5_file.hpp>
#include <ictus/files/result_files.hpp>
#include <ictus/files/run_files.hpp>

namespace ictus::files {

namespace fs = std::filesystem;

namespace {

/// The files of a run that are exported.
struct Results {
  std::string scene;
  nlohmann::ordered_json summary;
  std::string summary_text;
  CsvTable history;
  CsvTable contacts;
  std::optional<CsvTable> filtered;
};

Results read_results(const fs::path& folder) {
  Results results;
  std::vector<base::Mistake> mistakes;
  const auto take = [&](auto& part, auto read, std::string_view file) {
    try {
      part = read(folder / file);
    } catch (const base::InputError& error) {
      mistakes.insert(mistakes.end(), error.mistakes().begin(), error.mistakes().end());
    }
  };
  take(results.summary, read_summary, result_files::summary);
  take(
      results.scene, [](const fs::path& file) { return base::read_whole_file(file); }, result_files::scene);
  take(results.history, read_history, result_files::history);
  take(results.contacts, read_contacts, result_files::contacts);
  if (fs::exists(folder / result_files::filtered)) take(results.filtered, read_history, result_files::filtered);
  if (!mistakes.empty()) throw base::InputError(std::move(mistakes));
  results.summary_text = base::read_whole_file(folder / result_files::summary);
  return results;
}

/// The unit that the summary has of a column, or the usual one where it has none.
std::optional<std::string> unit_in(const nlohmann::ordered_json& summary, const char* table,
                                   std::span<const ColumnDescription> known, const std::string& column) {
  if (summary.contains("units") && summary["units"].contains(table) && summary["units"][table].contains(column))
    return summary["units"][table][column].get<std::string>();
  const auto usual = unit_of(known, column);
  return usual ? std::optional<std::string>(*usual) : std::nullopt;
}

void write_table(const hdf5::Writer& root, const char* name, const CsvTable& table,
                 const nlohmann::ordered_json& summary, std::span<const ColumnDescription> known) {
  const hdf5::Handle folder = root.group(name);
  const hdf5::Writer group(folder);
  for (const CsvColumn& column : table.columns) {
    if (column.is_text) {
      group.texts(column.name.c_str(), column.words, column.text);
    } else {
      group.numbers(column.name.c_str(), column.numbers);
      if (const auto unit = unit_in(summary, name, known, column.name))
        group.text_attribute_of(column.name.c_str(), "unit", *unit);
    }
  }
}

std::string file_image(const Results& results) {
  const hdf5::Handle file = hdf5::new_file();
  const hdf5::Writer root(file);
  const std::pair<const char*, const char*> attributes[] = {
      {"version", "/ictus/version"}, {"integrator", "/integrator"}, {"status", "/status"}};
  for (const auto& [name, path] : attributes) {
    const nlohmann::ordered_json::json_pointer pointer(path);
    if (!results.summary.contains(pointer) || !results.summary.at(pointer).is_string()) continue;
    root.text_attribute(name, results.summary.at(pointer).get<std::string>());
  }
  root.text(std::string(result_files::scene).c_str(), results.scene);
  root.text(std::string(result_files::summary).c_str(), results.summary_text);
  write_table(root, "history", results.history, results.summary, described_history());
  write_table(root, "contacts", results.contacts, results.summary, described_contacts());
  if (results.filtered) write_table(root, "filtered", *results.filtered, results.summary, described_history());
  return hdf5::bytes_of(file);
}

/// A name given by mistake must not cost a file of another kind.
void refuse_to_replace(const fs::path& to) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  std::error_code no_status;
  const fs::file_status status = fs::status(to, no_status);
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw base::InputError(base::Mistake{to.string(), 0, "", "is not a plain file; choose another name with --to"});
  std::ifstream file(to, std::ios::binary);
  std::string beginning(signature.size(), '\0');
  if (!file || (file.read(beginning.data(), static_cast<std::streamsize>(beginning.size())) && beginning == signature))
    return;
  throw base::InputError(
      base::Mistake{to.string(), 0, "", "exists and is not an exported file; choose another name with --to"});
}

}  // namespace

void export_results(const fs::path& folder, const fs::path& to) {
  const Results results = read_results(folder);
  refuse_to_replace(to);
  const hdf5::Quiet quiet;
  write_file(to, file_image(results));
}

}  // namespace ictus::files
