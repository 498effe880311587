#pragma once

#include <ictus/report/report_data.hpp>
#include <string_view>

namespace ictus::report {

/// report/dist/page.html, which shows documents of every kind, with `title` and `document` at their marks. No text of
/// either can become markup. Bytes that are not UTF-8 become U+FFFD. The page may ask nobody for anything, except,
/// where it is `served`, the server that it came from.
std::string fill_page(std::string_view title, const Document& document, bool served = false);

/// `document` as JSON, bytes that are not UTF-8 replaced.
std::string json_text(const Document& document);

}  // namespace ictus::report
