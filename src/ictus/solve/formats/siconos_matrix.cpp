#include <ictus/solve/formats/siconos_matrix.hpp>

#include <fmt/format.h>

#include <limits>
#include <string>
#include <vector>

namespace ictus::solve {

namespace {

enum SiconosStorage : int { dense = 0, sparse_blocks = 1, sparse = 2 };

constexpr int max_entries = std::numeric_limits<int>::max() / 4;

using MatrixEntries = std::vector<Eigen::Triplet<double>>;

/// A matrix whose values are being read, with the names that messages give its parts.
struct MatrixText {
  NumberText& text;
  std::string name;
  int rows;
  int columns;

  std::string part(std::string_view what) const { return fmt::format("{} of {}", what, name); }
};

void read_dense(const MatrixText& m, MatrixEntries& entries) {
  m.text.expect(m.part("rows, the second time,"), m.rows);
  m.text.expect(m.part("columns, the second time,"), m.columns);
  m.text.expect_room(m.name, static_cast<std::size_t>(m.rows) * static_cast<std::size_t>(m.columns));
  for (int j = 0; j < m.columns; ++j) {
    for (int i = 0; i < m.rows; ++i) {
      if (const double value = m.text.number(m.name); value != 0.0) entries.emplace_back(i, j, value);
    }
  }
}

/// Where each block row or column begins, and where the last ends.
std::vector<int> read_block_starts(const MatrixText& m, int blocks, int size) {
  std::vector<int> starts(static_cast<std::size_t>(blocks) + 1, 0);
  for (int i = 0; i < blocks; ++i) starts[i + 1] = m.text.integer("cumulative block sizes", starts[i] + 1, size);
  if (starts.back() != size) {
    m.text.fail("cumulative block sizes", fmt::format("end at {}, must end at {}", starts.back(), size));
  }
  return starts;
}

std::vector<int> read_row_pointers(const MatrixText& m, int count, int blocks) {
  std::vector<int> pointers(static_cast<std::size_t>(count), 0);
  for (int i = 0; i < count; ++i) {
    pointers[i] = m.text.integer("row pointers", i > 0 ? pointers[i - 1] : 0, blocks);
  }
  if (pointers.front() != 0 || pointers.back() != blocks) {
    m.text.fail("row pointers",
                fmt::format("run from {} to {}, must run from 0 to {}", pointers.front(), pointers.back(), blocks));
  }
  return pointers;
}

void read_sparse_blocks(const MatrixText& m, MatrixEntries& entries) {
  NumberText& text = m.text;
  const int count = text.integer("number of blocks", 0, max_entries);
  if (count == 0) return;
  const int block_rows = text.integer("block rows", 1, m.rows);
  const int block_columns = text.integer("block columns", 1, m.columns);
  text.expect_room("number of blocks", static_cast<std::size_t>(count));
  text.expect_room("block rows", static_cast<std::size_t>(block_rows));
  text.expect_room("block columns", static_cast<std::size_t>(block_columns));
  const std::vector<int> row_starts = read_block_starts(m, block_rows, m.rows);
  const std::vector<int> column_starts = read_block_starts(m, block_columns, m.columns);
  const int filled_rows = text.integer("number of row pointers", 1, block_rows + 1) - 1;
  text.expect("number of column indices", count);
  const std::vector<int> pointers = read_row_pointers(m, filled_rows + 1, count);
  std::vector<int> columns(static_cast<std::size_t>(count));
  for (int& column : columns) column = text.integer("column indices", 0, block_columns - 1);
  for (int i = 0; i < filled_rows; ++i) {
    for (int k = pointers[i]; k < pointers[i + 1]; ++k) {
      text.expect("block number", k);
      for (int c = column_starts[columns[k]]; c < column_starts[columns[k] + 1]; ++c) {
        for (int r = row_starts[i]; r < row_starts[i + 1]; ++r) entries.emplace_back(r, c, text.number("block value"));
      }
    }
  }
}

/// CSparse prints indices with six digits.
int read_index(const MatrixText& m, std::string_view what, int bound) {
  if (m.text.peek().find('e') != std::string_view::npos) {
    m.text.fail(what, "is rounded to six digits, so that it cannot be told which entry is meant");
  }
  return m.text.integer(what, 0, bound - 1);
}

void read_triplets(const MatrixText& m, int count, MatrixEntries& entries) {
  for (int k = 0; k < count; ++k) {
    const int row = read_index(m, m.part("row index"), m.rows);
    const int column = read_index(m, m.part("column index"), m.columns);
    m.text.expect_word(m.name, ":");
    entries.emplace_back(row, column, m.text.number(m.name));
  }
}

/// Each column begins with "col 3 : locations 7 to 9": which entries are its own.
void read_columns(const MatrixText& m, int count, MatrixEntries& entries) {
  int read = 0;
  for (int column = 0; column < m.columns; ++column) {
    m.text.expect_word(m.name, "col");
    if (read_index(m, m.part("column"), m.columns) != column) m.text.fail(m.name, "the columns are out of order");
    m.text.expect_word(m.name, ":");
    m.text.expect_word(m.name, "locations");
    m.text.expect(m.part("first location of a column"), read);
    m.text.expect_word(m.name, "to");
    const int last = m.text.integer(m.part("last location of a column"), read - 1, count - 1);
    for (; read <= last; ++read) {
      const int row = read_index(m, m.part("row index"), m.rows);
      m.text.expect_word(m.name, ":");
      entries.emplace_back(row, column, m.text.number(m.name));
    }
  }
  if (read != count) m.text.fail(m.name, fmt::format("has {} entries, the heading promises {}", read, count));
}

/// The heading "triplet: 900-by-900, nzmax: 900 nnz: 900", where "triplet:" stands for triplets only and what follows
/// the number of entries is of no use here.
void read_sparse(const MatrixText& m, MatrixEntries& entries) {
  NumberText& text = m.text;
  const auto by_csparse = [&] { return text.peek().starts_with("CSparse") || text.peek().starts_with("CXSparse"); };
  if (!by_csparse()) text.integer(m.part("lists (1 triplets, 2 compressed columns)"), 1, 2);
  if (!by_csparse()) text.fail(m.name, "expected what CSparse prints of a sparse matrix");
  text.line();
  const bool listed = text.peek() == "triplet:";
  if (listed) text.word();
  text.expect_word(m.part("size"), fmt::format("{}-by-{},", m.rows, m.columns));
  text.expect_word(m.name, "nzmax:");
  text.word();
  text.expect_word(m.name, "nnz:");
  std::string_view number = text.word();
  if (number.ends_with(',')) number.remove_suffix(1);
  const int count = NumberText(text.file(), number).integer(m.part("number of entries"), 0, max_entries);
  text.expect_room(m.part("number of entries"), 3 * static_cast<std::size_t>(count));
  if (listed) return read_triplets(m, count, entries);
  text.expect_word(m.name, "1-norm:");
  text.word();
  read_columns(m, count, entries);
}

}  // namespace

SparseMatrix read_siconos_matrix(NumberText& text, std::string_view name) {
  const int storage =
      text.integer(fmt::format("storage of {} (0 dense, 1 sparse blocks, 2 sparse)", name), dense, sparse);
  const int rows = text.integer(fmt::format("rows of {}", name), 1, max_entries);
  const int columns = text.integer(fmt::format("columns of {}", name), 1, max_entries);
  // As many numbers of a vector follow for each row, and for each column, whatever the storage.
  text.expect_room(fmt::format("rows of {}", name), static_cast<std::size_t>(rows));
  text.expect_room(fmt::format("columns of {}", name), static_cast<std::size_t>(columns));
  const MatrixText m{text, std::string(name), rows, columns};
  MatrixEntries entries;
  if (storage == dense) read_dense(m, entries);
  if (storage == sparse_blocks) read_sparse_blocks(m, entries);
  if (storage == sparse) read_sparse(m, entries);
  SparseMatrix matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

bool siconos_matrix_follows(NumberText text, int rows, int columns) {
  const std::string_view storage = text.word();
  if (storage != "0" && storage != "1" && storage != "2") return false;
  return text.word() == std::to_string(rows) && text.word() == std::to_string(columns);
}

}  // namespace ictus::solve
