#pragma once

#include <ictus/files/csv_table.hpp>
#include <nlohmann/json.hpp>
#include <span>

namespace ictus::report {

using Document = nlohmann::ordered_json;

/// Rows beyond which a history is thinned, and the most rows that a thinned table has.
inline constexpr std::size_t max_history_rows = 4000;
/// Impulses of one pair beyond which they are summed over intervals, and the number of intervals.
inline constexpr std::size_t max_impulses = 2000;
inline constexpr std::size_t impulse_bins = 500;

/// A list of numbers (null: no value) while that is short, otherwise base64 of little-endian doubles (NaN: no value).
Document packed(std::span<const double> values);

/// The "tables" of a history. Up to `max_history_rows` rows: one table, as it is. Beyond, time is cut into
/// intervals of equally many rows, and the first and last rows are kept:
///  - the ledger (kinetic, strain, potential, stored, external work, losses) keeps the rows with the least and the
///    largest kinetic energy of each interval: whole rows, so that its columns still add up;
///  - every other column keeps its own least and largest value in each interval, in the order in which they came, at
///    the times at which the interval begins and ends: no peak is lost, and a time is off by less than an interval.
Document history_tables(const files::CsvTable& history);

/// The "lanes" of the contacts: the impulses of each pair of bodies, one by one or, beyond `max_impulses`, as sums
/// over `impulse_bins` equal intervals of the time between the first and the last impulse of the file.
Document contact_lanes(const files::CsvTable& contacts);

}  // namespace ictus::report
