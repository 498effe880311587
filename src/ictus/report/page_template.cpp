#include <ictus/report/page_template.hpp>

#include <fmt/format.h>

#include <ictus/base/embedded.hpp>

namespace ictus::report {

/// The files under report/dist, compiled in.
std::span<const base::EmbeddedFile> page_template();

namespace {

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
std::string script_safe(const Document& document) {
  const std::string json = json_text(document);
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

}  // namespace

std::string json_text(const Document& document) {
  return document.dump(-1, ' ', false, Document::error_handler_t::replace);
}

std::string fill_page(std::string_view title, const Document& document, bool served) {
  static constexpr std::string_view connect_mark = "{{connect}}";
  static constexpr std::string_view title_mark = "{{title}}";
  static constexpr std::string_view document_mark = "{{document}}";
  std::string filled(page_template().front().content);
  filled.replace(filled.find(connect_mark), connect_mark.size(), served ? "'self'" : "'none'");
  const std::string_view page = filled;
  const std::size_t first = page.find(title_mark);
  const std::size_t second = page.find(document_mark);
  const std::size_t after_first = first + title_mark.size();
  return fmt::format("{}{}{}{}{}", page.substr(0, first), html_escaped(title),
                     page.substr(after_first, second - after_first), script_safe(document),
                     page.substr(second + document_mark.size()));
}

}  // namespace ictus::report
