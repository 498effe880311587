#include "text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <sstream>

namespace ictus::program {

std::string wrapped(std::string_view text, std::string_view indent) {
  constexpr std::size_t width = 100;
  std::istringstream words{std::string(text)};
  std::string result, line;
  for (std::string word; words >> word;) {
    if (!line.empty() && indent.size() + line.size() + 1 + word.size() > width) {
      result += fmt::format("{}{}\n", indent, line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty()) result += fmt::format("{}{}\n", indent, line);
  return result;
}

std::string shortened(std::string_view text, std::size_t max_count) {
  const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  std::size_t characters = 0, kept = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!begins_character(text[i])) continue;
    if (++characters == max_count) kept = i;
  }
  return characters <= max_count ? std::string(text) : std::string(text.substr(0, kept)) + (max_count > 0 ? "…" : "");
}

std::string duration(double seconds) {
  if (!(seconds < 1e9)) return "?";
  if (seconds < 60) return fmt::format("{:.{}f} s", seconds, seconds < 10 ? 1 : 0);
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string rough_duration(double seconds) {
  const std::string text = duration(seconds);
  return text.substr(0, text.find(' ', text.find(' ') + 1));
}

std::string describe_limit(const build::Simulation& simulation) {
  const dynamics::StepLimit& limit = simulation.limit;
  if (!std::isfinite(limit.step)) return "stable at any step";
  return fmt::format("{:.3g} of the largest stable step, {:g} {}, set by {}",
                     simulation.step / simulation.integrator->stride() / limit.step, limit.step, simulation.unit(),
                     limit.reason);
}

}  // namespace ictus::program
