#pragma once

#include <cstdint>
#include <functional>
#include <ictus/math/convergence.hpp>
#include <ictus/study/converge/mesh_follows.hpp>
#include <ictus/study/study_scene.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ictus::study {

struct ConvergeOptions {
  SceneSource scene;
  std::vector<IntegratorChoice> integrators;
  std::vector<double> steps;   ///< s, no two alike
  bool mesh_follows = false;   ///< keep the Courant number of the scene: follow_mesh()
  double from = 0;             ///< s; errors are taken from here on
  bool after_release = false;  ///< errors are taken from the end of the last contact of the exact solution on
  int threads = 1;             ///< runs at a time
};

/// Steps separated by commas, with or without units: "1 us, 0.5 us". Throws base::InputError for what is no time > 0
/// and for a step that is given twice.
std::vector<double> parse_steps(std::string_view text);

enum class ConvergeStatus { completed, failed, refused, interrupted };
std::string_view to_string(ConvergeStatus status);

/// One integrator at one step.
struct ConvergeRun {
  std::string integrator;                             ///< label of the choice
  double step = 0;                                    ///< s
  double asked_step = 0;                              ///< s; another one where the mesh follows and needs it
  std::vector<std::pair<std::string, int>> elements;  ///< of each bar
  std::int64_t steps = 0;
  ConvergeStatus status = ConvergeStatus::refused;
  std::string reason;                         ///< why it was refused, or where it failed
  std::vector<std::optional<double>> errors;  ///< of each quantity; all none unless completed
  double wall_seconds = 0;
};

/// Something whose error is measured.
struct StudiedQuantity {
  std::string column;  ///< of history.csv: "probe.left_tip.velocity", "contact.0.force"
  std::string name;    ///< "left_tip velocity", "contact force left - right"
};

/// How the errors of one quantity fall with the step.
struct ConvergeCurve {
  std::string integrator;
  std::size_t quantity;               ///< index into Convergence::quantities
  std::vector<double> steps, errors;  ///< from the largest step on; errors that are positive
  std::optional<math::PowerLaw> law;  ///< none for fewer than two of them
  std::vector<std::optional<double>> local_orders;
};

struct Convergence {
  std::string title, source;
  std::string case_name;  ///< empty: not a case of the program
  bool mesh_follows = false;
  bool after_release = false;
  double from = 0;  ///< s, the start of the window; 0: the whole run
  std::vector<StudiedQuantity> quantities;
  std::vector<std::string> notes;     ///< what in the scene was adapted to an integrator
  std::vector<ConvergeRun> runs;      ///< by integrator as chosen, then by step as given
  std::vector<ConvergeCurve> curves;  ///< by integrator, then by quantity
};

/// Runs the scene with each integrator at each step and measures the errors against the exact solution in the norm
/// [eq. convergence-1] over every step in the window. The contact force of a step is its impulse over h. Nothing is
/// written. A run that cannot be is refused with its reason and the others go on. `progress` hears of each that has
/// ended, one at a time.
/// Throws base::InputError for a wrong scene, one without an exact solution or without anything to measure, a window
/// without steps, and where no run can be.
Convergence converge(const ConvergeOptions& options, const std::function<bool()>& stop,
                     const std::function<void(const ConvergeRun&)>& progress);

}  // namespace ictus::study
