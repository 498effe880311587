#include <ictus/report/compare_page.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/files/json_fields.hpp>
#include <ictus/files/result_files.hpp>
#include <ictus/files/run_files.hpp>
#include <ictus/math/error_norm.hpp>
#include <ictus/report/page_template.hpp>
#include <ictus/report/report_data.hpp>
#include <set>

namespace ictus::report {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view exact_prefix = "exact.";

/// Whether the page shows a column of history.csv.
bool is_compared(std::string_view name) {
  return name == "time" || name.starts_with("energy.") || name == "momentum.drift" ||
         name == "angular_momentum.drift" || name.starts_with("probe.") ||
         (name.starts_with("contact.") && name.ends_with(".force"));
}

bool is_compared_or_exact(std::string_view name) {
  return is_compared(name.starts_with(exact_prefix) ? name.substr(exact_prefix.size()) : name);
}

/// The columns of one object as a table; all as long as "time", which never runs back.
files::CsvTable read_columns(const files::JsonField& columns) {
  const files::JsonField time_field = columns.member("time");
  const std::vector<double> time = time_field.numbers();
  if (std::ranges::any_of(time, [](double t) { return std::isnan(t); })) time_field.fail("null is no time");
  if (!std::ranges::is_sorted(time)) time_field.fail("time runs back");
  files::CsvTable table;
  table.rows = time.size();
  for (const auto& [name, field] : columns.members()) {
    if (!is_compared_or_exact(name)) continue;
    files::CsvColumn column{.name = name, .numbers = field.numbers()};
    if (column.numbers.size() != table.rows) {
      field.fail(fmt::format("has {} values, but there are {} times", column.numbers.size(), table.rows));
    }
    table.columns.push_back(std::move(column));
  }
  return table;
}

/// Error of each column that the run knows the exact solution of; null where that is zero throughout.
Document errors_of(const files::CsvTable& run) {
  Document errors = Document::object();
  for (const files::CsvColumn& exact : run.columns) {
    if (!exact.name.starts_with(exact_prefix)) continue;
    const std::string name = exact.name.substr(exact_prefix.size());
    const files::CsvColumn* computed = run.find(name);
    if (!computed) continue;
    math::RelativeError error;
    for (std::size_t i = 0; i < run.rows; ++i) {
      if (std::isnan(computed->numbers[i]) || std::isnan(exact.numbers[i])) continue;
      error.add(computed->numbers[i], exact.numbers[i]);
    }
    errors[name] = error.value() ? Document(*error.value()) : Document(nullptr);
  }
  return errors;
}

/// Takes the columns "exact.…" out of a run and keeps those not yet `known`: the solution is the same for every run.
void take_exact(files::CsvTable& run, files::CsvTable& kept, std::set<std::string>& known) {
  const files::CsvColumn time = *run.find("time");
  const auto is_exact = [](const files::CsvColumn& column) { return column.name.starts_with(exact_prefix); };
  for (files::CsvColumn& column : run.columns) {
    if (!is_exact(column)) continue;
    std::string name = column.name.substr(exact_prefix.size());
    if (known.insert(name).second) kept.columns.push_back({.name = name, .numbers = column.numbers});
  }
  std::erase_if(run.columns, is_exact);
  if (!kept.columns.empty()) {
    kept.rows = run.rows;
    kept.columns.push_back(time);
  }
}

Document text_or_null(const std::optional<files::JsonField>& field) {
  return field ? Document(field->text()) : Document(nullptr);
}

}  // namespace

std::string compare_page(const nlohmann::json& comparison) {
  const files::JsonField root(comparison);
  const std::string title = root.member("title").text();
  Document page = {{"kind", "compare"}, {"title", title}, {"source", text_or_null(root.optional_member("source"))}};
  page["contacts"] = Document::array();
  if (const auto contacts = root.optional_member("contacts")) {
    for (const files::JsonField& name : contacts->elements()) page["contacts"].push_back(name.text());
  }
  std::set<std::string> known_exact;
  Document exact_tables = Document::array();
  const std::optional<files::JsonField> exact = root.optional_member("exact");
  if (exact) exact_tables = history_tables(read_columns(*exact));
  std::set<std::string> names;
  page["runs"] = Document::array();
  for (const files::JsonField& run : root.member("runs").elements()) {
    const std::string name = run.member("name").text();
    if (!names.insert(name).second) run.member("name").fail(fmt::format("'{}' is the name of two runs", name));
    files::CsvTable history = read_columns(run.member("columns"));
    const Document errors = errors_of(history);
    files::CsvTable exact_of_run;
    take_exact(history, exact_of_run, known_exact);
    if (!exact && !exact_of_run.columns.empty()) {
      for (const Document& table : history_tables(exact_of_run)) exact_tables.push_back(table);
    }
    const std::optional<files::JsonField> summary = run.optional_member("summary");
    page["runs"].push_back({{"name", name},
                            {"report", text_or_null(run.optional_member("report"))},
                            {"summary", summary ? Document(summary->value()) : Document::object()},
                            {"errors", errors},
                            {"history", {{"rows", history.rows}, {"tables", history_tables(history)}}}});
  }
  page["exact"] = {{"tables", std::move(exact_tables)}};
  return fill_page(fmt::format("{} · Ictus comparison", title), page);
}

nlohmann::json comparison_of(const std::string& title, const std::vector<ComparedRun>& runs,
                             const fs::path& page_folder) {
  nlohmann::json comparison = {{"title", title}, {"runs", nlohmann::json::array()}};
  std::vector<base::Mistake> mistakes;
  for (const ComparedRun& run : runs) {
    try {
      if (&run == &runs.front()) {
        const Document scene = files::read_scene(run.folder / files::result_files::scene);
        comparison["source"] = scene["source"];
        comparison["contacts"] = scene["contacts"];
      }
      nlohmann::json columns = nlohmann::json::object();
      for (const files::CsvColumn& column : files::read_history(run.folder / files::result_files::history).columns) {
        if (!is_compared_or_exact(column.name)) continue;
        nlohmann::json& values = columns[column.name] = nlohmann::json::array();
        for (const double v : column.numbers) values.push_back(std::isnan(v) ? nlohmann::json() : nlohmann::json(v));
      }
      const fs::path report = run.folder / files::result_files::report;
      comparison["runs"].push_back(
          {{"name", run.name},
           {"report",
            fs::exists(report) ? nlohmann::json(fs::relative(report, page_folder).generic_string()) : nlohmann::json()},
           {"summary", nlohmann::json(files::read_summary(run.folder / files::result_files::summary))},
           {"columns", std::move(columns)}});
    } catch (const base::InputError& error) {
      mistakes.insert(mistakes.end(), error.mistakes().begin(), error.mistakes().end());
    }
  }
  if (!mistakes.empty()) throw base::InputError(std::move(mistakes));
  return comparison;
}

}  // namespace ictus::report
