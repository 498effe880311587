#pragma once

#include <ictus/base/error.hpp>
#include <ictus/convert/mechanism.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ictus::convert {

/// What is wrong with a file and what in it was not understood.
struct Findings {
  std::string file;
  std::vector<base::Mistake> mistakes;
  std::vector<Note> notes;

  void mistake(int line, std::string key, std::string message) {
    mistakes.push_back({file, line, std::move(key), std::move(message)});
  }
  void note(int line, std::string text) { notes.push_back({line, std::move(text)}); }
  void throw_if_any() const {
    if (!mistakes.empty()) throw base::InputError(mistakes);
  }
};

}  // namespace ictus::convert
