#pragma once

#include <cstddef>

namespace ictus::testing {

/// Number of calls of operator new in this program so far.
std::size_t allocation_count();

}  // namespace ictus::testing
