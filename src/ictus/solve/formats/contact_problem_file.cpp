#include <ictus/solve/formats/contact_problem_file.hpp>

#include <ictus/base/error.hpp>
#include <ictus/base/text_file.hpp>
#include <ictus/solve/formats/contact_problem_format.hpp>
#include <string_view>

namespace ictus::solve {

SavedProblem read_contact_problem(const std::filesystem::path& path) {
  constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";
  const std::string file = path.string();
  const std::string content = base::read_whole_file(path);
  try {
    return content.starts_with(hdf5_signature) ? read_fclib_problem(file, content) : parse_text_problem(file, content);
  } catch (const base::InputError& error) {
    // Checks of the numbers themselves do not know where these came from.
    std::vector<base::Mistake> mistakes = error.mistakes();
    for (base::Mistake& mistake : mistakes) mistake.file = file;
    throw base::InputError(std::move(mistakes));
  }
}

}  // namespace ictus::solve
