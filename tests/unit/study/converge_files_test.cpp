#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ictus/study/converge/converge_files.hpp>

#include "structure/studies/small_scene.hpp"

namespace ictus::study {
namespace {

using ictus::testing::refusal;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

TEST(ParseSteps, TakesUnitsAndNumbers) {
  EXPECT_THAT(parse_steps("1 us, 0.5us,2e-3"), ElementsAre(1e-6, 0.5e-6, 2e-3));
}

TEST(ParseSteps, RefusesWhatIsNoStep) {
  EXPECT_THAT(refusal([] { parse_steps("1 m"); }), HasSubstr("--steps: must be a time > 0"));
  EXPECT_THAT(refusal([] { parse_steps("1,,2"); }), HasSubstr("--steps"));
  EXPECT_THAT(refusal([] { parse_steps("-1"); }), HasSubstr("--steps"));
  EXPECT_THAT(refusal([] { parse_steps("1 ms,0.001"); }), HasSubstr("given twice"));
}

Convergence study() {
  Convergence study;
  study.title = "Two bars";
  study.mesh_follows = true;
  study.from = 0.25;
  study.quantities = {{"probe.tip.velocity", "tip velocity"}, {"contact.0.force", "contact force left - right"}};
  const auto run = [](const char* name, double step, int n, std::optional<double> error) {
    return ConvergeRun{
        name, step, step, {{"left", n}, {"right", 2 * n}}, 100, ConvergeStatus::completed, "", {error, std::nullopt},
        0.5};
  };
  study.runs = {run("dcr", 0.5, 4, 0.25), run("dcr", 0.25, 8, 0.125), run("cd-lagrange", 0.5, 4, std::nullopt)};
  study.runs[2].status = ConvergeStatus::refused;
  study.runs[2].reason = "time.step: too large";
  study.curves = {{"dcr", 0, {0.5, 0.25}, {0.25, 0.125}, math::PowerLaw{1, 0.5, 0}, {1.0}},
                  {"dcr", 1, {}, {}, std::nullopt, {}},
                  {"cd-lagrange", 0, {}, {}, std::nullopt, {}},
                  {"cd-lagrange", 1, {}, {}, std::nullopt, {}}};
  return study;
}

TEST(ConvergeFiles, JsonTellsRunsAndSlopes) {
  const Json json = to_json(study());
  EXPECT_EQ(json["window"], Json::parse(R"({"from": 0.25, "after_release": false})"));
  EXPECT_THAT(json["norm"].get<std::string>(), HasSubstr("from 0.25 s on"));
  ASSERT_EQ(json["runs"].size(), 3);
  EXPECT_EQ(json["runs"][1]["errors"]["probe.tip.velocity"], 0.125);
  EXPECT_TRUE(json["runs"][1]["errors"]["contact.0.force"].is_null());
  EXPECT_EQ(json["runs"][1]["elements"]["right"], 16);
  EXPECT_EQ(json["runs"][2]["status"], "refused");
  EXPECT_EQ(json["runs"][2]["reason"], "time.step: too large");
  ASSERT_EQ(json["slopes"].size(), 4);
  EXPECT_EQ(json["slopes"][0]["order"], 1.0);
  EXPECT_EQ(json["slopes"][0]["local_orders"], Json::parse("[1.0]"));
  EXPECT_TRUE(json["slopes"][1]["order"].is_null());
}

TEST(ConvergeFiles, CsvHasARowForEachRun) {
  EXPECT_EQ(to_csv(full_table(study())),
            "integrator,step,asked_step,steps,status,left.elements,right.elements,error.probe.tip.velocity,"
            "error.contact.0.force,wall_seconds,reason\n"
            "dcr,0.5,0.5,100,completed,4,8,0.25,,0.5,\n"
            "dcr,0.25,0.25,100,completed,8,16,0.125,,0.5,\n"
            "cd-lagrange,0.5,0.5,100,refused,4,8,,,0.5,time.step: too large\n");
}

TEST(ConvergeFiles, TheShortTableHasTheOrdersBelowEachIntegratorAndNoEmptyQuantity) {
  EXPECT_EQ(to_text(short_table(study())),
            "integrator   step  elements  tip velocity\n"
            "dcr           0.5  4, 8              0.25\n"
            "dcr          0.25  8, 16            0.125\n"
            "  order         -  -                    1\n"
            "cd-lagrange   0.5  4, 8                 -\n"
            "  order         -  -                    -\n");
}

}  // namespace
}  // namespace ictus::study
