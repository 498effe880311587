#pragma once

// What the parts of the module share: values of Python as nodes of a scene and back, arrays without copies, and the
// exceptions.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <ictus/ictus.hpp>
#include <ictus/scene/text/node.hpp>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ictus::python {

namespace py = pybind11;

/// A value of Python as a part of a scene: None, bool, numbers, text, lists and arrays, maps, and whatever has a method
/// _tree() that gives one of these.
scene::Node to_node(py::handle value);
/// A part of a scene as plain Python: maps as dict, lists as list, scalars as YAML takes them.
py::object to_python(const scene::Node& node);

/// An array of the memory at `data`, which `owner` keeps alive; no copy.
template <class T>
py::array_t<T> view(T* data, std::vector<py::ssize_t> shape, const py::handle& owner) {
  return py::array_t<T>(std::move(shape), data, owner);
}
template <class T>
py::array_t<T> read_only(py::array_t<T> array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}
/// An array that owns what the vector held; no copy.
template <class T>
py::array_t<T> own(std::vector<T>&& values, std::vector<py::ssize_t> shape = {}) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  T* data = kept->data();
  if (shape.empty()) shape = {static_cast<py::ssize_t>(kept->size())};
  const py::capsule owner(kept.release(), [](void* p) { delete static_cast<std::vector<T>*>(p); });
  return view(data, std::move(shape), owner);
}

/// A copy.
inline py::array_t<double> copied(std::span<const double> values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

/// Makes an InputError of one mistake.
[[noreturn]] inline void refuse(std::string key, std::string message) {
  throw base::InputError({"", 0, std::move(key), std::move(message)});
}

void bind_errors(py::module_& module);
void bind_scene(py::module_& module);
void bind_own(py::module_& module);
void bind_simulation(py::module_& module);
void bind_batch(py::module_& module);
void bind_run(py::module_& module);

}  // namespace ictus::python
