#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <array>
#include <ictus/base/embedded.hpp>
#include <ictus/base/error.hpp>
#include <ictus/observe/report_data.hpp>
#include <ictus/observe/report_page.hpp>
#include <ictus/observe/result_files.hpp>

namespace ictus::observe {

/// The page with its script and style, less title and document: report/dist/page.html.
std::span<const base::EmbeddedFile> page_template();

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 1> history_columns{"time"};
constexpr std::array<std::string_view, 6> contact_columns{
    "time", "first", "second", "normal_impulse", "tangential_impulse", "energy_lost"};
constexpr std::array<std::string_view, 2> contact_texts{"first", "second"};

[[noreturn]] void fail(const fs::path& file, int line, std::string message) {
  throw base::InputError(base::Mistake{.file = file.string(), .line = line, .key = {}, .message = std::move(message)});
}

Document read_summary(const fs::path& file) {
  try {
    Document summary = Document::parse(read_text(file));
    if (!summary.is_object()) fail(file, 0, "a JSON object is expected");
    return summary;
  } catch (const Document::parse_error& error) {
    fail(file, 0, fmt::format("not valid JSON at byte {}", error.byte));
  }
}

/// A scalar of the scene as text; null where there is none.
Document scalar(const YAML::Node& node) {
  return node && node.IsScalar() ? Document(node.Scalar()) : Document(nullptr);
}

/// "left – right" for each entry of the scene's contacts.
Document pair_names(const YAML::Node& contacts) {
  Document names = Document::array();
  if (!contacts || !contacts.IsSequence()) return names;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const YAML::Node contact = contacts[i];
    const YAML::Node between = contact.IsMap() ? contact["between"] : YAML::Node();
    const bool is_pair = between && between.IsSequence() && between.size() == 2;
    names.push_back(is_pair && between[0].IsScalar() && between[1].IsScalar()
                        ? fmt::format("{} – {}", between[0].Scalar(), between[1].Scalar())
                        : fmt::format("contact {}", i));
  }
  return names;
}

Document read_scene(const fs::path& file) {
  const std::string text = read_text(file);
  try {
    const YAML::Node scene = YAML::Load(text);
    if (!scene.IsMap()) fail(file, 0, "a YAML mapping is expected");
    return {{"text", text},
            {"title", scalar(scene["title"])},
            {"source", scalar(scene["source"])},
            {"contacts", pair_names(scene["contacts"])}};
  } catch (const YAML::Exception& error) {
    fail(file, error.mark.line + 1, fmt::format("not valid YAML: {}", error.msg));
  }
}

/// The plots need times that exist and never run back.
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

Document read_history(const fs::path& file) {
  const CsvTable history = read_csv(file, history_columns);
  check_times(file, history);
  return {{"rows", history.rows}, {"tables", history_tables(history)}};
}

Document read_contacts(const fs::path& file) {
  const CsvTable contacts = read_csv(file, contact_columns, contact_texts);
  check_times(file, contacts);
  return {{"rows", contacts.rows}, {"lanes", contact_lanes(contacts)}};
}

/// Adds a part made from one file to the document, or that file's mistakes to the list.
template <class Read>
void add_part(Document& document, const char* name, const fs::path& file, Read read,
              std::vector<base::Mistake>& mistakes) {
  try {
    document[name] = read(file);
  } catch (const base::InputError& error) {
    mistakes.insert(mistakes.end(), error.mistakes().begin(), error.mistakes().end());
  }
}

std::string html_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

/// JSON that an HTML parser cannot mistake for markup: no '<' stands in it, so neither "</script" nor "<!--" can.
/// Bytes that are not UTF-8 become U+FFFD.
std::string script_safe(const Document& document) {
  const std::string json = document.dump(-1, ' ', false, Document::error_handler_t::replace);
  std::string result;
  result.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  return result;
}

/// The text before, between and after the two places of the page.
std::string fill_page(std::string_view title, const Document& document) {
  static constexpr std::string_view title_place = "{{title}}";
  static constexpr std::string_view document_place = "{{document}}";
  const std::string_view page = page_template().front().content;
  const std::size_t first = page.find(title_place);
  const std::size_t second = page.find(document_place);
  const std::size_t after_first = first + title_place.size();
  return fmt::format("{}{}{}{}{}", page.substr(0, first), html_escaped(title),
                     page.substr(after_first, second - after_first), script_safe(document),
                     page.substr(second + document_place.size()));
}

std::string title_of(const Document& run) {
  for (const char* pointer : {"/summary/scene/title", "/scene/title"}) {
    const Document::json_pointer place(pointer);
    if (run.contains(place) && run.at(place).is_string()) return run.at(place).get<std::string>();
  }
  return "Untitled run";
}

}  // namespace

std::string report_page(const fs::path& run_dir) {
  Document run = {{"kind", "run"}};
  std::vector<base::Mistake> mistakes;
  add_part(run, "summary", run_dir / result_files::summary, read_summary, mistakes);
  add_part(run, "scene", run_dir / result_files::scene, read_scene, mistakes);
  add_part(run, "history", run_dir / result_files::history, read_history, mistakes);
  add_part(run, "contacts", run_dir / result_files::contacts, read_contacts, mistakes);
  if (!mistakes.empty()) throw base::InputError(std::move(mistakes));
  return fill_page(fmt::format("{} · Ictus", title_of(run)), run);
}

}  // namespace ictus::observe
