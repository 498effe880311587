#include <ictus/study/beam/noether.hpp>

#include <fmt/format.h>

#include <ictus/observe/ledger/ledger.hpp>
#include <ictus/study/beam/beam_run.hpp>

namespace ictus::study {

namespace {

std::string figure(const std::optional<double>& value) { return value ? fmt::format("{:.3g}", *value) : "-"; }

std::string vector(const math::Vec3& a) { return fmt::format("({:.9g}, {:.9g}, {:.9g})", a.x(), a.y(), a.z()); }

std::optional<double> extra(const NoetherCheck& check, std::string_view name) {
  for (const auto& [key, value] : check.extras) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::string line(std::string_view what, const std::string& value) { return fmt::format("{:<44}{}\n", what, value); }

}  // namespace

NoetherCheck check_noether(const std::filesystem::path& folder, int rectangles, int threads) {
  BeamRun run(
      folder, [&](scene::MultisymplecticBeamSpec& spec) { spec.noether = rectangles; }, threads);
  observe::Ledger ledger({.every = 1, .is_flux = run.in_space()});
  dynamics::Observer* const observers[] = {&ledger};
  run.run_steps(observers);
  return {.in_space = run.in_space(),
          .steps = run.state().step,
          .momentum = ledger.account().initial_momentum,
          .linear_drift = ledger.max_linear_drift(),
          .angular_drift = ledger.max_angular_drift(),
          .energy = ledger.account().initial_energy,
          .energy_error = ledger.max_relative_change(),
          .extras = run.simulation().integrator->extras(run.state())};
}

std::string to_text(const NoetherCheck& check) {
  const std::string_view map = check.in_space ? "J_N" : "J_L";
  std::string text = line(fmt::format("{} linear at the start (N s)", map), vector(check.momentum.linear));
  text += line(fmt::format("{} angular at the start (N m s)", map), vector(check.momentum.angular));
  text += line(fmt::format("{} relative drift, linear, angular", map),
               fmt::format("{}, {}", figure(check.linear_drift), figure(check.angular_drift)));
  text +=
      line("rectangles of space-time completed", fmt::format("{:g}", extra(check, "noether_rectangles").value_or(0)));
  text += line("largest residual of the covariant law (34)", figure(extra(check, "noether_residual_max")));
  if (check.in_space) {
    text +=
        line("energy E_N, relative variation", fmt::format("{:.13g} J, {}", check.energy, figure(check.energy_error)));
  }
  if (const auto interval = extra(check, "energy_interval_initial")) {
    text += line("energy, trapezoid rule, relative variation",
                 fmt::format("{:.13g} J, {}", *interval, figure(extra(check, "energy_interval_max_relative_error"))));
  }
  if (const auto corner = extra(check, "energy_corner_initial")) {
    text += line("energy (42), relative variation",
                 fmt::format("{:.13g} J, {}", *corner, figure(extra(check, "energy_corner_max_relative_error"))));
  }
  return text;
}

}  // namespace ictus::study
