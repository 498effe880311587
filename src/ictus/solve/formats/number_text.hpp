#pragma once

#include <fmt/format.h>

#include <charconv>
#include <ictus/base/error.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace ictus::solve {

/// A text of words separated by white space, with the line that each stands in. Reading past the end, and words that
/// are not what was asked for, are base::InputError.
class NumberText {
 public:
  NumberText(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {}

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

  void expect_word(std::string_view what, std::string_view expected) {
    const std::string_view found = word();
    if (found == expected) return;
    if (found.empty()) fail(what, fmt::format("the file ends where '{}' should stand", expected));
    fail(what, fmt::format("found '{}', expected '{}'", found.substr(0, 40), expected));
  }

  /// Refuses a count of further numbers that the rest of the file cannot hold.
  void expect_room(std::string_view what, std::size_t numbers) const {
    if (numbers > (text_.size() - position_) / 2 + 1) fail(what, "promises more numbers than the file holds");
  }

  /// The next word; empty at the end.
  std::string_view word() {
    skip_space();
    const std::size_t begin = position_;
    while (position_ < text_.size() && !is_space(text_[position_])) ++position_;
    return text_.substr(begin, position_ - begin);
  }

  /// The word that word() would give.
  std::string_view peek() const { return NumberText(*this).word(); }

  /// What is left of the line of the next word.
  std::string_view line() {
    skip_space();
    const std::size_t begin = position_;
    while (position_ < text_.size() && text_[position_] != '\n') ++position_;
    return text_.substr(begin, position_ - begin);
  }

  /// How many words are left, counted up to `most`.
  std::size_t words_left(std::size_t max_count) const {
    NumberText rest(*this);
    std::size_t count = 0;
    while (count < max_count && !rest.word().empty()) ++count;
    return count;
  }

  const std::string& file() const { return file_; }

  [[noreturn]] void fail(std::string_view what, std::string message) const {
    throw base::InputError(base::Mistake{file_, line_, std::string(what), std::move(message)});
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
  void skip_space() {
    while (position_ < text_.size() && is_space(text_[position_])) line_ += text_[position_++] == '\n';
  }

  template <class T>
  void parse(std::string_view what, std::string_view kind, T& value) {
    const std::string_view token = word();
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

}  // namespace ictus::solve
