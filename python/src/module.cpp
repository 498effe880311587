// The extension module ictus._core: what ictus/*.py is made of. People use the package `ictus`.
#include "conversions.hpp"

namespace {

/// An object that `__new__` alone made has no value. pybind11 would take memory for one and leave what is in it; using it
/// raises instead.
void refuse_objects_without_value(const pybind11::module_& module) {
  for (const auto& [name, value] : module.attr("__dict__").cast<pybind11::dict>()) {
    if (!PyType_Check(value.ptr())) continue;
    auto* info = pybind11::detail::get_type_info(reinterpret_cast<PyTypeObject*>(value.ptr()));
    if (info) info->operator_new = [](std::size_t) -> void* { ictus::python::refuse("object", "was never made"); };
  }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "The library of Ictus, as the package ictus uses it.";
  module.attr("__version__") = ictus::base::version;
  ictus::python::bind_errors(module);
  ictus::python::bind_scene(module);
  ictus::python::bind_own(module);
  ictus::python::bind_simulation(module);
  ictus::python::bind_batch(module);
  ictus::python::bind_run(module);
  refuse_objects_without_value(module);
}
