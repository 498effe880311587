#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ictus/base/error.hpp>
#include <ictus/solve/contact_problem_format.hpp>
#include <ictus/solve/sparse_blocks.hpp>

namespace ictus::solve {

namespace {

enum TextStorage : int { dense = 0, sparse_blocks = 1 };

/// Numbers separated by white space, with the line that each stands in.
class Tokens {
 public:
  Tokens(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {}

  double number(std::string_view what) {
    double value = 0.0;
    parse(what, "a number", value);
    return value;
  }

  int integer(std::string_view what, int low, int high) {
    int value = 0;
    parse(what, "a whole number", value);
    if (value < low || value > high) fail(what, fmt::format("is {}, must lie in {} .. {}", value, low, high));
    return value;
  }

  void expect(std::string_view what, int expected) {
    int value = 0;
    parse(what, "a whole number", value);
    if (value != expected) fail(what, fmt::format("is {}, must be {}", value, expected));
  }

  /// Refuses a count of further numbers that the rest of the file cannot hold.
  void expect_room(std::string_view what, std::size_t numbers) {
    if (numbers > (text_.size() - position_) / 2 + 1) fail(what, "promises more numbers than the file holds");
  }

  [[noreturn]] void fail(std::string_view what, std::string message) const {
    throw base::InputError(base::Mistake{file_, line_, std::string(what), std::move(message)});
  }

 private:
  std::string_view next() {
    while (position_ < text_.size() && is_space(text_[position_])) line_ += text_[position_++] == '\n';
    const std::size_t begin = position_;
    while (position_ < text_.size() && !is_space(text_[position_])) ++position_;
    return text_.substr(begin, position_ - begin);
  }
  static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

  template <class T>
  void parse(std::string_view what, std::string_view kind, T& value) {
    const std::string_view token = next();
    if (token.empty()) fail(what, fmt::format("the file ends where {} should stand", kind));
    const char* begin = token.data() + (token.front() == '+' ? 1 : 0);
    const auto [end, error] = std::from_chars(begin, token.data() + token.size(), value);
    if (error != std::errc() || end != token.data() + token.size()) {
      fail(what, fmt::format("found '{}', expected {}", token.substr(0, 40), kind));
    }
  }

  std::string file_;
  std::string_view text_;
  std::size_t position_ = 0;
  int line_ = 1;
};

SparseMatrix read_dense(Tokens& tokens, int rows) {
  tokens.expect_room("W", static_cast<std::size_t>(rows) * static_cast<std::size_t>(rows));
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < rows; ++i) {
      if (const double value = tokens.number("W"); value != 0.0) entries.emplace_back(i, j, value);
    }
  }
  SparseMatrix w(rows, rows);
  w.setFromTriplets(entries.begin(), entries.end());
  return w;
}

SparseMatrix read_sparse_blocks(Tokens& tokens, int contacts, int dimension) {
  const int count = tokens.integer("number of blocks", 0, 1 << 30);
  tokens.expect("block rows", contacts);
  tokens.expect("block columns", contacts);
  for (int side = 0; side < 2; ++side) {
    for (int i = 0; i < contacts; ++i) tokens.expect("cumulative block sizes", dimension * (i + 1));
  }
  tokens.expect("number of row pointers", contacts + 1);
  tokens.expect("number of column indices", count);
  tokens.expect_room("number of blocks",
                     static_cast<std::size_t>(count) * static_cast<std::size_t>(dimension * dimension));
  std::vector<int> offsets(contacts + 1);
  for (int i = 0; i <= contacts; ++i) {
    offsets[i] = tokens.integer("row pointers", i > 0 ? offsets[i - 1] : 0, i == contacts ? count : count);
  }
  if (offsets.front() != 0 || offsets.back() != count) {
    tokens.fail("row pointers",
                fmt::format("run from {} to {}, must run from 0 to {}", offsets.front(), offsets.back(), count));
  }
  std::vector<int> columns(count);
  for (int& column : columns) column = tokens.integer("column indices", 0, contacts - 1);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(static_cast<std::size_t>(count * dimension * dimension));
  for (int i = 0; i < contacts; ++i) {
    for (int k = offsets[i]; k < offsets[i + 1]; ++k) {
      tokens.expect("block number", k);
      for (int c = 0; c < dimension; ++c) {
        for (int r = 0; r < dimension; ++r) {
          entries.emplace_back(dimension * i + r, dimension * columns[k] + c, tokens.number("block value"));
        }
      }
    }
  }
  SparseMatrix w(dimension * contacts, dimension * contacts);
  w.setFromTriplets(entries.begin(), entries.end());
  return w;
}

}  // namespace

SavedProblem parse_text_problem(const std::string& file, std::string_view text) {
  Tokens tokens(file, text);
  SavedProblem saved;
  saved.dimension = tokens.integer("dimension", 2, 3);
  const int contacts = tokens.integer("number of contacts", 1, 1 << 28);
  const int rows = saved.dimension * contacts;
  tokens.expect_room("number of contacts", static_cast<std::size_t>(rows));
  const int storage = tokens.integer("storage (0 dense, 1 sparse blocks)", dense, sparse_blocks);
  tokens.expect("rows of W", rows);
  tokens.expect("columns of W", rows);
  const SparseMatrix w =
      storage == dense ? read_dense(tokens, rows) : read_sparse_blocks(tokens, contacts, saved.dimension);
  std::vector<double> q(rows), mu(contacts);
  for (double& value : q) value = tokens.number("q");
  for (double& value : mu) value = tokens.number("mu");
  BlockProblem::Data data;
  assign_blocks(w, saved.dimension, data);
  data.q = local_triples(q, saved.dimension);
  data.cones = friction_cones(mu, saved.dimension);
  saved.problem = BlockProblem(std::move(data));
  return saved;
}

}  // namespace ictus::solve
