#pragma once

#include <string>
#include <string_view>

namespace ictus::report {

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);

/// The bytes again; what is no digit ends them.
std::string from_base64(std::string_view text);

}  // namespace ictus::report
