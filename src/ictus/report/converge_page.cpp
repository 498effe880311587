#include <ictus/report/converge_page.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/files/json_fields.hpp>
#include <ictus/math/convergence.hpp>
#include <ictus/report/page_template.hpp>
#include <ictus/report/report_data.hpp>
#include <set>

namespace ictus::report {
namespace {

struct Point {
  double step;
  double error;  // NaN: none
};

/// The points of a curve from the smallest step on.
std::vector<Point> read_points(const files::JsonField& curve) {
  const files::JsonField step_field = curve.member("steps");
  const files::JsonField error_field = curve.member("errors");
  const std::vector<double> steps = step_field.numbers();
  const std::vector<double> errors = error_field.numbers();
  if (steps.size() != errors.size()) {
    error_field.fail(fmt::format("has {} values, but there are {} steps", errors.size(), steps.size()));
  }
  std::vector<Point> points;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!(steps[i] > 0)) step_field.fail("steps must be positive");
    if (errors[i] < 0) error_field.fail("an error is a size: it cannot be negative");
    points.push_back({steps[i], errors[i]});
  }
  std::ranges::sort(points, {}, &Point::step);
  return points;
}

/// An exact result lies on no power law: only positive errors count.
std::optional<math::PowerLaw> fit(const std::vector<Point>& points) {
  std::vector<double> steps, errors;
  for (const Point& point : points) {
    if (!(point.error > 0)) continue;
    steps.push_back(point.step);
    errors.push_back(point.error);
  }
  return math::fit_power_law(steps, errors);
}

Document curve_part(const files::JsonField& curve) {
  const std::vector<Point> points = read_points(curve);
  std::vector<double> steps, errors;
  for (const Point& point : points) {
    steps.push_back(point.step);
    errors.push_back(point.error);
  }
  Document part = {{"name", curve.member("name").text()}, {"steps", packed(steps)}, {"errors", packed(errors)}};
  const std::optional<math::PowerLaw> law = fit(points);
  part["fit"] =
      law ? Document{{"order", law->order}, {"constant", law->constant}, {"scatter", law->scatter}} : Document();
  return part;
}

Document quantity_part(const files::JsonField& quantity) {
  Document part = {{"name", quantity.member("name").text()}, {"curves", Document::array()}};
  std::set<double> orders;
  for (const files::JsonField& curve : quantity.member("curves").elements()) {
    part["curves"].push_back(curve_part(curve));
    const Document& law = part["curves"].back()["fit"];
    if (!law.is_null()) orders.insert(std::round(2 * law["order"].get<double>()) / 2);
  }
  if (const auto given = quantity.optional_member("orders")) {
    const std::vector<double> numbers = given->numbers();
    orders = std::set<double>(numbers.begin(), numbers.end());
  }
  std::erase_if(orders, [](double order) { return !(order > 0); });
  part["orders"] = std::vector<double>(orders.begin(), orders.end());
  return part;
}

}  // namespace

std::string converge_page(const nlohmann::json& convergence) {
  const files::JsonField root(convergence);
  const auto text = [](const std::optional<files::JsonField>& field, const Document& otherwise) {
    return field ? Document(field->text()) : otherwise;
  };
  const std::string title = root.member("title").text();
  Document page = {{"kind", "converge"},
                   {"title", title},
                   {"source", text(root.optional_member("source"), nullptr)},
                   {"norm", text(root.optional_member("norm"), nullptr)},
                   {"parameter", {{"name", "time step"}, {"unit", "s"}}},
                   {"quantities", Document::array()}};
  if (const auto parameter = root.optional_member("parameter")) {
    page["parameter"] = {{"name", parameter->member("name").text()}, {"unit", parameter->member("unit").text()}};
  }
  for (const files::JsonField& quantity : root.member("quantities").elements()) {
    page["quantities"].push_back(quantity_part(quantity));
  }
  return fill_page(fmt::format("{} · Ictus convergence", title), page);
}

}  // namespace ictus::report
