#include <ictus/base/nearest.hpp>

#include <algorithm>
#include <vector>

namespace ictus::base {

namespace {

std::string normalised(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-') c = '_';
  }
  return result;
}

constexpr std::size_t longest_word =
    80;  // nobody misspells a longer key, and the distance costs the product of lengths

}  // namespace

int edit_distance(std::string_view first, std::string_view second) {
  const std::string a = normalised(first);
  const std::string b = normalised(second);
  const int width = static_cast<int>(b.size()) + 1;
  std::vector<int> before(width), above(width), row(width);
  for (int j = 0; j < width; ++j) row[j] = j;
  for (int i = 1; i <= static_cast<int>(a.size()); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (int j = 1; j < width; ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[width - 1];
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known) {
  if (word.size() > longest_word) return std::nullopt;
  const std::string* best = nullptr;
  int best_distance = std::max(1, 2 * static_cast<int>(word.size()) / 5) + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > longest_word) continue;
    const int distance = edit_distance(word, candidate);
    if (distance < best_distance && distance < static_cast<int>(candidate.size())) {
      best = &candidate;
      best_distance = distance;
    }
  }
  // A part of a word ("modulus"), or another ending of it ("body" for "bodies").
  const std::string part = normalised(word);
  const std::string stem = part.substr(0, std::max<std::size_t>(3, (2 * part.size() + 2) / 3));
  for (const std::string& sought : {part, stem}) {
    if (best != nullptr || sought.size() < 3) break;
    for (const std::string& candidate : known) {
      const std::size_t at = normalised(candidate).find(sought);
      const bool found = sought == part ? at != std::string::npos : at == 0;
      if (found && (best == nullptr || candidate.size() < best->size())) best = &candidate;
    }
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

}  // namespace ictus::base
