#pragma once

#include <filesystem>
#include <ictus/scene/spec/published.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ictus::run {

/// A published number beside that of the run.
struct PublishedResult {
  std::optional<double> own;    ///< none where the run has no such figure or column; `line` says which
  std::optional<double> error;  ///< (own − published)/|published|; own − published where the number is 0
  bool met = false;             ///< |error| ≤ tolerance
  bool explained = false;       ///< missed, and the scene says why
  std::string line;             ///< "met     force on the wall: 29923 lbf by Ansys VM265, here 29930 (+0.02 %)"
};

/// The distance of a number from a published one, as above.
double published_error(double own, double published);

/// One result for each number, in order; reads history.csv of `folder` if any of them is found there.
std::vector<PublishedResult> check_published(const std::vector<scene::PublishedSpec>& numbers,
                                             const nlohmann::ordered_json& summary,
                                             const std::filesystem::path& folder);

/// What summary.json tells of them under "published".
nlohmann::ordered_json to_json(const std::vector<scene::PublishedSpec>& numbers,
                               const std::vector<PublishedResult>& results);

}  // namespace ictus::run
