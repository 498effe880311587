// make_pages --large FILE: writes the page of a run of 10⁵ triangles and 200 frames, made up.
// make_pages FOLDER NAME...: writes FOLDER/NAME/report.html for each result folder named, and FOLDER/compare.html and
// FOLDER/converge.html from the .json files of those names.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <ictus/base/error.hpp>
#include <ictus/report/compare_page.hpp>
#include <ictus/report/converge_page.hpp>
#include <ictus/report/page_template.hpp>
#include <ictus/report/replay/replay.hpp>
#include <ictus/report/report_page.hpp>
#include <numbers>

namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& page) { std::ofstream(file, std::ios::binary) << page; }

nlohmann::json read_json(const fs::path& file) { return nlohmann::json::parse(std::ifstream(file)); }

/// A shell that flies, turns, and is dented and rippled by a blow: 316 × 159 points, two triangles for each square.
ictus::report::BodyTrack large_body(std::size_t frames) {
  constexpr std::size_t around = 316, up = 159;
  ictus::report::BodyTrack body;
  body.name = "shell";
  for (std::uint32_t i = 0; i < around * up; ++i) body.mesh.points.push_back(i);
  for (std::uint32_t row = 0; row + 1 < up; ++row) {
    for (std::uint32_t k = 0; k < around; ++k) {
      const auto a = static_cast<std::uint32_t>(row * around + k),
                 b = static_cast<std::uint32_t>(row * around + (k + 1) % around);
      const auto c = static_cast<std::uint32_t>(a + around), d = static_cast<std::uint32_t>(b + around);
      for (const std::uint32_t corner : {a, b, c, b, d, c}) body.mesh.triangles.push_back(corner);
    }
  }
  body.fields = {{"speed", {}, 0}, {"strain_energy_density", {}, 0}, {"contact_impulse", {}, 0}};
  for (std::size_t frame = 0; frame < frames; ++frame) {
    const double t = static_cast<double>(frame) / static_cast<double>(frames), hit = std::max(0.0, t - 0.3);
    for (std::size_t i = 0; i < around * up; ++i) {
      const double theta = std::numbers::pi * (static_cast<double>(i / around) + 0.5) / up;
      const double phi = 2 * std::numbers::pi * static_cast<double>(i % around) / around + 2 * t;
      const double ripple = 0.05 * std::exp(-3 * hit) * std::sin(25 * (theta - 9 * hit)) * (hit > 0 ? 1 : 0);
      const double r = 0.5 * (1 + ripple + 0.02 * std::sin(7 * phi + 40 * t));
      const std::array<double, 3> x{r * std::sin(theta) * std::cos(phi), r * std::sin(theta) * std::sin(phi),
                                    r * std::cos(theta)};
      for (std::size_t c = 0; c < 3; ++c) body.from_origin[c].push_back(static_cast<float>(x[c] + 0.6));
      body.fields[0].values.push_back(static_cast<float>(1 + std::sin(3 * x[0] + 9 * t)));
      body.fields[1].values.push_back(static_cast<float>(ripple * ripple));
      body.fields[2].values.push_back(static_cast<float>(hit > 0 ? std::exp(-40 * theta) : 0));
    }
    body.origins.push_back({-0.6 + 4 * std::abs(t - 0.3), -0.6, -0.6});
  }
  for (std::size_t c = 0; c < 3; ++c)
    body.extent[c] = *std::max_element(body.from_origin[c].begin(), body.from_origin[c].end());
  for (auto& field : body.fields) field.largest = *std::max_element(field.values.begin(), field.values.end());
  return body;
}

ictus::files::CsvTable no_contacts() {
  ictus::files::CsvTable table;
  for (const char* name : {"time", "first", "second", "x", "y", "z", "normal_impulse"})
    table.columns.push_back({.name = name});
  return table;
}

std::string large_page() {
  using ictus::report::Document;
  std::vector<double> times;
  for (int frame = 0; frame < 200; ++frame) times.push_back(0.01 * frame);
  const Document column = {{"name", "time"}, {"values", ictus::report::packed(times)}};
  const Document energy = {{"name", "energy.kinetic"}, {"values", ictus::report::packed(times)}};
  const Document run = {
      {"kind", "run"},
      {"summary", {{"status", "completed"}, {"scene", {{"title", "A large run"}}}}},
      {"scene",
       {{"text", ""},
        {"title", "A large run"},
        {"source", nullptr},
        {"about", nullptr},
        {"contacts", Document::array()}}},
      {"history", {{"rows", 200}, {"tables", Document::array({{{"columns", Document::array({column, energy})}}})}}},
      {"contacts", {{"rows", 0}, {"lanes", Document::array()}}},
      {"replay", ictus::report::replay_document(times, {large_body(times.size())}, no_contacts())}};
  return ictus::report::fill_page("A large run", run);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (std::string_view(argv[1]) == "--large") {
      write(argv[2], large_page());
      return 0;
    }
    const fs::path folder = argv[1];
    for (int i = 2; i < argc; ++i)
      write(folder / argv[i] / "report.html", ictus::report::report_page(folder / argv[i]));
    write(folder / "compare.html", ictus::report::compare_page(read_json(folder / "compare.json")));
    write(folder / "converge.html", ictus::report::converge_page(read_json(folder / "converge.json")));
  } catch (const ictus::base::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(ictus::base::ExitCode::input_error);
  }
}
