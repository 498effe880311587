#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace ictus::base {

/// All bytes of a file that a person named. Throws InputError where there is no such file, where it is not a plain file
/// (a folder, a pipe, a device, which might never end), or where it holds more than `most` bytes.
std::string read_whole_file(const std::filesystem::path& file, std::uintmax_t max_count = std::uintmax_t{4} << 30);

}  // namespace ictus::base
