#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ictus::study {

/// Nothing, a number, a count or words.
using Cell = std::variant<std::monostate, double, std::int64_t, std::string>;

inline Cell cell(const std::optional<double>& value) { return value ? Cell(*value) : Cell(); }
inline Cell cell(const std::optional<std::int64_t>& value) { return value ? Cell(*value) : Cell(); }

/// Figures of several runs; every row has a cell for each heading.
struct FigureTable {
  std::vector<std::string> headings;
  std::vector<std::vector<Cell>> rows;
};

/// Comma-separated values with a header line: numbers in full, nothing as an empty cell.
std::string to_csv(const FigureTable& table);

/// For people: columns aligned, numbers to three digits, nothing as "-".
std::string to_text(const FigureTable& table);

}  // namespace ictus::study
