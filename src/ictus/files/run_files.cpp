#include <ictus/files/run_files.hpp>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <array>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/base/text_file.hpp>

namespace ictus::files {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 1> history_columns{"time"};
constexpr std::array<std::string_view, 9> contact_columns{
    "time", "first", "second", "x", "y", "z", "normal_impulse", "tangential_impulse", "energy_lost"};
constexpr std::array<std::string_view, 2> contact_texts{"first", "second"};

[[noreturn]] void fail(const fs::path& file, int line, std::string message) {
  throw base::InputError(base::Mistake{.file = file.string(), .line = line, .key = {}, .message = std::move(message)});
}

/// A scalar of the scene as text; null where there is none.
Json scalar(const YAML::Node& node) { return node && node.IsScalar() ? Json(node.Scalar()) : Json(nullptr); }

bool is_pair_of_words(const YAML::Node& node) {
  return node && node.IsSequence() && node.size() == 2 && node[0].IsScalar() && node[1].IsScalar();
}

/// One name for each contact of the history: those of a contact between nodes are as many as its pairs of nodes.
Json pair_names(const YAML::Node& contacts) {
  Json names = Json::array();
  if (!contacts || !contacts.IsSequence()) return names;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const YAML::Node contact = contacts[i];
    const YAML::Node between = contact.IsMap() ? contact["between"] : YAML::Node();
    const std::string bodies = is_pair_of_words(between)
                                   ? fmt::format("{} – {}", between[0].Scalar(), between[1].Scalar())
                                   : fmt::format("contact {}", i);
    const YAML::Node nodes = contact.IsMap() ? contact["nodes"] : YAML::Node();
    if (!nodes || !nodes.IsSequence() || nodes.size() == 0) names.push_back(bodies);
    for (std::size_t k = 0; nodes && nodes.IsSequence() && k < nodes.size(); ++k) {
      if (!is_pair_of_words(nodes[k])) {
        names.push_back(fmt::format("{}, nodes {}", bodies, k));
      } else if (nodes[k][0].Scalar() == nodes[k][1].Scalar()) {
        names.push_back(fmt::format("{} at {}", bodies, nodes[k][0].Scalar()));
      } else {
        names.push_back(fmt::format("{} at {} and {}", bodies, nodes[k][0].Scalar(), nodes[k][1].Scalar()));
      }
    }
  }
  return names;
}

void check_times(const fs::path& file, const CsvTable& table) {
  const std::vector<double>& times = table.find("time")->numbers;
  for (std::size_t row = 0; row < times.size(); ++row) {
    const int line = static_cast<int>(row) + 2;
    if (std::isnan(times[row])) fail(file, line, "the row has no time");
    if (row > 0 && times[row] < times[row - 1]) {
      fail(file, line, fmt::format("time runs back, from {} to {}", times[row - 1], times[row]));
    }
  }
}

}  // namespace

Json read_summary(const fs::path& file) {
  try {
    Json summary = Json::parse(base::read_whole_file(file));
    if (!summary.is_object()) fail(file, 0, "a JSON object is expected");
    return summary;
  } catch (const Json::parse_error& error) {
    fail(file, 0, fmt::format("not valid JSON at byte {}", error.byte));
  } catch (const Json::out_of_range&) {
    fail(file, 0, "a number is too large");
  }
}

Json read_scene(const fs::path& file) {
  const std::string text = base::read_whole_file(file);
  try {
    const YAML::Node scene = YAML::Load(text);
    if (!scene.IsMap()) fail(file, 0, "a YAML mapping is expected");
    return {{"text", text},
            {"title", scalar(scene["title"])},
            {"source", scalar(scene["source"])},
            {"about", scalar(scene["about"])},
            {"contacts", pair_names(scene["contacts"])}};
  } catch (const YAML::Exception& error) {
    fail(file, error.mark.line + 1, fmt::format("not valid YAML: {}", error.msg));
  }
}

CsvTable read_history(const fs::path& file) {
  CsvTable history = read_csv(file, history_columns);
  check_times(file, history);
  return history;
}

CsvTable read_contacts(const fs::path& file) {
  CsvTable contacts = read_csv(file, contact_columns, contact_texts);
  check_times(file, contacts);
  return contacts;
}

}  // namespace ictus::files
