#pragma once

#include <filesystem>
#include <ictus/study/validate/validate.hpp>
#include <string>

namespace ictus::study {

/// "29923 lbf"
std::string number_with_unit(double value, const std::string& unit);
/// The number of a run; "–" where it has none.
std::string own_in_words(const scene::PublishedSpec& spec, const ValidationRun& run, std::size_t number);
/// The distance of a number from the published one, "+0.12 %"; in its unit where that is 0.
std::string error_in_words(const scene::PublishedSpec& spec, double own);
std::string error_in_words(const scene::PublishedSpec& spec, const ValidationRun& run, std::size_t number);
std::string tolerance_in_words(const scene::PublishedSpec& spec);
/// "met", "missed", or what became of the run.
std::string verdict(const ValidationRun& run, std::size_t number);
/// "201"; "–" where the scene cannot be built.
std::string unknowns_in_words(const ValidationRun& run);
/// "bodies.rod.cells=25 refused: ..."; of a run with a reason.
std::string why_early(const ValidationRun& run);
/// "capture-return, 201 unknowns, steps of 2.2e-07 s"
std::string mesh_in_words(const ValidationRun& run);

/// validation.html: the table, and for each benchmark the history of what is compared beside the published number, its
/// convergence, and the reasons for the tolerances. Reads history.csv of the runs below `folder`.
std::string validation_page(const Validation& validation, const std::filesystem::path& folder);

}  // namespace ictus::study
