#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::files {

/// One column of a result table: numbers (NaN where the cell is empty), or text as indices into its distinct words.
struct CsvColumn {
  std::string name;
  std::vector<double> numbers = {};
  std::vector<std::uint32_t> text = {};
  std::vector<std::string> words = {};  ///< in order of first appearance
  bool is_text = false;
};

/// A result file in memory: columns of equal length.
struct CsvTable {
  std::vector<CsvColumn> columns;
  std::size_t rows = 0;

  /// The column of that name; nullptr where there is none.
  const CsvColumn* find(std::string_view name) const;
};

/// Reads comma-separated values with a header line, cells quoted as in RFC 4180. Columns named in `text` hold words,
/// all others numbers; `required` must be there. An infinite or undefined number counts as an empty cell.
/// Throws base::InputError with the line for a missing or unreadable file, a missing or repeated column, a row with
/// too few or too many cells, or a cell that is no number.
CsvTable read_csv(const std::filesystem::path& file, std::span<const std::string_view> required,
                  std::span<const std::string_view> text = {});

/// The names in a header line.
std::vector<std::string> header_cells(std::string_view header);

}  // namespace ictus::files
