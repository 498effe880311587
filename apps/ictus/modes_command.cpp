#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/build/build.hpp>
#include <ictus/dynamics/equilibrium/natural_modes.hpp>
#include <ictus/files/atomic_file.hpp>
#include <ictus/files/result_files.hpp>
#include <ictus/observe/frames/vtu.hpp>
#include <memory>
#include <numbers>

#include "command_line.hpp"
#include "commands.hpp"
#include "json_output.hpp"
#include "scene_arguments.hpp"

namespace ictus::program {

namespace fs = std::filesystem;
using dynamics::NaturalMode;
using dynamics::System;

namespace {

struct ModesArguments {
  explicit ModesArguments(CLI::App& command) : scene(command) {
    command.add_option("--count", count, "How many modes, the slowest first [10]")
        ->type_name("N")
        ->check(whole_number(1, 10000));
    command.add_option("--out", out, "Folder for their shapes as mode_1.vtu, ... for ParaView [none]")
        ->type_name("DIR");
    command.add_flag("--closed", closed, "Contacts that touch at the start stay closed, instead of being left out");
    add_json(command, json);
    add_threads(command, threads, "Threads [1]");
  }

  SceneArguments scene;
  int count = 10;
  std::string out;
  bool closed = false;
  bool json = false;
  int threads = 1;
};

/// Largest distance between points of the bodies that move, at least along an axis.
double extent(const System& system, std::span<const double> q) {
  math::Vec3 low = math::Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const dynamics::BodyPtr& body : system.bodies()) {
    if (body->dofs().size == 0) continue;
    for (const math::Vec3& x : body->draw(q, q).points) low = low.cwiseMin(x), high = high.cwiseMax(x);
  }
  return (high - low).maxCoeff();
}

/// The bodies moved along a mode until something has gone a tenth of their extent; the velocity is the mode itself.
void write_shape(const System& system, std::span<const double> q, const NaturalMode& mode, const fs::path& file) {
  double largest = 0;
  for (const double value : mode.shape) largest = std::max(largest, std::abs(value));
  const double factor = largest > 0 ? 0.1 * extent(system, q) / largest : 0;
  std::vector<double> moved(q.begin(), q.end());
  for (std::size_t k = 0; k < moved.size(); ++k) moved[k] += factor * mode.shape[k];
  std::vector<observe::FramePart> parts;
  for (const dynamics::BodyPtr& body : system.bodies())
    parts.push_back({body->draw(moved, mode.shape), body->dofs().size > 0});
  files::write_file(file, observe::vtu(parts, mode.angular_frequency));
}

constexpr double turn = 2 * std::numbers::pi;

void print_table(const std::vector<NaturalMode>& found) {
  fmt::print("mode   frequency (Hz)   angular (rad/s)         period (s)\n");
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double omega = found[i].angular_frequency;
    fmt::print("{:>4} {:>16.8g} {:>17.8g} {:>18}\n", i + 1, omega / turn, omega,
               omega > 0 ? fmt::format("{:.8g}", turn / omega) : "rigid motion");
  }
}

nlohmann::ordered_json table_of(const std::vector<NaturalMode>& found) {
  nlohmann::ordered_json modes = nlohmann::ordered_json::array();
  for (const NaturalMode& mode : found)
    modes.push_back({{"frequency_hz", mode.angular_frequency / turn}, {"angular_frequency", mode.angular_frequency}});
  return {{"modes", modes}};
}

void modes(const ModesArguments& arguments) {
  const build::Simulation simulation = build::build(arguments.scene.load().document, arguments.threads);
  const System& system = simulation.system;
  for (const dynamics::BodyPtr& body : system.bodies()) {
    if (body->dofs().size == 0 || body->nodal()) continue;
    throw base::InputError(
        {"", 0, "bodies." + body->name(), "has no lumped masses: modes of such bodies are not known"});
  }
  for (const contact::ContactPair& pair : system.pairs()) {
    if (!arguments.closed || (!pair.first_surface->mesh() && !pair.second_surface->mesh())) continue;
    throw base::InputError(
        {"", 0, "--closed",
         fmt::format("{} and {} meet in surfaces, whose contacts cannot be kept closed; leave it out", pair.first,
                     pair.second)});
  }
  const std::vector<double> q = system.initial_state().q;
  const std::vector<NaturalMode> found = dynamics::natural_modes(
      system, q, arguments.count, arguments.closed ? dynamics::ContactInModes::closed : dynamics::ContactInModes::open);
  arguments.json ? print_json(table_of(found)) : print_table(found);
  if (arguments.out.empty()) return;
  files::make_folder(arguments.out);
  for (std::size_t i = 0; i < found.size(); ++i)
    write_shape(system, q, found[i], fs::path(arguments.out) / fmt::format("mode_{}.vtu", i + 1));
  if (!arguments.json) fmt::print("shapes    {}\n", arguments.out);
}

}  // namespace

void add_modes(CLI::App& app) {
  CLI::App* command = app.add_subcommand("modes", "Natural frequencies and modes of a scene");
  const auto arguments = std::make_shared<ModesArguments>(*command);
  command->footer(
      "Examples:  ictus modes solids/taylor-bar --count 12 --out modes\n           ictus modes crane/explicit "
      "--closed");
  command->callback([arguments] { modes(*arguments); });
}

}  // namespace ictus::program
