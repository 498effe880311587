#include <ictus/solve/formats/contact_problem_format.hpp>

#include <fmt/format.h>

#include <ictus/solve/formats/number_text.hpp>
#include <ictus/solve/formats/siconos_matrix.hpp>

namespace ictus::solve {

namespace {

std::vector<double> read_numbers(NumberText& text, std::string_view name, int count) {
  text.expect_room(name, static_cast<std::size_t>(count));
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = text.number(name);
  return values;
}

/// Older versions of Siconos end a file with a mark, 0 or 1. Nothing else may follow.
void expect_end(NumberText& text) {
  const std::string_view first = text.peek();
  const bool mark = (first == "0" || first == "1") && text.words_left(2) == 1;
  if (first.empty() || mark) return;
  text.word();
  text.fail("", fmt::format("'{}' and what follows it is left over after the last friction coefficient",
                            first.substr(0, 40)));
}

int read_dimension(NumberText& text) {
  if (text.peek() == "5") text.fail("dimension", "is 5: rolling friction is not supported");
  return text.integer("dimension", 2, 3);
}

}  // namespace

SavedProblem parse_text_problem(const std::string& file, std::string_view content) {
  NumberText text(file, content);
  const int dimension = read_dimension(text);
  const int contacts = text.integer("number of contacts", 1, 1 << 28);
  const int rows = dimension * contacts;
  text.expect_room("number of contacts", static_cast<std::size_t>(rows));
  SparseMatrix first = read_siconos_matrix(text, "the first matrix");
  if (first.rows() != first.cols()) {
    text.fail("the first matrix", fmt::format("is {} by {}, must be square", first.rows(), first.cols()));
  }
  const int size = static_cast<int>(first.rows());
  const bool global = siconos_matrix_follows(text, size, rows);
  if (!global && size != rows) {
    text.fail("the first matrix",
              fmt::format("has {0} rows. W of {1} contacts has {2}; M of a global problem is followed by a matrix H of "
                          "{0} rows and {2} columns",
                          size, contacts, rows));
  }
  std::vector<double> q;
  if (global) {
    const SparseMatrix h = read_siconos_matrix(text, "H");
    const std::vector<double> f = read_numbers(text, "q", size);
    q = read_numbers(text, "b", rows);
    first = condense(first, h, f, q);
  } else {
    q = read_numbers(text, "q", rows);
  }
  const std::vector<double> mu = read_numbers(text, "mu", contacts);
  expect_end(text);
  return saved_problem("", dimension, first, q, mu);
}

}  // namespace ictus::solve
