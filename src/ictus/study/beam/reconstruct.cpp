#include <ictus/study/beam/reconstruct.hpp>

#include <fmt/format.h>

#include <cmath>
#include <ictus/mechanics/beam/lie_beam.hpp>
#include <ictus/mechanics/beam/lie_beam_layout.hpp>
#include <ictus/mechanics/beam_in_space/lie_beam_space.hpp>
#include <ictus/study/beam/beam_run.hpp>

namespace ictus::study {

using Layout = mechanics::LieBeamLayout;
using math::Pose;
using math::Vector3;
using math::Wrench;
using mechanics::LieBeam;

namespace {

/// Poses of all sections at all times that are kept (56 bytes each).
constexpr std::size_t max_poses = 50'000'000;
/// tan² φ/2 at φ = 170° between neighbours.
constexpr double turn_limit = 130.6;

/// The history of every section of a beam, from the end of the first step to the beginning of the last.
class SheetRecorder final : public dynamics::Observer {
 public:
  explicit SheetRecorder(const LieBeam& beam) : beam_(beam), poses_(beam.model().nodes), ends_(beam.model().nodes) {}

  void begin(const dynamics::Snapshot&, const dynamics::StepReport&) override {}
  void observe(const dynamics::Snapshot& snapshot, const dynamics::StepReport& report) override {
    met_plane_ = met_plane_ || report.contacts > 0;
    const auto q = beam_.part(std::span<const double>(snapshot.state.q));
    const auto p = beam_.part(std::span<const double>(snapshot.state.p));
    for (std::size_t a = 0; a < poses_.size(); ++a) {
      const Pose<double> g = Layout::pose(q, a);
      const Wrench<double> momentum = 1.0 / beam_.model().spacing * Layout::momentum(p, a);
      if (poses_[a].empty()) {
        ends_[a].arrives = momentum;
      } else {
        ends_[a].leaves = {momentum.m + cross(g.r - poses_[a].back().r, momentum.n), momentum.n};
      }
      poses_[a].push_back(g);
    }
  }
  /// The last pose only gave the momentum on leaving the one before.
  void finish() {
    for (auto& history : poses_) history.pop_back();
  }

  bool met_plane() const { return met_plane_; }
  const std::vector<Pose<double>>& poses(std::size_t section) const { return poses_[section]; }
  const mechanics::SliceEnds& ends(std::size_t section) const { return ends_[section]; }

 private:
  const LieBeam& beam_;
  std::vector<std::vector<Pose<double>>> poses_;
  std::vector<mechanics::SliceEnds> ends_;
  bool met_plane_ = false;
};

[[noreturn]] void refuse_folder(const std::filesystem::path& folder, std::string why) {
  throw base::InputError({folder.string(), 0, "", std::move(why)});
}

const LieBeam& find_beam(const BeamRun& run, const std::string& name, const std::filesystem::path& folder) {
  const LieBeam* found = nullptr;
  for (const dynamics::BodyPtr& body : run.simulation().system.bodies()) {
    const auto* beam = body->lie_beam();
    if (!beam || (!name.empty() && beam->name() != name)) continue;
    if (found) refuse_folder(folder, "holds the run of several beams; choose one with --body");
    found = beam;
  }
  if (!found) refuse_folder(folder, name.empty() ? "holds no beam" : fmt::format("has no beam named '{}'", name));
  return *found;
}

void check_run(const BeamRun& run, const LieBeam& beam, const std::filesystem::path& folder) {
  const auto& loads = beam.model().loads;
  if (norm_sq(loads.per_length.m) > 0.0)
    refuse_folder(folder, "has moments along the beam, which the march in space does not know");
  if (run.simulation().steps < 3) refuse_folder(folder, "has too few steps: at least 3 are needed");
  const auto steps = static_cast<std::size_t>(run.simulation().steps);
  if (steps > max_poses / beam.model().nodes) {
    refuse_folder(folder, fmt::format("has {} poses to keep, and at most {} are; run it with a smaller time.end",
                                      steps * beam.model().nodes, max_poses));
  }
}

/// Largest growth of a disturbance along the beam: R = Δs/(c Δt) for the slowest wave. [eq. lie-beam-35]
double growth(const mechanics::LieBeamHistory& history) {
  const double r = history.spacing / (mechanics::slowest_wave(history.section) * history.period);
  return r <= 1.0 ? 1.0 : std::pow(r + std::sqrt(r * r - 1.0), 2);
}

SectionError compare(double arc_length, const std::vector<Pose<double>>& found,
                     const std::vector<Pose<double>>& known) {
  SectionError error;
  error.arc_length = arc_length;
  for (std::size_t j = 0; j < known.size(); ++j) {
    const math::Rotation<double> turn = inverse(known[j].q) * found[j].q;
    error.position = std::max(error.position, std::sqrt(norm_sq(found[j].r - known[j].r)));
    error.turn = std::max(error.turn, 2.0 * std::atan2(std::sqrt(norm_sq(turn.v)), std::abs(turn.s)));
  }
  return error;
}

/// Why a slice leads no further; empty where it does.
std::string defect(const mechanics::LieBeamHistory& history, const mechanics::LieBeamSlice& slice) {
  for (std::size_t j = 0; j < slice.strains.size(); ++j) {
    if (!(norm_sq((0.5 * history.spacing) * slice.strains[j].w) <= turn_limit)) {
      return fmt::format("neighbouring sections are turned by nearly 180 degrees at instant {}", j);
    }
  }
  return {};
}

}  // namespace

Reconstruction reconstruct(const std::filesystem::path& folder, const std::string& body, int threads) {
  BeamRun run(
      folder, [](scene::MultisymplecticBeamSpec& spec) { spec.noether = 0; }, threads);
  if (run.in_space()) refuse_folder(folder, "holds a run in space; a run in time can be reconstructed");
  const LieBeam& beam = find_beam(run, body, folder);
  check_run(run, beam, folder);
  SheetRecorder sheet(beam);
  dynamics::Observer* const observers[] = {&sheet};
  run.run_steps(observers);
  if (sheet.met_plane())
    refuse_folder(folder, "holds a run that met a plane, whose impulses the march in space does not know");
  sheet.finish();

  const mechanics::LieBeamModel& model = beam.model();
  const mechanics::LieBeamHistory history{
      .section = model.section,
      .spacing = model.spacing,
      .period = run.simulation().step,
      .gravity = model.gravity + 1.0 / model.section.mass * model.loads.per_length.n};
  Reconstruction result;
  result.body = beam.name();
  result.times = sheet.poses(0).size();
  result.length = static_cast<double>(model.last()) * model.spacing;
  result.growth = growth(history);
  mechanics::LieBeamSlice slice = first_slice(history, sheet.poses(0), sheet.poses(1)), next;
  for (std::size_t a = 1; a < model.last(); ++a) {
    result.stopped = defect(history, slice);
    if (!result.stopped.empty()) break;
    if (const auto bad = next_slice(history, slice, next, sheet.ends(a))) {
      result.stopped = fmt::format("no strain belongs to the stress at instant {}", *bad);
      break;
    }
    std::vector<Pose<double>> poses;
    for (std::size_t j = 0; j < next.poses.size(); ++j) {
      poses.push_back(next.poses[j] * cayley(history.spacing * next.strains[j]));
    }
    result.sections.push_back(compare(static_cast<double>(a + 1) * history.spacing, poses, sheet.poses(a + 1)));
    std::swap(slice, next);
  }
  return result;
}

std::string to_text(const Reconstruction& r) {
  std::string text = fmt::format("{}: {} instants, marched from the first two sections\n{:>12}  {:>12}  {:>12}\n",
                                 r.body, r.times, "s (m)", "place (m)", "turn (rad)");
  for (const SectionError& section : r.sections) {
    text += fmt::format("{:12.6g}  {:12.3g}  {:12.3g}\n", section.arc_length, section.position, section.turn);
  }
  if (r.growth > 1.0) text += fmt::format("rounding may grow {:.3g}-fold from section to section\n", r.growth);
  if (!r.stopped.empty()) {
    text += fmt::format(
        "The march ended before s = {:g} m: {}. Marching along a beam turns the Courant condition round: a larger time "
        "step helps\n",
        r.length, r.stopped);
  }
  return text;
}

}  // namespace ictus::study
