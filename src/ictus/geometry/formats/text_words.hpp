#pragma once

#include <charconv>
#include <ictus/base/error.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ictus::geometry {

/// The words of a text, line by line, with the number of the line for messages.
class TextWords {
 public:
  TextWords(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  [[noreturn]] void fail(std::string message) const { throw base::InputError({file_, line_, "", std::move(message)}); }

  /// Goes to the next line; false at the end of the text. What is left of the present one is passed over.
  bool next_line() {
    if (end_ >= text_.size() && line_ > 0) return false;
    at_ = line_ == 0 ? 0 : end_ + 1;
    if (at_ >= text_.size()) return false;
    ++line_;
    const std::size_t found = text_.find('\n', at_);
    end_ = found == std::string_view::npos ? text_.size() : found;
    return true;
  }
  /// The next word of the line, "" at its end.
  std::string_view word() {
    while (at_ < end_ && is_space(text_[at_])) ++at_;
    const std::size_t start = at_;
    while (at_ < end_ && !is_space(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  /// The next word of this or a following line, "" at the end of the text.
  std::string_view word_anywhere() {
    for (;;) {
      if (line_ > 0) {
        const std::string_view found = word();
        if (!found.empty()) return found;
      }
      if (!next_line()) return {};
    }
  }
  double number(std::string_view word, std::string_view what) const {
    const auto value = parsed<double>(word);
    if (!value) fail(std::string(what) + " must be a number, not '" + std::string(word) + "'");
    return *value;
  }
  template <class T>
  static std::optional<T> parsed(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    T value{};
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.empty() || failure != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return value;
  }

  int line() const { return line_; }
  /// Where the line after the present one begins.
  std::size_t after_line() const { return end_ + 1; }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0, end_ = 0;
  int line_ = 0;
};

}  // namespace ictus::geometry
