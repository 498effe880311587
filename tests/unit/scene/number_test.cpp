#include <ictus/scene/text/number.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <random>

namespace ictus::scene {
namespace {

std::optional<double> read_number(std::string_view text) {
  const auto split = split_number(text);
  if (!split || !split->rest.empty()) return std::nullopt;
  return to_double(split->number);
}

TEST(Number, ReadsEveryFormOfYaml) {
  EXPECT_EQ(read_number("12"), 12.0);
  EXPECT_EQ(read_number("-12"), -12.0);
  EXPECT_EQ(read_number("+12"), 12.0);
  EXPECT_EQ(read_number("0.5"), 0.5);
  EXPECT_EQ(read_number(".5"), 0.5);
  EXPECT_EQ(read_number("5."), 5.0);
  EXPECT_EQ(read_number("1e3"), 1000.0);
  EXPECT_EQ(read_number("1E+3"), 1000.0);
  EXPECT_EQ(read_number("-2.5e-3"), -2.5e-3);
}

TEST(Number, RefusesEverythingElse) {
  for (const char* text : {"", ".", "-", "e3", "abc", "1e", "1e+", "0x10", "1_000", "1 2", "--1", ".inf", "nan", "inf"})
    EXPECT_EQ(read_number(text), std::nullopt) << text;
}

TEST(Number, RefusesWhatNoDoubleHolds) {
  EXPECT_EQ(read_number("1e309"), std::nullopt);
  EXPECT_EQ(read_number("1e-400"), std::nullopt);
  EXPECT_EQ(read_number("1e999999999999999999999"), std::nullopt);
  EXPECT_EQ(read_number("0e-400"), 0.0);
  EXPECT_EQ(read_number("1.7976931348623157e308"), 1.7976931348623157e308);
}

TEST(Number, SplitsAUnitOff) {
  const auto split = split_number("12e-3 mm");
  ASSERT_TRUE(split);
  EXPECT_EQ(split->number, "12e-3");
  EXPECT_EQ(split->rest, " mm");
  EXPECT_EQ(split_number("5em")->rest, "em") << "an 'e' without digits is not an exponent";
}

TEST(Number, ADecimalFactorDoesNotRound) {
  // 0.645 · 1e-3 in floating point is not the double nearest to 0.645e-3 for every such pair; the decimal shift is.
  EXPECT_EQ(to_double("645", -6), 645e-6);
  EXPECT_EQ(to_double("0.1e2", -3), 0.01);
  std::mt19937 random(1);
  std::uniform_int_distribution<int> digits(1, 999'999);
  int product_differs = 0;
  for (int i = 0; i < 1000; ++i) {
    const int n = digits(random);
    const std::string text = std::to_string(n);
    const double exact = std::strtod((text + "e-6").c_str(), nullptr);
    EXPECT_EQ(to_double(text, -6), exact) << text;
    if (n * 1e-6 != exact) ++product_differs;
  }
  EXPECT_GT(product_differs, 0) << "otherwise this test shows nothing";
}

TEST(Number, IsWrittenShortestAndReadsBackToTheSameBits) {
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(format_number(1), "1");
  EXPECT_EQ(format_number(-0.0), "-0");
  EXPECT_EQ(format_number(1e22), "1.0e+22") << "YAML 1.1 takes 1e+22 for text";
  EXPECT_EQ(format_number(2.5e-7), "2.5e-07");
  std::mt19937_64 random(2);
  int finite = 0;
  while (finite < 10'000) {
    const double value = std::bit_cast<double>(random());
    if (value - value != 0) continue;  // NaN and infinities
    ++finite;
    const auto back = read_number(format_number(value));
    ASSERT_TRUE(back) << format_number(value);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*back), std::bit_cast<std::uint64_t>(value)) << format_number(value);
  }
}

}  // namespace
}  // namespace ictus::scene
