#include <ictus/observe/record/filtered_history.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/files/atomic_file.hpp>
#include <ictus/files/column_units.hpp>
#include <ictus/files/csv_text.hpp>
#include <ictus/files/result_files.hpp>
#include <ictus/files/run_files.hpp>
#include <ictus/math/cfc_filter.hpp>
#include <limits>

namespace ictus::observe {

namespace {

bool is_filtered(std::string_view column) {
  const auto unit = files::unit_of(files::described_history(), column);
  return (unit == "N" || unit == "N m" || unit == "m/s^2") && !column.starts_with("exact.");
}

/// Rows that lie on the grid of the first two.
std::size_t even_rows(const std::vector<double>& time) {
  constexpr double tolerance = 1e-3;  // of a period
  if (time.size() < 3) return time.size();
  const double period = time[1] - time[0];
  std::size_t rows = 2;
  while (rows < time.size() &&
         std::abs(time[rows] - time[0] - static_cast<double>(rows) * period) <= tolerance * period)
    ++rows;
  return rows;
}

std::vector<double> filtered(const math::CfcFilter& filter, const std::vector<double>& values, std::size_t rows) {
  std::vector<double> result(values.size(), std::numeric_limits<double>::quiet_NaN());
  std::size_t begin = 0;
  while (begin < rows && std::isnan(values[begin])) ++begin;
  const auto known = std::span(values).subspan(begin, rows - begin);
  if (std::any_of(known.begin(), known.end(), [](double value) { return std::isnan(value); })) return result;
  std::ranges::copy(filter.apply(known), result.begin() + static_cast<std::ptrdiff_t>(begin));
  return result;
}

}  // namespace

void write_filtered_history(const std::filesystem::path& folder, int frequency_class) {
  const files::CsvTable history = files::read_history(folder / files::result_files::history);
  const std::vector<double>& time = history.find("time")->numbers;
  const std::size_t rows = even_rows(time);
  std::string text = "time";
  std::vector<std::vector<double>> columns;
  if (rows >= 2) {
    const math::CfcFilter filter(frequency_class, time[1] - time[0]);
    for (const files::CsvColumn& column : history.columns) {
      if (!is_filtered(column.name)) continue;
      text += ',';
      files::append_words(text, fmt::format("cfc{}.{}", frequency_class, column.name));
      columns.push_back(filtered(filter, column.numbers, rows));
    }
  }
  text += '\n';
  for (std::size_t row = 0; row < history.rows; ++row) {
    files::append_number(text, time[row]);
    for (const std::vector<double>& column : columns) {
      text += ',';
      if (!std::isnan(column[row])) files::append_number(text, column[row]);
    }
    text += '\n';
  }
  files::write_file(folder / files::result_files::filtered, text);
}

}  // namespace ictus::observe
