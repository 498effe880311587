#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::scene {

/// Exponents of the base units m, kg, s, rad and K. Angle counts as a dimension so that `deg` is refused for a ratio.
struct Dimension {
  int length = 0;
  int mass = 0;
  int time = 0;
  int angle = 0;
  int temperature = 0;
  bool operator==(const Dimension&) const = default;
};

namespace dimension {
inline constexpr Dimension none{};
inline constexpr Dimension length{1, 0, 0, 0};
inline constexpr Dimension area{2, 0, 0, 0};
inline constexpr Dimension time{0, 0, 1, 0};
inline constexpr Dimension mass{0, 1, 0, 0};
inline constexpr Dimension angle{0, 0, 0, 1};
inline constexpr Dimension velocity{1, 0, -1, 0};
inline constexpr Dimension acceleration{1, 0, -2, 0};
inline constexpr Dimension density{-3, 1, 0, 0};
inline constexpr Dimension stress{-1, 1, -2, 0};
inline constexpr Dimension force{1, 1, -2, 0};
inline constexpr Dimension moment{2, 1, -2, 0};
inline constexpr Dimension second_moment{4, 0, 0, 0};  ///< of an area
inline constexpr Dimension rotary_inertia{2, 1, 0, 0};
inline constexpr Dimension angular_velocity{0, 0, -1, 1};
inline constexpr Dimension frequency{0, 0, -1, 0};
inline constexpr Dimension temperature{0, 0, 0, 0, 1};
inline constexpr Dimension heat_capacity{2, 0, -2, 0, -1};  ///< of a mass
}  // namespace dimension

/// "a density", "an area", "a number"; "a quantity in kg^2/m" where the dimension has no name.
std::string with_article(const Dimension& dimension);

/// The SI unit: "kg/m^3", "Pa", "m/s^2"; empty for a number.
std::string si_unit(const Dimension& dimension);

/// SI value = number · factor · 10^exponent.
struct Unit {
  Dimension dimension;
  double factor = 1;
  int exponent = 0;
};

struct UnitResult {
  std::optional<Unit> unit;
  std::string error;  ///< why there is no unit: "unknown unit 'mpa', did you mean 'MPa'?"
};

/// Products, quotients and powers of known units with decimal prefixes: "mm", "kg/m^3", "N/mm²", "g cm^-3", "1/s".
/// A product after a quotient ("N/m s") is refused, because people read it in two ways.
UnitResult parse_unit(std::string_view text);

/// A symbol that parse_unit knows, for the reference page.
struct UnitSymbol {
  std::string symbol;
  std::string meaning;
  bool takes_prefix = false;
};
std::vector<UnitSymbol> unit_symbols();

/// The decimal prefixes: "p n u m c d k M G T".
std::string unit_prefixes();

}  // namespace ictus::scene
