// The extension module ictus._core: what ictus/*.py is made of. People use the package `ictus`.
#include "conversions.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The library of Ictus, as the package ictus uses it.";
  module.attr("__version__") = ictus::base::version;
  ictus::python::bind_errors(module);
  ictus::python::bind_scene(module);
  ictus::python::bind_own(module);
  ictus::python::bind_simulation(module);
  ictus::python::bind_batch(module);
  ictus::python::bind_run(module);
}
