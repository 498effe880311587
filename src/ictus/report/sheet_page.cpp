#include <ictus/report/sheet_page.hpp>

#include <fmt/format.h>

#include <ictus/report/page_template.hpp>

namespace ictus::report {

std::string sheet_page(Document sheet) {
  sheet["kind"] = "sheet";
  return fill_page(fmt::format("{} · {}", sheet["title"].get<std::string>(), sheet["eyebrow"].get<std::string>()),
                   sheet);
}

}  // namespace ictus::report
