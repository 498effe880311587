#include <gmock/gmock.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/base/version.hpp>
#include <ictus/files/csv_table.hpp>
#include <ictus/files/result_files.hpp>
#include <numbers>
#include <numeric>
#include <random>

#include "support/temporary_folder.hpp"
#include "unit/observe/recorded_run.hpp"

namespace ictus::observe {
namespace {

using ictus::testing::listing;
using ictus::testing::read;
using ictus::testing::RecordedRun;
using ictus::testing::TemporaryFolder;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pointwise;
using Json = nlohmann::ordered_json;

constexpr std::int64_t steps = 50;

/// Runs from the beginning to the end.
Json run_whole(RecordedRun& run) {
  RunRecord record(run.options, run.system, run.integrator);
  run.begin(record);
  run.run_to(steps, record);
  return record.finish(run.snapshot(), RunStatus::completed);
}

std::vector<double> numbers(const std::filesystem::path& file, std::string_view column) {
  const std::vector<std::string_view> words = {"first", "second"};
  const files::CsvTable table =
      files::read_csv(file, {}, file.filename() == "contacts.csv" ? words : std::vector<std::string_view>{});
  const files::CsvColumn* found = table.find(column);
  return found == nullptr ? std::vector<double>{} : found->numbers;
}

TEST(RunRecord, HistoryHasTheAgreedColumns) {
  const TemporaryFolder folder;
  RecordedRun run(folder.path());
  run_whole(run);
  const std::string text = read(folder.path() / "history.csv");
  EXPECT_EQ(
      text.substr(0, text.find('\n')),
      "time,energy.kinetic,energy.strain,energy.potential,energy.external_work,energy.loss.impact,"
      "energy.loss.friction,energy.loss.damping,energy.loss.quadrature,energy.loss.fallback,energy.total,"
      "energy.error,energy.residual,momentum.x,momentum.y,momentum.z,angular_momentum.x,angular_momentum.y,"
      "angular_momentum.z,momentum.drift,angular_momentum.drift,contact.0.gap,contact.0.force,probe.left.displacement,"
      "probe.left.velocity,probe.left.force,probe.right.displacement,probe.right.velocity,probe.right.force,"
      "probe.left.acceleration,probe.right.acceleration");
}

TEST(RunRecord, RowsComeAtTheFirstStepOfEachIntervalAndAtTheEnd) {
  const TemporaryFolder folder;
  RecordedRun run(folder.path(), 10, 0.15);  // one row in 6 2/3 steps
  run_whole(run);
  std::vector<double> expected;
  for (const int step : {0, 7, 14, 20, 27, 34, 40, 47, 50}) expected.push_back(step * run.h);
  EXPECT_THAT(numbers(folder.path() / "history.csv", "time"), ElementsAreArray(expected));
}

TEST(RunRecord, ARowPerStepWhenTheIntervalIsShorter) {
  const TemporaryFolder folder;
  RecordedRun run(folder.path(), 10, 3.0);
  run_whole(run);
  EXPECT_EQ(numbers(folder.path() / "history.csv", "time").size(), 51u);
}

TEST(RunRecord, RowsFallOnTheStepWhereRoundingPutsItJustBeforeTheInstant) {
  const TemporaryFolder folder;
  RecordedRun run(folder.path());
  run.h = 1e-6;
  run.options.history.every = 1e-5;
  ASSERT_LT(30 * run.h, 3 * run.options.history.every);
  run_whole(run);
  std::vector<double> expected;
  for (const int step : {0, 10, 20, 30, 40, 50}) expected.push_back(step * run.h);
  EXPECT_THAT(numbers(folder.path() / "history.csv", "time"), ElementsAreArray(expected));
}

TEST(RunRecord, EnergiesOfARowAddUp) {
  const TemporaryFolder folder;
  RecordedRun run(folder.path());
  const Json summary = run_whole(run);
  const auto column = [&](const char* name) { return numbers(folder.path() / "history.csv", name); };
  const std::vector<double> kinetic = column("energy.kinetic"), strain = column("energy.strain"),
                            total = column("energy.total"), impact = column("energy.loss.impact"),
                            residual = column("energy.residual");
  const double initial = summary["energy"]["initial"];
  ASSERT_EQ(total.size(), 16u);
  for (std::size_t i = 0; i < total.size(); ++i) {
    EXPECT_EQ(kinetic[i] + strain[i], total[i]);
    EXPECT_NEAR(total[i] + impact[i] - initial, residual[i], 2e-16 * initial);
  }
  EXPECT_EQ(total.front(), initial);
  EXPECT_EQ(total.back(), summary["energy"]["final"].get<double>());
  EXPECT_EQ(impact.front(), 0);
  EXPECT_EQ(impact.back(), summary["energy"]["losses"]["impact"].get<double>());
}

TEST(RunRecord, ForcesAreImpulsesOverTheTimeBetweenRows) {
  const TemporaryFolder folder;
  RecordedRun run(folder.path());
  const Json summary = run_whole(run);
  const std::vector<double> time = numbers(folder.path() / "history.csv", "time"),
                            force = numbers(folder.path() / "history.csv", "contact.0.force"),
                            impulse = numbers(folder.path() / "contacts.csv", "normal_impulse");
  double sum = 0;
  for (std::size_t i = 1; i < time.size(); ++i) sum += force[i] * (time[i] - time[i - 1]);
  const double total = summary["contact"]["total_impulse"];
  EXPECT_NEAR(sum, total, 1e-13 * total);
  EXPECT_NEAR(std::accumulate(impulse.begin(), impulse.end(), 0.0), total, 1e-13 * total);
  EXPECT_EQ(force.front(), 0);
  const std::vector<double> lost = numbers(folder.path() / "contacts.csv", "energy_lost");
  const double impact = summary["energy"]["losses"]["impact"];
  EXPECT_NEAR(std::accumulate(lost.begin(), lost.end(), 0.0), impact, 1e-13 * impact);
}

TEST(RunRecord, GapIsTheDistanceOfTheTips) {
  const TemporaryFolder folder;
  RecordedRun run(folder.path());
  run_whole(run);
  const auto column = [&](const char* name) { return numbers(folder.path() / "history.csv", name); };
  const std::vector<double> gap = column("contact.0.gap"), left = column("probe.left.displacement"),
                            right = column("probe.right.displacement");
  for (std::size_t i = 0; i < gap.size(); ++i) EXPECT_NEAR(gap[i], 0.2e-3 + right[i] - left[i], 1e-16);
}

TEST(RunRecord, ContactsNameTheBodies) {
  const TemporaryFolder folder;
  RecordedRun run(folder.path());
  run_whole(run);
  const std::string text = read(folder.path() / "contacts.csv");
  EXPECT_THAT(text,
              ::testing::StartsWith("time,first,second,x,y,z,nx,ny,nz,normal_impulse,tangential_impulse,energy_lost,"
                                    "kinetic_norm,kinetic_slide,kinetic_fix,kinetic_rigid,kinetic_shape\n"));
  EXPECT_THAT(text, HasSubstr(",bar0,bar1,"));
  EXPECT_THAT(text, HasSubstr(",0,0,1,0,0,"));
  EXPECT_THAT(text, ::testing::EndsWith(",,,,,\n"));  // CD-Lagrange has no parts of the momentum
}

TEST(RunRecord, SummaryHasTheAgreedShape) {
  const TemporaryFolder folder;
  RecordedRun run(folder.path());
  const Json summary = run_whole(run);
  Json values = summary;
  values.erase("units");
  const Json shape = values.flatten();
  std::vector<std::string> keys;
  for (const auto& [key, value] : shape.items()) keys.push_back(key);
  EXPECT_THAT(
      keys, ElementsAre(
                "/ictus/version", "/ictus/schema", "/ictus/build", "/scene/title", "/scene/case", "/integrator",
                "/status", "/time/end", "/time/step", "/time/steps", "/time/wall_seconds", "/energy/error",
                "/energy/losses/impact", "/energy/losses/friction", "/energy/losses/damping",
                "/energy/losses/quadrature", "/energy/losses/fallback", "/energy/residual_max", "/energy/initial",
                "/energy/final", "/energy/external_work", "/energy/change_max", "/energy/scale",
                "/momentum/linear_drift", "/momentum/angular_drift", "/contact/events", "/contact/first_time",
                "/contact/last_time", "/contact/total_impulse", "/contact/max_penetration", "/contact/fallbacks",
                "/contact/fallback_error", "/contact/impulses", "/contact/rows", "/contact/rows_merged_over",
                "/contact/audited_states", "/contact/intersecting_states", "/contact/intersecting_pairs_max", "/joints",
                "/probes/left/displacement", "/probes/left/velocity", "/probes/left/force", "/probes/left/acceleration",
                "/probes/right/displacement", "/probes/right/velocity", "/probes/right/force",
                "/probes/right/acceleration", "/extra/energy_trapezoid_error", "/extra/energy_excess"));
  EXPECT_EQ(summary["integrator"], "cd-lagrange");
  EXPECT_EQ(summary["status"], "completed");
  EXPECT_TRUE(summary["scene"]["case"].is_null());
  EXPECT_EQ(summary["time"]["steps"], steps);
  EXPECT_EQ(summary["time"]["end"], static_cast<double>(steps) * run.h);
  EXPECT_EQ(summary["contact"]["events"], 1);
  EXPECT_EQ(summary["contact"]["first_time"], 6 * run.h);
  EXPECT_EQ(Json::parse(read(folder.path() / "summary.json")), summary);
  EXPECT_THAT(listing(folder.path()),
              ElementsAre("checkpoint.h5", "contacts.csv", "history.csv", "scene.yaml", "summary.json"));
  EXPECT_EQ(read(folder.path() / "scene.yaml"), run.options.scene);
}

TEST(RunRecord, WhatHasNoMeaningIsNull) {
  const TemporaryFolder folder;
  RecordedRun run(folder.path());
  const dynamics::System one_bar = testing::bars_in_a_row({testing::steel_bars(4)[0]});
  run.options.history.probes.clear();
  run.options.case_name = "bars/one";
  model::State state = one_bar.initial_state();
  run.integrator.prepare(one_bar);
  RunRecord record(run.options, one_bar, run.integrator);
  const dynamics::StepReport report = run.integrator.start(one_bar, run.h, state);
  const dynamics::Snapshot snapshot{one_bar, run.integrator, run.h, state};
  record.begin(snapshot, report);
  const Json summary = record.finish(snapshot, RunStatus::completed);
  for (const char* key : {"events", "first_time", "last_time", "total_impulse", "max_penetration", "audited_states",
                          "intersecting_states", "intersecting_pairs_max"})
    EXPECT_TRUE(summary["contact"][key].is_null()) << key;
  EXPECT_EQ(summary["contact"]["fallbacks"], 0);
  EXPECT_EQ(summary["scene"]["case"], "bars/one");
  EXPECT_TRUE(summary["probes"].is_object());
}

/// Knows the displacement of the first probe, u = 2 at all times, and the force.
class TwoEverywhere final : public Reference {
 public:
  void evaluate(double time, std::span<double> probe_values, std::span<double> contact_forces) const override {
    std::fill(probe_values.begin(), probe_values.end(), std::numeric_limits<double>::quiet_NaN());
    probe_values[0] = 2;
    contact_forces[0] = time;
  }
  std::optional<double> release() const override { return std::nullopt; }
};

TEST(RunRecord, AReferenceGivesColumnsAndErrors) {
  const TemporaryFolder folder;
  RecordedRun run(folder.path());
  run.options.history.reference = std::make_shared<TwoEverywhere>();
  const Json summary = run_whole(run);
  const auto column = [&](const char* name) { return numbers(folder.path() / "history.csv", name); };
  const std::vector<double> time = column("time"), computed = column("probe.left.displacement");
  EXPECT_THAT(column("exact.probe.left.displacement"), ElementsAreArray(std::vector<double>(time.size(), 2.0)));
  EXPECT_THAT(column("exact.contact.0.force"), ElementsAreArray(time));
  EXPECT_THAT(column("exact.probe.left.velocity"), IsEmpty());
  double sum = 0;
  for (const double u : computed) sum += std::abs(u - 2);
  EXPECT_DOUBLE_EQ(summary["extra"]["error"]["left"]["displacement"].get<double>(),
                   sum / (2 * static_cast<double>(computed.size())));
  EXPECT_FALSE(summary["extra"]["error"]["left"].contains("velocity"));
  const std::vector<double> force = column("contact.0.force");
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < time.size(); ++i) difference += std::abs(force[i] - time[i]), size += time[i];
  EXPECT_DOUBLE_EQ(summary["extra"]["contact_force_error"][0].get<double>(), difference / size);
}

TEST(RunRecord, ALossWithoutAColumnIsABug) {
  const TemporaryFolder folder;
  RecordedRun run(folder.path());
  RunRecord record(run.options, run.system, run.integrator);
  run.begin(record);
  dynamics::StepReport report = run.integrator.step(run.system, run.h, run.state);
  report.lost[model::Loss::projection] = 1;
  record.observe(run.snapshot(), report);
  EXPECT_THROW(record.finish(run.snapshot(), RunStatus::completed), std::logic_error);
}

TEST(RunRecord, LiveFiguresFollowTheRun) {
  const TemporaryFolder folder;
  RecordedRun run(folder.path());
  RunRecord record(run.options, run.system, run.integrator);
  run.begin(record);
  EXPECT_EQ(record.live().step, 0);
  run.run_to(20, record);
  const LiveFigures live = record.live();
  EXPECT_EQ(live.step, 20);
  EXPECT_EQ(live.time, run.state.time);
  EXPECT_EQ(live.contacts, 1);
  EXPECT_EQ(live.events, 1);
  EXPECT_LT(*live.energy_error, 1e-13);
  EXPECT_LT(*live.momentum_drift, 1e-13);
}

TEST(RunRecord, SaysThatTheFolderCannotBeMade) {
  const TemporaryFolder folder;
  files::write_file(folder.path() / "file", "");
  RecordedRun run(folder.path() / "file" / "results");
  RunRecord record(run.options, run.system, run.integrator);
  EXPECT_THROW(run.begin(record), base::InputError);
}

}  // namespace
}  // namespace ictus::observe
