// Whole runs, and the results that they left.
#include <fmt/format.h>

#include <chrono>
#include <ictus/base/interval_timer.hpp>
#include <ictus/files/vtu/frame_list.hpp>
#include <ictus/files/vtu/vtu_reader.hpp>
#include <nlohmann/json.hpp>

#include "own.hpp"

namespace ictus::python {

namespace {

/// How often a run looks at Ctrl-C and tells how far it is (s).
constexpr double look_every = 0.1;

/// Runs a session to its end, telling `progress(time, end, step, energy error or None)` now and then. Ctrl-C ends it as
/// it ends the program: it finishes its step, writes a checkpoint, and the exception goes on.
py::tuple run_session(run::Session& session, const py::object& progress) {
  base::IntervalTimer timer(look_every);
  bool interrupted = false;
  std::exception_ptr failure;
  const auto stop = [&] {
    if (!timer.due()) return false;
    const py::gil_scoped_acquire lock;
    timer.restart(look_every);
    try {
      if (!progress.is_none()) {
        const observe::LiveFigures live = session.live();
        progress(live.time, session.simulation().scene.time.end, live.step, live.energy_error);
      }
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    } catch (py::error_already_set&) {
      failure = std::current_exception();
      interrupted = true;
    }
    return interrupted;
  };
  std::optional<run::Outcome> outcome;
  {
    const py::gil_scoped_release unlock;
    outcome = session.run(stop, {});
  }
  if (interrupted) std::rethrow_exception(failure);
  const char* status = outcome->status == observe::RunStatus::completed ? "completed"
                       : outcome->out_of_time                          ? "out of time"
                                                                       : "interrupted";
  bool as_expected = true;
  for (const scene::ExpectationResult& result : outcome->expectations) as_expected = as_expected && result.met;
  return py::make_tuple(status, as_expected);
}

/// The columns of a table, numbers without copies; words as an array of str.
py::dict columns(files::CsvTable table) {
  py::dict result;
  for (files::CsvColumn& column : table.columns) {
    if (!column.is_text) {
      result[py::str(column.name)] = own(std::move(column.numbers));
      continue;
    }
    py::list words;
    for (const std::uint32_t word : column.text) words.append(column.words[word]);
    result[py::str(column.name)] = py::module_::import("numpy").attr("array")(words, py::arg("dtype") = "str");
  }
  return result;
}

py::dict read_frame(const std::string& file) {
  files::VtuReader reader{file};
  const auto shaped = [](std::vector<double>&& values, std::size_t rows) {
    const auto count = static_cast<py::ssize_t>(rows);
    const py::ssize_t components = count > 0 ? static_cast<py::ssize_t>(values.size()) / count : 1;
    return components == 1 ? own(std::move(values)) : own(std::move(values), {count, components});
  };
  py::dict points, cells, result;
  for (const std::string& name : reader.names("PointData"))
    points[py::str(name)] = shaped(reader.numbers("PointData", name), reader.points());
  for (const std::string& name : reader.names("CellData")) {
    if (name != "body") cells[py::str(name)] = shaped(reader.numbers("CellData", name), reader.cells());
  }
  result["points"] = own(reader.numbers("Points", "Points"), {static_cast<py::ssize_t>(reader.points()), 3});
  result["connectivity"] = own(reader.integers("Cells", "connectivity"));
  result["offsets"] = own(reader.integers("Cells", "offsets"));
  result["types"] = own(reader.bytes("Cells", "types"));
  result["body"] = own(reader.integers("CellData", "body"));
  result["body_names"] = reader.words("FieldData", "body_names");
  result["point_data"] = points;
  result["cell_data"] = cells;
  return result;
}

}  // namespace

void bind_run(py::module_& module) {
  module.def(
      "run",
      [](const run::LoadedScene& scene, const std::string& folder, int threads, bool force, const py::object& progress,
         const py::dict& bodies, const py::dict& forces, const py::dict& controls) {
        const Own own = make_own(scene.document.scene, bodies, forces, controls);
        std::optional<run::Session> session;
        {
          const py::gil_scoped_release unlock;
          session.emplace(run::Session::begin(scene, folder, threads, force, own.own));
        }
        return run_session(*session, progress);
      },
      py::arg("scene"), py::arg("folder"), py::arg("threads"), py::arg("force"), py::arg("progress"),
      py::arg("bodies"), py::arg("forces"), py::arg("controls"));
  module.def(
      "resume",
      [](const std::string& folder, int threads, const py::object& progress) {
        std::optional<run::Session> session;
        {
          const py::gil_scoped_release unlock;
          session.emplace(run::Session::resume(folder, nullptr, threads));
        }
        return run_session(*session, progress);
      },
      py::arg("folder"), py::arg("threads"), py::arg("progress"));
  const auto file_in = [](const std::string& folder, std::string_view name) {
    return std::filesystem::path(folder) / name;
  };
  module.def("read_summary", [=](const std::string& folder) {
    return files::read_summary(file_in(folder, files::result_files::summary)).dump();
  });
  module.def("read_history", [=](const std::string& folder) {
    return columns(files::read_history(file_in(folder, files::result_files::history)));
  });
  module.def("read_contacts", [=](const std::string& folder) {
    return columns(files::read_contacts(file_in(folder, files::result_files::contacts)));
  });
  module.def("list_frames", [](const std::string& folder) {
    std::vector<std::pair<double, std::string>> frames;
    for (const files::ListedFrame& frame : files::list_frames(folder)) frames.emplace_back(frame.time, frame.file.string());
    return frames;
  });
  module.def("read_frame", &read_frame);
  module.def("write_report", [](const std::string& folder) { run::write_report(folder); });
}

}  // namespace ictus::python
