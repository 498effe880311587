#include <ictus/base/text_file.hpp>

#include <fmt/format.h>

#include <fstream>
#include <ictus/base/error.hpp>
#include <system_error>

namespace ictus::base {

std::string read_whole_file(const std::filesystem::path& file, std::uintmax_t max_count) {
  const auto fail = [&](std::string message) { throw InputError({file.string(), 0, "", std::move(message)}); };
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(file, failure);
  if (status.type() == std::filesystem::file_type::not_found) fail("there is no such file");
  if (failure) fail(fmt::format("cannot be read: {}", failure.message()));
  if (status.type() == std::filesystem::file_type::directory) fail("is a folder, not a file");
  if (status.type() != std::filesystem::file_type::regular) fail("is a pipe or a device, not a plain file");
  const std::uintmax_t size = std::filesystem::file_size(file, failure);
  if (failure) fail(fmt::format("cannot be read: {}", failure.message()));
  if (size > max_count)
    fail(fmt::format("holds {:.3g} MB; at most {:.3g} MB are read", static_cast<double>(size) / 1e6,
                     static_cast<double>(max_count) / 1e6));
  std::ifstream stream(file, std::ios::binary);
  std::string text(size, '\0');
  if (!stream || !stream.read(text.data(), static_cast<std::streamsize>(size))) fail("cannot be read");
  return text;
}

}  // namespace ictus::base
