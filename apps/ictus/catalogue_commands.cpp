// Commands that describe what there is: cases, show, check, schema, integrators.
#include <fmt/format.h>

#include <ictus/build/build.hpp>
#include <ictus/build/cases.hpp>
#include <ictus/build/frames.hpp>
#include <ictus/scene/schema_export.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "scene_arguments.hpp"
#include "text.hpp"

namespace ictus::program {

void add_cases(CLI::App& app) {
  CLI::App* command = app.add_subcommand("cases", "List the scenes that come with the program");
  command->footer("Example:  ictus cases");
  command->callback([] {
    for (const build::Case& one : build::cases()) {
      const scene::Scene scene = build::load(one.name, {}).document.scene;
      fmt::print("{:<28} {}\n{:<28} {}\n", one.name, scene.title, "", scene.source);
    }
  });
}

void add_show(CLI::App& app) {
  CLI::App* command = app.add_subcommand("show", "Print the scene of a case, ready to be changed and run");
  auto name = std::make_shared<std::string>();
  command->add_option("CASE", *name, "Name as in `ictus cases`")->type_name("")->required();
  command->footer("Example:  ictus show two-bars/steel > my.yaml");
  command->callback([name] { fmt::print("{}", build::find_case(*name).text); });
}

void add_check(CLI::App& app) {
  CLI::App* command = app.add_subcommand("check", "Read and build a scene without running it; report every mistake");
  const auto arguments = std::make_shared<SceneArguments>(*command);
  command->footer("Example:  ictus check my.yaml --set bodies.left.elements=400");
  command->callback([arguments] {
    const build::Simulation simulation = build::build(arguments->load().document, 1);
    fmt::print("{}: no mistakes\n", arguments->scene());
    for (const std::string& note : simulation.notes) fmt::print("Note: {}\n", note);
    fmt::print("integrator    {}\n", simulation.integrator->name());
    fmt::print("unknowns      {}\n", simulation.system.unknowns());
    fmt::print("step          {:g} s, {}\n", simulation.step, describe_limit(simulation));
    fmt::print("steps         {}\n", simulation.steps);
    for (const auto& [name, body] : simulation.scene.bodies) {
      const auto* frame = std::get_if<scene::FrameSpec>(&body);
      if (!frame) continue;
      for (const std::string& line : build::describe_frame(name, *frame)) fmt::print("{}\n", line);
    }
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
  command->footer("Example:  ictus integrators");
  command->callback([] {
    for (const scene::TypeDescription& one : scene::integrator_types()) {
      fmt::print("{}\n{}\n", one.name, wrapped(one.text, "    "));
    }
  });
}

}  // namespace ictus::program
