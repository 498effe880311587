// Forces, controls and systems that Python brings.
#include "own.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ictus/mechanics/generalised/formula_derivatives.hpp>

namespace ictus::python {

using math::Dual;
using math::HyperDual;
using math::Vec3;

namespace {

/// f(t) of Python.
struct FunctionSignal final : mechanics::Signal {
  explicit FunctionSignal(py::object f) : function(std::move(f)) {}
  ~FunctionSignal() override {
    const py::gil_scoped_acquire lock;
    function = {};
  }
  FunctionSignal(const FunctionSignal&) = delete;
  FunctionSignal& operator=(const FunctionSignal&) = delete;
  double at(double time) const override {
    const py::gil_scoped_acquire lock;
    const double value = function(time).cast<double>();
    if (!std::isfinite(value)) refuse("controls", fmt::format("must give finite numbers, not {} at t = {} s", value, time));
    return value;
  }
  py::object function;
};

/// Copies what a function of Python gave, which must have as many finite values.
void take(const py::object& given, std::span<double> to, std::string_view what) {
  const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(given);
  if (!array) refuse(std::string(what), "must give an array of numbers");
  if (static_cast<std::size_t>(array.size()) != to.size())
    refuse(std::string(what), fmt::format("must give {} values, not {}", to.size(), array.size()));
  for (std::size_t k = 0; k < to.size(); ++k) {
    if (!std::isfinite(array.data()[k]))
      refuse(std::string(what), fmt::format("must give finite numbers, not {} as value {}", array.data()[k], k));
    to[k] = array.data()[k];
  }
}

/// A body from formulas in Python: an object with `kinetic(q, v)` and `potential(q)`, and, where it has contacts,
/// `gap(i, q)`, `point(i, q)` and `push(i, q)`; `applied(q, v)` for forces without a potential. Formulas are called with
/// dual numbers, which differentiate them.
class FormulaSystem final : public mechanics::GeneralisedBody {
 public:
  FormulaSystem(std::string name, py::object formula, std::vector<double> q, std::vector<double> v,
                std::size_t contacts, std::size_t first_dof)
      : GeneralisedBody(std::move(name), {first_dof, q.size()}, contacts),
        formula_(std::move(formula)),
        q_(std::move(q)),
        v_(std::move(v)),
        applied_(py::hasattr(formula_, "applied")) {
    for (const char* kind : {"q", "v"}) {
      for (std::size_t i = 0; i < q_.size(); ++i) quantities_.push_back(fmt::format("own.{}{}", kind, i));
    }
    for (const std::string& quantity : quantities_) views_.push_back(quantity);
  }
  ~FormulaSystem() override {
    const py::gil_scoped_acquire lock;
    formula_ = {};
  }
  FormulaSystem(const FormulaSystem&) = delete;
  FormulaSystem& operator=(const FormulaSystem&) = delete;

  bool constant_inertia() const override { return false; }
  double kinetic_energy(std::span<const double> q, std::span<const double> v) const override {
    const py::gil_scoped_acquire lock;
    return number(formula_.attr("kinetic")(copied(q), copied(v)), "kinetic");
  }
  void inertia(std::span<const double> q, std::span<const double> v, mechanics::Inertia& inertia) const override {
    const py::gil_scoped_acquire lock;
    mechanics::derive_inertia(Kinetic{*this}, q, v, inertia);
  }
  mechanics::PotentialEnergy potential_energy(std::span<const double> q) const override {
    const py::gil_scoped_acquire lock;
    return {0, number(formula_.attr("potential")(copied(q)), "potential")};
  }
  void force(std::span<const double> q, mechanics::CoordinateVector& f) const override {
    const py::gil_scoped_acquire lock;
    mechanics::derive_force(Potential{*this}, q, f);
  }
  bool damped() const override { return applied_; }
  void damping(std::span<const double> q, std::span<const double> v, mechanics::Damping& damping) const override {
    if (!applied_) return;
    const py::gil_scoped_acquire lock;
    mechanics::derive_applied(Applied{*this}, q, v, damping);
  }
  void gaps(std::span<const double> q, std::span<double> g) const override {
    if (g.empty()) return;
    const py::gil_scoped_acquire lock;
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = number(formula_.attr("gap")(i, copied(q)), "gap");
  }
  void contact(std::size_t i, std::span<const double> q, mechanics::ContactGeometry& geometry) const override {
    const py::gil_scoped_acquire lock;
    mechanics::derive_gap(Gap{*this}, i, q, geometry.normal);
    geometry.tangents = 0;
    geometry.point = triple("point", i, q, Vec3::Zero());
    geometry.push = triple("push", i, q, Vec3(1, 0, 0)).normalized();
    geometry.metres_per_gap = 1;
  }
  void start(std::span<double> q, std::span<double> v) const override {
    std::copy(q_.begin(), q_.end(), q.begin());
    std::copy(v_.begin(), v_.end(), v.begin());
  }
  void add_momentum_in_space(std::span<const double>, std::span<const double>, mechanics::Momentum&) const override {}
  std::span<const std::string_view> probe_quantities() const override { return views_; }
  void probe(double, const mechanics::Motion& motion, std::span<double> values) const override {
    std::copy_n(part(motion.q).begin(), q_.size(), values.begin());
    std::copy_n(part(motion.v).begin(), q_.size(), values.begin() + static_cast<std::ptrdiff_t>(q_.size()));
  }
  /// What the formula draws with `points(q)`, an array of points joined by lines; else the points of its contacts.
  mechanics::Picture draw(std::span<const double> q, std::span<const double>) const override {
    using Picture = mechanics::Picture;
    const py::gil_scoped_acquire lock;
    Picture picture;
    if (py::hasattr(formula_, "points")) {
      const auto points = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(
          formula_.attr("points")(copied(part(q))));
      if (!points || points.ndim() != 2 || points.shape(1) != 3) {
            refuse("points", "must give an array of n rows x, y, z");
      }
      for (py::ssize_t i = 0; i < points.shape(0); ++i) {
        picture.points.emplace_back(points.at(i, 0), points.at(i, 1), points.at(i, 2));
        if (i == 0) continue;
        picture.cells.push_back(Picture::Cell::line);
        picture.connectivity.insert(picture.connectivity.end(), {static_cast<int>(i) - 1, static_cast<int>(i)});
      }
      return picture;
    }
    for (std::size_t i = 0; i < contacts(); ++i) {
      picture.points.push_back(triple("point", i, part(q), Vec3::Zero()));
      picture.cells.push_back(Picture::Cell::vertex);
      picture.connectivity.push_back(static_cast<int>(i));
    }
    return picture;
  }

 private:
  template <class S>
  py::list listed(const S* x) const {
    py::list list;
    for (std::size_t i = 0; i < q_.size(); ++i) list.append(py::cast(x[i]));
    return list;
  }
  /// What a formula gave: a dual number, or a plain one where it depends on nothing.
  template <class S>
  static S scalar(const py::object& value, const char* what) {
    if (py::isinstance<S>(value)) return value.cast<S>();
    return S(number(value, what));
  }
  static double number(const py::object& value, const char* what) {
    double result = 0;
    try {
      result = value.cast<double>();
    } catch (const py::cast_error&) {
      refuse(what, "must give a number");
    }
    if (!std::isfinite(result)) refuse(what, fmt::format("must give finite numbers, not {}", result));
    return result;
  }
  Vec3 triple(const char* what, std::size_t i, std::span<const double> q, const Vec3& otherwise) const {
    if (!py::hasattr(formula_, what)) return otherwise;
    Vec3 result;
    take(formula_.attr(what)(i, copied(q)), {result.data(), 3}, what);
    return result;
  }

  // The formulas as derive_… ask for them.
  struct Kinetic {
    const FormulaSystem& system;
    HyperDual kinetic(const HyperDual* q, const HyperDual* v) const {
      return scalar<HyperDual>(system.formula_.attr("kinetic")(system.listed(q), system.listed(v)), "kinetic");
    }
  };
  struct Potential {
    const FormulaSystem& system;
    Dual strain(const Dual*) const { return {}; }
    Dual gravity(const Dual* q) const {
      return scalar<Dual>(system.formula_.attr("potential")(system.listed(q)), "potential");
    }
  };
  struct Applied {
    const FormulaSystem& system;
    void applied(const Dual* q, const Dual* v, Dual* force) const {
      const py::object given = system.formula_.attr("applied")(system.listed(q), system.listed(v));
      std::size_t i = 0;
      for (const py::handle value : given) {
        if (i == system.q_.size()) break;
        force[i++] = scalar<Dual>(py::reinterpret_borrow<py::object>(value), "applied");
      }
      if (i != system.q_.size() || py::len(given) != i)
        refuse("applied", fmt::format("must give {} values, not {}", system.q_.size(), py::len(given)));
    }
  };
  struct Gap {
    const FormulaSystem& system;
    Dual gap(std::size_t i, const Dual* q) const {
      return scalar<Dual>(system.formula_.attr("gap")(i, system.listed(q)), "gap");
    }
  };

  py::object formula_;
  std::vector<double> q_, v_;
  bool applied_;
  std::vector<std::string> quantities_;
  std::vector<std::string_view> views_;
};

/// The numbers of an attribute of a formula.
std::vector<double> numbers(const py::object& formula, const char* name, std::size_t size) {
  if (!py::hasattr(formula, name)) refuse(name, "must be given by an own system: a list of numbers");
  const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(formula.attr(name));
  if (!array) refuse(name, "must be a list of numbers");
  std::vector<double> values(static_cast<std::size_t>(array.size()));
  take(array, values, name);
  if (size > 0 && values.size() != size)
    refuse(name, fmt::format("must have {} values, as q has, not {}", size, values.size()));
  return values;
}

build::Own::BodyMaker maker(const py::object& formula) {
  const std::vector<double> q = numbers(formula, "q", 0), v = numbers(formula, "v", q.size());
  if (q.empty() || q.size() > mechanics::max_coordinates)
    refuse("q", fmt::format("must have 1 to {} values, not {}", mechanics::max_coordinates, q.size()));
  for (const char* needed : {"kinetic", "potential"}) {
    if (!py::hasattr(formula, needed)) refuse(needed, "must be given by an own system: a function");
  }
  std::size_t contacts = 0;
  if (py::hasattr(formula, "contacts")) contacts = formula.attr("contacts").cast<std::size_t>();
  if (contacts > 0 && !py::hasattr(formula, "gap")) refuse("gap", "must be given by a system with contacts: a function");
  // A copy of the maker, which the library makes, must not touch Python.
  const std::shared_ptr<py::object> kept(new py::object(formula), WithLock{});
  return [kept, q, v, contacts](const std::string& name, std::size_t first_dof) -> dynamics::BodyPtr {
    const py::gil_scoped_acquire lock;
    return std::make_unique<FormulaSystem>(name, *kept, q, v, contacts, first_dof);
  };
}

template <class Number, class... Names>
void bind_number(py::module_& module, const char* name) {
  py::class_<Number>(module, name, "A number that carries its derivatives through a formula.")
      .def("__add__", [](Number a, Number b) { return a + b; })
      .def("__add__", [](Number a, double b) { return a + Number(b); })
      .def("__radd__", [](Number a, double b) { return Number(b) + a; })
      .def("__sub__", [](Number a, Number b) { return a - b; })
      .def("__sub__", [](Number a, double b) { return a - Number(b); })
      .def("__rsub__", [](Number a, double b) { return Number(b) - a; })
      .def("__mul__", [](Number a, Number b) { return a * b; })
      .def("__mul__", [](Number a, double b) { return a * Number(b); })
      .def("__rmul__", [](Number a, double b) { return Number(b) * a; })
      .def("__truediv__", [](Number a, Number b) { return a / b; })
      .def("__truediv__", [](Number a, double b) { return a / Number(b); })
      .def("__rtruediv__", [](Number a, double b) { return Number(b) / a; })
      .def("__neg__", [](Number a) { return -a; })
      .def("__pos__", [](Number a) { return a; })
      .def("__pow__",
           [](Number a, double power) {
             if (power != std::floor(power) || std::abs(power) > 64) return exp(Number(power) * log(a));
             Number result(1.0);
             for (int i = 0; i < static_cast<int>(std::abs(power)); ++i) result = result * a;
             return power < 0 ? Number(1.0) / result : result;
           })
      .def("__lt__", [](Number a, double b) { return a.v < b; })
      .def("__gt__", [](Number a, double b) { return a.v > b; })
      .def("__le__", [](Number a, double b) { return a.v <= b; })
      .def("__ge__", [](Number a, double b) { return a.v >= b; })
      .def("__lt__", [](Number a, Number b) { return a.v < b.v; })
      .def("__gt__", [](Number a, Number b) { return a.v > b.v; })
      .def("__le__", [](Number a, Number b) { return a.v <= b.v; })
      .def("__ge__", [](Number a, Number b) { return a.v >= b.v; })
      .def("__abs__", [](Number a) { return a.v < 0 ? -a : a; })
      .def_readonly("value", &Number::v)
      .def("__repr__", [](Number a) { return fmt::format("{} and derivatives", a.v); })
      // By these names NumPy's functions find them.
      .def("sqrt", [](Number a) { return sqrt(a); })
      .def("sin", [](Number a) { return sin(a); })
      .def("cos", [](Number a) { return cos(a); })
      .def("tan", [](Number a) { return sin(a) / cos(a); })
      .def("exp", [](Number a) { return exp(a); })
      .def("log", [](Number a) { return log(a); })
      .def("square", [](Number a) { return a * a; });
}

}  // namespace

void OwnForce::add(const Motion& motion, std::span<double> force) const {
  values.resize(force.size());  // in a run; a simulation has done so
  if (function) {
    const py::gil_scoped_acquire lock;
    take(function(motion.time, copied(motion.q), copied(motion.v)), values, "forces");
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) refuse("forces", fmt::format("must be finite numbers, not {} as value {}", values[k], k));
    force[k] += values[k];
  }
}

Own make_own(const scene::Scene& scene, const py::dict& bodies, const py::dict& forces, const py::dict& controls) {
  Own own;
  for (const auto& [name, formula] : bodies)
    own.own.bodies[py::str(name)] = maker(py::reinterpret_borrow<py::object>(formula));
  for (const scene::Load& load : scene.loads) {
    if (const auto* force = std::get_if<scene::OwnForceSpec>(&load)) {
      std::shared_ptr<OwnForce> made(new OwnForce, [](OwnForce* one) {
        const py::gil_scoped_acquire lock;
        delete one;
      });
      if (forces.contains(force->name)) made->function = forces[py::str(force->name)];
      own.forces[force->name] = made;
      own.own.forces[force->name] = made;
    }
    const scene::Signal* signal = scene::signal_of(const_cast<scene::Load&>(load));
    const auto* control = signal ? std::get_if<scene::ControlSpec>(signal) : nullptr;
    if (!control) continue;
    if (controls.contains(control->name)) {
      own.own.controls[control->name] = std::make_shared<FunctionSignal>(controls[py::str(control->name)]);
    } else {
      const auto made = std::make_shared<Control>();
      made->value = control->initial;
      own.controls[control->name] = made;
      own.own.controls[control->name] = made;
    }
  }
  const auto check = [](const py::dict& given, const auto& known, const char* what) {
    for (const auto& [name, value] : given) {
      if (!known.contains(std::string(py::str(name))))
        refuse(what, fmt::format("'{}' is named by no load of the scene", std::string(py::str(name))));
    }
  };
  check(forces, own.own.forces, "forces");
  check(controls, own.own.controls, "controls");
  return own;
}

void bind_own(py::module_& module) {
  bind_number<Dual>(module, "Dual");
  bind_number<HyperDual>(module, "HyperDual");
}

}  // namespace ictus::python
