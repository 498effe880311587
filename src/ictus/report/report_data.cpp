#include <ictus/report/report_data.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <ictus/math/whole.hpp>
#include <ictus/report/base64.hpp>
#include <limits>
#include <map>

namespace ictus::report {
namespace {

/// Longer lists are packed.
constexpr std::size_t max_plain_values = 256;

/// The bytes of the values, little end first.
std::string little_endian(std::span<const double> values) {
  std::string bytes;
  bytes.reserve(8 * values.size());
  for (const double value : values) {
    const auto word = std::bit_cast<std::uint64_t>(value);
    for (int shift = 0; shift < 64; shift += 8) bytes.push_back(static_cast<char>(word >> shift & 0xff));
  }
  return bytes;
}

Document column_document(const std::string& name, std::span<const double> values) {
  return {{"name", name}, {"values", packed(values)}};
}

/// Columns that add up row by row.
bool in_ledger(std::string_view name) {
  return name == "energy.kinetic" || name == "energy.strain" || name == "energy.potential" ||
         name == "energy.external_work" || name.starts_with("energy.stored.") || name.starts_with("energy.loss.");
}

/// Rows [begin, end) of each interval between the first and the last row, which stand alone.
std::vector<std::pair<std::size_t, std::size_t>> intervals(std::size_t rows) {
  const std::size_t inner = rows - 2;
  const std::size_t count = std::min(max_history_rows / 2 - 1, (inner + 1) / 2);
  std::vector<std::pair<std::size_t, std::size_t>> result;
  for (std::size_t i = 0; i < count; ++i) result.emplace_back(1 + inner * i / count, 1 + inner * (i + 1) / count);
  return result;
}

/// Rows of the least and the largest value among [begin, end), the earlier one first. Cells without a value lose
/// against any other.
std::array<std::size_t, 2> extremes(std::span<const double> values, std::size_t begin, std::size_t end) {
  std::size_t least = begin;
  std::size_t largest = begin;
  for (std::size_t i = begin; i < end; ++i) {
    if (std::isnan(values[i])) continue;
    if (!(values[i] >= values[least])) least = i;
    if (!(values[i] <= values[largest])) largest = i;
  }
  return {std::min(least, largest), std::max(least, largest)};
}

std::vector<double> picked(std::span<const double> values, std::span<const std::size_t> rows) {
  std::vector<double> result;
  result.reserve(rows.size());
  for (const std::size_t row : rows) result.push_back(values[row]);
  return result;
}

/// Rows to keep: the first, two of each interval, the last.
template <class TwoRows>
std::vector<std::size_t> kept_rows(std::size_t rows, TwoRows two_rows) {
  std::vector<std::size_t> result{0};
  for (const auto& [begin, end] : intervals(rows)) {
    const std::array<std::size_t, 2> pair = two_rows(begin, end);
    result.insert(result.end(), pair.begin(), pair.end());
  }
  result.push_back(rows - 1);
  return result;
}

std::vector<std::size_t> rows_by_extremes(std::span<const double> values) {
  return kept_rows(values.size(), [&](std::size_t begin, std::size_t end) { return extremes(values, begin, end); });
}

/// What is gathered for one pair of bodies.
struct Lane {
  std::string first;
  std::string second;
  std::vector<std::size_t> rows;
};

/// Pairs in order of their first impulse.
std::vector<Lane> gather(const files::CsvTable& contacts) {
  const files::CsvColumn& first = *contacts.find("first");
  const files::CsvColumn& second = *contacts.find("second");
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> index;
  std::vector<Lane> lanes;
  for (std::size_t row = 0; row < contacts.rows; ++row) {
    const auto [entry, is_new] = index.try_emplace({first.text[row], second.text[row]}, lanes.size());
    if (is_new) lanes.push_back({first.words[first.text[row]], second.words[second.text[row]], {}});
    lanes[entry->second].rows.push_back(row);
  }
  return lanes;
}

double sum(const files::CsvTable& contacts, std::string_view column, std::span<const std::size_t> rows) {
  double total = 0;
  for (const double value : picked(contacts.find(column)->numbers, rows)) total += std::isnan(value) ? 0 : value;
  return total;
}

struct Bins {
  double begin;
  double width;
};

/// Sums of `values` over the bins that hold any, and the centres of those bins.
std::pair<std::vector<double>, std::vector<double>> binned(std::span<const double> times,
                                                           std::span<const double> values, const Bins& bins) {
  std::array<double, impulse_bins> sums{};
  std::array<bool, impulse_bins> used{};
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (std::isnan(times[i]) || std::isnan(values[i])) continue;
    const auto bin = std::min(math::whole<std::size_t>((times[i] - bins.begin) / bins.width), impulse_bins - 1);
    sums[bin] += values[i];
    used[bin] = true;
  }
  std::pair<std::vector<double>, std::vector<double>> result;
  for (std::size_t bin = 0; bin < impulse_bins; ++bin) {
    if (!used[bin]) continue;
    result.first.push_back(bins.begin + (static_cast<double>(bin) + 0.5) * bins.width);
    result.second.push_back(sums[bin]);
  }
  return result;
}

Document lane_document(const Lane& lane, const files::CsvTable& contacts, const Bins& bins) {
  std::vector<double> times = picked(contacts.find("time")->numbers, lane.rows);
  std::vector<double> impulses = picked(contacts.find("normal_impulse")->numbers, lane.rows);
  Document document = {{"first", lane.first},
                       {"second", lane.second},
                       {"count", lane.rows.size()},
                       {"first_time", times.front()},
                       {"last_time", times.back()},
                       {"normal_impulse", sum(contacts, "normal_impulse", lane.rows)},
                       {"tangential_impulse", sum(contacts, "tangential_impulse", lane.rows)},
                       {"energy_lost", sum(contacts, "energy_lost", lane.rows)},
                       {"bin", nullptr}};
  if (times.size() > max_impulses && bins.width > 0) {
    std::tie(times, impulses) = binned(times, impulses, bins);
    document["bin"] = bins.width;
  }
  document["time"] = packed(times);
  document["impulse"] = packed(impulses);
  return document;
}

}  // namespace

Document packed(std::span<const double> values) {
  if (values.size() > max_plain_values) return base64(little_endian(values));
  Document list = Document::array();
  for (const double value : values) list.push_back(std::isnan(value) ? Document(nullptr) : Document(value));
  return list;
}

Document history_tables(const files::CsvTable& history) {
  const std::vector<double>& time = history.find("time")->numbers;
  if (history.rows <= max_history_rows) {
    Document columns = Document::array({column_document("time", time)});
    for (const files::CsvColumn& column : history.columns) {
      if (column.name != "time") columns.push_back(column_document(column.name, column.numbers));
    }
    return Document::array({{{"columns", std::move(columns)}}});
  }
  const files::CsvColumn* kinetic = history.find("energy.kinetic");
  const std::vector<std::size_t> ledger_rows = rows_by_extremes(kinetic ? kinetic->numbers : time);
  const std::vector<std::size_t> edge_rows = kept_rows(history.rows, [](std::size_t begin, std::size_t end) {
    return std::array{begin, end - 1};
  });
  Document ledger = Document::array({column_document("time", picked(time, ledger_rows))});
  Document others = Document::array({column_document("time", picked(time, edge_rows))});
  for (const files::CsvColumn& column : history.columns) {
    if (column.name == "time") continue;
    if (in_ledger(column.name)) {
      ledger.push_back(column_document(column.name, picked(column.numbers, ledger_rows)));
    } else {
      others.push_back(column_document(column.name, picked(column.numbers, rows_by_extremes(column.numbers))));
    }
  }
  return Document::array({{{"columns", std::move(ledger)}}, {{"columns", std::move(others)}}});
}

Document contact_lanes(const files::CsvTable& contacts) {
  const std::vector<double>& times = contacts.find("time")->numbers;
  Document lanes = Document::array();
  if (times.empty()) return lanes;
  const double begin = times.front();
  const Bins bins{begin, (times.back() - begin) / static_cast<double>(impulse_bins)};
  for (const Lane& lane : gather(contacts)) lanes.push_back(lane_document(lane, contacts, bins));
  return lanes;
}

}  // namespace ictus::report
