#include <ictus/scene/text/units.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace ictus::scene {
namespace {

struct UnitCase {
  const char* text;
  Dimension dimension;
  double factor;
  int exponent;
};

TEST(Units, ProductsQuotientsPowersAndPrefixes) {
  const UnitCase cases[] = {
      {"", {}, 1, 0},
      {"m", {1, 0, 0, 0}, 1, 0},
      {"mm", {1, 0, 0, 0}, 1, -3},
      {"GPa", {-1, 1, -2, 0}, 1, 9},
      {"m/s", {1, 0, -1, 0}, 1, 0},
      {"kg/m^3", {-3, 1, 0, 0}, 1, 0},
      {"kg/m3", {-3, 1, 0, 0}, 1, 0},
      {"kg/m³", {-3, 1, 0, 0}, 1, 0},
      {"kg m⁻³", {-3, 1, 0, 0}, 1, 0},
      {"kg*m^-3", {-3, 1, 0, 0}, 1, 0},
      {"kg · m^-3", {-3, 1, 0, 0}, 1, 0},
      {"g/cm^3", {-3, 1, 0, 0}, 1, 3},
      {"t/mm^3", {-3, 1, 0, 0}, 1, 12},
      {"m^2", {2, 0, 0, 0}, 1, 0},
      {"mm²", {2, 0, 0, 0}, 1, -6},
      {"N/mm²", {-1, 1, -2, 0}, 1, 6},
      {"kN", {1, 1, -2, 0}, 1, 3},
      {"kN s", {1, 1, -1, 0}, 1, 3},
      {"kg/m/s", {-1, 1, -1, 0}, 1, 0},
      {"kg / m / s^2", {-1, 1, -2, 0}, 1, 0},
      {"ms", {0, 0, 1, 0}, 1, -3},
      {"us", {0, 0, 1, 0}, 1, -6},
      {"µs", {0, 0, 1, 0}, 1, -6},
      {"min", {0, 0, 1, 0}, 60, 0},
      {"m/h", {1, 0, -1, 0}, 1.0 / 3600, 0},
      {"1/s", {0, 0, -1, 0}, 1, 0},
      {"/s", {0, 0, -1, 0}, 1, 0},
      {"kHz", {0, 0, -1, 0}, 1, 3},
      {"deg", {0, 0, 0, 1}, std::numbers::pi / 180, 0},
      {"°", {0, 0, 0, 1}, std::numbers::pi / 180, 0},
      {"rad/s", {0, 0, -1, 1}, 1, 0},
      {"mbar", {-1, 1, -2, 0}, 1, 2},
      {"%", {}, 1, -2},
      {"K", {0, 0, 0, 0, 1}, 1, 0},
      {"J/kg/K", {2, 0, -2, 0, -1}, 1, 0},
  };
  for (const UnitCase& c : cases) {
    const UnitResult result = parse_unit(c.text);
    ASSERT_TRUE(result.unit) << c.text << ": " << result.error;
    EXPECT_EQ(result.unit->dimension, c.dimension) << c.text;
    EXPECT_DOUBLE_EQ(result.unit->factor, c.factor) << c.text;
    EXPECT_EQ(result.unit->exponent, c.exponent) << c.text;
  }
}

TEST(Units, SaysWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"mpa", "unknown unit 'mpa', did you mean 'MPa'?"},
      {"KN", "unknown unit 'KN', did you mean 'kN'?"},
      {"furlong", "unknown unit 'furlong'"},
      {"kdeg", "unknown unit 'kdeg', did you mean 'deg'?"},
      {"N/m s", "'N/m s' can be read in two ways, write one '/' for each divisor"},
      {"m/", "'m/' is not a unit"},
      {"m^", "'m^' is not a unit"},
      {"m^0", "'m^0' is not a unit"},
      {"m^12", "'m^12' is not a unit"},
      {"m^1.5", "'m^1.5' is not a unit"},
      {"*m", "'*m' is not a unit"},
      {"m**2", "'m**2' is not a unit"},
      {"(m)", "'(m)' is not a unit"},
      {"m//s", "'m//s' is not a unit"},
  };
  for (const auto& [text, message] : cases) {
    const UnitResult result = parse_unit(text);
    EXPECT_FALSE(result.unit) << text;
    EXPECT_EQ(result.error, message);
  }
}

TEST(Units, DimensionsHaveNames) {
  EXPECT_EQ(with_article(dimension::density), "a density");
  EXPECT_EQ(with_article(dimension::area), "an area");
  EXPECT_EQ(with_article({1, 2, 0, 0}), "a quantity in kg^2 m");
  EXPECT_EQ(with_article({-1, 0, -2, 0}), "a quantity in 1/m/s^2");
  EXPECT_EQ(si_unit(dimension::stress), "Pa");
  EXPECT_EQ(si_unit(dimension::none), "");
}

TEST(Units, EverySymbolAndNamedUnitParses) {
  for (const UnitSymbol& symbol : unit_symbols()) EXPECT_TRUE(parse_unit(symbol.symbol).unit) << symbol.symbol;
  for (const Dimension& d : {dimension::length, dimension::area, dimension::time, dimension::mass, dimension::angle,
                             dimension::velocity, dimension::acceleration, dimension::density, dimension::stress}) {
    const UnitResult unit = parse_unit(si_unit(d));
    ASSERT_TRUE(unit.unit) << si_unit(d);
    EXPECT_EQ(unit.unit->dimension, d) << "the unit that a message asks for is one that is accepted";
    EXPECT_EQ(unit.unit->factor, 1);
    EXPECT_EQ(unit.unit->exponent, 0);
  }
}

}  // namespace
}  // namespace ictus::scene
