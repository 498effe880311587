#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>

namespace ictus::files {

/// What a column of history.csv or contacts.csv, or a figure of summary.json, tells.
struct ColumnDescription {
  std::string_view name;  ///< `*` stands for any text: "probe.*.velocity"
  std::string_view unit;  ///< "1" of a ratio or count, "text" of words
  std::string_view meaning;
};

/// Every column and figure that there is; docs/results.md lists the same.
std::span<const ColumnDescription> described_history();
std::span<const ColumnDescription> described_contacts();
std::span<const ColumnDescription> described_summary();

/// The unit of a column; none where it is not known. In runs along a beam, where steps go in arc length, the column
/// `time` is a length and energies are sums of densities over time.
std::optional<std::string_view> unit_of(std::span<const ColumnDescription> known, std::string_view column,
                                        bool along_beam = false);

/// {"time": "s", ...} for the columns of a header line. Throws std::logic_error for a column that no table knows.
nlohmann::ordered_json units_of_header(std::span<const ColumnDescription> known, std::string_view header,
                                       bool along_beam);

}  // namespace ictus::files
