#include <ictus/base/nearest.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace ictus::base {
namespace {

TEST(EditDistance, CountsEachKindOfSlipOnce) {
  EXPECT_EQ(edit_distance("length", "length"), 0);
  EXPECT_EQ(edit_distance("lenght", "length"), 1) << "swap";
  EXPECT_EQ(edit_distance("lngth", "length"), 1) << "deletion";
  EXPECT_EQ(edit_distance("lenngth", "length"), 1) << "insertion";
  EXPECT_EQ(edit_distance("lemgth", "length"), 1) << "replacement";
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(EditDistance, IgnoresCaseAndDashes) { EXPECT_EQ(edit_distance("Youngs-Modulus", "youngs_modulus"), 0); }

TEST(Nearest, FindsTheMisspeltWord) {
  const std::vector<std::string> keys{"length", "elements", "density", "youngs_modulus", "area"};
  EXPECT_EQ(nearest("lenght", keys), "length");
  EXPECT_EQ(nearest("Density", keys), "density");
  EXPECT_EQ(nearest("elemnets", keys), "elements");
  EXPECT_EQ(nearest("plain", std::vector<std::string>{"bar", "plane"}), "plane");
}

TEST(Nearest, FallsBackToTheShortestWordThatContainsIt) {
  const std::vector<std::string> keys{"shear_modulus_ratio", "youngs_modulus", "area"};
  EXPECT_EQ(nearest("modulus", keys), "youngs_modulus");
  EXPECT_EQ(nearest("odu", keys), "youngs_modulus");
  EXPECT_EQ(nearest("du", keys), std::nullopt) << "two letters are in many words";
}

TEST(Nearest, KnowsOtherEndings) {
  const std::vector<std::string> keys{"title", "bodies", "contacts"};
  EXPECT_EQ(nearest("body", keys), "bodies");
  EXPECT_EQ(nearest("contacting", keys), "contacts");
  EXPECT_EQ(nearest("bottom", keys), std::nullopt);
}

TEST(Nearest, SaysNothingWhenNothingIsNear) {
  const std::vector<std::string> keys{"length", "x"};
  EXPECT_EQ(nearest("colour", keys), std::nullopt);
  EXPECT_EQ(nearest("y", keys), std::nullopt) << "replacing every letter is not a misspelling";
  EXPECT_EQ(nearest("", keys), std::nullopt);
  EXPECT_EQ(nearest("length", {}), std::nullopt);
  EXPECT_EQ(nearest(std::string(1'000'000, 'a'), keys), std::nullopt);
}

}  // namespace
}  // namespace ictus::base
