#include <ictus/build/loads/signal_file.hpp>

#include <fmt/format.h>

#include <charconv>
#include <ictus/base/error.hpp>
#include <ictus/base/text_file.hpp>
#include <sstream>

namespace ictus::build {

namespace {

constexpr double standard_gravity = 9.80665;

struct Reader {
  std::string file;
  int line = 0;

  [[noreturn]] void fail(const std::string& message) const { throw base::InputError({file, line, "", message}); }

  static std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\"");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\"") - first + 1);
  }

  /// The two cells of a line, parted by a comma or a semicolon.
  std::pair<std::string_view, std::string_view> cells(std::string_view text) const {
    const auto cut = text.find_first_of(",;");
    if (cut == std::string_view::npos || text.find_first_of(",;", cut + 1) != std::string_view::npos)
      fail("must have two columns, time and value, parted by a comma");
    return {trimmed(text.substr(0, cut)), trimmed(text.substr(cut + 1))};
  }

  /// SI value of one unit of a column whose title is `name (unit)` or `name [unit]`.
  double unit_of(std::string_view title, const scene::Dimension& dimension) const {
    const auto open = title.find_first_of("(["), close = title.find_last_of(")]");
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
      fail(fmt::format("the header must give the unit of '{}' in brackets: `time (s), acceleration (m/s^2)`", title));
    const std::string_view unit = trimmed(title.substr(open + 1, close - open - 1));
    if (unit == "g" && dimension == scene::dimension::acceleration) return standard_gravity;
    const scene::UnitResult parsed = scene::parse_unit(unit);
    if (!parsed.unit) fail(parsed.error);
    if (!(parsed.unit->dimension == dimension))
      fail(fmt::format("'{}' must be {} (in {})", title, scene::with_article(dimension), scene::si_unit(dimension)));
    double factor = parsed.unit->factor;
    for (int e = parsed.unit->exponent; e > 0; --e) factor *= 10;
    for (int e = parsed.unit->exponent; e < 0; ++e) factor /= 10;
    return factor;
  }

  double number(std::string_view cell) const {
    double value = 0;
    if (!cell.empty() && cell.front() == '+') cell.remove_prefix(1);
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size()) fail(fmt::format("must be a number, not '{}'", cell));
    return value;
  }
};

}  // namespace

scene::TableSpec read_signal_file(const std::filesystem::path& file, const scene::Dimension& dimension, double scale) {
  Reader reader{file.string()};
  std::istringstream stream(base::read_whole_file(file));
  scene::TableSpec table;
  double time_unit = 0, value_unit = 0;
  for (std::string text; std::getline(stream, text);) {
    ++reader.line;
    const std::string_view content = Reader::trimmed(text);
    if (content.empty() || content.front() == '#') continue;
    const auto [time, value] = reader.cells(text);
    if (time_unit == 0) {
      time_unit = reader.unit_of(time, scene::dimension::time);
      value_unit = reader.unit_of(value, dimension) * scale;
      continue;
    }
    const double t = reader.number(time) * time_unit;
    if (!table.times.empty() && t <= table.times.back())
      reader.fail(fmt::format("times must grow, and {:g} s is not after {:g} s", t, table.times.back()));
    table.times.push_back(t);
    table.values.push_back(reader.number(value) * value_unit);
  }
  if (table.times.size() < 2) reader.fail("must have a header and two rows or more");
  return table;
}

}  // namespace ictus::build
