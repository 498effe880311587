#pragma once

#include <string_view>

namespace ictus::observe {

/// Which build this is: version, a digest of the library's sources, compiler and flags. Only a build with the same
/// identity goes on with a run to the same bits.
std::string_view build_identity();

}  // namespace ictus::observe
