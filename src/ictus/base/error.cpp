#include <ictus/base/error.hpp>

#include <fmt/format.h>

#include <utility>

namespace ictus::base {

std::string to_string(const Mistake& mistake) {
  std::string text;
  if (!mistake.file.empty())
    text = mistake.line > 0 ? fmt::format("{}:{}: ", mistake.file, mistake.line) : mistake.file + ": ";
  if (!mistake.key.empty()) text += mistake.key + ": ";
  return text + mistake.message;
}

namespace {

std::string join(const std::vector<Mistake>& mistakes) {
  std::string text;
  for (const Mistake& mistake : mistakes) {
    if (!text.empty()) text += '\n';
    text += to_string(mistake);
  }
  return text;
}

}  // namespace

InputError::InputError(std::vector<Mistake> mistakes)
    : std::runtime_error(join(mistakes)), mistakes_(std::move(mistakes)) {}

NumericalFailure::NumericalFailure(std::string what, std::string where, std::string advice)
    : std::runtime_error(fmt::format("{} ({}). {}", what, where, advice)),
      where_(std::move(where)),
      advice_(std::move(advice)) {}

}  // namespace ictus::base
