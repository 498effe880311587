#include <ictus/run/published.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/nearest.hpp>
#include <ictus/files/result_files.hpp>
#include <ictus/files/run_files.hpp>
#include <limits>
#include <numeric>

namespace ictus::run {

using scene::PublishedSpec;
using scene::Take;
using Json = nlohmann::ordered_json;

namespace {

/// The rows of a column that count: those with a value, in the window.
struct Rows {
  std::vector<double> times, values;
};

Rows rows_in_window(const PublishedSpec& spec, const std::vector<double>& times, const std::vector<double>& values) {
  Rows rows;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool outside = (spec.from && times[i] < *spec.from) || (spec.to && times[i] > *spec.to);
    if (outside || std::isnan(values[i])) continue;
    rows.times.push_back(times[i]);
    rows.values.push_back(values[i]);
  }
  return rows;
}

/// The time of the first row from which on all values are within a thousandth of the range of the last one.
double settled(const Rows& rows) {
  const auto [least, most] = std::minmax_element(rows.values.begin(), rows.values.end());
  const double near = 1e-3 * (*most - *least);
  std::size_t first = rows.values.size() - 1;
  while (first > 0 && std::abs(rows.values[first - 1] - rows.values.back()) <= near) --first;
  return rows.times[first];
}

double taken(Take take, const Rows& rows) {
  const std::vector<double>& values = rows.values;
  switch (take) {
    case Take::last:
      return values.back();
    case Take::largest:
      return *std::max_element(values.begin(), values.end());
    case Take::smallest:
      return *std::min_element(values.begin(), values.end());
    case Take::mean:
      return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    case Take::mean_square:
      return std::inner_product(values.begin(), values.end(), values.begin(), 0.0) / static_cast<double>(values.size());
    case Take::settled:
      return settled(rows);
  }
  throw std::logic_error("unknown take");
}

std::string no_such(const std::string& name, const char* where, const std::vector<std::string>& known) {
  const std::optional<std::string> near = base::nearest(name, known);
  return fmt::format("{} is not in {}{}", name, where, near ? fmt::format(", did you mean '{}'?", *near) : "");
}

/// Dotted paths of all figures.
std::vector<std::string> figures_of(const Json& summary) {
  std::vector<std::string> paths;
  const Json flat = summary.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    std::string path = pointer.substr(1);
    std::replace(path.begin(), path.end(), '/', '.');
    if (value.is_number()) paths.push_back(std::move(path));
  }
  return paths;
}

/// A number of the run, or why there is none.
struct Found {
  std::optional<double> value;
  std::string reason;
};

class Results {
 public:
  Results(const Json& summary, const std::filesystem::path& folder, bool with_history) : summary_(summary) {
    if (with_history) history_ = files::read_history(folder / files::result_files::history);
  }

  Found find(const PublishedSpec& spec, const std::string& name) const {
    return spec.take ? in_history(spec, name) : in_summary(name);
  }

 private:
  Found in_summary(const std::string& path) const {
    std::string pointer = "/" + path;
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    const Json::json_pointer where(pointer);
    if (!summary_.contains(where)) return {{}, no_such(path, "summary.json", figures_of(summary_))};
    const Json& value = summary_.at(where);
    if (!value.is_number()) return {{}, fmt::format("{} is {} in summary.json, no number", path, value.dump())};
    return {value.get<double>(), ""};
  }

  Found in_history(const PublishedSpec& spec, const std::string& name) const {
    const files::CsvColumn* column = history_.find(name);
    if (column == nullptr) {
      std::vector<std::string> known;
      for (const files::CsvColumn& one : history_.columns) known.push_back(one.name);
      return {{}, no_such(name, "history.csv", known)};
    }
    const Rows rows = rows_in_window(spec, history_.find("time")->numbers, column->numbers);
    if (rows.values.empty()) return {{}, fmt::format("{} has no value in the rows of history.csv that count", name)};
    return {taken(*spec.take, rows), ""};
  }

  const Json& summary_;
  files::CsvTable history_;
};

std::string with_unit(double value, const PublishedSpec& spec) {
  return fmt::format("{:.6g}{}{}", value, spec.unit.empty() ? "" : " ", spec.unit);
}

std::string error_in_words(const PublishedSpec& spec, double error) {
  return spec.value == 0 ? fmt::format("{:+.2g}", error) : fmt::format("{:+.2g} %", 100 * error);
}

PublishedResult result_of(const PublishedSpec& spec, const Results& results) {
  Found own = results.find(spec, spec.of);
  if (own.value && spec.minus) {
    const Found other = results.find(spec, *spec.minus);
    if (other.value)
      *own.value -= *other.value;
    else
      own = other;
  }
  PublishedResult result;
  if (own.value) {
    result.own = spec.scale * *own.value + spec.plus;
    result.error = published_error(*result.own, spec.value);
    result.met = std::abs(*result.error) <= spec.tolerance;
    result.explained = !result.met && !spec.known_miss.empty();
  }
  const std::string here =
      own.value ? fmt::format("here {} ({})", with_unit(*result.own, spec), error_in_words(spec, *result.error))
                : own.reason;
  result.line =
      fmt::format("{}  {}: {} by {}, {}{}", result.met ? "met   " : "missed", spec.what, with_unit(spec.value, spec),
                  spec.by, here, result.explained ? "; known: " + spec.known_miss : "");
  return result;
}

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

}  // namespace

double published_error(double own, double published) {
  return published == 0 ? own : (own - published) / std::abs(published);
}

std::vector<PublishedResult> check_published(const std::vector<PublishedSpec>& numbers, const Json& summary,
                                             const std::filesystem::path& folder) {
  const bool with_history =
      std::any_of(numbers.begin(), numbers.end(), [](const PublishedSpec& spec) { return spec.take.has_value(); });
  const Results results(summary, folder, with_history);
  std::vector<PublishedResult> all;
  for (const PublishedSpec& spec : numbers) all.push_back(result_of(spec, results));
  return all;
}

Json to_json(const std::vector<PublishedSpec>& numbers, const std::vector<PublishedResult>& results) {
  Json list = Json::array();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    list.push_back({{"what", numbers[i].what},
                    {"by", numbers[i].by},
                    {"unit", numbers[i].unit},
                    {"value", numbers[i].value},
                    {"own", or_null(results[i].own)},
                    {"error", or_null(results[i].error)},
                    {"tolerance", numbers[i].tolerance},
                    {"met", results[i].met},
                    {"explained", results[i].explained},
                    {"line", results[i].line}});
  }
  return list;
}

}  // namespace ictus::run
