// Commands that read the results of a run.
#include <fmt/format.h>

#include <filesystem>
#include <ictus/files/hdf5/hdf5_export.hpp>
#include <ictus/files/result_files.hpp>
#include <ictus/run/session.hpp>
#include <ictus/scene/schema/scalar_kinds.hpp>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"

namespace ictus::program {

namespace fs = std::filesystem;

namespace {

std::vector<double> snapshot_times(const std::vector<std::string>& texts) {
  std::vector<double> times;
  for (const std::string& text : texts) {
    times.push_back(scene::parse_quantity(text, scene::quantity(scene::dimension::time).at_least(0), "--snapshots"));
  }
  return times;
}

}  // namespace

void add_report(CLI::App& app) {
  CLI::App* command = app.add_subcommand("report", "Make the HTML report of a run again from its result files");
  auto folder = std::make_shared<std::string>();
  auto times = std::make_shared<std::vector<std::string>>();
  command->add_option("DIR", *folder, "Folder with the results of a run")->type_name("")->required();
  command
      ->add_option("--snapshots", *times,
                   "Times to show still pictures of, separated by commas, with or without units [chosen by the page]")
      ->type_name("T1,T2,...")
      ->delimiter(',');
  command->footer(
      "Example:  ictus report runs/two-bars/steel\n"
      "          ictus report runs/crane/coupled --snapshots \"0, 0.15, 235 ms\"");
  command->callback([folder, times] {
    run::write_report(*folder, snapshot_times(*times));
    fmt::print("{}\n", fs::absolute(fs::path(*folder) / files::result_files::report).string());
  });
}

void add_export(CLI::App& app) {
  CLI::App* command = app.add_subcommand("export", "Write the results of a run as one HDF5 file");
  auto folder = std::make_shared<std::string>();
  auto to = std::make_shared<std::string>();
  command->add_option("DIR", *folder, "Folder with the results of a run")->type_name("")->required();
  command->add_option("--to", *to, "The file to write [DIR/results.h5]")->type_name("FILE");
  command->footer(
      "The file has a list for each column of history.csv and contacts.csv, and scene.yaml and summary.json as text.\n"
      "Example:  ictus export runs/two-bars/steel --to steel.h5\n"
      "          h5py    h5py.File('steel.h5')['history/energy.total'][:]\n"
      "          MATLAB  h5read('steel.h5', '/history/energy.total')\n"
      "          Julia   h5read(\"steel.h5\", \"history/energy.total\")");
  command->callback([folder, to] {
    const fs::path target = to->empty() ? fs::path(*folder) / files::result_files::exported : fs::path(*to);
    files::export_results(*folder, target);
    fmt::print("{}\n", fs::absolute(target).string());
  });
}

}  // namespace ictus::program
