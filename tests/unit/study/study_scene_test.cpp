#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ictus/scene/schema/schema_export.hpp>
#include <ictus/study/study_scene.hpp>

#include "structure/studies/small_scene.hpp"

namespace ictus::study {
namespace {

using ictus::testing::refusal;
using ictus::testing::SmallScene;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

IntegratorChoice choice(const char* text) { return parse_integrators(text).front(); }

TEST(ParseIntegrators, AllAreThoseOfTheProgramThatNeedNoKeys) {
  const std::vector<IntegratorChoice> choices = parse_integrators("all");
  std::vector<scene::TypeDescription> types = scene::integrator_types();
  std::erase_if(types, [](const scene::TypeDescription& type) { return type.needs_keys; });
  EXPECT_LT(types.size(), scene::integrator_types().size());  // coupled domains must be reported
  ASSERT_EQ(choices.size(), types.size());
  for (std::size_t i = 0; i < types.size(); ++i) EXPECT_EQ(choices[i].label, types[i].name);
}

TEST(ParseIntegrators, OptionsBecomeKeysOfTheSpec) {
  const std::vector<IntegratorChoice> choices = parse_integrators("cd-lagrange,moreau-jean:theta=1");
  ASSERT_EQ(choices.size(), 2);
  EXPECT_EQ(choices[0].spec, "{type: cd-lagrange}");
  EXPECT_FALSE(choices[0].has_options());
  EXPECT_EQ(choices[1].label, "moreau-jean:theta=1");
  EXPECT_EQ(choices[1].type, "moreau-jean");
  EXPECT_EQ(choices[1].spec, "{type: moreau-jean, theta: 1}");
  EXPECT_TRUE(choices[1].has_options());
}

TEST(ParseIntegrators, EveryMistakeIsReportedAtOnce) {
  const std::string message = refusal([] { parse_integrators("cd-lagrang,dcr,dcr,moreau-jean:theta,xyz"); });
  EXPECT_THAT(message, HasSubstr("no integrator is named 'cd-lagrang'; did you mean 'cd-lagrange'?"));
  EXPECT_THAT(message, HasSubstr("'dcr' is given twice"));
  EXPECT_THAT(message, HasSubstr("'theta' in 'moreau-jean:theta' must be key=value"));
  EXPECT_THAT(message, HasSubstr("no integrator is named 'xyz'; `ictus integrators` lists them"));
}

TEST(WithIntegrator, TheSpecIsReplacedWholeButTheScenesOwnKeepsItsOptions) {
  const SmallScene file;
  const SceneSource source =
      file.source({{"integrator", "{type: moreau-jean, theta: 0.75}"}, {"time.courant", "null"}, {"time.step", "0.1"}});
  const auto theta = [&](const char* text) {
    const scene::Scene scene = source.load(with_integrator(source, choice(text)).changes).document.scene;
    return std::get<scene::MoreauJeanSpec>(*scene.integrator).theta;
  };
  EXPECT_EQ(theta("moreau-jean"), 0.75);
  EXPECT_EQ(theta("moreau-jean:theta=1"), 1);
  EXPECT_EQ(
      scene::type_name(*source.load(with_integrator(source, choice("cd-lagrange")).changes).document.scene.integrator),
      "cd-lagrange");
}

TEST(WithIntegrator, AnOptionThatItDoesNotHaveIsAMistake) {
  const SmallScene file;
  const SceneSource source = file.source();
  EXPECT_THAT(refusal([&] { with_integrator(source, choice("moreau-jean:thetta=1")); }), HasSubstr("theta"));
  EXPECT_THAT(refusal([&] { with_integrator(source, choice("moreau-jean:theta=7")); }), HasSubstr("[0.5, 1]"));
}

TEST(WithIntegrator, ARestitutionThatItCannotHonourIsLeftOutWithANote) {
  const SmallScene file;
  const SceneSource source = file.source({{"contacts.0.restitution", "1"}});
  const SceneVariant inelastic = with_integrator(source, choice("cd-lagrange"));
  EXPECT_FALSE(source.load(inelastic.changes).document.scene.contacts[0].restitution);
  EXPECT_THAT(inelastic.notes, ElementsAre("contacts.0.restitution 1 left out: cd-lagrange allows only 0"));
  const SceneVariant elastic = with_integrator(source, choice("reflection"));
  EXPECT_EQ(source.load(elastic.changes).document.scene.contacts[0].restitution, 1);
  EXPECT_THAT(elastic.notes, IsEmpty());
}

TEST(Refusals, StandInALine) {
  EXPECT_EQ(in_a_line(base::InputError({{"scene.yaml", 3, "time.step", "too large"}, {"", 0, "", "and more"}})),
            "time.step: too large; and more");
}

}  // namespace
}  // namespace ictus::study
