#include <ictus/study/validate/validate_files.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ictus/base/version.hpp>
#include <ictus/files/atomic_file.hpp>
#include <ictus/files/result_files.hpp>
#include <ictus/study/validate/validate_page.hpp>

namespace ictus::study {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using scene::PublishedSpec;

namespace {

Json figure_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json number_part(const PublishedSpec& spec) {
  Json others = Json::array();
  for (const scene::RivalSpec& other : spec.others) others.push_back({{"by", other.by}, {"value", other.value}});
  return {{"what", spec.what},
          {"by", spec.by},
          {"unit", spec.unit},
          {"value", spec.value},
          {"tolerance", spec.tolerance},
          {"because", spec.because},
          {"known_miss", spec.known_miss},
          {"others", std::move(others)}};
}

Json run_part(const ValidationRun& run) {
  Json own = Json::array(), error = Json::array(), met = Json::array();
  for (const run::PublishedResult& number : run.numbers) {
    own.push_back(figure_or_null(number.own));
    error.push_back(figure_or_null(number.error));
    met.push_back(number.met);
  }
  return {{"label", run.label},
          {"folder", run.folder},
          {"status", to_string(run.status)},
          {"reason", run.reason.empty() ? Json(nullptr) : Json(run.reason)},
          {"integrator", run.integrator},
          {"unknowns", run.dofs},
          {"step", run.step},
          {"wall_seconds", run.wall_seconds},
          {"own", std::move(own)},
          {"error", std::move(error)},
          {"met", std::move(met)}};
}

/// What stands before the program's own numbers in a row of the page: a part that no run changes.
std::string head_of_row(const std::string& title, const PublishedSpec& spec) {
  return fmt::format("| {} | {} | {} | {} |", title, spec.what, spec.by, number_with_unit(spec.value, spec.unit));
}

void add_reasons(const Benchmark& benchmark, std::string& text) {
  text += fmt::format("\n## {}\n\n`{}`. Source: {}. {}\n\n", benchmark.title, benchmark.name, benchmark.source,
                      mesh_in_words(benchmark.own()));
  for (const PublishedSpec& spec : benchmark.published)
    text += fmt::format("- {}, to {}: {}.{}\n", spec.what, tolerance_in_words(spec), spec.because,
                        spec.known_miss.empty() ? "" : " **Missed**: " + spec.known_miss + ".");
  for (const ValidationRun& run : benchmark.runs) {
    if (!run.reason.empty()) text += fmt::format("- **{}**\n", why_early(run));
  }
  if (benchmark.runs.size() < 2) return;
  text += "\n| unknowns |";
  for (const PublishedSpec& spec : benchmark.published) text += fmt::format(" {} |", spec.what);
  text += "\n| --- |";
  for (std::size_t k = 0; k < benchmark.published.size(); ++k) text += " --- |";
  text += "\n";
  for (const ValidationRun& run : benchmark.runs) {
    text += fmt::format("| {} |", unknowns_in_words(run));
    for (std::size_t k = 0; k < benchmark.published.size(); ++k)
      text += fmt::format(" {} |", error_in_words(benchmark.published[k], run, k));
    text += "\n";
  }
}

}  // namespace

Json to_json(const Validation& validation) {
  Json benchmarks = Json::array(), not_yet = Json::array();
  for (const Benchmark& benchmark : validation.benchmarks) {
    Json published = Json::array(), runs = Json::array();
    for (const PublishedSpec& spec : benchmark.published) published.push_back(number_part(spec));
    for (const ValidationRun& run : benchmark.runs) runs.push_back(run_part(run));
    benchmarks.push_back({{"name", benchmark.name},
                          {"title", benchmark.title},
                          {"source", benchmark.source},
                          {"published", std::move(published)},
                          {"runs", std::move(runs)}});
  }
  for (const NotYet& row : validation.not_yet) {
    Json published = Json::array();
    for (const PublishedSpec& spec : row.published)
      published.push_back({{"what", spec.what}, {"value", spec.value}, {"unit", spec.unit}, {"by", spec.by}});
    not_yet.push_back({{"name", row.name},
                       {"title", row.title},
                       {"source", row.source},
                       {"missing", row.missing},
                       {"published", std::move(published)}});
  }
  return {{"ictus", {{"version", base::version}, {"schema", base::schema_version}}},
          {"benchmarks", std::move(benchmarks)},
          {"not_yet", std::move(not_yet)}};
}

FigureTable full_table(const Validation& validation) {
  FigureTable table{{"benchmark", "what", "unit", "published", "by", "own", "error", "tolerance", "verdict", "unknowns",
                     "step", "wall_seconds"},
                    {}};
  for (const Benchmark& benchmark : validation.benchmarks) {
    const ValidationRun& run = benchmark.own();
    for (std::size_t k = 0; k < benchmark.published.size(); ++k) {
      const PublishedSpec& spec = benchmark.published[k];
      const run::PublishedResult none{};
      const run::PublishedResult& own = k < run.numbers.size() ? run.numbers[k] : none;
      table.rows.push_back({benchmark.name, spec.what, spec.unit, spec.value, spec.by, cell(own.own), cell(own.error),
                            spec.tolerance, verdict(run, k), static_cast<std::int64_t>(run.dofs), run.step,
                            run.wall_seconds});
    }
  }
  for (const NotYet& row : validation.not_yet) {
    for (const PublishedSpec& spec : row.published)
      table.rows.push_back({row.name, spec.what, spec.unit, spec.value, spec.by, Cell(), Cell(), Cell(),
                            "not yet: " + row.missing, Cell(), Cell(), Cell()});
  }
  return table;
}

std::string to_markdown(const Validation& validation) {
  std::string text = fmt::format(
      "# Beside published numbers\n\n"
      "What others published, and what Ictus {} makes of it. `make validate` runs all of this again and draws it;\n"
      "`ictus validate` wrote this page. No published number is adjusted, and a miss stays a miss.\n\n"
      "| benchmark | what | published by | number | Ictus | error | |\n| --- | --- | --- | --- | --- | --- | --- |\n",
      base::version);
  for (const Benchmark& benchmark : validation.benchmarks) {
    for (std::size_t k = 0; k < benchmark.published.size(); ++k) {
      const PublishedSpec& spec = benchmark.published[k];
      text +=
          fmt::format("{} {} | {} | {} |\n", head_of_row(benchmark.title, spec), own_in_words(spec, benchmark.own(), k),
                      error_in_words(spec, benchmark.own(), k), verdict(benchmark.own(), k));
      for (const scene::RivalSpec& other : spec.others)
        text += fmt::format("| | | *{}* | | *{}* | *{}* | |\n", other.by, number_with_unit(other.value, spec.unit),
                            error_in_words(spec, other.value));
    }
  }
  for (const NotYet& row : validation.not_yet) {
    for (const PublishedSpec& spec : row.published)
      text += fmt::format("{} | | not yet: {} |\n", head_of_row(row.title, spec), row.missing);
  }
  text += "\nNumbers in italics are those of other programs for the same problem, as their source tells them.\n";
  for (const Benchmark& benchmark : validation.benchmarks) add_reasons(benchmark, text);
  return text;
}

std::vector<std::string> markdown_rows_of_cases() {
  std::vector<std::string> rows;
  for (const std::string& name : benchmark_names()) {
    const scene::Scene scene = run::load(name, {}).document.scene;
    for (const PublishedSpec& spec : scene.published) rows.push_back(head_of_row(scene.title, spec));
  }
  for (const NotYet& row : benchmarks_not_yet()) {
    for (const PublishedSpec& spec : row.published) rows.push_back(head_of_row(row.title, spec));
  }
  return rows;
}

void write_validation(const Validation& validation, const fs::path& folder) {
  files::write_file(folder / validation_files::page, validation_page(validation, folder));
  files::write_file(folder / validation_files::csv, to_csv(full_table(validation)));
  files::write_file(folder / validation_files::markdown, to_markdown(validation));
  files::write_file(folder / validation_files::json, to_json(validation).dump(2) + "\n");
}

}  // namespace ictus::study
