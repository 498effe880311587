#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ictus/study/compare/compare_files.hpp>

namespace ictus::study {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::ordered_json;

Json summary() {
  return Json::parse(R"({
    "time": {"end": 3, "step": 0.5, "steps": 6, "wall_seconds": 0.25},
    "energy": {"error": 0.125, "losses": {"impact": 1.0, "damping": 0.0}, "residual_max": 1e-15, "initial": 4.0,
               "final": 3.0, "external_work": 0, "change_max": 0.25, "scale": 4.0},
    "momentum": {"linear_drift": 1e-16, "angular_drift": null},
    "contact": {"events": 2, "first_time": 0.5, "last_time": 2.0, "total_impulse": 1, "max_penetration": 0,
                "fallbacks": 3, "fallback_error": 0},
    "probes": {},
    "extra": {"error": {"left": {"displacement": 0.1, "velocity": 0.2, "force": null},
                        "right": {"displacement": 0.3, "velocity": 0.1, "force": 0.5}},
              "contact_force_error": [0.7, null]}})");
}

Comparison comparison() {
  ComparedRun done{"cd-lagrange",        {}, ComparedStatus::completed, "", {"restitution left out"}, "cd-lagrange",
                   figures_of(summary())};
  ComparedRun refused{"central-difference", {}, ComparedStatus::refused, "contacts.0: has no contact", {}, "", {}};
  ComparedRun failed{"dcr", {}, ComparedStatus::failed, "not a number", {}, "dcr", {}};
  return {"Two bars", "two-bars/steel", {done, refused, failed}, {}};
}

TEST(RunFigures, AreThoseOfTheSummary) {
  const RunFigures figures = figures_of(summary());
  EXPECT_EQ(figures.step, 0.5);
  EXPECT_EQ(figures.steps, 6);
  EXPECT_EQ(figures.contact_duration, 1.5);
  EXPECT_EQ(figures.events, 2);
  EXPECT_EQ(figures.fallbacks, 3);
  EXPECT_EQ(figures.angular_drift, std::nullopt);
  EXPECT_EQ(figures.largest_error("displacement"), 0.3);
  EXPECT_EQ(figures.largest_error("velocity"), 0.2);
  EXPECT_EQ(figures.largest_error("contact_force"), 0.7);
  EXPECT_EQ(figures.largest_error("temperature"), std::nullopt);
}

TEST(RunFigures, WithoutContactOrReferenceTheyAreNone) {
  Json bare = summary();
  bare["extra"] = Json::object();
  for (const char* key : {"events", "first_time", "last_time"}) bare["contact"][key] = nullptr;
  const RunFigures figures = figures_of(bare);
  EXPECT_THAT(figures.errors, IsEmpty());
  EXPECT_EQ(figures.contact_duration, std::nullopt);
  EXPECT_EQ(figures.events, std::nullopt);
}

TEST(CompareFiles, JsonTellsRunsAndRefusals) {
  const Json json = to_json(comparison());
  EXPECT_EQ(json["scene"]["case"], "two-bars/steel");
  ASSERT_EQ(json["runs"].size(), 2);
  const Json& run = json["runs"][0];
  EXPECT_EQ(run["status"], "completed");
  EXPECT_TRUE(run["reason"].is_null());
  EXPECT_EQ(run["notes"][0], "restitution left out");
  EXPECT_EQ(run["error"]["displacement"], 0.3);
  EXPECT_EQ(run["error"]["columns"]["probe.left.velocity"], 0.2);
  EXPECT_TRUE(run["error"]["columns"]["contact.1.force"].is_null());
  EXPECT_EQ(run["energy"]["losses"]["impact"], 1.0);
  EXPECT_EQ(run["contact"]["duration"], 1.5);
  EXPECT_EQ(run["time"]["wall_seconds"], 0.25);
  EXPECT_EQ(json["runs"][1]["reason"], "not a number");
  EXPECT_FALSE(json["runs"][1].contains("energy"));
  EXPECT_EQ(json["refused"],
            Json::parse(R"([{"name": "central-difference", "reason": "contacts.0: has no contact"}])"));
}

TEST(CompareFiles, CsvHasARowForEachIntegrator) {
  const FigureTable table = full_table(comparison());
  ASSERT_EQ(table.rows.size(), 3);
  for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.headings.size());
  EXPECT_EQ(
      to_csv(table),
      "integrator,status,time.step,time.steps,error.displacement,error.velocity,error.contact_force,"
      "error.probe.left.displacement,error.probe.left.velocity,error.probe.left.force,"
      "error.probe.right.displacement,error.probe.right.velocity,error.probe.right.force,"
      "error.contact.0.force,error.contact.1.force,energy.initial,energy.error,energy.change_max,"
      "energy.loss.impact,energy.loss.damping,energy.residual_max,momentum.linear_drift,"
      "momentum.angular_drift,contact.duration,contact.events,contact.fallbacks,time.wall_seconds,reason,notes\n"
      "cd-lagrange,completed,0.5,6,0.3,0.2,0.7,0.1,0.2,,0.3,0.1,0.5,0.7,,4,0.125,0.25,1,0,1e-15,1e-16,,1.5,2,3,0.25,,"
      "restitution left out\n"
      "central-difference,refused,,,,,,,,,,,,,,,,,,,,,,,,,,contacts.0: has no contact,\n"
      "dcr,failed,,,,,,,,,,,,,,,,,,,,,,,,,,not a number,\n");
}

TEST(CompareFiles, TheShortTableNamesTheLossesThatThereAre) {
  const FigureTable table = short_table(comparison());
  ASSERT_EQ(table.rows.size(), 1) << "what did not run has no figures";
  EXPECT_EQ(std::get<std::string>(table.rows[0].back()), "impact 1");
}

}  // namespace
}  // namespace ictus::study
