#include <cerrno>
#include <cstring>
#include <fstream>
#include <ictus/base/error.hpp>
#include <ictus/solve/contact_problem_file.hpp>
#include <ictus/solve/contact_problem_format.hpp>
#include <sstream>
#include <string_view>

namespace ictus::solve {

SavedProblem read_contact_problem(const std::filesystem::path& path) {
  constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";
  const std::string file = path.string();
  const auto unreadable = [&](std::string message) { throw base::InputError(base::Mistake{file, 0, "", message}); };
  if (std::filesystem::is_directory(path)) unreadable("is a folder, expected a file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) unreadable(std::string("cannot be opened: ") + std::strerror(errno));
  std::string head(hdf5_signature.size(), '\0');
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  try {
    if (stream && head == hdf5_signature) return read_fclib_problem(file);
    stream.clear();
    stream.seekg(0);
    std::ostringstream text;
    text << stream.rdbuf();
    return parse_text_problem(file, text.view());
  } catch (const base::InputError& error) {
    // Checks of the numbers themselves do not know where these came from.
    std::vector<base::Mistake> mistakes = error.mistakes();
    for (base::Mistake& mistake : mistakes) mistake.file = file;
    throw base::InputError(std::move(mistakes));
  }
}

}  // namespace ictus::solve
