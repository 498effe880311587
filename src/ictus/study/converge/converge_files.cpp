#include <ictus/study/converge/converge_files.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ictus/base/version.hpp>
#include <ictus/files/atomic_file.hpp>
#include <ictus/files/result_files.hpp>
#include <ictus/report/converge_page.hpp>

namespace ictus::study {

using Json = nlohmann::ordered_json;

namespace {

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }
Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

std::string norm_in_words(const Convergence& study) {
  std::string text = "Σ|value − exact| / Σ|exact| over every step";
  if (study.from > 0) text += fmt::format(" from {:g} s on", study.from);
  if (study.after_release) text += " (after release)";
  if (study.mesh_follows) text += "; the meshes follow the step";
  return text;
}

Json run_part(const Convergence& study, const ConvergeRun& run) {
  Json elements = Json::object(), errors = Json::object();
  for (const auto& [name, count] : run.elements) elements[name] = count;
  for (std::size_t k = 0; k < study.quantities.size(); ++k) errors[study.quantities[k].column] = or_null(run.errors[k]);
  return {{"integrator", run.integrator},  {"step", run.step},   {"asked_step", run.asked_step},
          {"elements", elements},          {"steps", run.steps}, {"status", to_string(run.status)},
          {"reason", or_null(run.reason)}, {"errors", errors},   {"wall_seconds", run.wall_seconds}};
}

Json slope_part(const Convergence& study, const ConvergeCurve& curve) {
  Json part{{"integrator", curve.integrator}, {"column", study.quantities[curve.quantity].column}};
  part["order"] = curve.law ? Json(curve.law->order) : Json(nullptr);
  part["constant"] = curve.law ? Json(curve.law->constant) : Json(nullptr);
  part["scatter"] = curve.law ? Json(curve.law->scatter) : Json(nullptr);
  Json& local = part["local_orders"] = Json::array();
  for (const std::optional<double>& order : curve.local_orders) local.push_back(or_null(order));
  return part;
}

/// The quantities that have an error anywhere: the rest is zero throughout in the exact solution.
std::vector<std::size_t> measured_quantities(const Convergence& study) {
  std::vector<std::size_t> measured;
  for (std::size_t k = 0; k < study.quantities.size(); ++k) {
    const auto has_error = [&](const ConvergeRun& run) { return run.errors[k].has_value(); };
    if (std::any_of(study.runs.begin(), study.runs.end(), has_error)) measured.push_back(k);
  }
  return measured;
}

/// The document of report::converge_page.
nlohmann::json page_document(const Convergence& study) {
  nlohmann::json page{{"title", study.title.empty() ? "Convergence" : study.title},
                      {"norm", norm_in_words(study)},
                      {"quantities", nlohmann::json::array()}};
  if (!study.source.empty()) page["source"] = study.source;
  for (const std::size_t k : measured_quantities(study)) {
    nlohmann::json curves = nlohmann::json::array();
    for (const ConvergeCurve& curve : study.curves) {
      if (curve.quantity == k)
        curves.push_back({{"name", curve.integrator}, {"steps", curve.steps}, {"errors", curve.errors}});
    }
    page["quantities"].push_back({{"name", study.quantities[k].name}, {"curves", curves}});
  }
  return page;
}

const ConvergeCurve& curve_of(const Convergence& study, const std::string& integrator, std::size_t quantity) {
  return *std::find_if(study.curves.begin(), study.curves.end(), [&](const ConvergeCurve& curve) {
    return curve.integrator == integrator && curve.quantity == quantity;
  });
}

/// "40" where all bars have as many, otherwise "40, 80".
std::string elements_in_words(const ConvergeRun& run) {
  std::vector<int> counts;
  for (const auto& [name, count] : run.elements) counts.push_back(count);
  if (std::adjacent_find(counts.begin(), counts.end(), std::not_equal_to<>()) == counts.end() && !counts.empty())
    counts.resize(1);
  return fmt::format("{}", fmt::join(counts, ", "));
}

}  // namespace

Json to_json(const Convergence& study) {
  Json quantities = Json::array(), runs = Json::array(), slopes = Json::array();
  for (const StudiedQuantity& quantity : study.quantities)
    quantities.push_back({{"column", quantity.column}, {"name", quantity.name}});
  for (const ConvergeRun& run : study.runs) runs.push_back(run_part(study, run));
  for (const ConvergeCurve& curve : study.curves) slopes.push_back(slope_part(study, curve));
  return {{"ictus", {{"version", base::version}, {"schema", base::schema_version}}},
          {"scene", {{"title", study.title}, {"case", or_null(study.case_name)}}},
          {"norm", norm_in_words(study)},
          {"window", {{"from", study.from}, {"after_release", study.after_release}}},
          {"mesh_follows", study.mesh_follows},
          {"notes", study.notes},
          {"quantities", quantities},
          {"runs", runs},
          {"slopes", slopes}};
}

FigureTable full_table(const Convergence& study) {
  FigureTable table{{"integrator", "step", "asked_step", "steps", "status"}, {}};
  if (!study.runs.empty()) {
    for (const auto& bar : study.runs.front().elements) table.headings.push_back(bar.first + ".elements");
  }
  for (const StudiedQuantity& quantity : study.quantities) table.headings.push_back("error." + quantity.column);
  table.headings.insert(table.headings.end(), {"wall_seconds", "reason"});
  for (const ConvergeRun& run : study.runs) {
    std::vector<Cell>& row = table.rows.emplace_back(
        std::vector<Cell>{run.integrator, run.step, run.asked_step, run.steps, std::string(to_string(run.status))});
    for (const auto& bar : run.elements) row.emplace_back(std::int64_t{bar.second});
    for (const std::optional<double>& error : run.errors) row.push_back(cell(error));
    row.emplace_back(run.wall_seconds);
    row.push_back(run.reason.empty() ? Cell() : Cell(run.reason));
  }
  return table;
}

FigureTable short_table(const Convergence& study) {
  const std::vector<std::size_t> measured = measured_quantities(study);
  FigureTable table{{"integrator", "step", "elements"}, {}};
  for (const std::size_t k : measured) table.headings.push_back(study.quantities[k].name);
  for (std::size_t i = 0; i < study.runs.size(); ++i) {
    const ConvergeRun& run = study.runs[i];
    std::vector<Cell> row{run.integrator, run.step, elements_in_words(run)};
    for (const std::size_t k : measured) row.push_back(cell(run.errors[k]));
    table.rows.push_back(std::move(row));
    if (i + 1 < study.runs.size() && study.runs[i + 1].integrator == run.integrator) continue;
    std::vector<Cell> orders{"  order", Cell(), Cell()};
    for (const std::size_t k : measured) {
      const ConvergeCurve& curve = curve_of(study, run.integrator, k);
      orders.push_back(curve.law ? Cell(curve.law->order) : Cell());
    }
    table.rows.push_back(std::move(orders));
  }
  return table;
}

void write_convergence(const Convergence& study, const std::filesystem::path& folder) {
  files::make_folder(folder);
  files::write_file(folder / convergence_files::page, report::converge_page(page_document(study)));
  files::write_file(folder / convergence_files::csv, to_csv(full_table(study)));
  files::write_file(folder / convergence_files::json, to_json(study).dump(2) + "\n");
}

}  // namespace ictus::study
