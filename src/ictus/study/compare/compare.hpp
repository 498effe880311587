#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <ictus/study/study_scene.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ictus::study {

struct CompareOptions {
  SceneSource scene;
  std::vector<IntegratorChoice> integrators;  ///< none: that of the scene
  std::filesystem::path folder;               ///< each run writes into a folder of its own below
  int threads = 1;                            ///< in all: several runs at a time, or several threads in one
  bool force = false;                         ///< replace results that are there already
  std::vector<KeyVariation> variations = {};  ///< each value of each with each integrator: a grid
};

/// What a comparison shows of a run. Times in s, energies in J; none where it has no meaning.
struct RunFigures {
  /// Relative error in the norm [eq. convergence-1] over the rows of history.csv.
  struct Error {
    std::string column;    ///< of history.csv: "probe.left_tip.velocity", "contact.0.force"
    std::string quantity;  ///< "velocity"; "contact_force" of a contact
    std::optional<double> value;
  };

  double step = 0;
  std::int64_t steps = 0;
  std::vector<Error> errors;  ///< against the exact solution; empty where the scene has none
  std::optional<double> energy_initial, energy_error, energy_change_max, energy_residual_max;
  std::vector<std::pair<std::string, double>> losses;  ///< by name
  std::optional<double> linear_drift, angular_drift;
  std::optional<double> contact_duration;  ///< from the first impulse to the last
  std::optional<std::int64_t> events;
  std::int64_t fallbacks = 0;
  double wall_seconds = 0;

  /// The largest error of a quantity over all probes (or contacts).
  std::optional<double> largest_error(std::string_view quantity) const;
};

/// The figures in a summary.json.
RunFigures figures_of(const nlohmann::ordered_json& summary);

enum class ComparedStatus { completed, failed, interrupted, refused };
std::string_view to_string(ComparedStatus status);

/// One run of a comparison, and what came of it.
struct ComparedRun {
  std::string name;  ///< labels of the integrator and of the values, "friction=0.5", as far as there are several
  std::vector<std::string> values;  ///< of the keys that vary, in their order
  ComparedStatus status = ComparedStatus::refused;
  std::string reason;                 ///< why it was refused, or where it failed
  std::vector<std::string> notes;     ///< what in the scene was adapted to it
  std::string folder;                 ///< of its results, below the folder of the comparison; empty: none
  std::optional<RunFigures> figures;  ///< of a run that got as far as its first row
};

struct Comparison {
  std::string title;
  std::string case_name;  ///< empty: not a case of the program
  std::vector<ComparedRun> runs;
  std::vector<std::string> keys;             ///< those that vary
  std::string_view named_by = "integrator";  ///< what the names of the runs say, "run" where a key varies
};

/// How far a study is.
struct StudyProgress {
  std::size_t ended = 0, runs = 0;
  double seconds_left = 0;  ///< if those to come take as long as those that have ended
};

/// Runs the scene with each integrator and value, several at a time where `threads` allows; the results do not depend
/// on that, wall times do. What cannot run the scene is refused with its reason, one that fails keeps what it has, and
/// the others go on. `progress` hears of each run that has ended, one at a time. Throws base::InputError for a wrong
/// scene, for results that exist already, and where no integrator can run.
Comparison compare(const CompareOptions& options, const std::function<bool()>& stop,
                   const std::function<void(const ComparedRun&, const StudyProgress&)>& progress);

}  // namespace ictus::study
