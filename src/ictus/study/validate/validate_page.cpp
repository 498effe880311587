#include <ictus/study/validate/validate_page.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/files/result_files.hpp>
#include <ictus/files/run_files.hpp>
#include <ictus/report/sheet_page.hpp>
#include <set>

namespace ictus::study {

namespace fs = std::filesystem;
using report::Document;
using scene::PublishedSpec;

namespace {

constexpr const char* nothing = "–";

Document verdict_cell(const ValidationRun& run, std::size_t number) {
  const std::string words = verdict(run, number);
  return {{"text", words}, {"mark", words == "met" ? "good" : "bad"}};
}

Document link_cell(const std::string& text, const fs::path& to, const fs::path& folder) {
  return fs::exists(folder / to) ? Document{{"text", text}, {"href", to.generic_string()}} : Document(text);
}

Document main_table(const Validation& validation) {
  Document groups = Document::array();
  for (const Benchmark& benchmark : validation.benchmarks) {
    Document rows = Document::array();
    for (std::size_t k = 0; k < benchmark.published.size(); ++k) {
      const PublishedSpec& spec = benchmark.published[k];
      rows.push_back({spec.what, spec.by, number_with_unit(spec.value, spec.unit),
                      own_in_words(spec, benchmark.own(), k), error_in_words(spec, benchmark.own(), k),
                      verdict_cell(benchmark.own(), k), k == 0 ? mesh_in_words(benchmark.own()) : ""});
      for (const scene::RivalSpec& other : spec.others)
        rows.push_back({"", other.by, "", number_with_unit(other.value, spec.unit), error_in_words(spec, other.value),
                        "another program", ""});
    }
    groups.push_back({{"heading", benchmark.title}, {"rows", rows}});
  }
  for (const NotYet& row : validation.not_yet) {
    Document rows = Document::array();
    for (const PublishedSpec& spec : row.published)
      rows.push_back(
          {spec.what, spec.by, number_with_unit(spec.value, spec.unit), nothing, nothing, "not yet", row.missing});
    groups.push_back({{"heading", row.title}, {"rows", rows}});
  }
  return {{"type", "table"},
          {"caption", "Published numbers and those of this program"},
          {"columns",
           {{{"heading", "What"}, {"numeric", false}},
            {{"heading", "Published by"}, {"numeric", false}},
            {{"heading", "Their number"}, {"numeric", true}},
            {{"heading", "Ours"}, {"numeric", true}},
            {{"heading", "Error"}, {"numeric", true}},
            {{"heading", "Verdict"}, {"numeric", false}},
            {{"heading", "Mesh and step"}, {"numeric", false}}}},
          {"groups", groups}};
}

/// A column of the history with the published number, in the unit of that number, as a level.
Document history_plot(const PublishedSpec& spec, const files::CsvTable& history) {
  const files::CsvColumn *time = history.find("time"), *column = history.find(spec.of);
  std::vector<double> values;
  for (const double value : column->numbers) values.push_back(spec.scale * value + spec.plus);
  const bool is_value = spec.take != scene::Take::settled && spec.take != scene::Take::mean_square && !spec.minus;
  Document curves = Document::array();
  curves.push_back(
      {{"name", spec.of}, {"x", report::packed(time->numbers)}, {"y", report::packed(values)}, {"mark", "line"}});
  if (is_value) {
    const double from = spec.from.value_or(time->numbers.front()), to = spec.to.value_or(time->numbers.back());
    curves.push_back({{"name", "published"}, {"x", {from, to}}, {"y", {spec.value, spec.value}}, {"mark", "dashed"}});
  }
  return {{"type", "plot"},
          {"title", is_value ? spec.what : spec.of},
          {"x", {{"name", "time"}, {"unit", "s"}, {"log", false}}},
          {"y", {{"name", ""}, {"unit", is_value ? spec.unit : ""}, {"log", false}}},
          {"curves", curves}};
}

/// |error| over the unknowns, a curve for each number that is not exact.
Document convergence_plot(const Benchmark& benchmark) {
  Document curves = Document::array();
  for (std::size_t k = 0; k < benchmark.published.size(); ++k) {
    std::vector<double> dofs, errors;
    for (const ValidationRun& run : benchmark.runs) {
      if (k >= run.numbers.size() || !run.numbers[k].error || *run.numbers[k].error == 0) continue;
      dofs.push_back(static_cast<double>(run.dofs));
      errors.push_back(std::abs(*run.numbers[k].error));
    }
    if (dofs.size() < 2) continue;
    curves.push_back({{"name", benchmark.published[k].what},
                      {"x", report::packed(dofs)},
                      {"y", report::packed(errors)},
                      {"mark", "both"}});
  }
  return {{"type", "plot"},
          {"title", "Convergence"},
          {"x", {{"name", "unknowns"}, {"unit", ""}, {"log", true}}},
          {"y", {{"name", "error"}, {"unit", "1"}, {"log", true}}},
          {"curves", curves}};
}

Document convergence_table(const Benchmark& benchmark, const fs::path& folder) {
  Document columns = {{{"heading", "Run"}, {"numeric", false}},
                      {{"heading", "Unknowns"}, {"numeric", true}},
                      {{"heading", "Step"}, {"unit", "s"}, {"numeric", true}}};
  for (const PublishedSpec& spec : benchmark.published) columns.push_back({{"heading", spec.what}, {"numeric", true}});
  columns.push_back({{"heading", "Wall time"}, {"unit", "s"}, {"numeric", true}});
  Document rows = Document::array();
  for (const ValidationRun& run : benchmark.runs) {
    Document row = Document::array();
    const fs::path page = fs::path(run.folder) / files::result_files::report;
    row.push_back(link_cell(run.label.empty() ? "the scene as it is" : run.label, page, folder));
    row.push_back(unknowns_in_words(run));
    row.push_back(run.integrator.empty() ? nothing : fmt::format("{:.3g}", run.step));
    for (std::size_t k = 0; k < benchmark.published.size(); ++k)
      row.push_back(run.status == ComparedStatus::completed ? error_in_words(benchmark.published[k], run, k)
                                                            : std::string(to_string(run.status)));
    row.push_back(fmt::format("{:.2g}", run.wall_seconds));
    rows.push_back(std::move(row));
  }
  return {{"type", "table"},
          {"caption", "Errors with mesh and step"},
          {"columns", columns},
          {"groups", {{{"rows", rows}}}}};
}

Document reasons(const Benchmark& benchmark) {
  Document rows = Document::array();
  for (const PublishedSpec& spec : benchmark.published)
    rows.push_back({spec.what, tolerance_in_words(spec),
                    spec.because + (spec.known_miss.empty() ? "" : ". Missed: " + spec.known_miss)});
  return {{"type", "table"},
          {"caption", "Tolerances and their reasons"},
          {"columns",
           {{{"heading", "What"}, {"numeric", false}},
            {{"heading", "Tolerance"}, {"numeric", true}},
            {{"heading", "Because"}, {"numeric", false}}}},
          {"groups", {{{"rows", rows}}}}};
}

Document section_of(const Benchmark& benchmark, std::size_t number, const fs::path& folder) {
  Document blocks = Document::array();
  blocks.push_back({{"type", "text"}, {"text", benchmark.about}});
  if (!benchmark.source.empty()) blocks.push_back({{"type", "text"}, {"text", "Source: " + benchmark.source}});
  for (const ValidationRun& run : benchmark.runs) {
    if (!run.reason.empty()) blocks.push_back({{"type", "text"}, {"text", why_early(run)}});
  }
  const ValidationRun& own = benchmark.own();
  const fs::path file = folder / own.folder / files::result_files::history;
  if (own.status == ComparedStatus::completed && fs::exists(file)) {
    const files::CsvTable history = files::read_history(file);
    std::set<std::string> shown;
    const auto show = [&](const PublishedSpec& spec) {
      if (history.find(spec.of) != nullptr && shown.insert(spec.of).second)
        blocks.push_back(history_plot(spec, history));
    };
    for (const PublishedSpec& spec : benchmark.published) {
      if (spec.take) show(spec);
    }
    // Where all numbers are figures of the summary, the force of the contact shows how they came about.
    if (shown.empty()) {
      PublishedSpec force;
      force.of = "contact.0.force";
      force.take = scene::Take::settled;
      show(force);
    }
  }
  blocks.push_back(convergence_table(benchmark, folder));
  if (benchmark.runs.size() > 2) blocks.push_back(convergence_plot(benchmark));
  blocks.push_back(reasons(benchmark));
  return {{"id", fmt::format("benchmark-{}", number)}, {"heading", benchmark.title}, {"blocks", blocks}};
}

}  // namespace

std::string number_with_unit(double value, const std::string& unit) {
  return fmt::format("{:.6g}{}{}", value, unit.empty() ? "" : " ", unit);
}

std::string own_in_words(const PublishedSpec& spec, const ValidationRun& run, std::size_t number) {
  if (number >= run.numbers.size() || !run.numbers[number].own) return nothing;
  return number_with_unit(std::strtod(fmt::format("{:.5g}", *run.numbers[number].own).c_str(), nullptr), spec.unit);
}

std::string error_in_words(const PublishedSpec& spec, double own) {
  const double error = run::published_error(own, spec.value);
  const auto shown = [](double number) {
    const double size = std::abs(number);
    return size >= 100    ? fmt::format("{:+.0f}", number)
           : size >= 1e-3 ? fmt::format("{:+.2g}", number)
                          : fmt::format("{:+.0e}", number);
  };
  if (spec.value != 0) return shown(100 * error) + " %";
  return fmt::format("{}{}{}", shown(error), spec.unit.empty() ? "" : " ", spec.unit);
}

std::string error_in_words(const PublishedSpec& spec, const ValidationRun& run, std::size_t number) {
  if (number >= run.numbers.size() || !run.numbers[number].own) return nothing;
  return error_in_words(spec, *run.numbers[number].own);
}

std::string tolerance_in_words(const PublishedSpec& spec) {
  return spec.value == 0 ? number_with_unit(spec.tolerance, spec.unit) : fmt::format("{:g} %", 100 * spec.tolerance);
}

std::string verdict(const ValidationRun& run, std::size_t number) {
  if (run.status != ComparedStatus::completed) return std::string(to_string(run.status));
  return run.numbers[number].met ? "met" : "missed";
}

std::string unknowns_in_words(const ValidationRun& run) {
  return run.integrator.empty() ? nothing : std::to_string(run.dofs);
}

std::string why_early(const ValidationRun& run) {
  return fmt::format("{} {}: {}", run.label.empty() ? "The scene as it is" : run.label, to_string(run.status),
                     run.reason);
}

std::string mesh_in_words(const ValidationRun& run) {
  if (run.integrator.empty()) return "cannot be built";
  return fmt::format("{}, {} unknowns, steps of {:.3g} s", run.integrator, run.dofs, run.step);
}

std::string validation_page(const Validation& validation, const fs::path& folder) {
  std::size_t numbers = 0, met = 0;
  for (const Benchmark& benchmark : validation.benchmarks) {
    for (std::size_t k = 0; k < benchmark.published.size(); ++k) {
      ++numbers;
      if (verdict(benchmark.own(), k) == "met") ++met;
    }
  }
  Document sections = Document::array();
  sections.push_back(
      {{"id", "table"},
       {"heading", "Table"},
       {"blocks",
        {{{"type", "text"},
          {"text", "Every number has its source, and none is adjusted. What misses its tolerance stays in the table."}},
         main_table(validation)}}});
  for (std::size_t i = 0; i < validation.benchmarks.size(); ++i)
    sections.push_back(section_of(validation.benchmarks[i], i, folder));
  return report::sheet_page(
      {{"eyebrow", "Ictus validation"},
       {"title", fmt::format("Beside published numbers: {} of {} within tolerance", met, numbers)},
       {"sections", sections}});
}

}  // namespace ictus::study
