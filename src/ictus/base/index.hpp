#pragma once

#include <cstddef>

namespace ictus::base {

/// A number that is not negative as an index of an array.
constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace ictus::base
