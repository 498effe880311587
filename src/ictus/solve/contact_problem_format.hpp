#pragma once

#include <ictus/solve/contact_problem_file.hpp>
#include <string>
#include <string_view>

// The formats behind read_contact_problem(); `file` is the name used in messages.

namespace ictus::solve {

SavedProblem parse_text_problem(const std::string& file, std::string_view text);
SavedProblem read_fclib_problem(const std::string& file);

}  // namespace ictus::solve
