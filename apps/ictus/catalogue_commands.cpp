// Commands that describe what there is: cases, show, check, schema, integrators.
#include <fmt/format.h>

#include <ictus/build/bodies/frames.hpp>
#include <ictus/build/build.hpp>
#include <ictus/build/contacts/contact_notes.hpp>
#include <ictus/run/cases.hpp>
#include <ictus/scene/schema/schema_export.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "json_output.hpp"
#include "scene_arguments.hpp"
#include "text.hpp"

namespace ictus::program {

namespace {

using Json = nlohmann::ordered_json;

/// A scene without one of the keys at its top, all else as it was written.
std::string without_key(std::string_view text, std::string_view key) {
  std::string rest;
  bool inside = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    const bool at_top = line.find_first_of(" \t\r\n#-") != 0;
    if (at_top) inside = line.starts_with(key) && line.substr(key.size()).starts_with(':');
    if (!inside) rest += line;
    text.remove_prefix(line.size());
  }
  return rest;
}

/// What `check` tells of a scene without mistakes.
Json description_of(const build::Simulation& simulation) {
  Json pairs = Json::array();
  for (const auto& [first, second, count] : build::count_pairs(simulation.scene, simulation.system))
    pairs.push_back({{"between", {first, second}}, {"pairs", count}});
  return {{"mistakes", Json::array()},
          {"notes", simulation.notes},
          {"integrator", simulation.integrator->name()},
          {"unknowns", simulation.system.dofs()},
          {"step", simulation.step},
          {"steps", simulation.steps},
          {"pairs", pairs}};
}

void print_description(const std::string& scene, const build::Simulation& simulation) {
  fmt::print("{}: no mistakes\n", scene);
  for (const std::string& note : simulation.notes) fmt::print("Note: {}\n", note);
  fmt::print("integrator    {}\n", simulation.integrator->name());
  fmt::print("unknowns      {}\n", simulation.system.dofs());
  fmt::print("step          {:g} s, {}\n", simulation.step, describe_limit(simulation));
  fmt::print("steps         {}\n", simulation.steps);
  const std::vector<build::PairCount> counts = build::count_pairs(simulation.scene, simulation.system);
  for (const auto& [first, second, count] : counts)
    fmt::print("may touch     {} {} of {} and {}\n", count, count == 1 ? "pair" : "pairs", first, second);
  if (counts.empty()) fmt::print("may touch     nothing\n");
  for (const auto& [name, body] : simulation.scene.bodies) {
    const auto* frame = std::get_if<scene::FrameSpec>(&body);
    if (!frame) continue;
    for (const std::string& line : build::describe_frame(name, *frame)) fmt::print("{}\n", line);
  }
}

struct CheckArguments {
  explicit CheckArguments(CLI::App& command) : scene(command) {
    add_quiet(command, quiet);
    add_json(command, json);
    command.add_flag("--resolved", resolved, "Print the scene with every default filled in and nothing else");
  }
  SceneArguments scene;
  bool resolved = false;
  bool quiet = false;
  bool json = false;
};

}  // namespace

void add_cases(CLI::App& app) {
  CLI::App* command = app.add_subcommand("cases", "List the scenes that come with the program");
  auto json = std::make_shared<bool>(false);
  add_json(*command, *json);
  command->footer("Example:  ictus cases");
  command->callback([json] {
    Json list = Json::array();
    for (const run::Case& one : run::cases()) {
      const scene::Scene scene = run::load(one.name, {}).document.scene;
      list.push_back({{"name", one.name}, {"title", scene.title}, {"source", scene.source}});
      if (!*json) fmt::print("{:<28} {}\n{:<28} {}\n", one.name, scene.title, "", scene.source);
    }
    if (*json) print_json(list);
  });
}

void add_show(CLI::App& app) {
  CLI::App* command = app.add_subcommand("show", "Print the scene of a case, ready to be changed and run");
  auto name = std::make_shared<std::string>();
  command->add_option("CASE", *name, "Name as in `ictus cases`")->type_name("")->required();
  auto expect = std::make_shared<bool>(false);
  command->add_flag("--expect", *expect, "Also print what the case expects of its results as it is");
  command->footer("Example:  ictus show two-bars/steel > my.yaml");
  command->callback([name, expect] {
    const std::string_view text = run::find_case(*name).text;
    fmt::print("{}", *expect ? std::string(text) : without_key(text, "expect"));
  });
}

void add_check(CLI::App& app) {
  CLI::App* command = app.add_subcommand("check", "Read and build a scene without running it; report every mistake");
  const auto arguments = std::make_shared<CheckArguments>(*command);
  command->footer("Example:  ictus check my.yaml --set bodies.left.cells=400");
  command->callback([arguments] {
    const build::Simulation simulation = build::build(arguments->scene.load().document, 1);
    if (arguments->resolved)
      fmt::print("{}", scene::write_resolved(simulation.scene));
    else if (arguments->json)
      print_json(description_of(simulation));
    else if (!arguments->quiet)
      print_description(arguments->scene.scene(), simulation);
  });
}

void add_schema(CLI::App& app) {
  CLI::App* command = app.add_subcommand("schema", "Print the JSON Schema of a scene, for editors");
  auto reference = std::make_shared<bool>(false);
  command->add_flag("--reference", *reference, "Print the reference page in Markdown instead");
  command->footer("Example:  ictus schema > ictus-scene.schema.json");
  command->callback(
      [reference] { fmt::print("{}\n", *reference ? scene::reference_markdown() : scene::json_schema().dump(2)); });
}

void add_integrators(CLI::App& app) {
  CLI::App* command = app.add_subcommand("integrators", "List the integrators and what each keeps and costs");
  auto json = std::make_shared<bool>(false);
  add_json(*command, *json);
  command->footer("Example:  ictus integrators");
  command->callback([json] {
    Json list = Json::array();
    for (const scene::TypeDescription& one : scene::integrator_types())
      list.push_back({{"name", one.name}, {"text", one.text}});
    if (*json) return print_json(list);
    for (const scene::TypeDescription& one : scene::integrator_types()) {
      fmt::print("{}\n{}\n", one.name, wrapped(one.text, "    "));
    }
  });
}

void add_materials(CLI::App& app) {
  CLI::App* command = app.add_subcommand("materials", "List the materials that scenes can name, and their sources");
  auto json = std::make_shared<bool>(false);
  add_json(*command, *json);
  command->footer("Example:  ictus materials");
  command->callback([json] {
    Json list = Json::array();
    for (const scene::LibraryMaterial& one : scene::material_library()) {
      const scene::MaterialSpec& m = one.material;
      Json entry{{"name", one.name},
                 {"title", one.title},
                 {"law", m.law == scene::SolidLaw::j2 ? "j2" : "neo-hookean"},
                 {"density", *m.density},
                 {"youngs_modulus", *m.youngs_modulus},
                 {"poissons_ratio", *m.poissons_ratio}};
      if (m.yield_stress) entry["yield_stress"] = *m.yield_stress;
      entry["source"] = one.source;
      list.push_back(std::move(entry));
    }
    if (*json) return print_json(list);
    for (const Json& one : list) {
      fmt::print("{}: {}\n", one["name"].get<std::string>(), one["title"].get<std::string>());
      std::string text = fmt::format("{}, density {:g} kg/m^3, Young's modulus {:g} GPa, Poisson's ratio {:g}",
                                     one["law"].get<std::string>(), one["density"].get<double>(),
                                     one["youngs_modulus"].get<double>() / 1e9, one["poissons_ratio"].get<double>());
      if (one.contains("yield_stress"))
        text += fmt::format(", yields at {:g} MPa", one["yield_stress"].get<double>() / 1e6);
      fmt::print("{}\n", wrapped(text + ". " + one["source"].get<std::string>(), "    "));
    }
  });
}

}  // namespace ictus::program
