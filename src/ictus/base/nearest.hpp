#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ictus::base {

/// Number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other. Letter
/// case, and '-' against '_', count as nothing.
int edit_distance(std::string_view first, std::string_view second);

/// The known word that a misspelt one most likely stands for: within two fifths of its letters (at least one) by
/// edit_distance; else the shortest that contains it; else the shortest that starts like it ("body" for "bodies").
/// Parts and beginnings have three letters or more. The first of equals; none if nothing is near.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known);

}  // namespace ictus::base
