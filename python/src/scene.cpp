// Scenes: trees of plain Python values, read by the schema.
#include <fmt/format.h>

#include <ictus/base/nearest.hpp>
#include <ictus/scene/schema/schema.hpp>
#include <ictus/scene/schema/schema_export.hpp>
#include <ictus/scene/text/number.hpp>
#include <nlohmann/json.hpp>

#include "conversions.hpp"

namespace ictus::python {

namespace {

/// Deeper than any scene: what contains itself ends here.
constexpr int max_depth = 60;

scene::Node to_node(py::handle value, int depth) {
  using scene::Node;
  if (depth > max_depth) refuse("scene", "is nested too deeply; does it contain itself?");
  if (value.is_none()) return {};
  if (py::hasattr(value, "_tree")) return to_node(value.attr("_tree")(), depth + 1);
  if (py::hasattr(value, "tolist")) return to_node(value.attr("tolist")(), depth + 1);  // of NumPy
  if (py::isinstance<py::bool_>(value)) return Node::scalar(value.cast<bool>() ? "true" : "false");
  if (py::isinstance<py::int_>(value)) return Node::scalar(py::str(value));
  if (py::isinstance<py::float_>(value)) return Node::scalar(scene::format_number(value.cast<double>()));
  if (py::isinstance<py::str>(value)) return Node::quoted_text(value.cast<std::string>());
  if (py::hasattr(value, "__fspath__")) return Node::quoted_text(py::str(value.attr("__fspath__")()));
  Node node;
  if (py::isinstance<py::dict>(value)) {
    node.form = Node::Form::map;
    for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(value))
      node.add(py::str(key), to_node(item, depth + 1));
    return node;
  }
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
    node.form = Node::Form::list;
    for (const py::handle item : value) node.items.push_back(to_node(item, depth + 1));
    return node;
  }
  refuse("scene", fmt::format("cannot hold a {}", std::string(py::str(py::type::of(value).attr("__name__")))));
}

py::object scalar(const scene::Node& node) {
  if (node.quoted) return py::str(node.text);
  if (node.text == "true" || node.text == "false") return py::bool_(node.text == "true");
  const auto split = scene::split_number(node.text);
  const auto number = split && split->rest.empty() ? scene::to_double(split->number) : std::nullopt;
  if (!number) return py::str(node.text);
  if (node.text.find_first_of(".eE") == std::string::npos) return py::int_(py::str(node.text));
  return py::float_(*number);
}

std::vector<scene::Override> to_overrides(const py::dict& values) {
  std::vector<scene::Override> overrides;
  for (const auto& [path, value] : values) {
    scene::Node node = to_node(value, 0);
    std::string text = node.is_null() ? "null" : scene::to_yaml(node);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    overrides.push_back({py::str(path), std::move(text)});
  }
  return overrides;
}

}  // namespace

scene::Node to_node(py::handle value) { return to_node(value, 0); }

py::object to_python(const scene::Node& node) {
  switch (node.form) {
    case scene::Node::Form::null:
      break;
    case scene::Node::Form::scalar:
      return scalar(node);
    case scene::Node::Form::list: {
      py::list list;
      for (const scene::Node& item : node.items) list.append(to_python(item));
      return list;
    }
    case scene::Node::Form::map: {
      py::dict map;
      for (const scene::Node::Entry& entry : node.entries) map[py::str(entry.name)] = to_python(entry.value);
      return map;
    }
  }
  return py::none();
}

void bind_scene(py::module_& module) {
  py::class_<run::LoadedScene>(module, "Document", "A scene that was read and checked.")
      .def_property_readonly("file", [](const run::LoadedScene& scene) { return scene.document.file; })
      .def_property_readonly("case", [](const run::LoadedScene& scene) { return scene.case_name; })
      .def_property_readonly("end", [](const run::LoadedScene& scene) { return scene.document.scene.time.end; })
      .def("yaml", [](const run::LoadedScene& scene) { return scene::write_resolved(scene.document.scene); },
           "The scene as YAML with every default filled in.")
      .def("tree",
           [](const run::LoadedScene& scene) { return to_python(scene::scene_schema().write(&scene.document.scene)); },
           "The same as plain Python.");
  module.def(
      "read_tree",
      [](const py::object& tree, const std::string& file, const std::string& case_name, const py::dict& changes) {
        return run::LoadedScene{scene::read_tree(to_node(tree), file, to_overrides(changes)), case_name};
      },
      py::arg("tree"), py::arg("file") = "", py::arg("case") = "", py::arg("changes") = py::dict(),
      "Checks a scene of plain Python; raises InputError with every mistake.");
  module.def(
      "load",
      [](const std::string& name, const py::dict& changes) { return run::load(name, to_overrides(changes)); },
      py::arg("name"), py::arg("changes") = py::dict(), "Reads a scene file, or a case that comes with the library.");
  module.def(
      "read_text",
      [](const std::string& text, const std::string& file) {
        return run::LoadedScene{scene::read_text(text, file), ""};
      },
      py::arg("text"), py::arg("file") = "", "Reads the text of a scene.");
  module.def("cases", [] {
    std::vector<std::string> names;
    for (const run::Case& one : run::cases()) names.push_back(one.name);
    return names;
  }, "The names of all cases.");
  module.def("json_schema", [] { return scene::json_schema().dump(); }, "The JSON Schema of scenes.");
  module.def(
      "nearest",
      [](const std::string& word, const std::vector<std::string>& known) { return base::nearest(word, known); },
      "The known word that a misspelt one most likely stands for.");
}

}  // namespace ictus::python
