// Many simulations of equal size in one call.
#include <fmt/format.h>

#include <atomic>

#include "own.hpp"

namespace ictus::python {

namespace {

struct KeptBatch {
  std::vector<Own> own{};
  std::unique_ptr<run::Batch> batch{};
  std::vector<std::string> control_names{};
  std::vector<double> controls{};  ///< a row for each member
  std::atomic<bool> busy = false;
};

class Batch {
 public:
  Batch(const std::vector<run::LoadedScene>& scenes, int threads) : kept_(std::make_shared<KeptBatch>()) {
    std::vector<scene::Document> documents;
    std::vector<build::Own> own;
    for (const run::LoadedScene& scene : scenes) {
      documents.push_back(scene.document);
      kept_->own.push_back(make_own(scene.document.scene, {}, {}, {}));
      own.push_back(kept_->own.back().own);
      for (const auto& [name, force] : kept_->own.back().forces)
        refuse("batch", fmt::format("has no own forces, such as {}; use a load with a control", name));
    }
    if (!scenes.empty()) {
      for (const auto& [name, control] : kept_->own.front().controls) kept_->control_names.push_back(name);
    }
    for (const Own& one : kept_->own) {
      if (one.controls.size() != kept_->control_names.size()) refuse("batch", "must have the same controls in each scene");
      for (const std::string& name : kept_->control_names) {
        const auto control = one.controls.find(name);
        if (control == one.controls.end()) refuse("batch", "must have the same controls in each scene");
        kept_->controls.push_back(control->second->value);
      }
    }
    const py::gil_scoped_release unlock;
    kept_->batch = std::make_unique<run::Batch>(documents, threads, own);
  }

  run::Batch& operator*() const {
    if (!kept_) refuse("batch", "is closed");
    if (kept_->busy) refuse("batch", "is being stepped by another thread");
    return *kept_->batch;
  }
  run::Batch* operator->() const { return &**this; }
  void close() {
    **this;
    kept_.reset();
  }

  void step(std::int64_t count) {
    run::Batch& batch = **this;
    const std::shared_ptr<KeptBatch> kept = kept_;
    const std::size_t controls = kept->control_names.size();
    for (const double value : kept->controls) {
      if (!std::isfinite(value)) refuse("controls", fmt::format("must be finite numbers, not {}", value));
    }
    for (std::size_t i = 0; i < batch.size(); ++i) {
      for (std::size_t c = 0; c < controls; ++c)
        kept->own[i].controls.find(kept->control_names[c])->second->value = kept->controls[i * controls + c];
    }
    kept->busy = true;
    const std::unique_ptr<std::atomic<bool>, void (*)(std::atomic<bool>*)> busy(
        &kept->busy, [](std::atomic<bool>* flag) { *flag = false; });
    const py::gil_scoped_release unlock;
    batch.step(count);
  }

  py::array_t<double> array(std::span<double> values, std::size_t columns) const {
    const py::capsule owner(new std::shared_ptr<KeptBatch>(kept_),
                            [](void* p) { delete static_cast<std::shared_ptr<KeptBatch>*>(p); });
    return view(values.data(), {static_cast<py::ssize_t>((**this).size()), static_cast<py::ssize_t>(columns)}, owner);
  }
  const std::vector<std::string>& control_names() const {
    **this;
    return kept_->control_names;
  }
  py::array_t<double> controls() const {
    **this;
    return array(kept_->controls, kept_->control_names.size());
  }

  run::Simulation& member(std::ptrdiff_t i) const {
    const auto size = static_cast<std::ptrdiff_t>((**this).size());
    if (i < -size || i >= size) throw py::index_error(fmt::format("the batch has {} simulations", size));
    return (**this)[static_cast<std::size_t>(i < 0 ? i + size : i)];
  }

 private:
  std::shared_ptr<KeptBatch> kept_;
};

}  // namespace

void bind_batch(py::module_& module) {
  py::class_<Batch>(module, "Batch")
      .def(py::init<const std::vector<run::LoadedScene>&, int>(), py::arg("scenes"), py::arg("threads"))
      .def("step", &Batch::step, py::arg("count") = 1)
      .def("close", &Batch::close)
      .def("__len__", [](const Batch& batch) { return batch->size(); })
      .def_property_readonly("time", [](const Batch& batch) { return batch.member(0).time(); })
      .def_property_readonly("step_size", [](const Batch& batch) { return batch.member(0).step_size(); })
      .def_property_readonly("positions",
                             [](const Batch& batch) { return batch.array(batch->positions(), batch->dofs()); })
      .def_property_readonly("velocities",
                             [](const Batch& batch) { return batch.array(batch->velocities(), batch->dofs()); })
      .def_property_readonly("contact_forces",
                             [](const Batch& batch) {
                               const std::span<const double> forces = batch->contact_forces();
                               return read_only(batch.array({const_cast<double*>(forces.data()), forces.size()},
                                                            batch->contacts()));
                             })
      .def_property_readonly("control_names", &Batch::control_names)
      .def_property_readonly("controls", &Batch::controls)
      .def("dofs",
           [](const Batch& batch, const std::string& name) {
             const mechanics::Range range = batch.member(0).dofs(name);
             return py::slice(static_cast<py::ssize_t>(range.begin), static_cast<py::ssize_t>(range.end()), 1);
           })
      .def("state", [](const Batch& batch, std::ptrdiff_t i) { return batch.member(i).state(); })
      .def("set_state", [](const Batch& batch, std::ptrdiff_t i, const model::State& state) {
        batch.member(i);
        const auto size = static_cast<std::ptrdiff_t>(batch->size());
        batch->restore(static_cast<std::size_t>(i < 0 ? i + size : i), state);
      });
}

}  // namespace ictus::python
