#include <gmock/gmock.h>

#include <ictus/report/converge_page.hpp>
#include <unit/report/page_document.hpp>

namespace ictus::report {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Errors 3 h² at three steps, given in falling order.
json study() {
  return {{"title", "Bars"},
          {"quantities",
           {{{"name", "tip velocity"},
             {"curves", {{{"name", "dcr"}, {"steps", {0.4, 0.2, 0.1}}, {"errors", {0.48, 0.12, 0.03}}}}}}}}};
}

TEST(ConvergePageTest, SortsThePointsAndFitsTheOrder) {
  const std::string page = converge_page(study());
  EXPECT_THAT(page, HasSubstr("<title>Bars · Ictus convergence</title>"));
  const Document document = document_in(page);
  EXPECT_EQ(document.at("kind"), "converge");
  EXPECT_EQ(document.at("parameter").dump(), R"({"name":"time step","unit":"s"})");
  const Document& curve = document.at("quantities").at(0).at("curves").at(0);
  EXPECT_THAT(unpacked(curve.at("steps")), ElementsAre(0.1, 0.2, 0.4));
  EXPECT_THAT(unpacked(curve.at("errors")), ElementsAre(0.03, 0.12, 0.48));
  // Exact powers: the fit is off by the round-off of a few logarithms.
  EXPECT_NEAR(curve.at("fit").at("order").get<double>(), 2, 1e-13);
  EXPECT_NEAR(curve.at("fit").at("constant").get<double>(), 3, 1e-12);
}

TEST(ConvergePageTest, ErrorsThatAreZeroOrMissingHaveNoPartInTheFit) {
  json document = study();
  json& curve = document["quantities"][0]["curves"][0];
  curve["steps"] = {0.4, 0.2, 0.1, 0.05, 0.025};
  curve["errors"] = {0.48, 0.12, 0.03, nullptr, 0};
  const Document fitted = document_in(converge_page(document)).at("quantities").at(0).at("curves").at(0);
  EXPECT_NEAR(fitted.at("fit").at("order").get<double>(), 2, 1e-13);
  EXPECT_EQ(unpacked(fitted.at("errors")).front(), 0);
  curve["errors"] = {0, 0, 0, 0, 0.1};
  EXPECT_TRUE(document_in(converge_page(document)).at("quantities").at(0).at("curves").at(0).at("fit").is_null());
}

TEST(ConvergePageTest, TrianglesAreOfTheFittedOrdersToTheHalfOrThoseGiven) {
  json document = study();
  document["quantities"][0]["curves"].push_back(
      {{"name", "b"}, {"steps", {1, 4}}, {"errors", {1, 2.1}}});  // order 0.535
  EXPECT_EQ(document_in(converge_page(document)).at("quantities").at(0).at("orders").dump(), "[0.5,2.0]");
  document["quantities"][0]["orders"] = {3, 1};
  EXPECT_EQ(document_in(converge_page(document)).at("quantities").at(0).at("orders").dump(), "[1.0,3.0]");
}

TEST(ConvergePageTest, NamesTheKeyThatIsWrong) {
  const auto complaint = [](const char* pointer, const json& value) {
    json document = study();
    document[json::json_pointer(pointer)] = value;
    return complaint_of([&] { converge_page(document); });
  };
  EXPECT_EQ(complaint("/title", nullptr), "title: is missing");
  EXPECT_EQ(complaint("/parameter", {{"name", "elements"}}), "parameter.unit: is missing");
  EXPECT_EQ(complaint("/quantities/0/name", 7), "quantities[0].name: a text is expected");
  EXPECT_EQ(complaint("/quantities/0/curves/0/steps", {1, 0, 2}),
            "quantities[0].curves[0].steps: steps must be positive");
  EXPECT_EQ(complaint("/quantities/0/curves/0/errors", {1, 2}),
            "quantities[0].curves[0].errors: has 2 values, but there are 3 steps");
  EXPECT_EQ(complaint("/quantities/0/curves/0/errors", {1, 2, -3}),
            "quantities[0].curves[0].errors: an error is a size: it cannot be negative");
}

}  // namespace
}  // namespace ictus::report
