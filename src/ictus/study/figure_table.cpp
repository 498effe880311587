#include <ictus/study/figure_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/files/csv_text.hpp>

namespace ictus::study {

namespace {

struct CsvCell {
  std::string& line;
  void operator()(std::monostate) const {}
  void operator()(double value) const { files::append_number(line, value); }
  void operator()(std::int64_t value) const { line += std::to_string(value); }
  void operator()(const std::string& words) const { files::append_words(line, words); }
};

struct TextCell {
  std::string operator()(std::monostate) const { return "-"; }
  std::string operator()(double value) const { return fmt::format("{:.3g}", value); }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(const std::string& words) const { return words; }
};

/// A column of words stands left, one of numbers right.
bool is_of_words(const FigureTable& table, std::size_t column) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [&](const auto& row) { return std::holds_alternative<std::string>(row[column]); });
}

}  // namespace

std::string to_csv(const FigureTable& table) {
  std::string text;
  for (std::size_t i = 0; i < table.headings.size(); ++i) {
    if (i > 0) text += ',';
    files::append_words(text, table.headings[i]);
  }
  text += '\n';
  for (const std::vector<Cell>& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += ',';
      std::visit(CsvCell{text}, row[i]);
    }
    text += '\n';
  }
  return text;
}

std::string to_text(const FigureTable& table) {
  std::vector<std::vector<std::string>> lines{table.headings};
  for (const std::vector<Cell>& row : table.rows) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const Cell& cell : row) line.push_back(std::visit(TextCell{}, cell));
  }
  std::string text;
  std::vector<std::size_t> widths(table.headings.size());
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  for (const auto& line : lines) {
    std::string padded;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (i > 0) padded += "  ";
      padded +=
          is_of_words(table, i) ? fmt::format("{:<{}}", line[i], widths[i]) : fmt::format("{:>{}}", line[i], widths[i]);
    }
    padded.erase(padded.find_last_not_of(' ') + 1);
    text += padded + '\n';
  }
  return text;
}

}  // namespace ictus::study
