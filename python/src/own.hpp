#pragma once

#include <map>

#include "conversions.hpp"

namespace ictus::python {

/// A value that Python sets between steps.
struct Control final : mechanics::Signal {
  double at(double) const override { return value; }
  double value = 0;
};

/// A force that Python writes into an array, or that a function of Python gives.
struct OwnForce final : mechanics::Force {
  void add(const Motion& motion, std::span<double> force) const override;

  mutable std::vector<double> values{};  ///< on the dofs of its body
  py::object function{};                 ///< empty: the values stay as they are written
};

/// What Python brings to a scene: for each own-force and control of the scene its object.
struct Own {
  build::Own own{};
  std::map<std::string, std::shared_ptr<Control>> controls{};
  std::map<std::string, std::shared_ptr<OwnForce>> forces{};
};

/// Makes the controls and forces that the scene names; `forces` maps names to functions f(t, q, v) → array, `controls`
/// names to functions of time, `bodies` names to systems. What is not given is set by hand.
Own make_own(const scene::Scene& scene, const py::dict& bodies, const py::dict& forces, const py::dict& controls);

/// Destroys an object of Python from any thread.
struct WithLock {
  void operator()(py::object* object) const {
    const py::gil_scoped_acquire lock;
    delete object;
  }
};

}  // namespace ictus::python
