#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ictus::scene {

/// What is taken of a column of history.csv.
enum class Take { last, largest, smallest, mean, mean_square, settled };

/// What another program is published to give for the same number.
struct RivalSpec {
  std::string by;    ///< the program, and where it is published
  double value = 0;  ///< in the unit of the number
  bool operator==(const RivalSpec&) const = default;
};

/// A number that others published, and where in the results of the run its own is found:
/// own = scale · (figure − figure subtracted) + plus.
struct PublishedSpec {
  std::string what;                  ///< "force on the wall"
  double value = 0;                  ///< in `unit`
  std::string unit;                  ///< for people; empty: a pure number
  std::string by;                    ///< who published it, and where
  std::string of;                    ///< dotted path of summary.json, or a column of history.csv
  std::optional<std::string> minus;  ///< another one that is subtracted
  std::optional<Take> take;          ///< of the column; none: `of` is a figure of summary.json
  std::optional<double> from, to;    ///< s, the rows of history.csv that count
  double scale = 1;                  ///< `unit` over the unit of the results
  double plus = 0;                   ///< in `unit`
  double tolerance = 0;              ///< ≥ 0, largest |error| as a fraction of the value; in `unit` where that is 0
  std::string because;               ///< why this tolerance
  std::string known_miss;            ///< why the number is missed, where that is known; empty: it should be met
  std::vector<RivalSpec> others;
  bool operator==(const PublishedSpec&) const = default;
};

}  // namespace ictus::scene
