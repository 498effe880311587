#pragma once

#include <string_view>

namespace ictus::base {

/// A file compiled into the program by ictus_embed(): its path below the embedded folder, and its bytes.
struct EmbeddedFile {
  std::string_view path;
  std::string_view content;
};

}  // namespace ictus::base
