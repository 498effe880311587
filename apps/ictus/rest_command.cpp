#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/index.hpp>
#include <ictus/build/build.hpp>
#include <ictus/files/atomic_file.hpp>
#include <ictus/observe/frames/vtu.hpp>
#include <memory>

#include "command_line.hpp"
#include "commands.hpp"
#include "json_output.hpp"
#include "scene_arguments.hpp"

namespace ictus::program {

namespace fs = std::filesystem;
using dynamics::System;
using Json = nlohmann::ordered_json;

namespace {

struct RestArguments {
  explicit RestArguments(CLI::App& command) : scene(command) {
    command.add_option("--out", out, "Folder for rest.json and, for ParaView, rest.vtu [none]")->type_name("DIR");
    add_json(command, json);
    add_threads(command, threads, "Threads [1]");
  }

  SceneArguments scene;
  std::string out;
  bool json = false;
  int threads = 1;
};

struct BodyAtRest {
  std::string name;
  double moved = 0;                         ///< most that a point of it moved (m)
  math::Vec3 support = math::Vec3::Zero();  ///< what its supports give (N)
  math::Vec3 moment = math::Vec3::Zero();   ///< about the origin (N m)
};

struct ContactAtRest {
  const contact::ContactPair* pair;
  double normal = 0;    ///< N, summed over its places
  double friction = 0;  ///< N, likewise
};

/// What the supports give against the bodies, their loads and what presses on them.
std::vector<mechanics::Momentum> support_forces(const System& system) {
  const dynamics::RestState& rest = system.rest();
  const auto bodies = system.nodal_bodies();
  std::vector<mechanics::Momentum> supports(bodies.size());
  std::vector<double> force(system.dofs());
  system.for_each_initial_surface_force(
      [&](const model::ConstraintSet& surfaces, std::size_t i, double pressed, const std::array<double, 2>& friction) {
        model::add_scaled(surfaces.row(i), pressed, force);
        for (std::size_t k = 0; k < 2 && surfaces.has_tangents(i); ++k)
          model::add_scaled(surfaces.tangent(i, k), friction[k], force);
      });
  system.kick(rest.q, 1.0, force, {}, supports);
  return supports;
}

std::vector<BodyAtRest> bodies_at_rest(const System& system) {
  const dynamics::RestState& rest = system.rest();
  std::vector<double> start(rest.q), none(system.dofs());
  for (const dynamics::BodyPtr& body : system.bodies()) body->initialise(start, none);
  std::fill(none.begin(), none.end(), 0.0);
  const std::vector<mechanics::Momentum> supports = support_forces(system);
  std::vector<BodyAtRest> result;
  std::size_t number = 0;
  for (const dynamics::BodyPtr& body : system.bodies()) {
    if (body->dofs().size == 0) continue;
    BodyAtRest& one = result.emplace_back(BodyAtRest{body->name()});
    const auto before = body->draw(start, none).points, after = body->draw(rest.q, none).points;
    for (std::size_t i = 0; i < before.size(); ++i) one.moved = std::max(one.moved, (after[i] - before[i]).norm());
    if (!body->nodal()) continue;
    one.support = supports[number].linear;
    one.moment = supports[number++].angular;
  }
  return result;
}

std::vector<ContactAtRest> contacts_at_rest(const System& system) {
  std::vector<ContactAtRest> contacts;
  for (const contact::ContactPair& pair : system.pairs()) contacts.push_back({&pair});
  const auto forces = system.initial_contact_force();
  for (std::size_t i = 0; i < forces.size(); ++i) contacts[i].normal += forces[i];
  system.for_each_initial_surface_force(
      [&](const model::ConstraintSet& surfaces, std::size_t i, double force, const std::array<double, 2>& friction) {
        ContactAtRest& contact = contacts[base::index(surfaces.contact(i).pair)];
        contact.normal += force;
        contact.friction += std::hypot(friction[0], friction[1]);
      });
  return contacts;
}

/// The values of the scene's probes at rest, by name and quantity.
Json probes_at_rest(const build::Simulation& simulation) {
  const std::vector<double> still(simulation.system.dofs());
  Json table = Json::object();
  for (const observe::Probe& probe : simulation.probes) {
    std::vector<double> values(probe.quantities().size());
    probe.read({simulation.system.rest().q, still}, values);
    for (std::size_t i = 0; i < values.size(); ++i)
      table[fmt::format("{}.{}", probe.name, probe.quantities()[i])] = values[i];
  }
  return table;
}

Json table_of(const math::Vec3& v) { return {v.x(), v.y(), v.z()}; }

Json table_of(const build::Simulation& simulation) {
  const System& system = simulation.system;
  Json table{{"residual", system.rest().residual}, {"bodies", Json::object()}, {"contacts", Json::array()}};
  for (const BodyAtRest& body : bodies_at_rest(system)) {
    table["bodies"][body.name] = {{"moved_max", body.moved},
                                  {"support_force", table_of(body.support)},
                                  {"support_moment", table_of(body.moment)}};
  }
  for (const ContactAtRest& contact : contacts_at_rest(system)) {
    table["contacts"].push_back({{"between", {contact.pair->first, contact.pair->second}},
                                 {"normal_force", contact.normal},
                                 {"friction_force", contact.friction}});
  }
  table["probes"] = probes_at_rest(simulation);
  return table;
}

void print_table(const Json& table) {
  fmt::print("At rest; the largest force left unbalanced is {:.2g} of the largest.\n", table["residual"].get<double>());
  fmt::print("\n{:<20} {:>16}   {}\n", "body", "moves (m)", "its supports give (N)");
  for (const auto& [name, body] : table["bodies"].items()) {
    const auto& f = body["support_force"];
    fmt::print("{:<20} {:>16.8g}   ({:.8g}, {:.8g}, {:.8g})\n", name, body["moved_max"].get<double>(),
               f[0].get<double>(), f[1].get<double>(), f[2].get<double>());
  }
  if (!table["contacts"].empty()) fmt::print("\n{:<41} {:>16} {:>16}\n", "contact", "normal (N)", "friction (N)");
  for (const auto& contact : table["contacts"]) {
    const std::string between =
        fmt::format("{} and {}", contact["between"][0].get<std::string>(), contact["between"][1].get<std::string>());
    fmt::print("{:<41} {:>16.8g} {:>16.8g}\n", between, contact["normal_force"].get<double>(),
               contact["friction_force"].get<double>());
  }
  if (!table["probes"].empty()) fmt::print("\n{:<41} {:>16}\n", "probe", "value");
  for (const auto& [name, value] : table["probes"].items()) fmt::print("{:<41} {:>16.8g}\n", name, value.get<double>());
}

void write(const build::Simulation& simulation, const Json& table, const fs::path& folder) {
  files::make_folder(folder);
  files::write_file(folder / "rest.json", table.dump(2) + "\n");
  const std::vector<double> still(simulation.system.dofs());
  std::vector<observe::FramePart> parts;
  for (const dynamics::BodyPtr& body : simulation.system.bodies())
    parts.push_back({body->draw(simulation.system.rest().q, still), body->dofs().size > 0});
  files::write_file(folder / "rest.vtu", observe::vtu(parts, 0));
}

}  // namespace

void add_rest(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "rest",
      "Find where the bodies of a scene rest under gravity and the loads of time 0, and what holds them there.");
  const auto arguments = std::make_shared<RestArguments>(*command);
  command->footer("Examples:  ictus rest validation/scordelis-lo\n           ictus rest scene.yaml --out rest");
  command->callback([arguments] {
    scene::Document document = arguments->scene.load().document;
    document.scene.initial = scene::Initial::at_rest;
    const build::Simulation simulation = build::build(document, arguments->threads);
    const Json table = table_of(simulation);
    if (!arguments->out.empty()) write(simulation, table, arguments->out);
    if (arguments->json) return print_json(table);
    print_table(table);
  });
}

}  // namespace ictus::program
