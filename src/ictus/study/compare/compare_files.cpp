#include <ictus/study/compare/compare_files.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ictus/base/version.hpp>
#include <ictus/files/atomic_file.hpp>
#include <ictus/report/compare_page.hpp>

namespace ictus::study {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::array main_quantities{"displacement", "velocity", "contact_force"};

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json error_part(const RunFigures& figures) {
  Json part = Json::object();
  for (const char* quantity : main_quantities) part[quantity] = or_null(figures.largest_error(quantity));
  Json& columns = part["columns"] = Json::object();
  for (const RunFigures::Error& error : figures.errors) columns[error.column] = or_null(error.value);
  return part;
}

Json run_part(const ComparedRun& run) {
  Json part{{"name", run.name},
            {"status", to_string(run.status)},
            {"reason", run.reason.empty() ? Json(nullptr) : Json(run.reason)},
            {"notes", run.notes},
            {"folder", run.folder},
            {"values", run.values}};
  if (!run.figures) return part;
  const RunFigures& figures = *run.figures;
  Json losses = Json::object();
  for (const auto& [name, joules] : figures.losses) losses[name] = joules;
  part["time"] = {{"step", figures.step}, {"steps", figures.steps}, {"wall_seconds", figures.wall_seconds}};
  part["error"] = error_part(figures);
  part["energy"] = {{"initial", or_null(figures.energy_initial)},
                    {"error", or_null(figures.energy_error)},
                    {"change_max", or_null(figures.energy_change_max)},
                    {"losses", losses},
                    {"residual_max", or_null(figures.energy_residual_max)}};
  part["momentum"] = {{"linear_drift", or_null(figures.linear_drift)},
                      {"angular_drift", or_null(figures.angular_drift)}};
  part["contact"] = {{"duration", or_null(figures.contact_duration)},
                     {"events", or_null(figures.events)},
                     {"fallbacks", figures.fallbacks}};
  return part;
}

/// Names that any run has, in order of first appearance.
template <class Names>
std::vector<std::string> names_of_all(const Comparison& comparison, Names names) {
  std::vector<std::string> all;
  for (const ComparedRun& run : comparison.runs) {
    if (!run.figures) continue;
    for (const std::string& name : names(*run.figures)) {
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    }
  }
  return all;
}

std::vector<std::string> loss_names(const RunFigures& figures) {
  std::vector<std::string> names;
  for (const auto& loss : figures.losses) names.push_back(loss.first);
  return names;
}

std::vector<std::string> error_columns(const RunFigures& figures) {
  std::vector<std::string> names;
  for (const RunFigures::Error& error : figures.errors) names.push_back(error.column);
  return names;
}

std::optional<double> loss(const RunFigures& figures, const std::string& name) {
  for (const auto& [known, joules] : figures.losses) {
    if (known == name) return joules;
  }
  return std::nullopt;
}

std::optional<double> error(const RunFigures& figures, const std::string& column) {
  for (const RunFigures::Error& known : figures.errors) {
    if (known.column == column) return known.value;
  }
  return std::nullopt;
}

/// One column of a table: its heading, and its cell for a run that has figures.
struct FigureColumn {
  std::string heading;
  std::function<Cell(const RunFigures&)> cell;
};

std::vector<FigureColumn> all_columns(const Comparison& comparison) {
  std::vector<FigureColumn> columns{
      {"time.step", [](const RunFigures& f) { return Cell(f.step); }},
      {"time.steps", [](const RunFigures& f) { return Cell(f.steps); }},
  };
  for (const char* quantity : main_quantities) {
    columns.push_back({fmt::format("error.{}", quantity),
                       [quantity](const RunFigures& f) { return cell(f.largest_error(quantity)); }});
  }
  for (const std::string& name : names_of_all(comparison, error_columns)) {
    columns.push_back({"error." + name, [name](const RunFigures& f) { return cell(error(f, name)); }});
  }
  columns.push_back({"energy.initial", [](const RunFigures& f) { return cell(f.energy_initial); }});
  columns.push_back({"energy.error", [](const RunFigures& f) { return cell(f.energy_error); }});
  columns.push_back({"energy.change_max", [](const RunFigures& f) { return cell(f.energy_change_max); }});
  for (const std::string& name : names_of_all(comparison, loss_names)) {
    columns.push_back({"energy.loss." + name, [name](const RunFigures& f) { return cell(loss(f, name)); }});
  }
  columns.push_back({"energy.residual_max", [](const RunFigures& f) { return cell(f.energy_residual_max); }});
  columns.push_back({"momentum.linear_drift", [](const RunFigures& f) { return cell(f.linear_drift); }});
  columns.push_back({"momentum.angular_drift", [](const RunFigures& f) { return cell(f.angular_drift); }});
  columns.push_back({"contact.duration", [](const RunFigures& f) { return cell(f.contact_duration); }});
  columns.push_back({"contact.events", [](const RunFigures& f) { return cell(f.events); }});
  columns.push_back({"contact.fallbacks", [](const RunFigures& f) { return Cell(f.fallbacks); }});
  columns.push_back({"time.wall_seconds", [](const RunFigures& f) { return Cell(f.wall_seconds); }});
  return columns;
}

Cell words(const std::string& text) { return text.empty() ? Cell() : Cell(text); }

std::string losses_in_words(const RunFigures& figures) {
  std::vector<std::string> parts;
  for (const auto& [name, joules] : figures.losses) {
    if (joules != 0) parts.push_back(fmt::format("{} {:.3g}", name, joules));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// The exact solution keeps its energy: linear bars, no gravity, nothing lost at a contact.
void add_exact_energy(nlohmann::json& page) {
  for (nlohmann::json& run : page["runs"]) {
    nlohmann::json& columns = run["columns"];
    const bool knows = std::any_of(columns.items().begin(), columns.items().end(),
                                   [](const auto& column) { return column.key().starts_with("exact."); });
    if (!knows) continue;
    const std::size_t rows = columns["time"].size();
    columns["exact.energy.total"] = std::vector<double>(rows, run["summary"]["energy"]["initial"].get<double>());
  }
}

}  // namespace

Json to_json(const Comparison& comparison) {
  Json runs = Json::array(), refused = Json::array();
  for (const ComparedRun& run : comparison.runs) {
    if (run.status == ComparedStatus::refused)
      refused.push_back({{"name", run.name}, {"reason", run.reason}});
    else
      runs.push_back(run_part(run));
  }
  return {{"ictus", {{"version", base::version}, {"schema", base::schema_version}}},
          {"scene",
           {{"title", comparison.title},
            {"case", comparison.case_name.empty() ? Json(nullptr) : Json(comparison.case_name)}}},
          {"keys", comparison.keys},
          {"runs", runs},
          {"refused", refused}};
}

FigureTable full_table(const Comparison& comparison) {
  const std::vector<FigureColumn> columns = all_columns(comparison);
  FigureTable table{{std::string(comparison.named_by), "status"}, {}};
  for (const std::string& key : comparison.keys) table.headings.push_back("vary." + key);
  for (const FigureColumn& column : columns) table.headings.push_back(column.heading);
  table.headings.insert(table.headings.end(), {"reason", "notes"});
  for (const ComparedRun& run : comparison.runs) {
    std::vector<Cell>& row = table.rows.emplace_back(std::vector<Cell>{run.name, std::string(to_string(run.status))});
    for (const std::string& value : run.values) row.push_back(words(value));
    for (const FigureColumn& column : columns) row.push_back(run.figures ? column.cell(*run.figures) : Cell());
    row.push_back(words(run.reason));
    row.push_back(words(fmt::format("{}", fmt::join(run.notes, "; "))));
  }
  return table;
}

FigureTable short_table(const Comparison& comparison) {
  FigureTable table{{std::string(comparison.named_by), "step", "u error", "v error", "F error", "energy error",
                     "residual", "drift", "contact", "events", "fallbacks", "wall s", "lost (J)"},
                    {}};
  for (const ComparedRun& run : comparison.runs) {
    if (!run.figures) continue;
    const RunFigures& f = *run.figures;
    table.rows.push_back({run.name, f.step, cell(f.largest_error("displacement")), cell(f.largest_error("velocity")),
                          cell(f.largest_error("contact_force")), cell(f.energy_error), cell(f.energy_residual_max),
                          cell(f.linear_drift), cell(f.contact_duration), cell(f.events), f.fallbacks, f.wall_seconds,
                          words(losses_in_words(f))});
  }
  return table;
}

void write_comparison(const Comparison& comparison, const fs::path& folder) {
  std::vector<report::ComparedRun> shown;
  for (const ComparedRun& run : comparison.runs) {
    if (run.figures) shown.push_back({run.name, folder / run.folder});
  }
  nlohmann::json page = report::comparison_of(comparison.title, shown, folder);
  add_exact_energy(page);
  files::write_file(folder / comparison_files::page, report::compare_page(page));
  files::write_file(folder / comparison_files::csv, to_csv(full_table(comparison)));
  files::write_file(folder / comparison_files::json, to_json(comparison).dump(2) + "\n");
}

}  // namespace ictus::study
