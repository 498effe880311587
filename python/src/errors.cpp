#include <pybind11/eval.h>

#include "conversions.hpp"

namespace ictus::python {

namespace {

/// Exceptions are made in Python, so that they can have documented attributes.
constexpr const char* definitions = R"(
class InputError(ValueError):
    """A mistake in a scene, or in how something was called; `mistakes` has all of them.

    The text is that of the program `ictus`: a line for each mistake with its key, what is allowed, and the nearest
    known key.
    """

    mistakes: list

class NumericalFailure(ArithmeticError):
    """A computation that cannot go on: `where` tells body, element and time, `advice` what to try."""

    where: str
    advice: str
)";

PyObject* input_error = nullptr;
PyObject* numerical_failure = nullptr;

/// Raises an exception that has its attributes.
void raise(PyObject* type, const char* what, const std::vector<std::pair<const char*, py::object>>& attributes) {
  const py::object error = py::reinterpret_borrow<py::object>(type)(py::str(what));
  for (const auto& [name, value] : attributes) error.attr(name) = value;
  PyErr_SetObject(type, error.ptr());
}

}  // namespace

void bind_errors(py::module_& module) {
  py::class_<base::Mistake>(module, "Mistake", "One mistake: `file`, `line` (0: none), `key` and `message`.")
      .def_readonly("file", &base::Mistake::file)
      .def_readonly("line", &base::Mistake::line)
      .def_readonly("key", &base::Mistake::key)
      .def_readonly("message", &base::Mistake::message)
      .def("__repr__", [](const base::Mistake& mistake) { return base::to_string(mistake); });
  py::dict names;
  names["__builtins__"] = py::module_::import("builtins");
  names["__name__"] = "ictus";  // where people meet them
  py::exec(definitions, names);
  for (const auto& [name, type] :
       {std::pair("InputError", &input_error), std::pair("NumericalFailure", &numerical_failure)}) {
    module.attr(name) = names[name];
    *type = py::object(names[name]).release().ptr();
  }
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const base::InputError& error) {
      raise(input_error, error.what(), {{"mistakes", py::cast(error.mistakes())}});
    } catch (const base::NumericalFailure& error) {
      raise(numerical_failure, error.what(),
            {{"where", py::str(error.where())}, {"advice", py::str(error.advice())}});
    }
  });
}

}  // namespace ictus::python
