// A simulation that Python steps by hand.
#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <ictus/base/interval_timer.hpp>
#include <optional>

#include "own.hpp"

namespace ictus::python {

namespace {

/// Longest time without a look at Ctrl-C (s).
constexpr double patience = 0.05;

/// What simulations of Python share with their arrays: it lives as long as any of these.
struct KeptSimulation {
  Own own;
  std::optional<run::Simulation> simulation{};
  std::atomic<bool> busy = false;
};

/// Marks a simulation as busy, so that no other thread steps it meanwhile.
class Busy {
 public:
  explicit Busy(std::atomic<bool>& flag) : flag_(flag) {
    if (flag_.exchange(true)) refuse("simulation", "is being stepped by another thread");
  }
  ~Busy() { flag_ = false; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  std::atomic<bool>& flag_;
};

/// A run::Simulation with what Python brings to it.
class Simulation {
 public:
  Simulation(const run::LoadedScene& scene, int threads, const py::dict& bodies, const py::dict& forces,
             const py::dict& controls)
      : kept_(std::make_shared<KeptSimulation>()) {
    kept_->own = make_own(scene.document.scene, bodies, forces, controls);
    const py::gil_scoped_release unlock;
    kept_->simulation.emplace(scene.document, kept_->own.own, threads);
    for (const scene::Load& load : kept_->simulation->built().scene.loads) {
      const auto* force = std::get_if<scene::OwnForceSpec>(&load);
      if (!force) continue;
      const std::size_t size = force->on ? kept_->simulation->dofs(*force->on).size : kept_->simulation->system().dofs();
      kept_->own.forces.at(force->name)->values.resize(size);
    }
  }

  run::Simulation& operator*() const {
    if (!kept_) refuse("simulation", "is closed");
    if (kept_->busy) refuse("simulation", "is being stepped by another thread");
    return *kept_->simulation;
  }
  run::Simulation* operator->() const { return &**this; }
  void close() {
    if (kept_ && kept_->busy) refuse("simulation", "is being stepped by another thread");
    kept_.reset();
  }
  const Own& own() const {
    **this;
    return kept_->own;
  }

  void step(std::int64_t count) {
    run::Simulation& simulation = **this;
    const std::shared_ptr<KeptSimulation> kept = kept_;  // whatever Python does meanwhile
    const Busy busy(kept->busy);
    const py::gil_scoped_release unlock;
    if (count == 1) {
      simulation.step();
      return;
    }
    base::IntervalTimer timer(patience);
    bool interrupted = false;
    simulation.step(count, [&] {
      if (!timer.due()) return false;
      const py::gil_scoped_acquire lock;
      timer.restart(patience);
      return interrupted = PyErr_CheckSignals() != 0;
    });
    if (!interrupted) return;
    const py::gil_scoped_acquire lock;
    throw py::error_already_set();
  }

  /// An array of memory of the simulation, which it keeps alive.
  py::array_t<double> array(std::span<double> values) const {
    const py::capsule owner(new std::shared_ptr<KeptSimulation>(kept_),
                            [](void* p) { delete static_cast<std::shared_ptr<KeptSimulation>*>(p); });
    return view(values.data(), {static_cast<py::ssize_t>(values.size())}, owner);
  }
  py::array_t<double> array(std::span<const double> values) const {
    return read_only(array(std::span(const_cast<double*>(values.data()), values.size())));
  }

 private:
  std::shared_ptr<KeptSimulation> kept_;
};

py::dict energies(const Simulation& simulation) {
  const run::Energies energies = simulation->energies();
  py::dict result;
  for (std::size_t i = 0; i < model::Stored::size; ++i)
    result[py::str(model::store_names[i].data(), model::store_names[i].size())] =
        energies.stored[static_cast<model::Store>(i)];
  py::dict lost;
  for (std::size_t i = 0; i < model::Lost::size; ++i) {
    const double value = energies.lost[static_cast<model::Loss>(i)];
    if (value != 0) lost[py::str(model::loss_names[i].data(), model::loss_names[i].size())] = value;
  }
  result["lost"] = lost;
  result["external_work"] = energies.external_work;
  result["total"] = energies.total();
  result["error"] = energies.error();
  return result;
}

py::list impulses(const Simulation& simulation) {
  py::list list;
  for (const dynamics::Impulse& impulse : simulation->impulses()) {
    const contact::ContactPair& pair = simulation->system().pairs()[static_cast<std::size_t>(impulse.pair)];
    py::dict one;
    one["time"] = impulse.time;
    one["first"] = pair.first;
    one["second"] = pair.second;
    one["point"] = copied({impulse.point.data(), 3});
    one["normal"] = copied({impulse.normal.data(), 3});
    one["normal_impulse"] = impulse.normal_impulse;
    one["tangential_impulse"] = impulse.tangential_impulse;
    one["energy_lost"] = impulse.energy_lost;
    list.append(one);
  }
  return list;
}

const mechanics::Body& body_of(const Simulation& simulation, const std::string& name) {
  simulation->dofs(name);  // says what is near
  return *simulation->system().find_body(name);
}

/// Points (n × 3) of a body as it is drawn, with the velocity of each where it has that field.
py::dict drawn(const Simulation& simulation, const std::string& name) {
  const mechanics::Body& body = body_of(simulation, name);
  std::vector<double> v(simulation->state().p.size());
  const build::Simulation& built = simulation->built();
  built.integrator->velocity(built.system, built.step, simulation->state(), v);
  const mechanics::Picture picture = body.draw(simulation->state().q, v);
  std::vector<double> points;
  for (const math::Vec3& x : picture.points) points.insert(points.end(), {x.x(), x.y(), x.z()});
  const auto count = static_cast<py::ssize_t>(picture.points.size());
  py::dict result;
  result["points"] = own(std::move(points), {count, 3});
  for (const mechanics::Picture::Field& field : picture.fields) {
    const auto rows = static_cast<py::ssize_t>(field.values.size()) / field.components;
    std::vector<py::ssize_t> shape{rows};
    if (field.components > 1) shape.push_back(field.components);
    result[py::str(field.name)] = own(std::vector<double>(field.values), shape);
  }
  return result;
}

// States ---------------------------------------------------------------------------------------------------------

py::dict state_numbers(const model::State& state) {
  py::dict memory;
  for (const model::Memory& one : state.memory) memory[py::str(one.name)] = copied(one.values);
  py::dict numbers;
  numbers["time"] = state.time;
  numbers["step"] = state.step;
  numbers["q"] = copied(state.q);
  numbers["p"] = copied(state.p);
  numbers["memory"] = memory;
  return numbers;
}

model::State state_from(const py::dict& numbers) {
  const auto vector = [](const py::handle& values) {
    const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(values);
    if (!array) refuse("state", "must have arrays of numbers");
    return std::vector<double>(array.data(), array.data() + array.size());
  };
  model::State state;
  state.time = numbers["time"].cast<double>();
  state.step = numbers["step"].cast<std::int64_t>();
  state.q = vector(numbers["q"]);
  state.p = vector(numbers["p"]);
  for (const auto& [name, values] : numbers["memory"].cast<py::dict>())
    state.memory.push_back({py::str(name), vector(values)});
  return state;
}

/// Writes an array in place, refusing another shape.
void write(std::span<double> to, const py::object& values, const char* what) {
  const auto given = py::array::ensure(values);
  if (values.is_none() || !given || given.dtype().kind() == 'c') refuse(what, "must be an array of numbers");
  const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(values);
  if (!array) refuse(what, "must be an array of numbers");
  if (array.size() == 1 && array.ndim() == 0) return std::fill(to.begin(), to.end(), *array.data());
  if (array.ndim() != 1 || static_cast<std::size_t>(array.size()) != to.size())
    refuse(what, fmt::format("must be an array of {} numbers, not of shape {}", to.size(),
                             std::string(py::str(array.attr("shape")))));
  std::memmove(to.data(), array.data(), to.size() * sizeof(double));
}

}  // namespace

void bind_simulation(py::module_& module) {
  py::class_<model::State>(module, "State", "Where a simulation is: a value, which can be pickled and restored.")
      .def_readonly("time", &model::State::time)
      .def_readonly("step", &model::State::step)
      .def("__eq__", [](const model::State& a, const model::State& b) { return a == b; })
      .def(py::pickle([](const model::State& state) { return py::make_tuple(state_numbers(state)); },
                      [](const py::tuple& numbers) { return state_from(numbers[0].cast<py::dict>()); }));
  py::class_<Simulation>(module, "Simulation")
      .def(py::init<const run::LoadedScene&, int, const py::dict&, const py::dict&, const py::dict&>(),
           py::arg("scene"), py::arg("threads") = 1, py::arg("bodies") = py::dict(), py::arg("forces") = py::dict(),
           py::arg("controls") = py::dict())
      .def("step", &Simulation::step, py::arg("count") = 1)
      .def("run_until",
           [](Simulation& simulation, double time) {
             if (const std::int64_t count = simulation->steps_until(time); count > 0) simulation.step(count);
           },
           py::arg("time"))
      .def("close", &Simulation::close)
      .def_property_readonly("time", [](const Simulation& s) { return s->time(); })
      .def_property_readonly("steps_taken", [](const Simulation& s) { return s->steps_taken(); })
      .def_property_readonly("step_size", [](const Simulation& s) { return s->step_size(); })
      .def_property_readonly("finished", [](const Simulation& s) { return s->finished(); })
      .def_property(
          "positions", [](const Simulation& s) { return s.array(s->positions()); },
          [](const Simulation& s, const py::object& values) { write(s->positions(), values, "positions"); })
      .def_property(
          "velocities", [](const Simulation& s) { return s.array(s->velocities()); },
          [](const Simulation& s, const py::object& values) { write(s->velocities(), values, "velocities"); })
      .def_property_readonly("momenta", [](const Simulation& s) { return s.array(s->momenta()); })
      .def_property_readonly("gaps", [](const Simulation& s) { return copied(s->gaps()); })
      .def_property_readonly("contact_forces", [](const Simulation& s) { return s.array(s->contact_forces()); })
      .def_property_readonly("energies", &energies)
      .def_property_readonly("impulses", &impulses)
      .def_property_readonly("momentum", [](const Simulation& s) { return copied({s->momentum().linear.data(), 3}); })
      .def_property_readonly("angular_momentum",
                             [](const Simulation& s) { return copied({s->momentum().angular.data(), 3}); })
      .def_property_readonly("notes", [](const Simulation& s) { return s->built().notes; })
      .def("yaml", [](const Simulation& s) { return scene::write_resolved(s->built().scene); })
      .def_property_readonly("body_names",
                             [](const Simulation& s) {
                               std::vector<std::string> names;
                               for (const dynamics::BodyPtr& body : s->system().bodies()) names.push_back(body->name());
                               return names;
                             })
      .def("dofs",
           [](const Simulation& s, const std::string& name) {
             const mechanics::Range range = s->dofs(name);
             return py::slice(static_cast<py::ssize_t>(range.begin), static_cast<py::ssize_t>(range.end()), 1);
           })
      .def("draw", &drawn)
      .def_property_readonly("control_names",
                             [](const Simulation& s) {
                               std::vector<std::string> names;
                               for (const auto& [name, control] : s.own().controls) names.push_back(name);
                               return names;
                             })
      .def("control",
           [](const Simulation& s, const std::string& name) { return s.own().controls.at(name)->value; })
      .def("set_control",
           [](const Simulation& s, const std::string& name, double value) {
             const auto control = s.own().controls.find(name);
             if (control == s.own().controls.end()) refuse("controls", fmt::format("have none named '{}'", name));
             if (!std::isfinite(value)) refuse("controls." + name, fmt::format("must be a finite number, not {}", value));
             control->second->value = value;
           })
      .def_property_readonly("force_names",
                             [](const Simulation& s) {
                               std::vector<std::string> names;
                               for (const auto& [name, force] : s.own().forces) {
                                 if (!force->function) names.push_back(name);
                               }
                               return names;
                             })
      .def("force",
           [](const Simulation& s, const std::string& name) {
             const auto force = s.own().forces.find(name);
             if (force == s.own().forces.end()) refuse("forces", fmt::format("have none named '{}'", name));
             return s.array(std::span(force->second->values));
           })
      .def_property(
          "state", [](const Simulation& s) { return s->state(); },
          [](const Simulation& s, const model::State& state) { s->restore(state); });
}

}  // namespace ictus::python
