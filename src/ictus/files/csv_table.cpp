#include <ictus/files/csv_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/base/text_file.hpp>
#include <limits>
#include <set>
#include <unordered_map>
#include <utility>

namespace ictus::files {
namespace {

/// Walks through the cells of a text. A view returned by next() is valid until the following call.
class CellReader {
 public:
  CellReader(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  bool at_end() const { return position_ >= text_.size(); }
  int line() const { return line_; }

  /// Reads one cell; `last` tells whether it ended its row.
  std::string_view next(bool& last) {
    return position_ < text_.size() && text_[position_] == '"' ? quoted(last) : plain(last);
  }

  [[noreturn]] void fail(std::string message) const {
    throw base::InputError(base::Mistake{.file = file_, .line = line_, .key = {}, .message = std::move(message)});
  }

  /// Call when a row has been taken in: later complaints are about the next line.
  void finish_row() { line_ += 1 + std::exchange(breaks_, 0); }

 private:
  std::string_view plain(bool& last) {
    const std::size_t end = std::min(text_.find_first_of(",\n", position_), text_.size());
    std::string_view cell = text_.substr(position_, end - position_);
    last = end == text_.size() || text_[end] == '\n';
    position_ = end + 1;
    if (last && cell.ends_with('\r')) cell.remove_suffix(1);
    return cell;
  }

  std::string_view quoted(bool& last) {
    cell_.clear();
    for (++position_;; ++position_) {
      if (position_ >= text_.size()) fail("a quoted cell does not end");
      if (text_[position_] == '\n') ++breaks_;
      if (text_[position_] == '"') {
        if (position_ + 1 >= text_.size() || text_[position_ + 1] != '"') break;
        ++position_;
      }
      cell_.push_back(text_[position_]);
    }
    ++position_;
    bool rest_last = false;
    if (!plain(rest_last).empty()) fail("text follows a quoted cell");
    last = rest_last;
    return cell_;
  }

  std::string_view text_;
  std::string file_;
  std::string cell_;
  std::size_t position_ = 0;
  int line_ = 1;
  int breaks_ = 0;
};

double parse_number(std::string_view cell, const CsvColumn& column, const CellReader& reader) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (cell.empty()) return none;
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc::result_out_of_range) return none;
  if (error != std::errc{} || end != cell.data() + cell.size()) {
    reader.fail(fmt::format("'{}' in column '{}' is not a number", cell, column.name));
  }
  return std::isfinite(value) ? value : none;
}

CsvTable read_header(CellReader& reader, std::span<const std::string_view> required) {
  CsvTable table;
  if (reader.at_end()) reader.fail("the file is empty; a header line with the column names is expected");
  for (bool last = false; !last;) table.columns.push_back({.name = std::string(reader.next(last))});
  std::set<std::string_view> names;
  for (const CsvColumn& column : table.columns) {
    if (!names.insert(column.name).second) reader.fail(fmt::format("column '{}' appears twice", column.name));
  }
  for (std::string_view name : required) {
    if (!names.contains(name)) reader.fail(fmt::format("column '{}' is missing", name));
  }
  reader.finish_row();
  return table;
}

using WordIndex = std::unordered_map<std::string, std::uint32_t>;

void take_word(std::string_view cell, CsvColumn& column, WordIndex& index) {
  const auto [entry, is_new] = index.try_emplace(std::string(cell), static_cast<std::uint32_t>(column.words.size()));
  if (is_new) column.words.emplace_back(cell);
  column.text.push_back(entry->second);
}

}  // namespace

const CsvColumn* CsvTable::find(std::string_view name) const {
  const auto found = std::ranges::find(columns, name, &CsvColumn::name);
  return found == columns.end() ? nullptr : &*found;
}

CsvTable read_csv(const std::filesystem::path& file, std::span<const std::string_view> required,
                  std::span<const std::string_view> text) {
  const std::string content = base::read_whole_file(file);
  CellReader reader(content, file.string());
  CsvTable table = read_header(reader, required);
  const std::size_t width = table.columns.size();
  std::vector<WordIndex> words(width);
  for (std::size_t i = 0; i < width; ++i) {
    table.columns[i].is_text = std::ranges::find(text, table.columns[i].name) != text.end();
  }
  while (!reader.at_end()) {
    std::size_t count = 0;
    for (bool last = false; !last; ++count) {
      const std::string_view cell = reader.next(last);
      if (count >= width) continue;
      CsvColumn& column = table.columns[count];
      if (column.is_text) {
        take_word(cell, column, words[count]);
      } else {
        column.numbers.push_back(parse_number(cell, column, reader));
      }
    }
    if (count != width) reader.fail(fmt::format("the row has {} cells, the header {}", count, width));
    reader.finish_row();
    ++table.rows;
  }
  return table;
}

std::vector<std::string> header_cells(std::string_view header) {
  CellReader reader(header, "");
  std::vector<std::string> names;
  for (bool last = false; !last;) names.emplace_back(reader.next(last));
  return names;
}

}  // namespace ictus::files
